/** Curated scenarios of the checks on every block of a span batch, which the batch queue makes before Holocene. */

import type { SpanBatch } from '../../src/batch/batch.ts';
import type { L2Block } from '../../src/chain/blocks.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { transaction } from '../scenario/transactions.ts';
import type { CuratedScenario } from './curated.ts';
import { chain, empties, onBothSides, safeHead, story } from './story.ts';

/** The span batch at fault, and behind it the blocks before the fault by themselves. */
function postFault(s: Scenario, l1Number: number, blocks: readonly [L2Block, ...L2Block[]], sound: number): void {
  const good = blocks.slice(0, sound).map((block) => s.single(block));
  s.postBatches(l1Number, [s.span(blocks), ...good], { id: 1 });
  s.postBatches(l1Number + 2, good, { id: 2 });
}

const epochs: readonly CuratedScenario[] = [
  story('before', {
    name: 'span/full-epoch-behind-safe-head',
    shows: 'an overlapping span batch stays in the old epoch where the safe chain has moved on',
    rules: ['span/full-epoch+'],
    post: (s) => {
      s.postBatches(12, [s.single(s.block(6))], { id: 9 });
      const stays = chain(s, s.block(4), [{ epoch: 10 }, { epoch: 10 }, { epoch: 10 }, { epoch: 11 }]);
      s.postBatches(12, [s.span(stays), s.span(s.blocks(2, 7))], { id: 1 });
    },
  }),
  ...onBothSides({
    name: 'span/block-before-its-epoch-time',
    shows:
      'the second block of a span batch is earlier than its L1 origin: it falls with the whole batch before Holocene, alone from it on',
    rules: [],
    before: ['span/full-min-time+'],
    after: ['single/min-time+', 'batch-validator/lazy-span-'],
    options: { safeCount: 2, l1Times: [1000, 1013, 1025, 1037, 1049, 1061] },
    post: (s) => postFault(s, 12, chain(s, safeHead(s), [{ epoch: 10 }, { epoch: 11 }, {}]), 1),
  }),
  ...onBothSides({
    name: 'span/block-at-its-epoch-time',
    shows: 'the second block of a span batch is at the very time of its L1 origin',
    rules: [],
    before: ['span/full-min-time-'],
    after: ['single/min-time-'],
    options: { safeCount: 2 },
    post: (s) => s.postBatches(12, [s.span(chain(s, safeHead(s), [{ epoch: 10 }, { epoch: 11 }, {}]))]),
  }),
];

/** L2 blocks every ten seconds on a safe head at 1010, whose epoch 10 (at 1000) allows transactions until 1020. */
const SLOW = { blockTime: 10, safeStart: 1, safeCount: 1, maxSequencerDrift: 20 } as const;
const BEFORE_FJORD = { fjord: null, granite: null } as const;

