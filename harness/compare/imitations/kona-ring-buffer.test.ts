import { brotliCompressSync, constants } from 'node:zlib';
import { expect, test } from 'vitest';
import { type ChannelCompression, encodeChannel } from '../../../src/channel.ts';
import { concatBytes } from '../../../src/encoding/bytes.ts';
import { outgrowsPool } from './kona-ring-buffer.ts';

const BATCHES = [new Uint8Array(300).fill(1), new Uint8Array(300).fill(2)];

const large = (window: number, metaBlocks: 'longest' | 'byte-first'): ChannelCompression => ({
  algorithm: 'brotli',
  window,
  largeWindow: true,
  metaBlocks,
});

test.each([
  ['in pieces', 'byte-first', undefined],
  ['cut off', 'longest', -1],
] as const)('windows of 25 to 30 bits do not fit if the stream is %s', (_, metaBlocks, truncate) => {
  const outgrowing = Array.from({ length: 64 }, (_unused, window) => window).filter((window) =>
    outgrowsPool(encodeChannel(BATCHES, large(window, metaBlocks), truncate === undefined ? {} : { truncate })),
  );
  expect(outgrowing).toEqual([25, 26, 27, 28, 29, 30]);
});

test('nothing else outgrows the pool', () => {
  const options: readonly ChannelCompression[] = [
    large(30, 'longest'),
    { algorithm: 'brotli', window: 30, largeWindow: true, quality: 5 },
    { algorithm: 'brotli', window: 24, quality: 9 },
    { algorithm: 'brotli', metaBlocks: 'byte-first' },
    { algorithm: 'zlib' },
  ];
  for (const compression of options) expect(outgrowsPool(encodeChannel(BATCHES, compression))).toBe(false);
  expect(outgrowsPool(new Uint8Array(0))).toBe(false);
  expect(outgrowsPool(encodeChannel([], large(30, 'byte-first')))).toBe(false);
});

test('a compressed meta-block that is not the last outgrows it by its header', () => {
  const params = {
    [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
    [constants.BROTLI_PARAM_LGWIN]: 25,
    [constants.BROTLI_PARAM_QUALITY]: 5,
  };
  const stream = brotliCompressSync(BATCHES[0]!, { params, finishFlush: constants.BROTLI_OPERATION_FLUSH });
  const channel = concatBytes([Uint8Array.of(1), stream]);
  // Mark and window (14 bits), not the last (1), nibbles (2), length (16), uncompressed (1): 34 bits.
  const outgrowing = Array.from(channel, (_, end) => outgrowsPool(channel.subarray(0, end)));
  expect(outgrowing.indexOf(true)).toBe(1 + 5);
  expect(outgrowing.lastIndexOf(false)).toBe(1 + 4);
});

/** A stream with a large window of 25 bits, by the bits behind it, from the first on. */
function stream(...fields: readonly (readonly [value: number, count: number])[]): Uint8Array {
  const bits = [[0x11 | (25 << 8), 14] as const, ...fields].flatMap(([value, count]) =>
    Array.from({ length: count }, (_, index) => (value >>> index) & 1),
  );
  const bytes = new Uint8Array(1 + Math.ceil(bits.length / 8));
  bytes[0] = 1;
  for (const [index, bit] of bits.entries()) bytes[1 + (index >>> 3)]! |= bit << (index & 7);
  return bytes;
}

const NOT_LAST = [0, 1] as const;
const METADATA = [3, 2] as const;
/** Ten bytes, in four nibbles. */
const CONTENT = [
  [0, 2],
  [9, 16],
] as const;
const COMPRESSED = [0, 1] as const;

test('metadata ahead of the content is passed over, if it is sound', () => {
  // One byte of length, and one of metadata behind the next whole byte.
  const metadata = (reserved: number, padding: number) =>
    [NOT_LAST, METADATA, [reserved, 1], [1, 2], [0, 8], [padding, 4], [0xff, 8]] as const;
  const content = [NOT_LAST, ...CONTENT, COMPRESSED] as const;
  expect(outgrowsPool(stream(...content))).toBe(true);
  expect(outgrowsPool(stream(...metadata(0, 0), ...content))).toBe(true);
  expect(outgrowsPool(stream(...metadata(0, 0), NOT_LAST, METADATA, [0, 3], [0, 2], ...content))).toBe(true);
  expect(outgrowsPool(stream(...metadata(1, 0), ...content))).toBe(false);
  expect(outgrowsPool(stream(...metadata(0, 8), ...content))).toBe(false);
  expect(outgrowsPool(stream(...metadata(0, 0), [3, 2]))).toBe(false);
  // No bytes of metadata, in no bytes of length.
  expect(outgrowsPool(stream(NOT_LAST, METADATA, [0, 3], [0, 4], ...content))).toBe(true);
  // Behind the last meta-block comes nothing.
  expect(outgrowsPool(stream([1, 1], [0, 1], METADATA, [0, 3], [0, 3], ...content))).toBe(false);
});

test('a length with a nibble too many is a fault', () => {
  const length = (highest: number) => [NOT_LAST, [1, 2], [9, 16], [highest, 4], COMPRESSED] as const;
  expect(outgrowsPool(stream(...length(1)))).toBe(true);
  expect(outgrowsPool(stream(...length(0)))).toBe(false);
});

test('the last meta-block with content fits up to a length', () => {
  const last = (length: number) => stream([1, 1], [0, 1], [2, 2], [length - 1, 24]);
  expect(outgrowsPool(last(2 ** 24 - 16))).toBe(false);
  expect(outgrowsPool(last(2 ** 24 - 15))).toBe(true);
});
