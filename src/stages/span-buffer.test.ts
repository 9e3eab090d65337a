import { expect, test } from 'vitest';
import { hashOf, l2, specOf } from '../rules/fixtures/environment.ts';
import { SpanBuffer } from './span-buffer.ts';

const at = (timestamp: bigint) => ({
  kind: 'single' as const,
  epochNum: 11n,
  epochHash: hashOf('l1', 11),
  timestamp,
  transactions: [],
});

function buffer(...timestamps: bigint[]): SpanBuffer {
  const filled = new SpanBuffer(specOf(), 'batch-validator/lazy-span');
  filled.fill(timestamps.map(at));
  return filled;
}

test('gives one batch a request, on the safe head of that moment', () => {
  const filled = buffer(1012n, 1014n);
  expect(filled.next(l2(5))).toMatchObject({ timestamp: 1012n, parentHash: hashOf('l2', 5) });
  expect(filled.next(l2(6, 11))).toMatchObject({ timestamp: 1014n, parentHash: hashOf('l2', 6) });
  expect(filled.next(l2(7, 11))).toBeUndefined();
});

test('throws all that is left away when the first does not fit', () => {
  const filled = buffer(1014n, 1012n);
  expect(filled.next(l2(5))).toBeUndefined();
  expect(filled.rest).toEqual([]);
});

test('forgets everything when cleared', () => {
  const filled = buffer(1012n);
  filled.clear();
  expect(filled.next(l2(5))).toBeUndefined();
});
