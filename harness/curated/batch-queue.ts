/** Curated scenarios of the batch queue before Holocene, and of the rules it shares with the batch validator. */

import type { Vector } from '../../src/vector.ts';
import { madeUpHash } from '../scenario/transactions.ts';
import type { CuratedScenario } from './curated.ts';
import { chain, onBothSides, safeHead, story } from './story.ts';

const order: readonly CuratedScenario[] = [
  story('before', {
    name: 'batch-queue/reverse-order',
    shows: 'three batches in reverse order are kept until their turn comes',
    rules: ['single/too-early+', 'batch-queue/arrival-', 'batch-queue/first-accepted-', 'batch-queue/first-accepted+'],
    post: (s) =>
      s.postBatches(
        12,
        s
          .blocks(3)
          .toReversed()
          .map((block) => s.single(block)),
      ),
  }),
  story('before', {
    name: 'batch-queue/future-from-earlier-block',
    shows: 'a future batch waits over several L1 blocks and is judged by the block that carried it',
    rules: ['batch-queue/arrival-', 'single/sequence-window-'],
    options: { seqWindowSize: 3 },
    post: (s) => {
      s.postBatches(11, [s.single(s.block(7))], { id: 1 });
      s.postBatches(14, [s.single(s.block(6))], { id: 2 });
    },
  }),
  story('before', {
    name: 'batch-queue/first-of-rivals-wins',
    shows: 'of two batches for the same block the first one is used',
    rules: ['batch-queue/first-accepted+', 'batch-queue/arrival+'],
    post: (s) => {
      const [rival] = chain(s, safeHead(s), [{ transactions: [] }]);
      s.postBatches(12, [s.single(s.block(6)), s.single(rival), s.single(s.block(7))]);
    },
  }),
  story('before', {
    name: 'batch-queue/first-of-kept-rivals-wins',
    shows: 'of two kept batches for the same later block the one that arrived first is used',
    rules: ['batch-queue/first-accepted+', 'batch-queue/first-accepted-'],
    post: (s) => {
      const [rival] = chain(s, s.block(6), [{ transactions: [] }]);
      s.postBatches(12, [s.single(rival), s.single(s.block(7)), s.single(s.block(6))]);
    },
  }),
  story('before', {
    name: 'batch-queue/kept-on-wrong-parent',
    shows: 'a kept batch turns out to build on another block than the one that came before it',
    rules: ['single/parent-hash+', 'batch-queue/first-accepted-'],
    post: (s) => {
      const rival = chain(s, safeHead(s), [{ transactions: [] }, {}]);
      s.postBatches(12, [s.single(rival[1]!), s.single(s.block(6)), s.single(s.block(7))]);
    },
  }),
  story('before', {
    name: 'batch-queue/single-before-span',
    shows: 'a kept single batch and a kept span batch for the same block: the single one arrived first',
    rules: ['batch-queue/first-accepted+', 'batch-queue/span-cache-'],
    post: (s) => s.postBatches(12, [s.single(s.block(7)), s.span(s.blocks(3, 7)), s.single(s.block(6))]),
  }),
  story('before', {
    name: 'batch-queue/span-before-single',
    shows: 'a span batch and single batches for the same blocks: the span batch arrived first',
    rules: ['batch-queue/span-cache-', 'batch-queue/arrival+'],
    post: (s) => {
      const rival = chain(s, s.block(6), [{ transactions: [] }]);
      s.postBatches(12, [s.span(s.blocks(3)), s.single(rival[0]), s.single(s.block(9))]);
    },
  }),
  story('before', {
    name: 'batch-queue/dropped-batch-keeps-channel',
    shows: 'an invalid batch takes nothing else of its channel along',
    rules: ['batch-queue/arrival+'],
    post: (s) => {
      const [first, second] = s.blocks(2).map((block) => s.single(block));
      const wrong = { ...first!, epochHash: madeUpHash('other l1', 11) };
      s.postBatches(12, [wrong, first!, wrong, second!]);
    },
  }),
];

