import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodeChannel } from '../channel.ts';
import { BrotliReads } from './brotli.ts';
import { concatBytes } from './bytes.ts';
import { noise, prose } from './fixtures/channels.ts';

const NO_CAP = 1_000_000;

/** A channel of raw meta-blocks, one after the other, with noise in each. */
function rawMetaBlocks(lengths: readonly number[]): Uint8Array {
  const content = concatBytes(lengths.map((length) => noise(length, length)));
  return encodeChannel([content], { algorithm: 'brotli', metaBlocks: lengths }, { forms: { 0: 'bare' } });
}

/** The lengths of reads of `wanted` bytes until the end. */
function reads(source: BrotliReads, wanted: number): number[] {
  const lengths: number[] = [];
  while (source.state === undefined) lengths.push(source.read(wanted));
  expect(source.read(wanted)).toBe(0);
  return lengths;
}

describe('reads', () => {
  test('fill the buffer, or give what one piece of input holds', () => {
    // 3 bytes of header in the first piece of 4,095 bytes, and none in the next of 32,768.
    const source = new BrotliReads(rawMetaBlocks([60_000]), NO_CAP, undefined);
    expect(reads(source, 50_000)).toEqual([4092, 32_768, 23_140, 0]);
    expect([source.state, source.length]).toEqual(['cut', 60_000]);
    expect(Buffer.compare(source.bytes.subarray(0, 60_000), noise(60_000, 60_000))).toBe(0);
  });

  test('longer than one call of the decoder are one read all the same', () => {
    const stream = brotliCompressSync(prose(700_000, 1), { params: { 1: 1 } });
    const source = new BrotliReads(new Uint8Array([1, ...stream]), NO_CAP, undefined);
    let longest = 0;
    while (source.state === undefined) longest = Math.max(longest, source.read(600_000));
    expect([source.length, longest > 0]).toEqual([700_000, true]);
    expect(Buffer.compare(source.bytes.subarray(0, 700_000), prose(700_000, 1))).toBe(0);
  });

  test('stop behind the cap', () => {
    const source = new BrotliReads(rawMetaBlocks([20_000]), 9000, undefined);
    expect(reads(source, 4096)).toEqual([4092, 4096, 4096, 0]);
    expect(source.state).toBe('end');
  });

  test('tell bytes behind the stream with the last bytes of output, if they are in the same piece', () => {
    const data = rawMetaBlocks([1000]);
    const together = new BrotliReads(new Uint8Array([...data, 9]), NO_CAP, { end: data.length, length: 1000 });
    expect(reads(together, 4096)).toEqual([1000]);
    expect(together.state).toBe('trailing');
    // The stream and the version byte fill the first piece exactly.
    const full = rawMetaBlocks([4091]);
    expect(full.length).toBe(4096);
    const apart = new BrotliReads(new Uint8Array([...full, 9]), NO_CAP, { end: full.length, length: 4091 });
    expect(reads(apart, 5000)).toEqual([4091, 0]);
    expect(apart.state).toBe('trailing');
  });

  test('of nothing', () => {
    const source = new BrotliReads(new Uint8Array([1]), NO_CAP, undefined);
    expect([reads(source, 4096), source.state]).toEqual([[0], 'cut']);
  });

  test('an error takes along what had not left the decoder, and tells what had', () => {
    // The third meta-block's header is turned into one whose unused bits are set, which no decoder takes.
    const data = rawMetaBlocks([3000, 2000, 1000]);
    const header = 1 + 3 + 3000 + 3 + 2000;
    data.set([0xff, 0xff, 0xff], header);
    const source = new BrotliReads(data, NO_CAP, undefined);
    // The first piece of input ends inside the second meta-block: 4,089 bytes were pushed out then.
    expect(reads(source, 4096)).toEqual([4089, 0]);
    expect([source.state, source.length]).toEqual(['corrupt', 4089]);
  });
});
