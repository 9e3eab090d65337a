import { describe, expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import { toHex } from '../../src/encoding/bytes.ts';
import { parseVector, vectorToJson, vectorToLine } from '../vector.ts';
import { EXHAUSTIVE_SCOPES, type ExhaustiveScope, exhaustiveScope } from './exhaustive.ts';

const SCOPES = Object.values(EXHAUSTIVE_SCOPES);

/** Indices spread over the scope, the first and the last among them. */
function spread(scope: ExhaustiveScope, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.floor((i * (scope.count - 1)) / (count - 1)));
}

const lineOf = (scope: ExhaustiveScope, index: number) => vectorToLine({ ...scope.at(index), name: '' });

test('the counts are those of the worlds described', () => {
  const byFormula = SCOPES.filter(({ name }) => !name.endsWith('-bytes'));
  expect(Object.fromEntries(byFormula.map(({ name, count }) => [name, count]))).toEqual({
    // 2 eras × Σ over n frames of 6^n contents × 1, 2, 5, 14 ways to name channels × 3^(n-1) cuts
    frames: 2 * (6 + 36 * 2 * 3 + 216 * 5 * 9 + 1296 * 14 * 27),
    'frames-across': 2 * (6 + 36 * 2 * 3 + 216 * 5 * 9 + 1296 * 14 * 27),
    // The numbers 0 and 1, two channels
    'frames-timeout': 2 * (4 + 16 * 2 * 3 + 64 * 4 * 9),
    'frames-six': 2 * (6 + 36 * 2 * 3 + 216 * 5 * 9 + 1296 * 14 * 27 + 7776 * 41 * 81 + 46656 * 122 * 243),
    'span-overlap': 3 * 2 * 7 * (1 + 2 + 4 + 8) * 5 * 2 * 8,
    singles: 3 * 2 * (144 + 144 ** 2 + 41 ** 3),
    boundary: 2000 * 37,
  });
});

describe.each(SCOPES.map((scope) => [scope.name, scope] as const))('%s', (name, scope) => {
  test('gives the same vector for an index in any order, each a vector of the format', () => {
    const indices = spread(scope, 60);
    const forwards = indices.map((index) => lineOf(scope, index));
    const backwards = indices.toReversed().map((index) => lineOf(scope, index));
    expect(backwards.toReversed()).toEqual(forwards);
    for (const index of indices) {
      const vector = scope.at(index);
      expect(parseVector(vectorToJson(vector))).toEqual(vector);
      expect(vector.name).toBe(`exhaustive/${name}/${index}`);
      derive(vector);
    }
  });

  test('has no vector beyond its count', () => {
    for (const index of [scope.count, scope.count * 1000, -1, 0.5]) expect(() => scope.at(index)).toThrow(RangeError);
  });
});

test('no frame sequence comes twice', () => {
  const scope = exhaustiveScope('frames');
  // All sequences of up to three frames.
  const count = 2 * (6 + 36 * 2 * 3 + 216 * 5 * 9);
  const lines = new Set(Array.from({ length: count }, (_, index) => lineOf(scope, index)));
  expect(lines.size).toBe(count);
});

test('of bytes there is every small change, each once', () => {
  const scope = exhaustiveScope('item-bytes');
  const changed = Array.from({ length: scope.count }, (_, index) => scope.at(index).l1[1]!.data[0]!);
  // Two eras; bits, cuts, four bytes behind it and 256 first ones, of which eight are a flipped bit once more.
  const whole = Math.max(...changed.map((item) => item.length)) - 1;
  expect(scope.count).toBe(2 * (8 * whole + whole + 4 + 256));
  const distinct = new Set(changed.map((item) => toHex(item)));
  expect(distinct.size).toBe(scope.count / 2 - 8);
});

test('a channel of the frame scopes decodes to as many batches as it has frames', () => {
  const scope = exhaustiveScope('frames');
  const seen = new Set<number>();
  for (const index of spread(scope, 3000)) {
    const { channels, batches } = derive(scope.at(index));
    if (channels.length === 1) seen.add(batches.length);
  }
  expect([...seen].sort()).toEqual([1, 2, 3]);
});

test('an unknown scope is refused', () => {
  expect(() => exhaustiveScope('everything')).toThrow(RangeError);
});