const drift: readonly CuratedScenario[] = [
  story('before', {
    name: 'span/drift-at-limit',
    shows: 'a span batch with transactions up to the drift limit and empty blocks behind it',
    rules: ['span/full-drift-'],
    options: { ...SLOW, l1Times: [1000, 1045, 1057], forks: BEFORE_FJORD },
    post: (s) => s.postBatches(11, [s.span(chain(s, safeHead(s), [{}, ...empties(2)]))]),
  }),
  story('before', {
    name: 'span/drift-exceeded',
    shows: 'one block with transactions past the drift limit drops the whole span batch',
    rules: ['span/full-drift+'],
    options: { ...SLOW, l1Times: [1000, 1045, 1057, 1069], forks: BEFORE_FJORD },
    post: (s) => postFault(s, 11, chain(s, safeHead(s), [{}, {}, { transactions: [] }]), 1),
  }),
  story('before', {
    name: 'span/drift-empty-next-origin-due',
    shows: 'an empty block past the drift keeps its epoch although the next L1 block could be adopted',
    rules: ['span/full-drift+'],
    options: { ...SLOW, l1Times: [1000, 1030, 1057, 1069], forks: BEFORE_FJORD },
    post: (s) => postFault(s, 11, chain(s, safeHead(s), [{}, { epoch: 10, transactions: [] }]), 1),
  }),
  story('before', {
    name: 'span/drift-empty-undecided',
    shows: 'an empty block past the drift waits for the next L1 block, which comes late enough',
    rules: ['span/full-drift+', 'batch-queue/undecided-stops+'],
    options: { ...SLOW, l1Times: [1000, 1045, 1057], forks: BEFORE_FJORD },
    post: (s) => s.postBatches(10, [s.span(chain(s, safeHead(s), [{}, ...empties(2)]))]),
  }),
  story('before', {
    name: 'span/drift-empty-undecided-then-dropped',
    shows: 'an empty block past the drift waits for the next L1 block, which it should have adopted',
    rules: ['span/full-drift+', 'batch-queue/undecided-stops+'],
    options: { ...SLOW, l1Times: [1000, 1030, 1057], forks: BEFORE_FJORD },
    post: (s) => {
      s.postBatches(10, [s.span(chain(s, safeHead(s), [{}, { epoch: 10, transactions: [] }]))]);
      s.postBatches(11, [s.span(s.blocks(2))], { id: 2 });
    },
  }),
  story('before', {
    name: 'span/drift-undecided-hides-later-fault',
    shows:
      'blocks are judged in order: an undecided one comes first, so that the batch waits although a later one is invalid',
    rules: ['span/full-drift+', 'batch-queue/undecided-stops+'],
    options: { ...SLOW, l1Times: [1000, 1045, 1057], forks: BEFORE_FJORD },
    post: (s) => {
      const blocks = chain(s, safeHead(s), [{}, { transactions: [] }, {}]);
      s.postBatches(10, [s.span(blocks), s.single(blocks[0])]);
    },
  }),
  story('before', {
    name: 'span/drift-empty-advances',
    shows: 'an empty block that adopts the next epoch is fine however late it is',
    rules: ['span/full-drift-'],
    options: { ...SLOW, blockTime: 40, safeStart: 0, l1Times: [1000, 1015, 1040, 1100], forks: BEFORE_FJORD },
    post: (s) => s.postBatches(12, [s.span(chain(s, safeHead(s), [{ epoch: 11, transactions: [] }]))]),
  }),
  story('before', {
    name: 'span/drift-second-block-stays',
    shows: 'the second block of an epoch does not advance it, although the first one did',
    rules: ['span/full-drift+'],
    options: { ...SLOW, blockTime: 40, safeStart: 0, l1Times: [1000, 1015, 1040, 1100, 1112], forks: BEFORE_FJORD },
    post: (s) =>
      postFault(
        s,
        12,
        chain(s, safeHead(s), [
          { epoch: 11, transactions: [] },
          { epoch: 11, transactions: [] },
        ]),
        1,
      ),
  }),
  story('before', {
    name: 'span/drift-overlap-first-new-block',
    shows: 'the first new block behind an overlap advances the epoch by comparison with the overlapped block before it',
    rules: ['span/full-drift-'],
    options: { ...SLOW, l1Times: [1000, 1030, 1031, 1069], maxSequencerDrift: 0, forks: BEFORE_FJORD, safeCount: 2 },
    post: (s) => {
      const [advances] = chain(s, safeHead(s), [{ epoch: 11, transactions: [] }]);
      s.postBatches(12, [s.span([s.block(2), advances])]);
    },
  }),
  ...(
    [
      ['one-second-before', 1039, 6],
      ['at-its-time', 1040, 6],
      ['one-second-after', 1041, 5],
    ] as const
  ).map(([name, fjord, sound]) =>
    story('before', {
      name: `span/drift-fjord-${name}`,
      shows: `the drift is that of each block's own L1 origin, at 1040, and Fjord activates at ${fjord}`,
      rules: [`span/full-drift${sound === 5 ? '+' : '-'}`],
      options: { ...SLOW, l1Times: [1000, 1040, 1090, 1102, 1114], forks: { fjord, granite: null } },
      post: (s) => postFault(s, 12, chain(s, safeHead(s), [{}, { transactions: [] }, {}, {}, {}, {}]), sound),
    }),
  ),
  story('before', {
    name: 'span/drift-constant',
    shows: 'from Fjord on the drift is 1800 seconds, and a block at the limit may have transactions',
    rules: ['span/full-drift-'],
    options: { ...SLOW, blockTime: 1800, safeStart: 0, l1Times: [1000, 6000, 6012] },
    post: (s) => s.postBatches(11, [s.span(s.blocks(1))]),
  }),
  story('before', {
    name: 'span/drift-constant-exceeded',
    shows: 'from Fjord on: transactions 1801 seconds after the L1 origin drop the span batch',
    rules: ['span/full-drift+'],
    options: { ...SLOW, blockTime: 1801, safeStart: 0, l1Times: [1000, 6000, 6012] },
    post: (s) => s.postBatches(11, [s.span(s.blocks(1)), s.span(chain(s, safeHead(s), empties(1)))]),
  }),
];