const undecided: readonly CuratedScenario[] = [
  story('before', {
    name: 'batch-queue/undecided-holds-up-good-batch',
    shows: 'an undecided span batch in front of an acceptable batch: nothing is used until the next L1 block',
    rules: ['batch-queue/undecided-stops+', 'batch-queue/undecided-stops-'],
    post: (s) => {
      const rival = chain(s, safeHead(s), [{ transactions: [] }, {}, {}, {}, {}, {}, {}]);
      s.postBatches(11, [s.span(rival), s.single(s.block(6))]);
    },
  }),
  story('before', {
    name: 'batch-queue/undecided-then-dropped',
    shows: 'an undecided span batch turns out invalid: what waited behind it is used',
    rules: ['batch-queue/undecided-stops+', 'span/origin-check+'],
    post: (s) => {
      const span = s.span(s.blocks(7), { l1OriginCheck: madeUpHash('other l1', 12).subarray(0, 20) });
      s.postBatches(11, [span, s.single(s.block(6))]);
    },
  }),
  story('before', {
    name: 'batch-queue/undecided-holds-up-empty-batches',
    shows: 'while a kept batch is undecided no empty batch is made, even when the sequencing window is over',
    rules: ['batch-queue/undecided-stops+', 'empty/window-over+'],
    options: { safeCount: 2, seqWindowSize: 2 },
    post: (s) => {
      // Blocks 5 to 18 reach epoch 13, one more than the L1 block that carries them.
      const span = s.span(s.blocks(14), { l1OriginCheck: madeUpHash('other l1', 13).subarray(0, 20) });
      s.postBatches(12, [span]);
      s.postBatches(13, [s.single(s.block(5))], { id: 2 });
    },
  }),
  story('before', {
    name: 'batch-queue/window-over-with-data-left',
    shows:
      'an undecided batch delayed the empty ones: they are made one L1 block later, between two batches of the same block',
    rules: ['empty/window-over+', 'single/sequence-window+'],
    options: { safeCount: 2, seqWindowSize: 2 },
    post: (s) => {
      const span = s.span(s.blocks(14), { l1OriginCheck: madeUpHash('other l1', 13).subarray(0, 20) });
      s.postBatches(12, [span]);
      // Too late by its window; behind it the empty batch for block 5 is due at once.
      const [filled] = chain(s, safeHead(s), [{ transactions: [] }]);
      const [follows] = chain(s, filled, [{}]);
      s.postBatches(13, [s.single(s.block(5)), s.single(follows)], { id: 2 });
    },
  }),
  story('before', {
    name: 'batch-queue/dropped-on-arrival-or-undecided',
    shows:
      'a span batch is dropped on arrival by what it overlaps; kept, it would be undecided when the batch before it in the queue has moved the epoch on',
    rules: ['batch-queue/arrival+', 'span/overlap-content+'],
    post: (s) => {
      // Block 12 is the first of epoch 12: it waits in front of the rival, which stays in epoch 11 and ends behind it.
      const rival = chain(s, s.block(10), [{ transactions: [] }, { epoch: 11 }, { epoch: 11 }]);
      const singles = s.blocks(6).map((block) => s.single(block));
      s.postBatches(13, [s.single(s.block(12)), ...singles, s.span(rival), s.single(s.block(13))]);
    },
  }),
  story('before', {
    name: 'batch-queue/undecided-for-good',
    shows:
      'a span batch whose parent is not known stops the batch queue for the rest of the run, empty batches included',
    rules: ['span/parent-known+', 'batch-queue/undecided-stops+'],
    options: { seqWindowSize: 2 },
    post: (s) => s.postBatches(11, [s.span(s.blocks(4, 3)), s.single(s.block(6))]),
  }),
];

const spans: readonly CuratedScenario[] = [
  story('before', {
    name: 'batch-queue/span-all-at-once',
    shows: 'a span batch is emitted block by block without reading on',
    rules: ['batch-queue/span-cache-', 'span/new-blocks+'],
    post: (s) => s.postBatches(13, [s.span(s.blocks(8)), s.single(s.block(14))]),
  }),
  story('before', {
    name: 'batch-queue/span-over-its-window',
    shows: 'blocks of a span batch come out although a batch of their own would be too late by then',
    rules: ['batch-queue/span-cache-', 'span/sequence-window-'],
    options: { safeCount: 2, seqWindowSize: 2 },
    post: (s) => s.postBatches(12, [s.span(s.blocks(8))]),
  }),
  story('before', {
    name: 'batch-queue/partly-invalid-span',
    shows: 'one invalid block makes the whole span batch invalid',
    rules: ['span/full-min-time+', 'batch-queue/arrival+'],
    post: (s) => {
      const early = chain(s, s.block(6), [{ epoch: 12 }]);
      s.postBatches(13, [s.span([s.block(6), ...early]), s.single(s.block(6))]);
    },
  }),
  story('before', {
    name: 'batch-queue/window-during-span',
    shows: 'the window keeps the old epochs while a span batch of three epochs is emitted',
    rules: ['batch-queue/window+', 'batch-queue/window-'],
    post: (s) => {
      s.postBatches(14, [s.span(s.blocks(14)), s.span(s.blocks(4, 18))]);
    },
  }),
];

