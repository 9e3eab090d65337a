import { createHash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, test } from 'vitest';
import { concatBytes, fromHex } from '../../../src/encoding/bytes.ts';
import { decompressBrotli, type Output } from '../../../src/encoding/decompress.ts';
import { readBrotli } from './kona-content.ts';

const LIMIT = 100_000_000n;

/** A channel of a stream with the mark of a large window, however small the window is. */
function largeWindow(content: Uint8Array, window: number, cut: number): Uint8Array {
  const params = {
    [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
    [constants.BROTLI_PARAM_LGWIN]: window,
    [constants.BROTLI_PARAM_QUALITY]: 5,
  };
  const stream = brotliCompressSync(content, { params });
  return concatBytes([Uint8Array.of(1), stream.subarray(0, stream.length - cut)]);
}

test('a stream with a large window that is cut off gives what came out', () => {
  const channel = fromHex(
    '0x0111525006009041bd6aee456f0238c186891cb107a01166dfde0e181a1b4ed9ab007dc896f2337aae731da1374ec9ba1e90b953a1c656d83fe1d9239627c82ea086e96afc5996f21fa55d8bf7c885d6db97d508a99c8f0accf2ac711ab0d05198679b46b218bf4580e8c6d1',
  );
  const batch = fromHex(
    '0xb84b00f848a0342674d22fe20cacc54870e01b721f0a88a36af2136a06a28b48cb0a815853fe64a034e291eb42b74980aa6aa1a73d4fe7c035c831d12e5b29231d62966084295ef6830186acc0',
  );
  expect(readBrotli(channel, LIMIT)).toEqual({ fault: 'large window', givenUp: false, other: batch });
});

const digest = (text: string) => createHash('sha512').update(text).digest();
// Much more than its stream has bytes, and at the end some that cannot be told in fewer.
const CONTENT = concatBytes([...Array.from({ length: 40 }, () => digest('again')), digest('one'), digest('two')]);

test('of such a stream no more is read than it has bytes, unless the window fills', () => {
  const wide = largeWindow(CONTENT, 18, 20);
  expect(readBrotli(wide, LIMIT)!.other).toEqual(CONTENT.subarray(0, wide.length - 1));

  // Two windows of 1,024 bytes come out, and the room for them is doubled until it takes in what is behind them.
  const narrow = readBrotli(largeWindow(CONTENT, 10, 20), LIMIT)!.other!;
  expect(narrow.length).toBeGreaterThan(40 * 64);
  expect(narrow).toEqual(CONTENT.subarray(0, narrow.length));
});

test('a whole one gives all of it', () => {
  expect(readBrotli(largeWindow(CONTENT, 18, 0), LIMIT)).toEqual({
    fault: 'large window',
    givenUp: false,
    other: CONTENT,
  });
});

test('bits behind the last meta-block, up to the end of its byte, do not matter there either', () => {
  const channel = fromHex('0x01119801580008297e669b6dc85b00939c061b07');
  const content = fromHex('0x297e669b6dc85b00939c061b');
  expect(readBrotli(channel, LIMIT)).toEqual({ fault: 'large window', givenUp: false, other: content });
});

/**
 * Streams with a bit or two that are wrong in the length of a meta-block, and what `decompress_brotli` of kona-protocol
 * 0.4.5, built with brotli 8.0.1 and brotli-decompressor 5.0.0, gave for them.
 */
const OVERRUNS: readonly {
  readonly what: string;
  readonly stream: string;
  readonly fault: 'overrun' | 'corrupt';
  /** Bytes that came, and the SHA-256 of them. */
  readonly came: number;
  readonly digest: string;
}[] = [
  {
    what: 'ends behind the command that is too much, and the stream ends',
    stream: '0x0309000080aaaaaaeaff74a5fb8505442fc20002acaab001c7bc5b18288673009c09e111f926bd12336ff92e759ef0',
    fault: 'overrun',
    came: 28,
    digest: '42f4b45965dadf392e483fac7f47180bc55ca2c5c9d6d023a0b7fe509f1ab6cf',
  },
  {
    what: 'is longer than a ring buffer that is smaller than the window',
    stream:
      '0x03ff010080aaaaaaeadfdce16e06763103b0ab811bc00276703b2c00e61777f383011880011898f9c1ae76b2ab1d0cc00e66606000066076307030f08bc372f2a301f8c1ece20ee0470777003fdac51d1cc001fc6470f78b8303b81b8031069cd3ece3e018a00c07702285e78c834c0e4439ed597ef1dfb19fab0e55f9e8fcec0f127481c911a0ef84b76dc3094697669d32f7dc3b70b2f17c4c65df0d5f57b05cfe3e0ec854b575b31ad2a424068f227cdbaff6b89ced6f35185f30001024d67b0603',
    fault: 'overrun',
    came: 1028,
    digest: '493cfb87220cbbf8e60785d0e6d9995f33c9030d9f25f7c2fe346d19b7cb04ed',
  },
  {
    what: 'is followed by a header of which the data are cut off',
    stream: '0x0319000080aaaaaaeaff74a5fb8505442fc20002acaab00147bc5b18288673009c09e111f926bd12336ff92e759ef0',
    fault: 'overrun',
    came: 47,
    digest: 'ea1ac046b165becc99a89679ee425dda96a530ca98a9408886dd7bebf8a42403',
  },
  {
    what: 'is followed by a fault',
    stream: '0x03120000047463a9ae9781c9831c4c6082512a57eb19b2d20f9d5302648f87be27',
    fault: 'overrun',
    came: 0,
    digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  {
    what: 'is the second one',
    stream:
      '0x83ff010080aaaaaaea5fc10f1777f0b33b0484835ffc16ee876b5c02c00f71f2b383acaa62a6a666e06e0e1e11b7b8052ca780b82d0001718e430044dc03e212f7ed10e00071b8c5316e11e694738c350c1c130c736cfbd10137c043185d4ec79e0ed6ebcfefadd75e79b2bfc7fdd6d3dbf64733397f389b8dffef37cfa72f2d2aaa6b65c1455e0012545017c15396794d52c1b240c2185641caa976bbf3c7dbcdcffbe14d13af4797c3e6a27db573dcb97bf9fbfadd5d1294180d29e564c29e408f20324533412d512079b84f4a54ce082b61028480c8589972f09c6ba614880f48980518082d79155012120631083e8514cd40c539e79c7308150000a8aaaaaafef570ba8a08b380822808abe84561030e5cc30431207f74c00df090c6ca61141fe5778e741fd00118cbdcd882',
    fault: 'overrun',
    came: 1957,
    digest: '54b98e49b7c672efa27e16ecfa5a82b4a6f20a774bea594160e1347e62085237',
  },
  {
    what: 'is the last one',
    stream: '0x42020080806e2cd5f53230799083094c304ae56a3d4356faa1734a80',
    fault: 'corrupt',
    came: 0,
    digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  {
    what: 'is the last one, behind two windows',
    stream:
      '0xa11045002013e36c8e62255097565f70fa48c77724d2ae3f51327918c8b7cfcbc19bd7e8f35660ba7ce27b5afc7a10412c746b776e40b426422fd95903e0c77fb27265f4bfb9fddfd3595c700ed8ca50ba4decf6f731c5e102ca39ffc5cbc19bd7e8f35660ba7ce27b5afc7a10412c746b776e40b426422fd95993f28746b323220ecba2a9b89ca87ac8dcff6c0ec556cf0ee1f5bbd4f33218',
    fault: 'corrupt',
    came: 2048,
    digest: 'd950ea940ecd25b42dba0607de890915b591f128b0120f1dc62a504e0d182bb8',
  },
];

test.each(OVERRUNS)('a meta-block that holds more than it says, and $what', ({ stream, fault, came, digest: sha }) => {
  const channel = concatBytes([Uint8Array.of(1), fromHex(stream)]);
  const read = readBrotli(channel, LIMIT)!;
  expect({ fault: read.fault, givenUp: read.givenUp }).toEqual({ fault, givenUp: false });
  const content = read.other ?? allOf(decompressBrotli(channel, Number(LIMIT)));
  expect(content.length).toBe(came);
  expect(createHash('sha256').update(content).digest('hex')).toBe(sha);
});

/** What op-node's decoder gives: nothing is said beside it where kona's gives as much. */
function allOf(output: Output): Uint8Array {
  while (output.take(4096));
  return output.bytes.subarray(0, output.length);
}
