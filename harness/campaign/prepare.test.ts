/** Threads of their own prepare what this one would, and a campaign is told when one dies. */

import { expect, test } from 'vitest';
import { RuleBook } from '../../src/rules/rule-book.ts';
import { prepareHere, prepareInThreads, threadsFor } from './prepare.ts';
import type { SourceSpec } from './source.ts';

const SHARD = { index: 2, count: 3 };

const SOURCES: readonly SourceSpec[] = [
  { kind: 'generated', seed: '7' },
  { kind: 'exhaustive', scope: 'frames-timeout' },
];

test.each(SOURCES.flatMap((spec) => [1, 2].map((count) => ({ spec, count }))))(
  '$spec.kind by $count: the same, in the order asked for',
  async ({ spec, count }) => {
    const here = prepareHere(spec, SHARD, new RuleBook());
    const there = prepareInThreads(spec, SHARD, count);
    const positions = [0, 5, 1, 40];
    const prepared = await Promise.all(positions.map((position) => there.prepare(position)));
    await there.close();
    expect(prepared).toEqual(await Promise.all(positions.map((position) => here.prepare(position))));
    expect(prepared.every(({ body, reached }) => body !== undefined && reached !== undefined)).toBe(true);
  },
);

test('nobody waits for a thread that died', async () => {
  const there = prepareInThreads({ kind: 'exhaustive', scope: 'none' }, SHARD, 2);
  const asked = [there.prepare(0), there.prepare(1)];
  const ends = await Promise.allSettled([...asked, Promise.allSettled(asked).then(() => there.prepare(2))]);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await there.close();
});

test('a second thread is started where there is a processor for it', () => {
  expect([1, 2, 3, 4, 64].map(threadsFor)).toEqual([1, 1, 1, 2, 2]);
});
