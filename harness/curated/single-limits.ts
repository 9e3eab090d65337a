/** Curated scenarios of the checks on one single batch behind its epoch: activation blocks and drift. */

import type { Fork } from '../../src/chain/config.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { CuratedScenario } from './curated.ts';
import { chain, empties, onBothSides, postSuspect, safeHead, story } from './story.ts';

/** The forks up to the given one, that one active at `time` and those between Granite and it from the start on. */
function activating(fork: Fork, time: number): Partial<Record<Fork, number | null>> {
  const later: Fork[] = ['holocene', 'isthmus', 'jovian', 'karst'];
  const before = later.slice(0, later.indexOf(fork));
  return { ...Object.fromEntries(before.map((earlier) => [earlier, 0])), [fork]: time };
}

/** The first block on the safe head (at 1012) with a transaction, and the same without one. */
function postActivationBlock(s: Scenario): void {
  const [empty, next] = chain(s, safeHead(s), [{ transactions: [] }, {}]);
  postSuspect(s, 12, s.single(s.block(6)), [s.single(empty), s.single(next!)]);
}

const activationBlocks: readonly CuratedScenario[] = [
  ...(['jovian', 'karst'] as const).flatMap((fork) => [
    story('after', {
      name: `single/activation-block-${fork}`,
      shows: `the first block at ${fork}'s activation time has a transaction`,
      rules: ['single/activation-block-empty+'],
      options: { forks: activating(fork, 1012) },
      post: postActivationBlock,
    }),
    story('after', {
      name: `single/activation-block-${fork}-between-blocks`,
      shows: `${fork} activates between two L2 blocks, so that the later one is its activation block`,
      rules: ['single/activation-block-empty+'],
      options: { forks: activating(fork, 1011) },
      post: postActivationBlock,
    }),
    story('after', {
      name: `single/activation-block-${fork}-one-second-later`,
      shows: `${fork} activates one second after a block: that block may have transactions, the next one may not`,
      rules: ['single/activation-block-empty-', 'single/activation-block-empty+'],
      options: { forks: activating(fork, 1013) },
      post: (s: Scenario) => s.postBatches(12, [s.single(s.block(6)), s.single(s.block(7))]),
    }),
    story('after', {
      name: `single/activation-block-${fork}-passed`,
      shows: `the block behind ${fork}'s activation block may have transactions`,
      rules: ['single/activation-block-empty-'],
      options: { forks: activating(fork, 1010) },
      post: (s: Scenario) => s.postBatches(12, [s.single(s.block(6)), s.single(s.block(7))]),
    }),
    story('after', {
      name: `single/activation-block-${fork}-empty`,
      shows: `${fork}'s activation block without transactions, and blocks with transactions behind it`,
      rules: ['single/activation-block-empty-'],
      options: { forks: activating(fork, 1012) },
      post: (s: Scenario) => {
        const blocks = chain(s, safeHead(s), [{ transactions: [] }, {}, {}]);
        s.postBatches(
          12,
          blocks.map((block) => s.single(block)),
        );
      },
    }),
    story('after', {
      name: `single/activation-block-${fork}-in-span`,
      shows: `a span batch reaches ${fork}'s activation block with a transaction: the blocks before it are used`,
      rules: ['single/activation-block-empty+', 'batch-validator/single-drop+'],
      options: { forks: activating(fork, 1016) },
      post: (s: Scenario) => {
        const rest = chain(s, s.block(7), [{ transactions: [] }, {}]);
        s.postBatches(12, [s.span(s.blocks(4))], { id: 1 });
        s.postBatches(12, [s.span(rest)], { id: 2 });
      },
    }),
    story('before', {
      name: `single/activation-block-${fork}-ahead-of-l1`,
      shows: `L2 time reaches ${fork} before L1 time reaches Holocene: the batch queue drops the batch all the same`,
      rules: ['single/activation-block-empty+'],
      options: { forks: { holocene: 1030, isthmus: 1030, jovian: 1030, ...(fork === 'karst' ? { karst: 1032 } : {}) } },
      post: (s: Scenario) => {
        const [first, ...rest] = chain(s, safeHead(s), empties(fork === 'karst' ? 10 : 9));
        const [full] = chain(s, rest.at(-1)!, [{}]);
        const [bare] = chain(s, rest.at(-1)!, [{ transactions: [] }]);
        const batches = [first, ...rest, full, bare].map((block) => s.single(block));
        s.postBatches(12, batches);
      },
    }),
  ]),
  story('after', {
    name: 'single/activation-block-isthmus',
    shows: "Isthmus' activation block may have transactions",
    rules: ['single/activation-block-empty-'],
    options: { forks: activating('isthmus', 1012) },
    post: (s) => s.postBatches(12, [s.single(s.block(6)), s.single(s.block(7))]),
  }),
  story('after', {
    name: 'single/activation-block-jovian-and-karst',
    shows: 'Jovian and Karst activate with the same L2 block',
    rules: ['single/activation-block-empty+'],
    options: { forks: { isthmus: 0, jovian: 1011, karst: 1012 } },
    post: postActivationBlock,
  }),
];

