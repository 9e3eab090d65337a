import { deflateRawSync, deflateSync, constants as zlib } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { noise, prose } from './fixtures/channels.ts';
import { adler32, inflateRaw, inflateZlibBody } from './inflate.ts';

const NO_CAP = 1_000_000;

/** Bytes from bits, written in the order of the stream: lowest bit of each byte first. */
function bits(text: string): Uint8Array {
  const digits = text.replaceAll(' ', '');
  const out = new Uint8Array(Math.ceil(digits.length / 8));
  for (let i = 0; i < digits.length; i++) if (digits[i] === '1') out[i >> 3]! |= 1 << (i & 7);
  return out;
}

describe('sound streams', () => {
  const contents = {
    empty: new Uint8Array(0),
    prose: prose(100_000, 1),
    noise: noise(70_000, 3),
    zeros: new Uint8Array(99_999),
  };
  const options = [
    {},
    { level: 0 },
    { level: 1 },
    { strategy: zlib.Z_FIXED },
    { strategy: zlib.Z_HUFFMAN_ONLY },
    { memLevel: 1 },
  ];

  test.each(Object.entries(contents))('%s comes back, whatever the kind of block', (_, content) => {
    for (const option of options) {
      const inflated = inflateZlibBody(new Uint8Array(deflateSync(content, option)), 2, NO_CAP);
      expect(inflated.fault).toBeUndefined();
      expect(Buffer.compare(inflated.bytes, content)).toBe(0);
    }
  });

  test('what follows the stream is neither read nor counted', () => {
    const stream = deflateRawSync(prose(5000, 5));
    const inflated = inflateRaw(Buffer.concat([Buffer.from('xx'), stream, noise(50, 7)]), 2, NO_CAP);
    expect([inflated.bytes.length, inflated.end, inflated.fault]).toEqual([5000, 2 + stream.length, undefined]);
  });

  test('decoding stops one byte behind the cap', () => {
    const stream = new Uint8Array(deflateSync(new Uint8Array(1_000_000)));
    expect(inflateZlibBody(stream, 2, 70_000)).toMatchObject({ fault: undefined, bytes: { length: 70_001 } });
    expect(inflateZlibBody(stream, 2, 1_000_000)).toMatchObject({ fault: undefined, bytes: { length: 1_000_000 } });
  });

  test('an empty stored block is a flush point unless it ends the stream', () => {
    const flush = [0, 0, 0, 0xff, 0xff];
    const three = [0, 3, 0, 0xfc, 0xff, 1, 2, 3];
    const stream = new Uint8Array([...three, ...flush, ...flush, ...three, 1, 0, 0, 0xff, 0xff]);
    expect(inflateRaw(stream, 0, NO_CAP)).toMatchObject({ bytes: { length: 6 }, flushes: [3], fault: undefined });
  });
});

describe('faults', () => {
  test('a wrong and a missing checksum leave all of the output', () => {
    const stream = new Uint8Array(deflateSync(prose(5000, 5)));
    const wrong = stream.slice();
    wrong[stream.length - 1]! ^= 1;
    for (const faulty of [wrong, stream.subarray(0, -1), stream.subarray(0, -4)]) {
      expect(inflateZlibBody(faulty, 2, NO_CAP)).toMatchObject({ fault: 'checksum', bytes: { length: 5000 } });
    }
  });

  test('a cut stored block gives the bytes that are there', () => {
    const stream = new Uint8Array([1, 9, 0, 0xf6, 0xff, 1, 2, 3]);
    expect(inflateRaw(stream, 0, NO_CAP)).toMatchObject({ fault: 'cut', bytes: new Uint8Array([1, 2, 3]) });
  });

  // The literal 0 is 00110000 in the fixed code.
  const zero = '00110000';

  test.each([
    ['a block of type 3', '1 11', 'corrupt', 0],
    ['nothing', '', 'cut', 0],
    ['a length that is not repeated inverted', '1 00 00000 1000000000000000 1000000000000000', 'corrupt', 0],
    ['a copy from before the start', `1 10 ${zero} 0000001 00001`, 'corrupt', 1],
    ['a distance code that does not exist', `1 10 ${zero} 0000001 11110`, 'corrupt', 1],
    ['a length code that does not exist', `1 10 ${zero} 11000110`, 'corrupt', 1],
    // 30 = 287 literal codes
    ['too many literal codes', '1 01 01111 00000 0000', 'corrupt', 0],
    ['too many distance codes', '1 01 00000 01111 0000', 'corrupt', 0],
    ['code lengths that no code can have', '1 01 00000 00000 0000 100 100 100 100', 'corrupt', 0],
    ['a code with room left', '1 01 00000 00000 0000 010 010 000 000', 'corrupt', 0],
    ['a repetition of nothing', '1 01 00000 00000 0000 100 100 000 000 0', 'corrupt', 0],
  ] as const)('%s', (_, stream, fault, length) => {
    const inflated = inflateRaw(bits(stream), 0, NO_CAP);
    expect([inflated.fault, inflated.bytes.length]).toEqual([fault, length]);
  });

  test('at a cut, a symbol needs as many bits as the end-of-block code has', () => {
    // Code lengths: literals 0 and 1 have 1 and 2 bits, end of block 3, literal 2 has 3 as well.
    const content = new Uint8Array([...new Uint8Array(60), 1, 1, 2, ...new Uint8Array(9)]);
    const stream = new Uint8Array(deflateRawSync(content, { strategy: zlib.Z_HUFFMAN_ONLY }));
    const whole = inflateRaw(stream, 0, NO_CAP);
    expect(whole).toMatchObject({ fault: undefined, bytes: content });
    // The last byte holds the end-of-block code; without it, the final literals' single bits are not decoded.
    const cut = inflateRaw(stream.subarray(0, -1), 0, NO_CAP);
    expect(cut.fault).toBe('cut');
    expect(Buffer.compare(cut.bytes, content.subarray(0, cut.bytes.length))).toBe(0);
    expect(cut.bytes.length).toBeLessThan(content.length);
  });

  test('a block without an end-of-block code is decoded until it runs out', () => {
    // 257 literal codes and one distance code. Of the code lengths only 1 and 18 (a run of zeros) have codes, '0' and '1'.
    const header = `1 01 00000 00000 0111 000 000 100 ${'000'.repeat(14)} 100`;
    // Literals 0 and 1 get a bit each; 138 and 118 zeros leave out all others, 256 and the distance code among them.
    const lengths = '0 0 1 1111111 1 1101011';
    const stream = bits(`${header} ${lengths} 0110`);
    const inflated = inflateRaw(stream, 0, NO_CAP);
    expect(inflated.fault).toBe('cut');
    expect([...inflated.bytes.subarray(0, 4)]).toEqual([0, 1, 1, 0]);
  });
});

test('Adler-32 of RFC 1950', () => {
  expect(adler32(new Uint8Array(0))).toBe(1);
  expect(adler32(new TextEncoder().encode('Wikipedia'))).toBe(0x11e60398);
  // The largest sums: only bytes of 255.
  const large = new Uint8Array(100_000).fill(255);
  const stream = deflateSync(large);
  expect(adler32(large)).toBe(stream.readUInt32BE(stream.length - 4));
});
