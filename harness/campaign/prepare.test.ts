/** A thread of its own prepares what this one would, and a campaign is told when it dies. */

import { expect, test } from 'vitest';
import { RuleBook } from '../../src/rules/rule-book.ts';
import { prepareHere, prepareInThread } from './prepare.ts';
import type { SourceSpec } from './source.ts';

const SHARD = { index: 2, count: 3 };

test.each<SourceSpec>([
  { kind: 'generated', seed: '7' },
  { kind: 'exhaustive', scope: 'frames-timeout' },
])('$kind: the same, in the order asked for', async (spec) => {
  const here = prepareHere(spec, SHARD, new RuleBook());
  const there = prepareInThread(spec, SHARD);
  const positions = [0, 5, 1, 40];
  const prepared = await Promise.all(positions.map((position) => there.prepare(position)));
  await there.close();
  expect(prepared).toEqual(await Promise.all(positions.map((position) => here.prepare(position))));
  expect(prepared.every(({ body, reached }) => body !== undefined && reached !== undefined)).toBe(true);
});

test('nobody waits for a thread that died', async () => {
  const there = prepareInThread({ kind: 'exhaustive', scope: 'none' }, SHARD);
  const asked = [there.prepare(0), there.prepare(1)];
  const ends = await Promise.allSettled([...asked, Promise.allSettled(asked).then(() => there.prepare(2))]);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await there.close();
});
