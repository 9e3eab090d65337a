import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChannelCompression, encodeChannel, openChannel } from './channel.ts';
import { noise, prose } from './encoding/fixtures/channels.ts';
import { RuleBook } from './rules/rule-book.ts';

/** A batch from two numbers: bytes from fast-check itself would cost more than the reading. */
const batch = fc
  .tuple(
    fc.oneof(fc.nat(60), fc.nat(600), fc.constantFrom(4093, 4096, 8188, 8189, 32_765, 40_000)),
    fc.integer({ min: 1 }),
  )
  .map(([length, seed]) => (seed % 2 === 0 ? noise : prose)(length, seed));
const batches = fc.array(batch, { maxLength: 8 });

const block = fc.record({ kind: fc.constantFrom('stored', 'compressed'), length: fc.nat(9000) });
const zlib = fc.record({
  algorithm: fc.constant('zlib' as const),
  level: fc.integer({ min: 0, max: 9 }),
  windowBits: fc.integer({ min: 9, max: 15 }),
  memLevel: fc.integer({ min: 1, max: 9 }),
  strategy: fc.nat(4),
  blocks: fc.array(block, { maxLength: 4 }),
});
const brotli = fc.record({
  algorithm: fc.constant('brotli' as const),
  quality: fc.nat(9),
  window: fc.integer({ min: 10, max: 24 }),
});
const compression: fc.Arbitrary<ChannelCompression> = fc.oneof(zlib, brotli);

function read(data: Uint8Array, limit: number): Uint8Array[] {
  const content = openChannel(data, { limit, brotliAllowed: true }, new RuleBook());
  const out: Uint8Array[] = [];
  for (let next = content?.next(); next !== undefined; next = content?.next()) out.push(next);
  if (content !== undefined) expect(content.ended).toMatch(/^channel-reader\//);
  return out;
}

function isPrefix(some: readonly Uint8Array[], all: readonly Uint8Array[]): boolean {
  return some.length <= all.length && some.every((bytes, i) => Buffer.compare(bytes, all[i]!) === 0);
}

describe('channel', () => {
  test('what was encoded comes back', () => {
    fc.assert(
      fc.property(batches, compression, (written, how) => {
        const data = encodeChannel(written, how);
        expect(data).toEqual(encodeChannel(written, how));
        const back = read(data, 100_000_000);
        expect(back.length).toBe(written.length);
        expect(isPrefix(back, written)).toBe(true);
      }),
    );
  });

  test('a cut or a limit leaves the first batches, a higher limit at least as many', () => {
    fc.assert(
      fc.property(batches, compression, fc.nat(), fc.nat(80_000), (written, how, kept, limit) => {
        const data = encodeChannel(written, how);
        const cut = data.subarray(0, kept % (data.length + 1));
        const [less, more] = [read(cut, limit), read(cut, limit + 100)];
        expect(isPrefix(more, written)).toBe(true);
        expect(isPrefix(less, more)).toBe(true);
      }),
    );
  });

  test('no damage makes it throw or hang', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(batches, compression, damage, fc.nat(50_000), (written, how, places, limit) => {
        const data = encodeChannel(written, how);
        for (const [place, value] of places) data[place % data.length] = value;
        read(data, limit);
      }),
    );
  });

  test('no bytes at all make it throw or hang', () => {
    const start = fc.constantFrom([1], [0x78, 0x9c], [0x78, 0xbb, 0, 0, 0, 1], [0x08, 0x1d], []);
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 200 }), fc.nat(10_000), (first, rest, limit) => {
        read(new Uint8Array([...first, ...rest]), limit);
      }),
      { numRuns: 500 },
    );
  });
});
