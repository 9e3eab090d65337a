/** Curated scenarios of the step into Holocene. Its activation block is L1 block 12, at 1024, where nothing else is said. */

import type { Scenario } from '../scenario/scenario.ts';
import { madeUpHash } from '../scenario/transactions.ts';
import type { CuratedScenario } from './curated.ts';
import { chain, empties, story } from './story.ts';

/** A batch for a later block before the next one: kept and used before Holocene, dropped from it on. */
export function postOutOfOrder(s: Scenario, l1Number: number): void {
  s.postBatches(l1Number, [s.single(s.block(7))], { id: 1 });
  s.postBatches(l1Number, [s.single(s.block(6))], { id: 2 });
}

const trigger: readonly CuratedScenario[] = [
  ...(
    [
      ['one-second-before-l1-block', 1023, 'an L1 block one second after the activation time steps into Holocene'],
      ['at-l1-block', 1024, 'an L1 block at the very activation time steps into Holocene'],
      ['one-second-after-l1-block', 1025, 'an L1 block one second before the activation time is still before Holocene'],
    ] as const
  ).map(([name, holocene, shows]) =>
    story('across', {
      name: `activation/${name}`,
      shows,
      rules: ['activation/trigger+', 'activation/trigger-'],
      options: { forks: { holocene } },
      post: (s) => postOutOfOrder(s, 12),
    }),
  ),
  story('across', {
    name: 'activation/in-a-long-gap',
    shows: 'the activation time lies in the middle of a long time without L1 blocks',
    rules: ['activation/trigger+'],
    options: { forks: { holocene: 1500 }, l1Times: [1000, 1012, 2000, 2012, 2024] },
    post: (s) => {
      postOutOfOrder(s, 12);
      s.postBatches(14, [s.single(s.block(7))], { id: 3 });
    },
  }),
  story('across', {
    name: 'activation/after-the-last-block',
    shows: 'L2 time passes the activation but L1 time does not: everything is judged as before Holocene',
    rules: ['activation/trigger-', 'single/too-early+'],
    options: { forks: { holocene: 1050 }, l1Count: 4 },
    post: (s) => {
      const blocks = chain(s, s.block(5), empties(25));
      s.postBatches(13, [s.single(blocks[24]!), s.span(blocks.slice(0, 24) as [(typeof blocks)[0]])]);
    },
  }),
  story('across', {
    name: 'activation/reset-onto-it',
    shows: 'the run starts on the activation block: the stages are those of Holocene from the start, without a step',
    rules: ['reset/stages+', 'batch-validator/drain+', 'activation/trigger-'],
    options: { activationBlock: 10 },
    post: (s) => {
      postOutOfOrder(s, 11);
      s.postBatches(13, [s.single(s.block(7))], { id: 3 });
    },
  }),
  story('across', {
    name: 'activation/reset-one-before-it',
    shows: 'the run starts on the last L1 block before Holocene, and its first step activates it',
    rules: ['reset/stages+', 'activation/trigger+'],
    options: { activationBlock: 11 },
    post: (s) => {
      postOutOfOrder(s, 11);
      s.postBatches(13, [s.single(s.block(7))], { id: 3 });
    },
  }),
];

const channels: readonly CuratedScenario[] = [
  story('across', {
    name: 'activation/channel-cut-in-two',
    shows: 'a channel with one frame before the activation and one after it is lost',
    rules: ['activation/channels-dropped+', 'channel-assembler/stray-frame+'],
    post: (s) => {
      const [first, second] = s.frames(s.channel([s.span(s.blocks(2))]), 2);
      s.post(11, s.item(first!)).post(12, s.item(second!));
    },
  }),
  story('across', {
    name: 'activation/channel-sent-again',
    shows: 'a channel that was begun before the activation is sent again from frame 0 under the same id',
    rules: ['activation/channels-dropped+'],
    post: (s) => {
      const [first, second] = s.frames(s.channel([s.span(s.blocks(2))]), 2);
      s.post(11, s.item(first!)).post(12, s.item(first!, second!));
    },
  }),
  story('across', {
    name: 'activation/last-frame-came-first',
    shows: 'the last frame before the activation and frame 0 after it, in that order, do not make a channel any more',
    rules: ['activation/channels-dropped+'],
    post: (s) => {
      const [first, second] = s.frames(s.channel([s.span(s.blocks(2))]), 2);
      s.post(11, s.item(second!)).post(12, s.item(first!));
    },
  }),
  story('across', {
    name: 'activation/several-channels-open',
    shows: 'two channels stand open in the bank at the activation: both are lost',
    rules: ['activation/channels-dropped+'],
    post: (s) => {
      const [a0, a1] = s.frames(s.channel([s.single(s.block(6))]), 2, 1);
      const [b0, b1] = s.frames(s.channel([s.single(s.block(6)), s.single(s.block(7))]), 2, 2);
      s.post(11, s.item(a0!), s.item(b0!)).post(12, s.item(a1!), s.item(b1!));
    },
  }),
  story('across', {
    name: 'activation/channel-complete-before',
    shows: 'a channel completed in the last L1 block before the activation is read there',
    rules: ['activation/channels-dropped+'],
    post: (s) => s.postBatches(11, [s.span(s.blocks(2))]).postBatches(12, [s.span(s.blocks(2, 8))], { id: 2 }),
  }),
];

