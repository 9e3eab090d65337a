/**
 * Plans that go straight to what free choice hardly ever comes to: much has to fall together there, or much data.
 *
 * Each corner is a small story in which only that is left open which makes it come out on this side or on that.
 */

import fc from 'fast-check';
import type { Fork } from '../../src/chain/config.ts';
import type { FaultId } from './faults.ts';
import { compression, oneOf, plainFirst, slow, tail, upTo } from './parts.ts';
import type { BatchPlan, ChainPlan, ChannelPlan, FaultPlan, ForkPoint, VectorPlan } from './plan.ts';

type Open<T> = { readonly [K in keyof T]?: fc.Arbitrary<T[K]> };

/** Plain data of which only some fields are left open. */
function opened<T extends object>(fixed: T, open: Open<T>): fc.Arbitrary<T> {
  return fc.record(open as Record<string, fc.Arbitrary<unknown>>).map((chosen) => ({ ...fixed, ...chosen }));
}

const just = <T>(value: T): fc.Arbitrary<T> => fc.constant(value);

const NEVER: ForkPoint = { at: 'never' };
const GENESIS: ForkPoint = { at: 'genesis' };
const atL1 = (block: number): ForkPoint => ({ at: 'l1', block, shift: 0 });

const chainOf = (open: Open<ChainPlan>) =>
  opened<ChainPlan>(
    {
      blockTime: 2,
      l1Gaps: [4],
      safeHead: 5,
      shown: 4,
      catchUp: 0,
      lead: 0,
      seqWindowSize: 3600,
      channelTimeout: 300,
      maxSequencerDrift: 600,
      holocene: NEVER,
      forks: {},
      contents: [['dynamic-fee'], ['legacy']],
      refused: [],
    },
    open,
  );

const SINGLE: BatchPlan = { kind: 'single', skip: 0, length: 1, pace: 'eager', branch: false };
const SPAN: BatchPlan = { ...SINGLE, kind: 'span' };

const ZLIB = { algorithm: 'zlib', level: 6, windowBits: 15, memLevel: 1 } as const;

/** A channel of these batches, posted in one item as soon as it can be. */
const channelOf = (
  batches: readonly [readonly BatchPlan[], ...(readonly BatchPlan[])[]],
  open: Open<ChannelPlan> = {},
) =>
  opened<ChannelPlan>(
    {
      base: 'continue',
      id: 1,
      delay: 0,
      early: false,
      batches: batches[0],
      compression: ZLIB,
      frames: 1,
      perItem: 4,
      gap: 0,
      interleaved: false,
    },
    { batches: oneOf(...batches), ...open },
  );

/** Shows what has become of the chain. */
const AFTERWARDS = channelOf([[SINGLE], [SPAN]], { base: just('derived'), id: just(2), delay: oneOf(1, 0, 2) });

const faultOf = (fault: FaultId, value = upTo(99_999)): fc.Arbitrary<FaultPlan> =>
  fc.record({ fault: just(fault), at: just(0), value });

interface Story {
  readonly chain: fc.Arbitrary<ChainPlan>;
  readonly channels: readonly fc.Arbitrary<ChannelPlan>[];
  readonly faults?: readonly fc.Arbitrary<FaultPlan>[];
}

/** Nearly always all of them; fewer are what it shrinks to. */
const atMost = (least: number, most: number): fc.Arbitrary<number> =>
  plainFirst(
    ...Array.from({ length: most - least + 1 }, (_, index) => ({
      weight: index === most - least ? 30 : 1,
      arbitrary: just(least + index),
    })),
  );

const story = ({ chain, channels, faults = [] }: Story): fc.Arbitrary<VectorPlan> =>
  fc
    .record({
      chain,
      channels: fc.tuple(...channels),
      posted: atMost(1, channels.length),
      faults: fc.tuple(...faults),
      wrong: atMost(0, faults.length),
      tail,
    })
    .map(({ posted, wrong, ...plan }) => ({
      ...plan,
      channels: plan.channels.slice(0, posted),
      faults: plan.faults.slice(0, wrong),
    }));

