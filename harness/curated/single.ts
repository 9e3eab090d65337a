/** Curated scenarios of the checks on one single batch, up to its epoch. */

import { madeUpHash } from '../scenario/transactions.ts';
import type { CuratedScenario } from './curated.ts';
import { chain, onBothSides, postSuspect, safeHead, story } from './story.ts';

const MAX_U64 = 0xffff_ffff_ffff_ffffn;

const timestamps: readonly CuratedScenario[] = [
  ...onBothSides({
    name: 'single/in-order',
    shows: 'three single batches in order pass every check',
    rules: [
      'single/too-early-',
      'single/too-late-',
      'single/parent-hash-',
      'single/sequence-window-',
      'single/epoch-too-old-',
      'single/next-epoch-unknown-',
      'single/epoch-too-new-',
      'single/epoch-hash-',
      'single/min-time-',
      'single/activation-block-empty-',
      'single/tx-empty-',
      'single/tx-deposit-',
      'single/tx-set-code-',
      'single/tx-post-exec-',
      'single/tx-other-types-',
    ],
    before: ['batch-queue/arrival-', 'batch-queue/first-accepted+', 'batch-queue/epoch-mismatch-'],
    after: ['batch-validator/drain+', 'batch-validator/drain-', 'batch-validator/two-origins-'],
    post: (s) =>
      s.postBatches(
        12,
        s.blocks(3).map((block) => s.single(block)),
      ),
  }),
  ...onBothSides({
    name: 'single/later-block-first',
    shows:
      'a batch for a later block stands before the next one: kept before Holocene, dropped with a flush from it on',
    rules: ['single/too-early+'],
    after: ['batch-validator/single-drop+'],
    post: (s) => {
      const [first, second] = s.blocks(2).map((block) => s.single(block));
      postSuspect(s, 12, second!, [first!]);
      s.postBatches(15, [second!], { id: 3 });
    },
  }),
  ...onBothSides({
    name: 'single/one-second-early',
    shows: 'a timestamp one second after the next one never fits',
    rules: ['single/too-early+'],
    post: (s) => {
      const [first, second] = s.blocks(2).map((block) => s.single(block));
      postSuspect(s, 12, { ...first!, timestamp: first!.timestamp + 1n }, [first!, second!]);
    },
  }),
  ...onBothSides({
    name: 'single/timestamp-largest-u64',
    shows: 'the largest timestamp is later than the next one, without a wrap-around',
    rules: ['single/too-early+'],
    post: (s) => {
      const [first] = s.blocks(1).map((block) => s.single(block));
      postSuspect(s, 12, { ...first!, timestamp: MAX_U64 }, [first!]);
    },
  }),
  ...onBothSides({
    name: 'single/repeated',
    shows: 'a batch that was already used comes again: dropped before Holocene, past without a flush from it on',
    rules: ['single/too-late+'],
    before: ['batch-queue/arrival+'],
    after: ['batch-validator/single-past+'],
    post: (s) => {
      const [first, second, third] = s.blocks(3).map((block) => s.single(block));
      s.postBatches(12, [first!, first!, second!, first!, third!]);
    },
  }),
  ...onBothSides({
    name: 'single/at-safe-head-time',
    shows: 'a batch with the timestamp of the safe head is too late and its channel goes on',
    rules: ['single/too-late+'],
    post: (s) => s.postBatches(12, [s.single(s.block(5)), s.single(s.block(6)), s.single(s.block(7))]),
  }),
  ...onBothSides({
    name: 'single/between-safe-head-and-next',
    shows: 'a timestamp between the safe head and the next one: past from Holocene on, so there is no flush',
    rules: ['single/too-late+'],
    post: (s) => {
      const [first, second] = s.blocks(2).map((block) => s.single(block));
      postSuspect(s, 12, { ...first!, timestamp: first!.timestamp - 1n }, [first!, second!]);
    },
  }),
  ...onBothSides({
    name: 'single/timestamp-zero',
    shows: 'timestamp zero is too late',
    rules: ['single/too-late+'],
    post: (s) => {
      const [first] = s.blocks(1).map((block) => s.single(block));
      s.postBatches(12, [{ ...first!, timestamp: 0n }, first!]);
    },
  }),
];

