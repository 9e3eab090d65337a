import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonPieces, type Writable, writeJson } from './json.ts';

const { value } = fc.letrec<{ value: Writable }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.bigInt(),
    fc.string({ unit: 'binary' }),
    fc.uint8Array(),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), fc.option(tie('value'), { nil: undefined })),
  ),
}));

/** What a value is after writing and reading, with bytes in hex. */
function plain(one: Writable | undefined): unknown {
  if (one instanceof Uint8Array) return `0x${Buffer.from(one).toString('hex')}`;
  if (typeof one === 'bigint') return Number(one);
  if (Array.isArray(one)) return one.map(plain);
  if (typeof one !== 'object' || one === null) return Object.is(one, -0) ? 0 : one;
  const entries = Object.entries(one).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, plain(item as Writable)]));
}

describe('writing', () => {
  test('the standard reader reads what was written', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(JSON.parse(writeJson(one))).toEqual(plain(one));
      }),
    );
  });

  test('pieces together are the whole', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect([...jsonPieces(one)].join('')).toBe(writeJson(one));
      }),
    );
  });

  test.each<[string, Writable]>([
    ['bytes', new Uint8Array(1_000_000).map((_, index) => index)],
    ['text', 'abc'.repeat(100_000)],
    ['pairs of surrogates, cut anywhere', ['😀'.repeat(100_000), `a${'😀'.repeat(100_000)}`]],
    ['characters that are escaped', '"\n\u0000'.repeat(50_000)],
    ['many small values', Array.from({ length: 50_000 }, (_, index) => ({ index, hash: new Uint8Array(32) }))],
  ])('pieces stay small: %s', (_, large) => {
    const pieces = [...jsonPieces(large)];
    expect(pieces.join('')).toBe(writeJson(large));
    expect(pieces.length).toBeGreaterThan(3);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(500_000);
  });
});