const l1Gaps = oneOf<readonly number[]>([4], [2], [12], [3]);

/** Forks with one that activates at one of the blocks, or a second beside it. */
const placed = (fork: Fork, at: 'l1' | 'l2', ...blocks: readonly number[]): fc.Arbitrary<ChainPlan['forks']> =>
  fc
    .record({ at: just(at), block: oneOf(...blocks), shift: oneOf(0, 1, 0, 1, -1) })
    .map((point) => ({ [fork]: point }));

/** Blocks of zero transactions, whose sequencer may not fall behind by more than a few seconds. */
const TIGHT = { contents: just([[]]), maxSequencerDrift: oneOf(2, 4, 6), lead: oneOf(0, 2, 1, 0, 3, 1, 4) } as const;

const NO_FJORD: ChainPlan['forks'] = { fjord: NEVER };

/** Values of 'batch-decode/tx-fields' that put another amount into a transaction, by how many edits its type has. */
const anAmount = fc
  .record({ type: oneOf(0, 1, 2, 3), amount: upTo(29) })
  .map(({ type, amount }) => type + 5 * (amount * [7, 5, 7, 9][type]!));

/** Faults of frames that show only while a channel is collected: the order first, then what comes too much. */
const COLLECTING: readonly (readonly [FaultId, ...FaultId[]])[] = [
  ['frame/reversed', 'frame/swapped', 'frame/number', 'frame/dropped'],
  ['frame/repeated', 'frame/behind-last', 'frame/last-flag', 'frame/early-close'],
];

/** Posted at the L1 block of the safe head's own origin, before the next one is known. */
const AT_ONCE = { early: just(true) } as const;

const FALLING_BACK: readonly BatchPlan[] = [
  { ...SPAN, skip: -1, length: 4, pace: 'stuck' },
  { ...SINGLE, skip: -3, pace: 'stuck' },
];

