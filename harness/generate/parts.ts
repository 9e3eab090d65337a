/**
 * The parts of plans as fast-check draws them, with the weights of the random mode.
 *
 * The first choice of each list is the plainest one, since that is what shrinking goes to.
 */

import fc from 'fast-check';
import type { Fork } from '../../src/chain/config.ts';
import type { ChannelCompression } from '../../src/channel.ts';
import type { TransactionKind } from '../scenario/transactions.ts';
import { FAULT_IDS, type FaultId } from './faults.ts';
import type { BatchPlan, ChainPlan, ChannelPlan, FaultPlan, ForkPoint } from './plan.ts';

/** One of the values, each as often as it is listed. */
export const oneOf = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

/** One of the arbitraries by weight; a value of a later one shrinks to one of the first. */
export const plainFirst = <T>(...choices: { weight: number; arbitrary: fc.Arbitrary<T> }[]): fc.Arbitrary<T> =>
  fc.oneof({ withCrossShrink: true }, ...choices);

export const upTo = (max: number) => fc.nat({ max });

/** Faults that cost much; they stand in the corners. */
export const COSTLY: ReadonlySet<FaultId> = new Set<FaultId>([
  'frame/longest',
  'channel-reader/limit',
  'channel-reader/fjord-limit',
  'batch-decode/tx-data-limit',
  'channel-bank/prune',
  'channel-assembler/size-limit',
]);

/** Faults that show something where little else is wrong, and stand in the corners alone. */
const CORNERED: ReadonlySet<FaultId> = new Set<FaultId>([
  'channel-reader/brotli-end',
  'channel-reader/zlib-lone-code',
  'frame/id-again',
]);

const CHEAP = FAULT_IDS.filter((id) => !COSTLY.has(id) && !CORNERED.has(id));

