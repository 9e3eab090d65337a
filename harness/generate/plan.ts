/**
 * The plan of a vector: what a chain looks like, what a batcher sends about it, and what is wrong on purpose.
 *
 * A plan is plain data of small integers, all of them relative (to the safe head, to the block before, to a list's
 * length), so that any plan whatever can be rendered. It is the value that fast-check draws and shrinks: a smaller plan
 * is a simpler story, never a heap of broken bytes.
 */

import type { Fork } from '../../src/chain/config.ts';
import type { ChannelCompression } from '../../src/channel.ts';
import type { TransactionKind } from '../scenario/transactions.ts';
import type { FaultId } from './faults.ts';

export interface VectorPlan {
  readonly chain: ChainPlan;
  readonly channels: readonly ChannelPlan[];
  readonly faults: readonly FaultPlan[];
  /** L1 blocks behind the last one with data. */
  readonly tail: number;
}

/**
 * When a fork activates, in seconds (`shift`) and blocks from a point of reference: an L1 block (0 is the one that the
 * pipeline is reset to), the L2 block that follows the safe head (0), or the L1 block at which Holocene activates.
 */
export type ForkPoint =
  | { readonly at: 'genesis' | 'never' }
  | { readonly at: 'l1' | 'l2' | 'holocene'; readonly block: number; readonly shift: number };

export interface ChainPlan {
  /** Seconds. */
  readonly blockTime: number;
  /** Seconds between L1 blocks; repeated for as long as the chain is. */
  readonly l1Gaps: readonly number[];
  /** Number of the safe head; L2 genesis is 0. */
  readonly safeHead: number;
  /** How many safe blocks the vector shows, the safe head included; at least one. */
  readonly shown: number;
  /** How many L1 blocks the safe head's origin lies behind the one that the pipeline is reset to. */
  readonly catchUp: number;
  /** Seconds from the safe head's L1 origin to the safe head. */
  readonly lead: number;
  readonly seqWindowSize: number;
  readonly channelTimeout: number;
  readonly maxSequencerDrift: number;
  readonly holocene: ForkPoint;
  /**
   * Forks that are not where they are by default: every one up to Granite at genesis, later ones never, or as early as
   * they can be if one behind them is here.
   */
  readonly forks: Readonly<Partial<Record<Fork, ForkPoint>>>;
  /** The transactions of an L2 block, by its number modulo the length. Not empty. */
  readonly contents: readonly (readonly TransactionKind[])[];
  /** L2 blocks that the engine refuses, counted from the safe head; 1 is the next one. */
  readonly refused: readonly number[];
}

/** What the batcher of a channel believes the safe head to be. */
type Base =
  /** What the channels before would have made of it. */
  | 'continue'
  /** What really was derived of them. */
  | 'derived';

export interface ChannelPlan {
  readonly base: Base;
  /** Last byte of the channel id. */
  readonly id: number;
  /** L1 blocks that pass between the channel before and this one. */
  readonly delay: number;
  /** Posted without waiting for the L1 block that follows the last epoch. */
  readonly early: boolean;
  readonly batches: readonly BatchPlan[];
  readonly compression: ChannelCompression;
  /** Number of frames; at least one. */
  readonly frames: number;
  /** Frames in one item. */
  readonly perItem: number;
  /** L1 blocks between one item and the next. */
  readonly gap: number;
  /** The frames alternate with those of the channel before. */
  readonly interleaved: boolean;
}

export interface BatchPlan {
  readonly kind: 'single' | 'span';
  /** Where it starts, counted from the block that is due: below zero it overlaps, above zero it leaves a gap. */
  readonly skip: number;
  /** L2 blocks in the span batch, or single batches in a row. */
  readonly length: number;
  /** When its blocks adopt the next L1 origin: as soon as they may, one L1 block later, as late as they can, or never. */
  readonly pace: 'eager' | 'behind' | 'lazy' | 'stuck';
  /** Other contents than the chain that is known. */
  readonly branch: boolean;
}

/** A fault of the catalogue, at the `at`-th place where it can be, in the form that `value` picks. */
export interface FaultPlan {
  readonly fault: FaultId;
  readonly at: number;
  readonly value: number;
}
