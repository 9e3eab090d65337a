/** Curated scenarios of how a run starts, and of L1 blocks that do not link. */

import type { Vector } from '../../src/vector.ts';
import { madeUpHash } from '../scenario/transactions.ts';
import type { CuratedScenario } from './curated.ts';
import { chain, onBothSides, safeHead, story } from './story.ts';

/** Gives an L1 block a parent that does not exist. */
const unlinked = (number: bigint) => (vector: Vector) => {
  const [first, ...rest] = vector.l1.map((block) =>
    block.number === number ? { ...block, parentHash: madeUpHash('other l1', number) } : block,
  );
  return { ...vector, l1: [first!, ...rest] as const };
};

export const resetScenarios: readonly CuratedScenario[] = [
  ...([1, 2, 3] as const).flatMap((distance) =>
    onBothSides({
      name: `reset/catch-up-${distance}`,
      shows: `the run starts ${distance} L1 blocks before the safe head's origin: batches up to there are thrown away`,
      rules: [],
      before: ['batch-queue/origin-behind+', 'batch-queue/origin-behind-'],
      after: ['batch-validator/drain+', 'batch-validator/drain-'],
      options: { safeStart: 4 + 6 * distance, safeCount: 2, l1Count: 5 + distance },
      post: (s) => {
        const batches = s.blocks(2).map((block) => s.single(block));
        for (let number = 10; number < 14 + distance; number++) s.postBatches(number, batches, { id: number });
      },
    }),
  ),
  ...([1, 2] as const).flatMap((distance) =>
    onBothSides({
      name: `reset/catch-up-${distance}-without-data`,
      shows: `the run starts ${distance} L1 blocks before the safe head's origin, and there is no data up to there`,
      rules: [],
      before: ['batch-queue/origin-behind+', 'batch-queue/window+'],
      after: ['batch-validator/drain+', 'batch-queue/window+'],
      options: { safeStart: 4 + 6 * distance, safeCount: 2, l1Count: 5 + distance },
      post: (s) =>
        s.postBatches(
          13 + distance,
          s.blocks(2).map((block) => s.single(block)),
        ),
    }),
  ),
  ...onBothSides({
    name: 'reset/catch-up-channel-from-before',
    shows: "a channel that was begun before the safe head's origin is completed after it",
    rules: [],
    before: ['batch-queue/origin-behind+'],
    after: ['batch-validator/drain+'],
    options: { safeStart: 16, safeCount: 2, l1Count: 7 },
    post: (s) => {
      const [first, second] = s.frames(s.channel([s.span(s.blocks(2))]), 2);
      s.post(10, s.item(first!)).post(14, s.item(second!));
    },
  }),
  story('before', {
    name: 'reset/catch-up-used-at-origin',
    shows:
      "before Holocene batches in the L1 block of the safe head's origin are judged, from Holocene on they are not",
    rules: ['batch-queue/origin-behind+', 'batch-queue/origin-behind-'],
    options: { safeStart: 15, safeCount: 2 },
    post: (s) => {
      // Block 17 (at 1034) still belongs to epoch 12, that of the L1 block that carries it.
      s.postBatches(12, [s.single(s.block(17))]);
    },
  }),
  ...onBothSides({
    name: 'reset/start-at-safe-heads-origin',
    shows: "the run starts at the safe head's origin: the window holds that L1 block alone",
    rules: ['reset/stages+'],
    options: { safeCount: 2 },
    post: (s) => s.postBatches(11, [s.single(s.block(5))]),
  }),
  story('before', {
    name: 'reset/first-block-twice',
    shows: 'a batch that was kept is used when the first L1 block has no more data: its data is read a second time',
    rules: ['reset/first-block-twice+'],
    options: { safeCount: 2 },
    post: (s) => {
      const blocks = chain(s, safeHead(s), [{ epoch: 10 }, { epoch: 10 }]);
      s.postBatches(10, [s.single(blocks[1]!), s.single(blocks[0])]);
    },
  }),
  story('before', {
    name: 'reset/first-block-twice-three-frames',
    shows: 'the second reading opens the channel again from its first frame',
    rules: ['reset/first-block-twice+', 'channel-bank/open+'],
    options: { safeCount: 2 },
    post: (s) => {
      const blocks = chain(s, safeHead(s), [{ epoch: 10 }, { epoch: 10 }, { epoch: 10 }]);
      s.postBatches(10, [s.single(blocks[2]!), s.single(blocks[1]!), s.single(blocks[0])], { frames: 3 });
      s.postBatches(11, [s.single(s.build(blocks[2]!))], { id: 2 });
    },
  }),
  story('before', {
    name: 'reset/first-block-once',
    shows: 'without a batch that is used at its end, the data of the first L1 block is read once',
    rules: ['reset/first-block-twice+'],
    options: { safeCount: 2 },
    post: (s) => {
      const blocks = chain(s, safeHead(s), [{ epoch: 10 }, { epoch: 10 }]);
      s.postBatches(
        10,
        blocks.map((block) => s.single(block)),
      );
    },
  }),
  story('after', {
    name: 'reset/first-block-drained-once',
    shows: 'from Holocene on the data of the first L1 block is thrown away, and read once',
    rules: ['batch-validator/drain+'],
    options: { safeCount: 2 },
    post: (s) => {
      const blocks = chain(s, safeHead(s), [{ epoch: 10 }, { epoch: 10 }]);
      s.postBatches(10, [s.single(blocks[1]!), s.single(blocks[0])]);
      s.postBatches(11, [s.single(blocks[0])], { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'reset/l1-parent-mismatch',
    shows: 'an L1 block does not build on the one before it: what was derived until there stays',
    rules: ['reset/l1-parent-mismatch+', 'reset/l1-parent-mismatch-'],
    post: (s) => s.postBatches(12, [s.single(s.block(6))]).postBatches(13, [s.single(s.block(7))], { id: 2 }),
    edit: unlinked(13n),
  }),
  ...onBothSides({
    name: 'reset/l1-parent-mismatch-at-once',
    shows: 'the second L1 block does not build on the first one',
    rules: ['reset/l1-parent-mismatch+'],
    post: (s) => s.postBatches(11, [s.single(s.block(6))]),
    edit: unlinked(11n),
  }),
  ...onBothSides({
    name: 'reset/l1-parent-mismatch-of-first',
    shows: "the first L1 block's parent is never looked at",
    rules: ['reset/l1-parent-mismatch-'],
    post: (s) => s.postBatches(12, [s.single(s.block(6))]),
    edit: unlinked(10n),
  }),
  story('across', {
    name: 'reset/l1-parent-mismatch-at-activation',
    shows: 'the activation block does not build on the one before it: a reset comes before the step into Holocene',
    rules: ['reset/l1-parent-mismatch+', 'activation/trigger-'],
    post: (s) => s.postBatches(11, [s.single(s.block(6))]),
    edit: unlinked(12n),
  }),
];