/** What batches say, rather than how it is written: where the checks are, and most of the ways to be wrong. */
const SEMANTIC: readonly FaultId[] = CHEAP.filter((id) => /^(single|span)\//.test(id));

/** Faults of many forms, of which few reach the side that others do not. */
const RARELY_REACHING: readonly FaultId[] = [
  'span/shifted',
  'span/shifted',
  'span/shifted',
  'single/epoch',
  'single/epoch',
  'single/min-time',
  'batch-decode/uvarint',
  'batch-decode/uvarint',
  'batch-decode/tx-types',
  'batch-decode/tx-fields',
  'channel-reader/flips',
  'channel-reader/flips',
  'channel-reader/rlp-forms',
];

/** Places are counted modulo how many there are. */
export const fault: fc.Arbitrary<FaultPlan> = fc.record({
  fault: oneOf(...CHEAP, ...SEMANTIC, ...RARELY_REACHING),
  at: upTo(23),
  value: upTo(99_999),
});

export const faults = fc.array(fault, { maxLength: 3, size: 'max' });

export const kind: fc.Arbitrary<TransactionKind> = oneOf<TransactionKind>(
  ...(['dynamic-fee', 'dynamic-fee', 'legacy', 'legacy', 'legacy-unprotected', 'access-list'] as const),
);

const anyKind = plainFirst(
  { weight: 24, arbitrary: kind },
  { weight: 1, arbitrary: oneOf<TransactionKind>('set-code') },
);

export const contentsOf = (kinds: fc.Arbitrary<TransactionKind>) =>
  fc.array(fc.array(kinds, { maxLength: 2 }), { minLength: 1, maxLength: 3 });

const shift = oneOf(0, 0, 0, 1, -1);

/** Holocene never, from the start, or somewhere among the blocks that the vector is about. */
export const holocene: fc.Arbitrary<ForkPoint> = plainFirst(
  { weight: 3, arbitrary: oneOf<ForkPoint>({ at: 'genesis' }) },
  { weight: 3, arbitrary: oneOf<ForkPoint>({ at: 'never' }) },
  { weight: 4, arbitrary: fc.record({ at: oneOf('l1' as const), block: oneOf(1, 2, 3, 4, 5, 6, 8, 0), shift }) },
  { weight: 2, arbitrary: fc.record({ at: oneOf('l2' as const), block: oneOf(0, 1, 2, 3, 4, 6, 8, -1), shift }) },
);

const nearHolocene: fc.Arbitrary<ForkPoint> = fc.record({
  at: oneOf('holocene' as const),
  block: oneOf(0, 0, -1, 1),
  shift,
});

const amongBlocks: fc.Arbitrary<ForkPoint> = fc.record({
  at: oneOf('l1' as const, 'l2' as const),
  block: oneOf(1, 2, 3, 4, 0, 6),
  shift,
});

/** Forks before Holocene in the same step as it are a known difference of op-node; they stay rare. */
const earlyFork: fc.Arbitrary<[Fork, ForkPoint]> = fc.tuple(
  oneOf<Fork>('delta', 'delta', 'fjord', 'fjord', 'granite', 'granite', 'canyon', 'ecotone', 'regolith'),
  plainFirst(
    { weight: 20, arbitrary: amongBlocks },
    { weight: 1, arbitrary: nearHolocene },
    { weight: 8, arbitrary: oneOf<ForkPoint>({ at: 'never' }) },
  ),
);

export const lateFork: fc.Arbitrary<[Fork, ForkPoint]> = fc.tuple(
  oneOf<Fork>('isthmus', 'isthmus', 'jovian', 'karst'),
  plainFirst(
    { weight: 3, arbitrary: nearHolocene },
    { weight: 5, arbitrary: amongBlocks },
    { weight: 1, arbitrary: oneOf<ForkPoint>({ at: 'genesis' }) },
  ),
);

const forks: fc.Arbitrary<ChainPlan['forks']> = fc
  .oneof(
    { weight: 5, arbitrary: fc.constant<[Fork, ForkPoint][]>([]) },
    { weight: 3, arbitrary: fc.array(earlyFork, { minLength: 1, maxLength: 2 }) },
    { weight: 3, arbitrary: fc.array(lateFork, { minLength: 1, maxLength: 2 }) },
  )
  .map((points) => ({ ...Object.fromEntries(points) }));

/** Seconds: how long blocks take, how far the safe head is ahead of its L1 origin, and how far it may be. */
interface Pace {
  readonly blockTime: number;
  readonly l1Gaps: readonly number[];
  readonly lead: number;
  readonly maxSequencerDrift: number;
}

const quick: fc.Arbitrary<Pace> = fc.record({
  blockTime: oneOf(2, 2, 2, 1, 3, 4),
  l1Gaps: fc.array(oneOf(12, 4, 2, 1, 3, 6, 4), { minLength: 1, maxLength: 3 }),
  lead: oneOf(0, 0, 1, 2, 3, 4, 6, 9, 20),
  maxSequencerDrift: oneOf(600, 600, 0, 2, 4, 6, 10),
});

/** So slow that the drift of half an hour which holds from Fjord on is a matter of a few blocks. */
export const slow: fc.Arbitrary<Pace> = fc.record({
  blockTime: oneOf(600, 900),
  l1Gaps: fc.array(oneOf(1200, 600, 900, 1800, 1801, 2400, 3600, 1799), { minLength: 1, maxLength: 3 }),
  lead: oneOf(0, 600, 1200, 1799, 1800, 1801, 2400),
  maxSequencerDrift: oneOf(1800, 600, 1200, 2400),
});

export const chain: fc.Arbitrary<ChainPlan> = fc
  .record({
    pace: plainFirst({ weight: 5, arbitrary: quick }, { weight: 1, arbitrary: slow }),
    safeHead: oneOf(5, 5, 4, 3, 2, 1, 0, 8),
    shown: oneOf(4, 4, 3, 2, 1, 9),
    // A reference that stumbles here shows nothing else any more, so it stays rare.
    catchUp: oneOf(...new Array<number>(24).fill(0), 1, 2, 3),
    seqWindowSize: plainFirst(
      { weight: 4, arbitrary: fc.constant(3600) },
      { weight: 5, arbitrary: oneOf(50, 20, 12, 8, 6, 5, 4, 4, 3, 3, 2, 2, 1, 0) },
    ),
    channelTimeout: oneOf(300, 1, 2, 3, 4, 6, 0),
    holocene,
    forks,
    contents: contentsOf(anyKind),
    refused: plainFirst(
      { weight: 6, arbitrary: fc.constant<number[]>([]) },
      { weight: 1, arbitrary: fc.array(oneOf(1, 2, 3, 4, 5, 6, 7, 8), { minLength: 1, maxLength: 2 }) },
    ),
  })
  .map(({ pace, ...rest }) => ({ ...rest, ...pace }));

export const compression: fc.Arbitrary<ChannelCompression> = oneOf<ChannelCompression>(
  { algorithm: 'zlib', level: 6, windowBits: 15, memLevel: 1 },
  { algorithm: 'zlib', level: 9, windowBits: 15, memLevel: 1 },
  { algorithm: 'zlib', level: 1, windowBits: 9, memLevel: 1 },
  { algorithm: 'zlib', level: 0, windowBits: 10, memLevel: 1 },
  { algorithm: 'zlib', level: 6, windowBits: 12, memLevel: 1, strategy: 4 },
  { algorithm: 'zlib', level: 6, windowBits: 11, memLevel: 1, strategy: 2 },
  { algorithm: 'brotli', quality: 1, window: 16 },
  { algorithm: 'brotli', quality: 0, window: 10 },
  { algorithm: 'brotli', quality: 4, window: 18 },
);

const EAGER = new Array<'eager'>(12).fill('eager');

const batch: fc.Arbitrary<BatchPlan> = fc.record({
  kind: oneOf<BatchPlan['kind']>('single', 'span'),
  skip: oneOf(0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -2, -2, -3, 1, 2),
  length: oneOf(1, 2, 3, 1, 2, 4, 9),
  pace: oneOf<BatchPlan['pace']>(...EAGER, 'behind', 'behind', 'behind', 'lazy', 'lazy', 'lazy', 'stuck'),
  branch: oneOf(false, false, false, false, false, false, false, false, false, true),
});

export const channel: fc.Arbitrary<ChannelPlan> = fc.record({
  base: oneOf<ChannelPlan['base']>('continue', 'derived', 'derived'),
  id: oneOf(1, 1, 2, 0),
  delay: oneOf(0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 6, 9),
  early: oneOf(...new Array<false>(15).fill(false), true),
  batches: fc.array(batch, { minLength: 1, maxLength: 3 }),
  compression,
  frames: oneOf(1, 1, 1, 2, 3, 4),
  perItem: oneOf(4, 2, 1, 1),
  gap: plainFirst(
    { weight: 30, arbitrary: oneOf(0, 0, 0, 1, 1, 2, 3) },
    { weight: 1, arbitrary: oneOf(49, 50, 51, 5, 7) },
  ),
  interleaved: oneOf(false, false, false, false, false, false, true),
});

/** L1 blocks behind the last one with data. */
export const tail = oneOf(1, 0, 2, 3, 5, 8);
