/** Vectors in flight: how many are read before the first answer. */

import { expect, test } from 'vitest';
import { inOrder } from './implementation.ts';

/** How many items had been read when each answer came, if all items are of that size. */
async function readBefore(count: number, inFlight: number, size: number): Promise<number[]> {
  let read = 0;
  function* items() {
    for (; read < count; ) yield ++read;
  }
  const before: number[] = [];
  const answers: number[] = [];
  for await (const answer of inOrder(
    items(),
    inFlight,
    (item) => Promise.resolve(item),
    () => size,
  )) {
    answers.push(answer);
    before.push(read);
  }
  expect(answers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  return before;
}

test('as many are read ahead as may be in flight', async () => {
  expect(await readBefore(6, 3, 1_000)).toEqual([3, 4, 5, 6, 6, 6]);
});

test('a large one is answered before the next one is read', async () => {
  expect(await readBefore(4, 3, 200_000_000)).toEqual([1, 2, 3, 4]);
});

test('of middling ones as many are read ahead as 64 MiB hold, and one more', async () => {
  expect(await readBefore(5, 8, 30 * 1024 ** 2)).toEqual([3, 4, 5, 5, 5]);
});