const batches: readonly CuratedScenario[] = [
  story('across', {
    name: 'activation/future-batch-kept',
    shows: 'a future batch that was kept before the activation is lost in it',
    rules: ['activation/batches-dropped+'],
    post: (s) => {
      s.postBatches(11, [s.single(s.block(7))], { id: 1 });
      s.postBatches(12, [s.single(s.block(6))], { id: 2 });
      s.postBatches(13, [s.single(s.block(8))], { id: 3 });
    },
  }),
  story('across', {
    name: 'activation/future-span-kept',
    shows: 'a future span batch that was kept before the activation is lost in it',
    rules: ['activation/batches-dropped+'],
    post: (s) => {
      s.postBatches(11, [s.span(s.blocks(2, 7))], { id: 1 });
      s.postBatches(12, [s.single(s.block(6))], { id: 2 });
    },
  }),
  story('across', {
    name: 'activation/undecided-span-kept',
    shows: 'a span batch that waits for the activation block as its last epoch is lost when that comes',
    rules: ['activation/batches-dropped+', 'batch-queue/undecided-stops+'],
    post: (s) => {
      s.postBatches(11, [s.span(s.blocks(7))], { id: 1 });
      s.postBatches(13, [s.single(s.block(6))], { id: 2 });
    },
  }),
  story('across', {
    name: 'activation/undecided-single-kept',
    shows: 'a single batch that waits for the activation block as its epoch is lost when that comes',
    rules: ['activation/batches-dropped+', 'single/next-epoch-unknown+'],
    options: { activationBlock: 11 },
    post: (s) => {
      s.postBatches(10, [s.single(s.block(6))], { id: 1 });
      s.postBatches(12, [s.single(s.block(6)), s.single(s.block(7))], { id: 2 });
    },
  }),
  story('across', {
    name: 'activation/waiting-behind-undecided',
    shows: 'a good batch that waits behind an undecided one is lost with it',
    rules: ['activation/batches-dropped+'],
    post: (s) => s.postBatches(11, [s.span(s.blocks(7)), s.single(s.block(6))]),
  }),
];

