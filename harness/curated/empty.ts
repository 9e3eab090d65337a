/** Curated scenarios of the empty batches that fill up an expired sequencing window. */

import type { CuratedScenario } from './curated.ts';
import { chain, empties, onBothSides, safeHead, story } from './story.ts';

/** Two L1 blocks of window; block 5 (at 1010) is the last one of epoch 10. */
const SHORT = { safeCount: 2, seqWindowSize: 2 } as const;

export const emptyScenarios: readonly CuratedScenario[] = [
  ...onBothSides({
    name: 'empty/nobody-posts',
    shows: 'nothing is posted: each epoch is filled up when its window ends, one L1 block after the other',
    rules: ['empty/window-over+', 'empty/window-over-', 'empty/same-epoch+', 'empty/same-epoch-', 'empty/next-epoch+'],
    options: SHORT,
    post: () => {},
  }),
  ...onBothSides({
    name: 'empty/window-not-over',
    shows: 'the run ends one L1 block before the window does: nothing is filled up',
    rules: ['empty/window-over-'],
    options: { safeCount: 2, seqWindowSize: 6 },
    post: () => {},
  }),
  ...onBothSides({
    name: 'empty/window-of-one-block',
    shows: 'with a window of one L1 block the next one ends it',
    rules: ['empty/window-over+'],
    options: { safeCount: 2, seqWindowSize: 1, l1Count: 4 },
    post: () => {},
  }),
  ...onBothSides({
    name: 'empty/window-of-no-block',
    shows: "with a window of no length the next L1 block is needed, since without it the epoch's end is not known",
    rules: ['empty/window-over+'],
    options: { safeCount: 2, seqWindowSize: 0, l1Count: 4 },
    post: () => {},
  }),
  ...onBothSides({
    name: 'empty/data-in-last-block',
    shows: "the data of the window's last L1 block comes before the empty batches",
    rules: ['empty/window-over+', 'single/sequence-window-'],
    options: SHORT,
    post: (s) => s.postBatches(12, [s.single(s.block(5))]),
  }),
  ...onBothSides({
    name: 'empty/part-of-epoch-posted',
    shows: 'what a batcher left out of an epoch is filled up when the window ends',
    rules: ['empty/window-over+', 'empty/same-epoch+'],
    options: SHORT,
    post: (s) => s.postBatches(12, [s.span(s.blocks(4))]),
  }),
  ...onBothSides({
    name: 'empty/several-items-in-last-block',
    shows: "empty batches wait until every item of the window's last L1 block is read, broken ones included",
    rules: ['empty/window-over-', 'empty/window-over+'],
    options: SHORT,
    post: (s) => {
      s.post(12, Uint8Array.of(1, 2, 3), new Uint8Array(0));
      s.postBatches(12, [s.single(s.block(4))], { id: 1 });
      s.postBatches(12, [s.single(s.block(5))], { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'empty/late-batches-of-filled-epoch',
    shows:
      'batches of an epoch that was filled up come one L1 block too late, those of the next epoch build on other blocks',
    rules: ['single/too-late+', 'empty/next-epoch+'],
    options: SHORT,
    post: (s) => {
      s.postBatches(13, [s.single(s.block(5))], { id: 1 });
      const filled = chain(s, safeHead(s), [{ transactions: [] }, { epoch: 11 }, {}]);
      s.postBatches(13, [s.single(filled[1]!), s.single(filled[2]!)], { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'empty/next-epoch-batch-in-time',
    shows:
      "once an epoch is given up the next one's batches are used in the following L1 block, before any empty batch",
    rules: ['empty/next-epoch+', 'batch-queue/epoch-mismatch-'],
    options: { seqWindowSize: 2 },
    post: (s) => s.postBatches(13, [s.single(s.block(6)), s.single(s.block(7))]),
  }),
  ...onBothSides({
    name: 'empty/next-epoch-batch-same-block',
    shows: 'the L1 block in which an epoch is given up may itself carry the next epoch',
    rules: ['batch-queue/window+'],
    options: SHORT,
    post: (s) => s.postBatches(12, [s.single(s.block(5)), s.single(s.block(6))]),
  }),
  ...onBothSides({
    name: 'empty/first-of-epoch',
    shows: 'L1 blocks every second: each epoch gets one L2 block, later than the L1 block after it',
    rules: ['empty/same-epoch+', 'empty/next-epoch+'],
    options: { seqWindowSize: 2, l1Times: [1000, 1011, 1012, 1013, 1014, 1015, 1016] },
    post: () => {},
  }),
  ...onBothSides({
    name: 'empty/next-origin-at-next-time',
    shows: 'the next L1 block has the very time of the next L2 block: the epoch is over',
    rules: ['empty/same-epoch-', 'empty/next-epoch+'],
    options: { ...SHORT, l1Times: [1000, 1010, 1022, 1034, 1046] },
    post: () => {},
  }),
  ...onBothSides({
    name: 'empty/next-origin-one-second-later',
    shows: 'the next L1 block is one second later than the next L2 block: one more block in the epoch',
    rules: ['empty/same-epoch+'],
    options: { ...SHORT, l1Times: [1000, 1011, 1023, 1035, 1047] },
    post: () => {},
  }),
  ...onBothSides({
    name: 'empty/long-gap',
    shows: 'a long time without L1 blocks is filled up far past the drift, without a check',
    rules: ['empty/same-epoch+'],
    options: { blockTime: 600, safeStart: 0, safeCount: 1, seqWindowSize: 1, l1Times: [1000, 7000, 7012] },
    post: () => {},
  }),
  ...onBothSides({
    name: 'empty/invalid-batch-in-window',
    shows: 'an invalid batch in the last L1 block of the window gives way to the empty one',
    rules: ['single/epoch-hash+', 'empty/window-over+'],
    options: SHORT,
    post: (s) => s.postBatches(12, [{ ...s.single(s.block(5)), epochHash: s.l1(11).hash }]),
  }),
  story('before', {
    name: 'empty/future-batch-kept',
    shows: 'a kept future batch does not keep empty batches back, and is dropped as it builds on another block',
    rules: ['empty/window-over+', 'single/too-early+', 'single/parent-hash+'],
    options: SHORT,
    post: (s) => s.postBatches(11, [s.single(s.block(6))]),
  }),
  story('before', {
    name: 'empty/future-batch-on-filled-block',
    shows: 'a kept future batch builds on the very empty block that is filled in before it',
    rules: ['empty/window-over+', 'single/too-early+', 'batch-queue/first-accepted+'],
    options: SHORT,
    post: (s) => {
      const [, follows] = chain(s, safeHead(s), [{ transactions: [] }, { epoch: 11 }]);
      s.postBatches(12, [s.single(follows!)]);
    },
  }),
  ...onBothSides({
    name: 'empty/span-of-two-epochs',
    shows: 'a span batch of two epochs ends with the second one: what follows is filled up when that window ends',
    rules: ['empty/window-over+', 'span/sequence-window-'],
    options: SHORT,
    post: (s) => s.postBatches(12, [s.span(s.blocks(7))]),
  }),
  ...onBothSides({
    name: 'empty/batcher-sends-empty-batches',
    shows: 'empty batches that a batcher sends are the same as those nobody sent',
    rules: ['single/too-late-', 'empty/window-over-'],
    options: { safeCount: 2 },
    post: (s) =>
      s.postBatches(
        12,
        chain(s, safeHead(s), empties(4)).map((block) => s.single(block)),
      ),
  }),
  ...onBothSides({
    name: 'empty/span-dropped-with-data-left',
    shows:
      "an invalid span batch in the window's last L1 block: the good batch behind it in the same block comes before empty ones",
    rules: ['span/parent-check+', 'empty/window-over+'],
    options: SHORT,
    post: (s) => {
      s.postBatches(12, [s.span(s.blocks(2), { parentCheck: new Uint8Array(20) })], { id: 1 });
      s.postBatches(12, [s.single(s.block(5))], { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'empty/past-span-with-data-left',
    shows: "a span batch without new blocks in the window's last L1 block, and a good batch behind it",
    rules: ['span/no-new-block+', 'empty/window-over+'],
    options: SHORT,
    post: (s) => {
      s.postBatches(12, [s.span(s.blocks(1, 4))], { id: 1 });
      s.postBatches(12, [s.single(s.block(5))], { id: 2 });
    },
  }),
];
