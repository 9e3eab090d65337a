/** Curated scenarios of the checks on a span batch as a whole: where it starts and on which block it builds. */

import { madeUpHash } from '../scenario/transactions.ts';
import type { CuratedScenario } from './curated.ts';
import { chain, onBothSides, postSuspect, safeHead, story } from './story.ts';

/** One safe block fewer, so that the next block (number 5, at 1010) still belongs to epoch 10. */
const EARLY = { safeCount: 2 } as const;
const check = (label: string, number: number) => madeUpHash(label, number).subarray(0, 20);

const starts: readonly CuratedScenario[] = [
  ...onBothSides({
    name: 'span/in-order',
    shows: 'two span batches in order pass every check',
    rules: [
      'span/next-epoch-unknown-',
      'span/delta-',
      'span/too-early-',
      'span/no-new-block-',
      'span/aligned-',
      'span/parent-known-',
      'span/parent-check-',
      'span/sequence-window-',
      'span/start-epoch-too-new-',
      'span/origin-check-',
      'span/origin-unknown-',
      'span/start-epoch-too-old-',
      'span/new-blocks+',
      'span/new-block-origin-',
    ],
    before: ['span/full-epoch-', 'span/full-min-time-', 'span/full-drift-', 'span/full-transactions-'],
    post: (s) => s.postBatches(13, [s.span(s.blocks(4)), s.span(s.blocks(4, 10))]),
  }),
  story('before', {
    name: 'span/next-epoch-unknown',
    shows: 'a span batch that starts with the next epoch, in an L1 block before it, waits for the next L1 block',
    rules: ['span/next-epoch-unknown+', 'batch-queue/undecided-stops+'],
    post: (s) => s.postBatches(10, [s.span(s.blocks(2))]),
  }),
  story('before', {
    name: 'span/next-epoch-unknown-then-wrong',
    shows: 'a span batch that waited for the next epoch is dropped when that turns out differently',
    rules: ['span/next-epoch-unknown+', 'span/origin-check+'],
    post: (s) => {
      s.postBatches(10, [s.span(s.blocks(2), { l1OriginCheck: check('other l1', 11) })]);
      s.postBatches(11, [s.span(s.blocks(2))], { id: 2 });
    },
  }),
  story('before', {
    name: 'span/next-epoch-unknown-hides-wrong-parent',
    shows:
      'a span batch on no known parent waits as well: its next epoch is asked for first, and what stands behind it waits too',
    rules: ['span/next-epoch-unknown+', 'span/parent-check+'],
    options: EARLY,
    post: (s) => {
      const early = chain(s, safeHead(s), [{ epoch: 11 }]);
      s.postBatches(10, [s.span(early, { parentCheck: check('nobody', 1) }), s.single(s.block(5))]);
    },
  }),
  story('after', {
    name: 'span/next-epoch-drained',
    shows: "a span batch in the L1 block of the safe head's own epoch is thrown away from Holocene on",
    rules: ['batch-validator/drain+'],
    post: (s) => s.postBatches(10, [s.span(s.blocks(2))]),
  }),
  ...(
    [
      ['one-second-before', 1011, '-'],
      ['at-its-time', 1012, '-'],
      ['one-second-after', 1013, '+'],
    ] as const
  ).map(([name, delta, side]) =>
    story('before', {
      name: `span/delta-${name}`,
      shows: `a span batch whose first L1 origin lies at 1012, read when Delta (${delta}) is active`,
      rules: [`span/delta${side}`],
      options: { forks: { delta, ecotone: null, fjord: null, granite: null } },
      post: (s) => {
        s.postBatches(12, [s.span(s.blocks(2)), s.single(s.block(6))], { id: 1 });
      },
    }),
  ),
  story('before', {
    name: 'span/delta-by-first-epoch',
    shows:
      "a span batch that starts in an epoch before Delta and ends in one after it goes by the first block's L1 origin",
    rules: ['span/delta+'],
    options: { ...EARLY, forks: { delta: 1012, ecotone: null, fjord: null, granite: null } },
    post: (s) => s.postBatches(12, [s.span(s.blocks(3)), s.single(s.block(5)), s.span(s.blocks(2, 6))]),
  }),
  story('across', {
    name: 'span/delta-epoch-before-read-after-holocene',
    shows: 'a span batch of an epoch before Delta, read from Holocene on, is dropped with a flush',
    rules: ['span/delta+', 'batch-validator/span-drop+'],
    options: { ...EARLY, forks: { delta: 1012, ecotone: 1012, fjord: 1012, granite: 1012 } },
    post: (s) => {
      s.postBatches(12, [s.span(s.blocks(2))], { id: 1 });
      s.postBatches(14, [s.single(s.block(5)), s.single(s.block(6))], { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'span/later-blocks-first',
    shows:
      'a span batch for later blocks stands before the next one: kept before Holocene, dropped with a flush from it on',
    rules: ['span/too-early+'],
    after: ['batch-validator/span-drop+'],
    post: (s) => {
      const [early, late] = [s.span(s.blocks(2)), s.span(s.blocks(2, 8))];
      postSuspect(s, 12, late, [early]);
      s.postBatches(15, [late], { id: 3 });
    },
  }),
  ...onBothSides({
    name: 'span/one-second-early',
    shows: 'a span batch that starts one second after the next timestamp never fits',
    rules: ['span/too-early+'],
    post: (s) => {
      const span = s.span(s.blocks(3));
      const [first, ...rest] = span.blocks;
      postSuspect(s, 12, { ...span, blocks: [{ ...first, timestamp: first.timestamp + 1n }, ...rest] }, [span]);
    },
  }),
  ...onBothSides({
    name: 'span/repeated',
    shows: 'a span batch without any new block: dropped before Holocene, past without a flush from it on',
    rules: ['span/no-new-block+'],
    before: ['batch-queue/arrival+'],
    after: ['batch-validator/span-past+'],
    post: (s) => {
      const [early, late] = [s.span(s.blocks(2)), s.span(s.blocks(2, 8))];
      s.postBatches(12, [early, early, late]);
    },
  }),
  ...onBothSides({
    name: 'span/ends-between-safe-head-and-next',
    shows:
      'a span batch that ends one second before the next timestamp has no new block, even though it ends after the safe head',
    rules: ['span/no-new-block+'],
    post: (s) => {
      const span = s.span(s.blocks(2, 5));
      const [first, ...rest] = span.blocks;
      postSuspect(s, 12, { ...span, blocks: [{ ...first, timestamp: first.timestamp - 1n }, ...rest] }, [
        s.span(s.blocks(2)),
      ]);
    },
  }),
  ...onBothSides({
    name: 'span/starts-between-safe-head-and-next',
    shows: 'a span batch that starts between the safe head and the next timestamp is misaligned',
    rules: ['span/aligned+'],
    post: (s) => {
      const span = s.span(s.blocks(3));
      const [first, ...rest] = span.blocks;
      postSuspect(s, 12, { ...span, blocks: [{ ...first, timestamp: first.timestamp - 1n }, ...rest] }, [span]);
    },
  }),
  ...onBothSides({
    name: 'span/overlaps-out-of-step',
    shows: 'a span batch that starts half a block time before the safe head is misaligned',
    rules: ['span/aligned+'],
    post: (s) => {
      const span = s.span(s.blocks(3, 5));
      const [first, ...rest] = span.blocks;
      postSuspect(s, 12, { ...span, blocks: [{ ...first, timestamp: first.timestamp - 1n }, ...rest] }, [
        s.span(s.blocks(2)),
      ]);
    },
  }),
];

const parents: readonly CuratedScenario[] = [
  ...onBothSides({
    name: 'span/parent-before-the-known-chain',
    shows:
      'the block before the first one cannot be got: undecided, so it blocks the batch queue for good, and is skipped from Holocene on',
    rules: ['span/parent-known+'],
    before: ['batch-queue/undecided-stops+'],
    after: ['batch-validator/span-undecided+'],
    options: { safeCount: 2, safeStart: 4 },
    post: (s) => {
      // The first known block is number 4, so a batch that starts with it builds on an unknown one.
      s.postBatches(12, [s.span(s.blocks(3, 4)), s.span(s.blocks(2))], { id: 1 });
      s.postBatches(13, [s.span(s.blocks(2, 8))], { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'span/parent-is-the-first-known-block',
    shows: 'the block before the first one is the oldest that is known',
    rules: ['span/parent-known-', 'span/new-blocks-'],
    post: (s) => s.postBatches(12, [s.span(s.blocks(4, 4))]),
  }),
  ...onBothSides({
    name: 'span/parent-before-genesis',
    shows: 'a span batch that starts with L2 genesis would build on block number -1',
    rules: ['span/parent-known+'],
    options: { safeStart: 0, safeCount: 3, l1Times: [1000, 1006, 1018, 1030] },
    post: (s) => {
      s.postBatches(12, [s.span(s.blocks(4, 0)), s.span(s.blocks(2))], { id: 1 });
    },
  }),
  ...onBothSides({
    name: 'span/starts-before-genesis',
    shows: 'a relative timestamp that wraps around to two seconds before L2 genesis',
    rules: ['span/parent-known+'],
    options: { safeStart: 0, safeCount: 3, l1Times: [1000, 1006, 1018, 1030] },
    post: (s) => {
      const [first, ...rest] = s.span(s.blocks(5, 0)).blocks;
      const before = { ...first, timestamp: first.timestamp - 2n };
      const span = s.span(s.blocks(4, 0), { blocks: [before, first, ...rest] });
      s.postBatches(12, [span, s.span(s.blocks(2))], { id: 1 });
    },
  }),
  ...onBothSides({
    name: 'span/parent-check-unknown',
    shows: 'a parent check that belongs to no block',
    rules: ['span/parent-check+'],
    after: ['batch-validator/span-drop+', 'batch-validator/flush-scope+'],
    post: (s) => postSuspect(s, 12, s.span(s.blocks(2), { parentCheck: check('nobody', 1) }), [s.span(s.blocks(2))]),
  }),
  ...onBothSides({
    name: 'span/parent-check-last-byte',
    shows: 'a parent check that differs in its last byte only',
    rules: ['span/parent-check+'],
    post: (s) => {
      const parentCheck = safeHead(s).hash.slice(0, 20);
      parentCheck[19]! ^= 1;
      postSuspect(s, 12, s.span(s.blocks(2), { parentCheck }), [s.span(s.blocks(2))]);
    },
  }),
  ...onBothSides({
    name: 'span/parent-check-of-safe-head-in-overlap',
    shows: 'an overlapping span batch names the safe head as its parent, not the block before its own first one',
    rules: ['span/parent-check+'],
    post: (s) => {
      const parentCheck = safeHead(s).hash.slice(0, 20);
      postSuspect(s, 12, s.span(s.blocks(3, 5), { parentCheck }), [s.span(s.blocks(2))]);
    },
  }),
  ...onBothSides({
    name: 'span/parent-check-of-rival',
    shows: 'a span batch that builds on a rival of the blocks that were used',
    rules: ['span/parent-check+'],
    post: (s) => {
      const rival = chain(s, safeHead(s), [{ transactions: [] }, {}, {}]);
      s.postBatches(12, [s.span(s.blocks(1)), s.span([rival[1]!, rival[2]!]), s.span(s.blocks(2, 7))], { id: 1 });
      s.postBatches(14, [s.span(s.blocks(2, 7))], { id: 2 });
    },
  }),
];

export const spanScenarios: readonly CuratedScenario[] = [...starts, ...parents];