/** Cheap ones, by the rule that they are about. */
export const CORNERS: Readonly<Record<string, fc.Arbitrary<VectorPlan>>> = {
  // Canyon lets a complete channel overtake one that is not.
  'channel-bank/first-ready': story({
    chain: chainOf({ l1Gaps, forks: placed('canyon', 'l1', 1, 2, 3, 4), holocene: oneOf(NEVER, atL1(8)) }),
    channels: [
      channelOf([[SINGLE]], { frames: just(2), perItem: just(2), gap: oneOf(2, 3, 4), delay: oneOf(0, 1) }),
      channelOf([[SINGLE]], { id: just(2), interleaved: just(true) }),
    ],
  }),
  // Granite puts another timeout in the place of the configured one.
  'channel-bank/timeout-length': story({
    chain: chainOf({
      l1Gaps,
      channelTimeout: oneOf(1, 2, 3),
      forks: placed('granite', 'l1', 3, 4, 5, 2),
      holocene: oneOf(NEVER, atL1(8)),
    }),
    channels: [
      channelOf([[SINGLE]], { frames: just(2), perItem: just(1), gap: oneOf(2, 3, 4, 5, 2, 3, 4, 5, 50, 51) }),
      AFTERWARDS,
    ],
  }),
  'channel-bank/after-close': story({
    chain: chainOf({ l1Gaps, holocene: oneOf(NEVER, atL1(6), atL1(8), atL1(4)) }),
    channels: [
      channelOf([[SINGLE, SINGLE]], { frames: oneOf(3, 2, 4), perItem: oneOf(1, 2, 4), gap: oneOf(0, 1, 2) }),
      AFTERWARDS,
    ],
    faults: COLLECTING.map((ids) => fc.record({ fault: oneOf(...ids), at: just(0), value: upTo(99_999) })),
  }),
  // Frames out of order that no neighbour in their item gives away.
  'channel-assembler/in-order': story({
    chain: chainOf({ l1Gaps, holocene: oneOf(GENESIS, atL1(1)) }),
    channels: [channelOf([[SINGLE, SINGLE]], { frames: oneOf(3, 4), perItem: just(1), gap: oneOf(0, 1) }), AFTERWARDS],
    faults: [faultOf('frame/swapped')],
  }),
  // A header behind the last batch promises more than a channel may hold, before Fjord or at any time.
  'channel-reader/limit': story({
    chain: chainOf({ l1Gaps, holocene: oneOf(NEVER, atL1(4), GENESIS), forks: oneOf({}, NO_FJORD) }),
    channels: [channelOf([[SINGLE], [SPAN]], { compression }), AFTERWARDS],
    faults: [faultOf('channel-reader/content-tail', oneOf(10, 11, 12))],
  }),
  // Streams that one decoder takes and another one does not, or not to the same byte.
  'channel-reader/brotli-stream': story({
    chain: chainOf({ l1Gaps, holocene: oneOf(NEVER, atL1(4), GENESIS) }),
    channels: [channelOf([[SINGLE, SINGLE], [SINGLE, SPAN], [SPAN]]), AFTERWARDS],
    faults: [
      fc.record({
        fault: oneOf<FaultId>('channel-reader/brotli-end', 'channel-reader/brotli-end', 'channel-reader/brotli-window'),
        at: just(0),
        value: upTo(99_999),
      }),
    ],
  }),
  'channel-reader/zlib-stream': story({
    chain: chainOf({ l1Gaps, holocene: oneOf(NEVER, atL1(4), GENESIS) }),
    channels: [
      channelOf([
        [SINGLE, SINGLE],
        [SPAN, SPAN],
        [SINGLE, SPAN],
      ]),
      AFTERWARDS,
    ],
    faults: [faultOf('channel-reader/zlib-lone-code')],
  }),
  // Frames of one item that belong to several channels.
  'frame-queue/new-first-drops-open': story({
    chain: chainOf({ l1Gaps, holocene: oneOf(GENESIS, atL1(2)) }),
    channels: [channelOf([[SINGLE], [SPAN]], { frames: oneOf(1, 2, 3), perItem: just(8) }), AFTERWARDS],
    faults: [faultOf('frame/id-again')],
  }),
  // Transactions whose fields a program may keep in types that are too narrow.
  'batch-decode/tx-fields': story({
    chain: chainOf({
      l1Gaps,
      contents: oneOf([['legacy']], [['dynamic-fee']]),
      holocene: oneOf(NEVER, atL1(4), GENESIS),
    }),
    channels: [channelOf([[SPAN], [SPAN, SINGLE]]), AFTERWARDS],
    faults: [faultOf('batch-decode/tx-fields', anAmount)],
  }),
  // A fork without the one before it.
  'activation/fork-order': story({
    chain: chainOf({
      l1Gaps,
      contents: just([['set-code']]),
      holocene: oneOf(GENESIS, atL1(2)),
      // Of the activation block alone nobody learns more than that it has to be empty.
      forks: fc
        .oneof(just({ jovian: GENESIS }), placed('jovian', 'l2', 0, 1))
        .map((forks) => ({ isthmus: NEVER, ...forks })),
    }),
    channels: [channelOf([[{ ...SINGLE, length: 3 }], [{ ...SPAN, length: 3 }]]), AFTERWARDS],
  }),
  // The first block of a fork, within Holocene and ahead of it.
  'single/activation-block-empty': story({
    chain: fc
      .record({
        chain: chainOf({ l1Gaps, lead: oneOf(0, 40, 2), holocene: oneOf(GENESIS, atL1(2), atL1(3)) }),
        ahead: oneOf<ForkPoint>({ at: 'l2', block: 0, shift: 0 }, { at: 'l2', block: 1, shift: -1 }),
        forks: fc.oneof(placed('jovian', 'l2', 0, 1, 2), placed('karst', 'l2', 0, 1, 2)),
      })
      .map(({ chain, ahead, forks }) => ({ ...chain, forks, ...(chain.lead === 40 ? { holocene: ahead } : {}) })),
    channels: [channelOf([[{ ...SINGLE, length: 3 }], [{ ...SPAN, length: 3 }]]), AFTERWARDS],
  }),
  // Set-code transactions as Isthmus activates.
  'single/tx-set-code': story({
    chain: chainOf({
      l1Gaps,
      contents: just([['set-code']]),
      holocene: oneOf(GENESIS, atL1(2)),
      forks: placed('isthmus', 'l2', 0, 1, 2),
    }),
    channels: [channelOf([[{ ...SINGLE, length: 3 }], [{ ...SPAN, length: 3 }]]), AFTERWARDS],
  }),
  // The next epoch is not known yet, and what claims it is wrong besides.
  'span/next-epoch-unknown': story({
    chain: chainOf({ l1Gaps: oneOf([2], [3], [4]), lead: oneOf(2, 4, 6), holocene: oneOf(NEVER, atL1(2), atL1(3)) }),
    channels: [
      channelOf(
        [
          [SPAN, { ...SINGLE, skip: -1, pace: 'stuck', branch: true }],
          [SPAN, SINGLE],
        ],
        AT_ONCE,
      ),
      AFTERWARDS,
    ],
    faults: [faultOf('span/parent-check')],
  }),
  // Epochs that fall back behind those of the safe chain, in front of a block on which nothing can be said yet.
  'span/full-epoch': story({
    chain: fc
      .record({ chain: chainOf({ ...TIGHT, l1Gaps: just([12]) }), holocene: oneOf(NEVER, NEVER, atL1(3), atL1(2)) })
      // Holocene comes with Fjord, which has another drift.
      .map(({ chain, holocene }) => ({ ...chain, holocene, forks: holocene === NEVER ? NO_FJORD : {} })),
    channels: [
      channelOf(
        [
          [
            { ...SPAN, skip: -1, length: 3, pace: 'stuck' },
            { ...SINGLE, skip: -2, pace: 'stuck' },
          ],
          FALLING_BACK,
          FALLING_BACK,
        ],
        AT_ONCE,
      ),
      AFTERWARDS,
    ],
    faults: [faultOf('span/epochs', oneOf(2, 1, 2))],
  }),
  // The same where it is told of the first block, and all is known.
  'span/start-epoch-too-old': story({
    chain: chainOf({ lead: oneOf(2, 3, 4), l1Gaps: just([12]), holocene: oneOf(GENESIS, NEVER, atL1(1)) }),
    channels: [channelOf([[{ ...SPAN, skip: -1, length: 3, pace: 'stuck' }, SINGLE]]), AFTERWARDS],
    faults: [faultOf('span/epochs', oneOf(1, 2))],
  }),
  'span/full-min-time': story({
    chain: chainOf({ l1Gaps: oneOf([12], [4]), holocene: oneOf(atL1(6), NEVER) }),
    channels: [channelOf([[{ ...SPAN, length: 2 }], [SPAN]], { delay: oneOf(2, 1, 3) }), AFTERWARDS],
    faults: [faultOf('span/early-epoch')],
  }),
  // A span batch that is dropped when it arrives, behind one that waits with the next epoch: kept, it would be undecided.
  'batch-queue/arrival': story({
    chain: chainOf({ l1Gaps: oneOf([4], [12], [3]), safeHead: oneOf(5, 6, 7), holocene: oneOf(NEVER, NEVER, atL1(3)) }),
    channels: [
      channelOf([
        [
          { ...SINGLE, skip: 2 },
          { ...SINGLE, skip: -3, length: 2 },
          { ...SPAN, skip: -2, length: 3, pace: 'stuck', branch: true },
        ],
        [
          { ...SINGLE, skip: 1 },
          { ...SINGLE, skip: -2 },
          { ...SPAN, skip: -2, length: 4, pace: 'stuck', branch: true },
        ],
      ]),
      AFTERWARDS,
    ],
  }),
  // A batch that is used only when the first L1 block has no more data.
  'reset/first-block-twice': story({
    chain: chainOf({ l1Gaps: just([12]), lead: oneOf(0, 1), holocene: oneOf(NEVER, atL1(2)) }),
    channels: [
      channelOf(
        [
          [
            { ...SINGLE, skip: 1, pace: 'stuck' },
            { ...SINGLE, skip: -2, pace: 'stuck' },
          ],
        ],
        { ...AT_ONCE, frames: oneOf(1, 2, 3) },
      ),
      AFTERWARDS,
    ],
  }),
  // Sequencers that stay behind until it is too late.
  'single/drift-empty': story({
    chain: fc
      .record({
        chain: chainOf({ contents: oneOf([[]], [['legacy'], []]), l1Gaps }),
        pace: slow,
        holocene: oneOf(GENESIS, NEVER, atL1(2), atL1(4)),
      })
      .map(({ chain, pace, holocene }) => ({ ...chain, ...pace, holocene })),
    channels: [
      channelOf(
        [
          [{ ...SINGLE, length: 4, pace: 'stuck' }],
          [{ ...SPAN, length: 4, pace: 'stuck' }],
          [
            { ...SINGLE, length: 2, pace: 'lazy' },
            { ...SINGLE, length: 2, pace: 'stuck' },
          ],
        ],
        { early: oneOf(false, true), delay: oneOf(0, 1, 2, 4) },
      ),
      AFTERWARDS,
    ],
  }),
};