/** L2 blocks every ten seconds on a safe head at 1010, an L1 block only when its time has come. */
const SLOW = { blockTime: 10, safeStart: 1, safeCount: 1, maxSequencerDrift: 20 } as const;
const BEFORE_FJORD = { fjord: null, granite: null } as const;

const drift: readonly CuratedScenario[] = [
  story('before', {
    name: 'single/drift-configured',
    shows:
      'before Fjord the configured drift holds: transactions at the limit, not one block later, where an empty batch is fine',
    rules: [
      'single/drift-limit-',
      'single/drift-with-transactions+',
      'single/drift-with-transactions-',
      'single/drift-empty-',
    ],
    options: { ...SLOW, l1Times: [1000, 1045, 1057], forks: BEFORE_FJORD },
    post: (s) => {
      const atLimit = s.block(2);
      const [full, empty] = [chain(s, atLimit, [{}])[0], chain(s, atLimit, [{ transactions: [] }])[0]];
      s.postBatches(
        11,
        [atLimit, full, empty].map((block) => s.single(block)),
      );
    },
  }),
  ...onBothSides({
    name: 'single/drift-constant',
    shows: 'from Fjord on the drift is 1800 seconds, whatever is configured: transactions at the limit',
    rules: ['single/drift-limit+'],
    options: { ...SLOW, blockTime: 1800, safeStart: 0, l1Times: [1000, 6000, 6012, 6024] },
    post: (s) => s.postBatches(11, [s.single(s.block(1))]),
  }),
  ...onBothSides({
    name: 'single/drift-constant-exceeded',
    shows: 'from Fjord on: transactions 1801 seconds after the L1 origin are dropped, an empty batch is fine',
    rules: ['single/drift-limit+', 'single/drift-with-transactions+', 'single/drift-empty-'],
    options: { ...SLOW, blockTime: 1801, safeStart: 0, l1Times: [1000, 6000, 6012, 6024] },
    post: (s) => {
      const [empty] = chain(s, safeHead(s), [{ transactions: [] }]);
      postSuspect(s, 11, s.single(s.block(1)), [s.single(empty)]);
    },
  }),
  ...(
    [
      ['one-second-before', 1039, '+'],
      ['at-its-time', 1040, '+'],
      ['one-second-after', 1041, '-'],
    ] as const
  ).map(([name, fjord, side]) =>
    story('before', {
      name: `single/drift-fjord-${name}`,
      shows: `the drift is that of the L1 origin's time: Fjord activates at ${fjord}, the L1 origin lies at 1040`,
      rules: [`single/drift-limit${side}`],
      options: { ...SLOW, l1Times: [1000, 1040, 1090, 1102], forks: { fjord, granite: null } },
      post: (s: Scenario) => {
        const blocks = chain(s, safeHead(s), [{}, { transactions: [] }, {}, {}, {}, {}]);
        s.postBatches(
          12,
          blocks.map((block) => s.single(block)),
        );
      },
    }),
  ),
  story('before', {
    name: 'single/drift-fjord-by-epoch-not-timestamp',
    shows: 'a block later than Fjord whose L1 origin lies before it keeps the configured drift',
    rules: ['single/drift-limit-', 'single/drift-with-transactions+'],
    options: { ...SLOW, l1Times: [1000, 1090, 1102], forks: { fjord: 1015, granite: null } },
    post: (s) => {
      const [full] = chain(s, s.block(2), [{}]);
      s.postBatches(
        11,
        [s.block(2), full].map((block) => s.single(block)),
      );
    },
  }),
  story('before', {
    name: 'single/drift-empty-next-origin-due',
    shows: 'an empty batch past the drift keeps its epoch although the next L1 block could be adopted',
    rules: ['single/drift-empty+'],
    options: { ...SLOW, l1Times: [1000, 1030, 1057], forks: BEFORE_FJORD },
    post: (s) => {
      const atLimit = s.block(2);
      const [stays] = chain(s, atLimit, [{ epoch: 10, transactions: [] }]);
      s.postBatches(
        11,
        [atLimit, stays, s.block(3)].map((block) => s.single(block)),
      );
    },
  }),
  story('before', {
    name: 'single/drift-empty-next-origin-one-second-later',
    shows: 'an empty batch past the drift keeps its epoch one second before the next L1 block',
    rules: ['single/drift-empty-'],
    options: { ...SLOW, l1Times: [1000, 1031, 1057], forks: BEFORE_FJORD },
    post: (s) => {
      const [stays] = chain(s, s.block(2), [{ epoch: 10, transactions: [] }]);
      s.postBatches(
        11,
        [s.block(2), stays].map((block) => s.single(block)),
      );
    },
  }),
  story('before', {
    name: 'single/drift-empty-undecided',
    shows: 'an empty batch past the drift waits for the next L1 block, which comes late enough',
    rules: ['single/drift-empty+', 'batch-queue/undecided-stops+'],
    options: { ...SLOW, l1Times: [1000, 1045, 1057], forks: BEFORE_FJORD },
    post: (s) => {
      const blocks = chain(s, safeHead(s), [{}, { transactions: [] }, { transactions: [] }]);
      s.postBatches(
        10,
        blocks.map((block) => s.single(block)),
      );
    },
  }),
  story('before', {
    name: 'single/drift-empty-undecided-then-dropped',
    shows: 'an empty batch past the drift waits for the next L1 block, which it should have adopted',
    rules: ['single/drift-empty+', 'batch-queue/undecided-stops+'],
    options: { ...SLOW, l1Times: [1000, 1030, 1057], forks: BEFORE_FJORD },
    post: (s) => {
      const stays = chain(s, s.block(2), [{ epoch: 10, transactions: [] }])[0];
      s.postBatches(
        10,
        [s.block(2), stays].map((block) => s.single(block)),
      );
      s.postBatches(11, [s.single(s.block(3))], { id: 2 });
    },
  }),
  story('before', {
    name: 'single/drift-empty-advances',
    shows: 'an empty batch that adopts the next epoch is fine however late it is',
    rules: ['single/drift-empty-'],
    options: { ...SLOW, blockTime: 40, l1Times: [1000, 1015, 1040, 1100], safeStart: 0, forks: BEFORE_FJORD },
    post: (s) => {
      const [advances] = chain(s, safeHead(s), [{ epoch: 11, transactions: [] }]);
      s.postBatches(12, [s.single(advances)]);
    },
  }),
  ...onBothSides({
    name: 'single/drift-empty-given-up',
    shows: 'once the epoch was given up, an empty batch of the next one past the drift counts as not advancing',
    rules: ['single/drift-empty+', 'empty/next-epoch+'],
    options: { ...SLOW, blockTime: 2000, safeStart: 0, l1Times: [1000, 1015, 1040, 1100, 1200], seqWindowSize: 2 },
    post: (s) => {
      const [advances] = chain(s, safeHead(s), [{ epoch: 11, transactions: [] }]);
      s.postBatches(13, [s.single(advances)]);
    },
  }),
  ...onBothSides({
    name: 'single/drift-of-next-epoch',
    shows: "the limit counts from the batch's own L1 origin, not from that of the safe head",
    rules: ['single/drift-limit+'],
    options: { ...SLOW, blockTime: 1810, safeStart: 0, l1Times: [1000, 1015, 1040, 1100] },
    post: (s) => s.postBatches(12, [s.single(s.block(1))]),
  }),
];

export const singleLimitScenarios: readonly CuratedScenario[] = [...activationBlocks, ...drift];
