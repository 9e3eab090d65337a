/**
 * A trace: what crossed each boundary between two stages, in order, with the L1 origin at that moment. The first list
 * in which two traces differ names the stage in which the implementations differ.
 */

import type { BlockId } from './chain/blocks.ts';

/** A frame handed from the frame queue to the channel stage. */
export interface FrameEntry {
  readonly origin: bigint;
  /** Channel id, 16 bytes. */
  readonly channel: Uint8Array;
  readonly number: number;
  /** Length of the frame's data in bytes. */
  readonly size: number;
  readonly last: boolean;
}

/** A complete channel handed from the channel stage to the channel reader. */
export interface ChannelEntry {
  readonly origin: bigint;
  /** Length of the compressed data in bytes. */
  readonly size: number;
  /** keccak256 of the compressed data. */
  readonly hash: Uint8Array;
}

/** A decoded batch handed from the channel reader to the batch stage. */
export interface BatchEntry {
  readonly origin: bigint;
  readonly kind: 'single' | 'span';
  readonly hash: Uint8Array;
}

/** A flush decision: an invalid batch, or a payload that the engine refused. */
export interface FlushEntry {
  readonly origin: bigint;
  readonly cause: 'batch' | 'execution';
}

/** An emitted single batch. */
export interface SingleEntry {
  readonly origin: bigint;
  readonly parentHash: Uint8Array;
  readonly epochNum: bigint;
  readonly epochHash: Uint8Array;
  readonly timestamp: bigint;
  readonly transactions: readonly Uint8Array[];
}

/** How a run ended. `timeout` and `crash` are said by the runner, of an implementation that does not answer. */
export type OutcomeKind = 'drained' | 'reset' | 'critical' | 'crash' | 'timeout' | 'stalled';

export interface Outcome {
  readonly kind: OutcomeKind;
  /** Free text, never compared. */
  readonly message?: string;
}

export interface Trace {
  readonly implementation: { readonly name: string; readonly version: string };
  readonly frames: readonly FrameEntry[];
  readonly channels: readonly ChannelEntry[];
  readonly batches: readonly BatchEntry[];
  readonly flushes: readonly FlushEntry[];
  readonly singles: readonly SingleEntry[];
  readonly outcome: Outcome;
  readonly safeHead: BlockId;
}