/** A vector with one safe block, whose L1 origin is another. */
const SAFE_ALONE = { safeStart: 5, safeCount: 1 } as const;

const withSafeOrigin = (number: bigint, hash: Uint8Array) => (vector: Vector) => ({
  ...vector,
  l2: [{ ...vector.l2[0], l1Origin: { number, hash } }] as const,
});

const windows: readonly CuratedScenario[] = [
  ...onBothSides({
    name: 'batch-queue/window-follows-safe-head',
    shows: 'epoch after epoch the window lets the older L1 blocks go',
    rules: ['batch-queue/window+', 'batch-queue/window-'],
    post: (s) => {
      s.postBatches(12, [s.span(s.blocks(6))], { id: 1 });
      s.postBatches(13, [s.span(s.blocks(6, 12))], { id: 2 });
      s.postBatches(14, [s.span(s.blocks(6, 18))], { id: 3 });
    },
  }),
  ...onBothSides({
    name: 'batch-queue/safe-origin-hash-unknown',
    shows: "the safe head's L1 origin has another hash than the L1 block of its number",
    rules: ['batch-queue/epoch-mismatch+'],
    options: SAFE_ALONE,
    post: (s) => s.postBatches(12, [s.single(s.block(6))]),
    edit: withSafeOrigin(10n, madeUpHash('other l1', 10)),
  }),
  story('before', {
    name: 'batch-queue/safe-origin-one-before',
    shows: "the first L1 block is the one after the safe head's origin: it counts as the given-up window's next",
    rules: ['batch-queue/epoch-mismatch-'],
    options: SAFE_ALONE,
    post: (s) => s.postBatches(11, [s.single(s.block(6)), s.single(s.block(7))]),
    edit: withSafeOrigin(9n, madeUpHash('l1', 9)),
  }),
  story('before', {
    name: 'batch-queue/safe-origin-two-before',
    shows: "the first L1 block comes two after the safe head's origin",
    rules: ['batch-queue/epoch-mismatch+'],
    options: SAFE_ALONE,
    post: (s) => s.postBatches(11, [s.single(s.block(6))]),
    edit: withSafeOrigin(8n, madeUpHash('l1', 8)),
  }),
  story('after', {
    name: 'batch-validator/safe-origin-one-before',
    shows:
      "the first L1 block is the one after the safe head's origin: fewer than two L1 blocks are known, which is critical",
    rules: ['batch-validator/two-origins+'],
    options: SAFE_ALONE,
    post: (s) => s.postBatches(11, [s.single(s.block(6))]),
    edit: withSafeOrigin(9n, madeUpHash('l1', 9)),
  }),
  story('after', {
    name: 'batch-validator/safe-origin-two-before',
    shows: "the first L1 block comes two after the safe head's origin: critical before the epochs are compared",
    rules: ['batch-validator/two-origins+'],
    options: SAFE_ALONE,
    post: (s) => s.postBatches(11, [s.single(s.block(6))]),
    edit: withSafeOrigin(8n, madeUpHash('l1', 8)),
  }),
  ...onBothSides({
    name: 'batch-queue/safe-origin-hash-unknown-no-data',
    shows: 'the mismatch shows at the end of the first L1 block whose turn it is, also without any data',
    rules: ['batch-queue/epoch-mismatch+'],
    options: SAFE_ALONE,
    post: () => {},
    edit: withSafeOrigin(10n, madeUpHash('other l1', 10)),
  }),
];

export const batchQueueScenarios: readonly CuratedScenario[] = [...order, ...undecided, ...spans, ...windows];