/** One of the corners, each as often as any other. */
export const corner: fc.Arbitrary<VectorPlan> = fc.oneof(...Object.values(CORNERS));

const anyEra = oneOf(NEVER, atL1(4), GENESIS);

/** A megabyte or ten: what costs some ten times as much as other vectors. */
export const costlyCorner: fc.Arbitrary<VectorPlan> = fc.oneof(
  story({
    chain: chainOf({ l1Gaps, holocene: anyEra }),
    channels: [channelOf([[SINGLE], [SPAN]], { compression, frames: oneOf(1, 2), perItem: oneOf(1, 4) }), AFTERWARDS],
    faults: [faultOf('frame/longest')],
  }),
  story({
    chain: chainOf({ l1Gaps, forks: just(NO_FJORD) }),
    channels: [channelOf([[SINGLE], [SINGLE, SINGLE], [SPAN]]), AFTERWARDS],
    faults: [faultOf('channel-reader/limit')],
  }),
);

const fullBank = (forks: ChainPlan['forks']) =>
  story({
    chain: chainOf({ l1Gaps, forks: just(forks) }),
    channels: [channelOf([[SINGLE]], { frames: oneOf(2, 1, 3) }), AFTERWARDS],
    faults: [faultOf('channel-bank/prune')],
  });

/** The same as the largest bank of before Fjord, when it may be ten times as large. */
export const fjordBankCorner: fc.Arbitrary<VectorPlan> = fullBank({});

/** A hundred megabytes of data, or ten of a transaction: what costs as much as a thousand other vectors. */
export const largeCorner: fc.Arbitrary<VectorPlan> = fc.oneof(
  story({
    chain: chainOf({ l1Gaps, holocene: anyEra }),
    channels: [channelOf([[SINGLE], [SINGLE, SINGLE], [SPAN]]), AFTERWARDS],
    faults: [faultOf('channel-reader/fjord-limit')],
  }),
  story({
    chain: chainOf({ l1Gaps, holocene: anyEra, contents: just([['legacy']]) }),
    channels: [channelOf([[SPAN]]), AFTERWARDS],
    faults: [faultOf('batch-decode/tx-data-limit')],
  }),
  fullBank(NO_FJORD),
  story({
    chain: chainOf({ l1Gaps, holocene: oneOf(GENESIS, atL1(1)) }),
    channels: [channelOf([[SINGLE]], { frames: oneOf(2, 1, 3) }), AFTERWARDS],
    faults: [faultOf('channel-assembler/size-limit')],
  }),
);
