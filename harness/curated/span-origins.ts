/** Curated scenarios of the checks on a span batch as a whole: its L1 origins. */

import type { Scenario } from '../scenario/scenario.ts';
import { madeUpHash } from '../scenario/transactions.ts';
import type { CuratedScenario } from './curated.ts';
import { chain, onBothSides, postSuspect, safeHead } from './story.ts';

/** One safe block fewer, so that the next block (number 5, at 1010) still belongs to epoch 10. */
const EARLY = { safeCount: 2 } as const;

/** Posts the next block (number 6, at 1012), with which the safe head moves to epoch 11. */
function postFirstOfEpoch(s: Scenario): void {
  s.postBatches(12, [s.single(s.block(6))], { id: 9 });
}

const check = (label: string, number: number) => madeUpHash(label, number).subarray(0, 20);

export const spanOriginScenarios: readonly CuratedScenario[] = [
  ...onBothSides({
    name: 'span/sequence-window-last-block',
    shows: 'an overlapping span batch whose start epoch has its window end with this very L1 block',
    rules: ['span/sequence-window-'],
    options: { seqWindowSize: 2 },
    post: (s) => {
      postFirstOfEpoch(s);
      s.postBatches(12, [s.span(s.blocks(4, 5))]);
    },
  }),
  ...onBothSides({
    name: 'span/sequence-window-one-late',
    shows: 'an overlapping span batch is too late by its start epoch, although its new blocks are in time',
    rules: ['span/sequence-window+'],
    options: { seqWindowSize: 2 },
    post: (s) => {
      postFirstOfEpoch(s);
      s.postBatches(13, [s.span(s.blocks(4, 5))]);
    },
  }),
  ...onBothSides({
    name: 'span/start-epoch-skips-one',
    shows: 'a span batch that starts two epochs after its parent',
    rules: ['span/start-epoch-too-new+'],
    options: { l1Times: [1000, 1011, 1012, 1024, 1036, 1048] },
    post: (s) => {
      const skips = chain(s, safeHead(s), [{ epoch: 12 }, { epoch: 12 }]);
      postSuspect(s, 13, s.span(skips), [s.span(s.blocks(2))]);
    },
  }),
  ...onBothSides({
    name: 'span/start-epoch-skips-one-given-up',
    shows: "a span batch may not skip an epoch even when the safe head's was given up: it counts from its parent",
    rules: ['span/start-epoch-too-new+', 'empty/next-epoch+'],
    options: { l1Times: [1000, 1011, 1012, 1024, 1036], seqWindowSize: 2 },
    post: (s) => s.postBatches(13, [s.span(chain(s, safeHead(s), [{ epoch: 12 }, { epoch: 12 }]))]),
  }),
  ...onBothSides({
    name: 'span/start-epoch-below-zero',
    shows: 'origin bits that count the start epoch down below zero, to the largest numbers of 64 bits',
    rules: ['span/start-epoch-too-new+'],
    options: { ...EARLY, seqWindowSize: 3600 },
    post: (s) => {
      const blocks = chain(s, safeHead(s), [{ epoch: 10 }, { epoch: 11 }]);
      const span = s.span(blocks);
      const [first, second] = span.blocks;
      postSuspect(
        s,
        12,
        {
          ...span,
          blocks: [
            { ...first, epochNum: 1n },
            { ...second!, epochNum: 0n },
          ],
        },
        [s.span(s.blocks(2))],
      );
    },
  }),
  ...onBothSides({
    name: 'span/origin-check-wrong',
    shows: 'an L1 origin check that does not belong to the last block',
    rules: ['span/origin-check+'],
    post: (s) =>
      postSuspect(s, 12, s.span(s.blocks(2), { l1OriginCheck: check('other l1', 11) }), [s.span(s.blocks(2))]),
  }),
  ...onBothSides({
    name: 'span/origin-check-of-first-epoch',
    shows: "the L1 origin check is the first epoch's where it should be the last one's",
    rules: ['span/origin-check+'],
    post: (s) =>
      postSuspect(s, 13, s.span(s.blocks(8), { l1OriginCheck: s.l1(11).hash.subarray(0, 20) }), [s.span(s.blocks(2))]),
  }),
  ...onBothSides({
    name: 'span/last-epoch-of-own-block',
    shows: 'a span batch whose last epoch is the L1 block that carries it',
    rules: ['span/origin-unknown-'],
    post: (s) => s.postBatches(12, [s.span(s.blocks(8))]),
  }),
  ...onBothSides({
    name: 'span/last-epoch-after-own-block',
    shows:
      'a span batch whose last epoch comes after the L1 block that carries it: it waits before Holocene and is lost without a flush from it on',
    rules: ['span/origin-unknown+'],
    before: ['batch-queue/undecided-stops+'],
    after: ['batch-validator/span-undecided+'],
    post: (s) => s.postBatches(11, [s.span(s.blocks(8)), s.single(s.block(6))]),
  }),
  ...onBothSides({
    name: 'span/last-epoch-before-safe-head',
    shows: "a span batch that stays in the epoch before the safe head's: undecided, for good before Holocene",
    rules: ['span/origin-unknown+'],
    before: ['batch-queue/undecided-stops+'],
    after: ['batch-validator/span-undecided+'],
    post: (s) => {
      postFirstOfEpoch(s);
      s.postBatches(12, [s.span(chain(s, s.block(6), [{ epoch: 10 }, { epoch: 10 }]))], { id: 1 });
      s.postBatches(12, [s.span(s.blocks(2, 7))], { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'span/last-epoch-before-safe-head-overlap',
    shows: "a span batch that overlaps and ends in the epoch before the safe head's is undecided, not invalid",
    rules: ['span/origin-unknown+'],
    post: (s) => {
      postFirstOfEpoch(s);
      const stays = chain(s, s.block(4), [{ epoch: 10 }, { epoch: 10 }, { epoch: 10 }]);
      s.postBatches(12, [s.span(stays), s.span(s.blocks(2, 7))]);
    },
  }),
  ...onBothSides({
    name: 'span/start-epoch-before-parent',
    shows: "a span batch that starts in the epoch before its parent's and goes on to a known one",
    rules: ['span/start-epoch-too-old+'],
    post: (s) => {
      postFirstOfEpoch(s);
      postSuspect(s, 12, s.span(chain(s, s.block(6), [{ epoch: 10 }, { epoch: 11 }])), [s.span(s.blocks(2, 7))]);
    },
  }),
];