const SET_CODE = transaction(7, 'set-code');
const POST_EXEC = Uint8Array.of(0x7d, 0xc1, 0x01);

/** A span batch with a forbidden transaction in its second block, and what becomes of the first one. */
function postForbidden(s: Scenario, tx: Uint8Array): SpanBatch {
  const blocks = chain(s, safeHead(s), [{}, { transactions: [transaction(1), tx] }, {}]);
  postFault(s, 12, blocks, 1);
  return s.span(blocks);
}

const transactions: readonly CuratedScenario[] = [
  ...onBothSides({
    name: 'span/tx-set-code-isthmus-never',
    shows:
      'a set-code transaction without Isthmus: it falls with the whole span batch before Holocene, from its block on afterwards',
    rules: ['single/tx-set-code+'],
    before: ['span/full-transactions+'],
    after: ['batch-validator/single-drop+'],
    post: (s) => postForbidden(s, SET_CODE),
  }),
  ...onBothSides({
    name: 'span/tx-post-exec',
    shows: 'a post-execution transaction before its fork, in the second block of a span batch',
    rules: ['single/tx-post-exec+'],
    before: ['span/full-transactions+'],
    after: ['batch-validator/single-drop+'],
    post: (s) => postForbidden(s, POST_EXEC),
  }),
  ...(
    [
      ['one-second-before', 1013, '-'],
      ['at-its-time', 1014, '-'],
      ['one-second-after', 1015, '+'],
    ] as const
  ).map(([name, isthmus, side]) =>
    story('after', {
      name: `span/tx-set-code-isthmus-${name}`,
      shows: `a set-code transaction in the block at 1014 of a span batch, Isthmus activates at ${isthmus}`,
      rules: [`single/tx-set-code${side}`],
      options: { forks: { isthmus } },
      post: (s) => postForbidden(s, SET_CODE),
    }),
  ),
  ...(
    [
      ['at-its-time', 1026, '-'],
      ['one-second-after', 1027, '+'],
    ] as const
  ).map(([name, isthmus, side]) =>
    story('before', {
      name: `span/tx-set-code-ahead-of-l1-isthmus-${name}`,
      shows: `L2 time reaches Isthmus (${isthmus}) before L1 time reaches Holocene: the block at 1026 goes by L2 time`,
      rules: [`span/full-transactions${side}`],
      options: { forks: { holocene: 1028, isthmus }, l1Count: 5 },
      post: (s) => {
        const blocks = chain(s, safeHead(s), [...empties(7), { transactions: [SET_CODE] }]);
        s.postBatches(12, [s.span(blocks), s.span(blocks.slice(0, 7) as [L2Block, ...L2Block[]])]);
      },
    }),
  ),
  story('before', {
    name: 'span/tx-forbidden-in-overlap',
    shows: 'a set-code transaction in an overlapped block is not looked at, only compared',
    rules: ['span/full-transactions-', 'span/overlap-content-'],
    options: { transactions: (number) => (number === 5 ? [SET_CODE] : [transaction(number)]) },
    post: (s) => s.postBatches(12, [s.span(s.blocks(3, 5))]),
  }),
  ...(['jovian', 'karst'] as const).map((fork) =>
    story('before', {
      name: `span/activation-block-${fork}-ahead-of-l1`,
      shows: `${fork}'s activation block has transactions in a span batch that the batch queue reads: not looked at`,
      rules: ['span/full-transactions-', 'batch-queue/span-cache-'],
      options: { forks: { holocene: 1030, isthmus: 1030, jovian: 1030, ...(fork === 'karst' ? { karst: 1032 } : {}) } },
      post: (s) => s.postBatches(12, [s.span(chain(s, safeHead(s), [...empties(fork === 'karst' ? 10 : 9), {}, {}]))]),
    }),
  ),
];

export const spanFullScenarios: readonly CuratedScenario[] = [...epochs, ...drift, ...transactions];
