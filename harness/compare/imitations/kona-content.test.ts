import { createHash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, test } from 'vitest';
import { concatBytes, fromHex } from '../../../src/encoding/bytes.ts';
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