const parents: readonly CuratedScenario[] = [
  ...onBothSides({
    name: 'single/parent-hash-unknown',
    shows: 'a parent hash that belongs to no block',
    rules: ['single/parent-hash+'],
    post: (s) => {
      const [first, second] = s.blocks(2).map((block) => s.single(block));
      postSuspect(s, 12, { ...first!, parentHash: madeUpHash('nobody', 1) }, [first!, second!]);
    },
  }),
  ...onBothSides({
    name: 'single/parent-hash-of-grandparent',
    shows: "the hash of the safe head's parent in place of its own",
    rules: ['single/parent-hash+'],
    post: (s) => {
      const [first, second] = s.blocks(2).map((block) => s.single(block));
      postSuspect(s, 12, { ...first!, parentHash: safeHead(s).parentHash }, [first!, second!]);
    },
  }),
  ...onBothSides({
    name: 'single/parent-hash-of-rival',
    shows: 'a batch that builds on a rival of the block that was used',
    rules: ['single/parent-hash+'],
    post: (s) => {
      const rival = chain(s, safeHead(s), [{ transactions: [] }, {}]);
      s.postBatches(12, [s.single(s.block(6)), s.single(rival[1]!), s.single(s.block(7))], { id: 1 });
      s.postBatches(13, [s.single(s.block(7))], { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'single/parent-hash-zero',
    shows: 'a parent hash of zeros is no wildcard',
    rules: ['single/parent-hash+'],
    post: (s) => {
      const [first, second] = s.blocks(2).map((block) => s.single(block));
      postSuspect(s, 12, { ...first!, parentHash: new Uint8Array(32) }, [first!, second!]);
    },
  }),
  ...onBothSides({
    name: 'single/parent-hash-wrong-but-past',
    shows: 'the timestamp is looked at before the parent hash: an old batch on an unknown parent is past',
    rules: ['single/too-late+'],
    post: (s) => {
      const old = { ...s.single(s.block(5)), parentHash: madeUpHash('nobody', 1) };
      s.postBatches(12, [old, s.single(s.block(6))]);
    },
  }),
];

/** One safe block fewer, so that the next block (number 5, at 1010) still belongs to epoch 10. */
const EARLY = { safeCount: 2 } as const;

const epochs: readonly CuratedScenario[] = [
  ...onBothSides({
    name: 'single/sequence-window-last-block',
    shows: 'a batch included in the last L1 block of its window, epoch number + window size, is in time',
    rules: ['single/sequence-window-', 'empty/window-over-'],
    options: { ...EARLY, seqWindowSize: 3 },
    post: (s) => s.postBatches(13, [s.single(s.block(5)), s.single(s.block(6))]),
  }),
  ...onBothSides({
    name: 'single/sequence-window-one-late',
    shows: 'one L1 block after its window a batch finds the empty batch in its place',
    rules: ['single/too-late+', 'empty/window-over+', 'empty/same-epoch+'],
    options: { ...EARLY, seqWindowSize: 3 },
    post: (s) => s.postBatches(14, [s.single(s.block(5))]),
  }),
  ...onBothSides({
    name: 'single/sequence-window-zero',
    shows: 'with a window of no length a batch of an earlier epoch than its own L1 block is too late',
    rules: ['single/sequence-window+'],
    options: { ...EARLY, seqWindowSize: 0 },
    post: (s) => s.postBatches(11, [s.single(s.block(5)), s.single(s.block(6))]),
  }),
  ...onBothSides({
    name: 'single/sequence-window-wraps',
    shows: 'epoch number + window size wraps around in 64 bits, and the batch counts as too late',
    rules: ['single/sequence-window+'],
    options: { seqWindowSize: 3 },
    post: (s) => {
      const [first, second] = s.blocks(2).map((block) => s.single(block));
      postSuspect(s, 12, { ...first!, epochNum: MAX_U64 }, [first!, second!]);
    },
  }),
  ...onBothSides({
    name: 'single/epoch-largest-u64',
    shows: 'an epoch number whose sum with the window size wraps to more than the inclusion block is too new',
    rules: ['single/epoch-too-new+'],
    post: (s) => {
      const [first, second] = s.blocks(2).map((block) => s.single(block));
      postSuspect(s, 12, { ...first!, epochNum: MAX_U64 }, [first!, second!]);
    },
  }),
  ...onBothSides({
    name: 'single/epoch-before-safe-head',
    shows: 'a batch goes back to the epoch before that of the safe head',
    rules: ['single/epoch-too-old+'],
    post: (s) => {
      const first = s.block(6);
      const [back] = chain(s, first, [{ epoch: 10 }]);
      s.postBatches(12, [s.single(first), s.single(back), s.single(s.block(7))], { id: 1 });
      s.postBatches(12, [s.single(s.block(7))], { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'single/epoch-zero',
    shows: 'an epoch number below the first L1 block',
    rules: ['single/epoch-too-old+'],
    post: (s) => {
      const [first] = s.blocks(1).map((block) => s.single(block));
      postSuspect(s, 12, { ...first!, epochNum: 0n }, [first!]);
    },
  }),
  ...onBothSides({
    name: 'single/epoch-too-old-with-known-hash',
    shows: "an epoch number below the window with the hash of the safe head's L1 origin",
    rules: ['single/epoch-too-old+'],
    options: EARLY,
    post: (s) => postSuspect(s, 12, { ...s.single(s.block(5)), epochNum: 9n }, [s.single(s.block(5))]),
  }),
  ...onBothSides({
    name: 'single/epoch-too-new-with-known-hash',
    shows: "an epoch number two after the window's first with the hash of the safe head's L1 origin",
    rules: ['single/epoch-too-new+'],
    options: EARLY,
    post: (s) => postSuspect(s, 12, { ...s.single(s.block(5)), epochNum: 12n }, [s.single(s.block(5))]),
  }),
  story('before', {
    name: 'single/next-epoch-unknown',
    shows: 'a batch of the next epoch in an L1 block before it waits, and is used when the next L1 block is there',
    rules: ['single/next-epoch-unknown+', 'batch-queue/undecided-stops+'],
    post: (s) => s.postBatches(10, [s.single(s.block(6)), s.single(s.block(7))]),
  }),
  story('before', {
    name: 'single/next-epoch-unknown-holds-up-others',
    shows: 'a batch of the next epoch that turns out too early for it holds up the good batch behind it until then',
    rules: ['single/next-epoch-unknown+', 'single/min-time+', 'batch-queue/undecided-stops+'],
    options: EARLY,
    post: (s) => {
      const early = { ...s.single(s.block(5)), epochNum: 11n, epochHash: s.l1(11).hash };
      s.postBatches(10, [early, s.single(s.block(5))]);
    },
  }),
  story('before', {
    name: 'single/next-epoch-unknown-then-wrong-hash',
    shows: 'a batch of a next epoch that turns out differently is dropped when the next L1 block is there',
    rules: ['single/next-epoch-unknown+', 'single/epoch-hash+'],
    post: (s) => {
      const [first] = s.blocks(1).map((block) => s.single(block));
      s.postBatches(10, [{ ...first!, epochHash: madeUpHash('other l1', 11) }]);
      s.postBatches(11, [first!], { id: 2 });
    },
  }),
  story('after', {
    name: 'single/next-epoch-drained',
    shows: "a batch in the L1 block of the safe head's own epoch is thrown away from Holocene on",
    rules: ['batch-validator/drain+'],
    post: (s) => s.postBatches(10, [s.single(s.block(6)), s.single(s.block(7))]),
  }),
  ...onBothSides({
    name: 'single/epoch-skips-one',
    shows: 'a batch skips an L1 block: its epoch is two after that of the safe head',
    rules: ['single/epoch-too-new+'],
    options: { l1Times: [1000, 1011, 1012, 1024, 1036, 1048] },
    post: (s) => {
      const [skips] = chain(s, safeHead(s), [{ epoch: 12 }]);
      postSuspect(s, 13, s.single(skips), [s.single(s.block(6)), s.single(s.block(7))]);
    },
  }),
  ...onBothSides({
    name: 'single/epoch-skips-one-given-up',
    shows: "once the safe head's epoch is given up, epochs count from the next one, so that one may be skipped",
    rules: ['single/epoch-too-new-', 'empty/next-epoch+'],
    options: { l1Times: [1000, 1011, 1012, 1024, 1036], seqWindowSize: 2 },
    post: (s) => {
      const [skips, follows] = chain(s, safeHead(s), [{ epoch: 12 }, { epoch: 12 }]);
      s.postBatches(13, [s.single(skips), s.single(follows!)]);
    },
  }),
  ...onBothSides({
    name: 'single/epoch-hash-wrong',
    shows: "an epoch hash that is not that of the safe head's L1 origin",
    rules: ['single/epoch-hash+'],
    options: EARLY,
    post: (s) => {
      const [first, second] = s.blocks(2).map((block) => s.single(block));
      postSuspect(s, 12, { ...first!, epochHash: madeUpHash('other l1', 10) }, [first!, second!]);
    },
  }),
  ...onBothSides({
    name: 'single/next-epoch-hash-wrong',
    shows: 'the hash of the previous epoch with the number of the next one',
    rules: ['single/epoch-hash+'],
    post: (s) => {
      const [first, second] = s.blocks(2).map((block) => s.single(block));
      postSuspect(s, 12, { ...first!, epochHash: s.l1(10).hash }, [first!, second!]);
    },
  }),
  ...onBothSides({
    name: 'single/epoch-of-own-block',
    shows: 'a batch whose epoch is the very L1 block that carries it',
    rules: ['single/epoch-hash-'],
    after: ['batch-validator/drain+'],
    post: (s) => {
      const batches = s.blocks(3).map((block) => s.single(block));
      s.postBatches(11, batches, { id: 1 });
      s.postBatches(12, batches, { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'single/time-before-epoch',
    shows: 'a batch one second before the time of its epoch',
    rules: ['single/min-time+'],
    options: { l1Times: [1000, 1013, 1025, 1037, 1049] },
    post: (s) => {
      const [early, next] = chain(s, safeHead(s), [{ epoch: 11 }, {}]);
      s.postBatches(12, [s.single(early), s.single(next!)], { id: 1 });
      s.postBatches(12, [s.single(s.block(6)), s.single(s.block(7))], { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'single/time-of-epoch',
    shows: 'a batch at the very time of its epoch',
    rules: ['single/min-time-'],
    options: { l1Times: [1000, 1012, 1024, 1036, 1048] },
    post: (s) => {
      const [first] = chain(s, safeHead(s), [{ epoch: 11 }]);
      s.postBatches(12, [s.single(first)]);
    },
  }),
];

export const singleScenarios: readonly CuratedScenario[] = [...timestamps, ...parents, ...epochs];