const windows: readonly CuratedScenario[] = [
  story('across', {
    name: 'activation/batch-of-earlier-epoch',
    shows: 'the first batch after the activation belongs to an epoch before it: the window is carried over',
    rules: ['activation/window-kept+', 'activation/old-batches-new-rules+'],
    options: { safeCount: 2 },
    post: (s) => s.postBatches(12, [s.single(s.block(5)), s.span(s.blocks(7, 6))]),
  }),
  story('across', {
    name: 'activation/window-over-at-it',
    shows: 'a sequencing window that began before the activation ends in the activation block',
    rules: ['activation/window-kept+', 'empty/window-over+'],
    options: { safeCount: 2, seqWindowSize: 2 },
    post: () => {},
  }),
  story('across', {
    name: 'activation/epoch-given-up-before',
    shows: 'the epoch was given up in the last L1 block before the activation: the window stays ahead of the safe head',
    rules: ['activation/window-kept+', 'empty/next-epoch+', 'batch-queue/epoch-mismatch-'],
    options: { seqWindowSize: 1 },
    post: (s) => s.postBatches(12, [s.single(s.block(6))]),
  }),
  story('across', {
    name: 'activation/behind-safe-head',
    shows: "the activation comes while the origin is still behind the safe head's: there is no window to carry over",
    rules: ['batch-queue/origin-behind+', 'activation/trigger+', 'batch-validator/drain+'],
    options: { safeStart: 18, safeCount: 2, l1Count: 7 },
    post: (s) => {
      for (const [index, number] of [10, 11, 12, 13, 14].entries()) {
        s.postBatches(number, [s.single(s.block(20)), s.single(s.block(21))], { id: index });
      }
    },
  }),
  story('across', {
    name: 'activation/at-safe-heads-origin',
    shows: "the activation block is the safe head's L1 origin: its batches are thrown away, the window holds it alone",
    rules: ['activation/trigger+', 'batch-validator/drain+'],
    options: { safeStart: 14, safeCount: 2 },
    post: (s) => {
      s.postBatches(12, [s.single(s.block(16))], { id: 1 });
      s.postBatches(13, [s.single(s.block(16))], { id: 2 });
    },
  }),
  story('across', {
    name: 'activation/old-single-out-of-order',
    shows: 'batches of blocks and epochs before the activation, read after it, are judged by the new rules',
    rules: ['activation/old-batches-new-rules+', 'single/too-early+', 'batch-validator/single-drop+'],
    post: (s) => {
      s.postBatches(13, [s.single(s.block(7)), s.single(s.block(6))], { id: 1 });
      s.postBatches(14, [s.single(s.block(6))], { id: 2 });
    },
  }),
  story('across', {
    name: 'activation/old-span-past',
    shows: 'a span batch of blocks before the activation without any new one is past, not dropped, when read after it',
    rules: ['activation/old-batches-new-rules+', 'span/no-new-block+', 'batch-validator/span-past+'],
    post: (s) => {
      s.postBatches(11, [s.span(s.blocks(2))], { id: 1 });
      s.postBatches(12, [s.span(s.blocks(2)), s.single(s.block(8))], { id: 2 });
    },
  }),
];

const once: readonly CuratedScenario[] = [
  story('across', {
    name: 'activation/data-once',
    shows: 'the data of the activation block is read once',
    rules: ['activation/data-once+'],
    post: (s) => s.postBatches(12, [s.single(s.block(6)), s.single(s.block(7))]),
  }),
  story('across', {
    name: 'activation/data-once-invalid-batch',
    shows: 'an invalid batch in the activation block makes one flush',
    rules: ['activation/data-once+', 'single/epoch-hash+'],
    post: (s) => {
      s.postBatches(12, [{ ...s.single(s.block(6)), epochHash: madeUpHash('other l1', 11) }], { id: 1 });
      s.postBatches(13, [s.single(s.block(6))], { id: 2 });
    },
  }),
  story('across', {
    name: 'activation/data-once-out-of-order',
    shows: 'a second reading of the activation block would find a dropped batch in order',
    rules: ['activation/data-once+', 'single/too-early+'],
    post: (s) => postOutOfOrder(s, 12),
  }),
  story('across', {
    name: 'activation/data-once-window-over',
    shows: 'an empty batch is made at the end of the activation block: its data is not read again behind it',
    rules: ['activation/data-once+', 'empty/window-over+'],
    options: { safeCount: 2, seqWindowSize: 2 },
    post: (s) => s.postBatches(12, [s.single(s.block(4))]),
  }),
  story('across', {
    name: 'activation/data-once-behind-filled-block',
    shows:
      'a batch that was dropped in the activation block would fit behind the empty batch made there: it stays lost',
    rules: ['activation/data-once+', 'empty/window-over+', 'single/too-early+'],
    options: { safeCount: 2, seqWindowSize: 2 },
    post: (s) => {
      const [, follows] = chain(s, s.block(4), [{ transactions: [] }, { epoch: 11 }]);
      s.postBatches(12, [s.single(follows!)]);
    },
  }),
  story('across', {
    name: 'activation/no-data',
    shows: 'an activation block without data: nothing but the stages changes',
    rules: ['activation/data-once+', 'activation/trigger+'],
    post: (s) => s.postBatches(11, [s.single(s.block(6))]).postBatches(13, [s.single(s.block(7))], { id: 2 }),
  }),
];

export const activationScenarios: readonly CuratedScenario[] = [
  ...trigger,
  ...channels,
  ...batches,
  ...windows,
  ...once,
];
