/**
 * A trace: what crossed each boundary between two stages, in order, with the L1 origin at that moment. The first list
 * in which two traces differ names the stage in which the implementations differ.
 */

import type { BlockId } from './chain/blocks.ts';

/** A frame handed from the frame queue to the channel stage. */
export interface FrameEntry {
  /** Number of the L1 origin at that moment. */
  readonly origin: bigint;
  /** Channel id, 16 bytes. */
  readonly channel: Uint8Array;
  /** Position in the channel, 0 to 65535. */
  readonly number: number;
  /** Length of the frame's data in bytes. */
  readonly size: number;
  /** Whether it closes its channel. */
  readonly last: boolean;
}

/** A complete channel handed from the channel stage to the channel reader. */
export interface ChannelEntry {
  /** Number of the L1 origin at that moment. */
  readonly origin: bigint;
  /** Length of the compressed data in bytes. */
  readonly size: number;
  /** keccak256 of the compressed data. */
  readonly hash: Uint8Array;
}

/** A decoded batch handed from the channel reader to the batch stage. */
export interface BatchEntry {
  /** Number of the L1 origin at that moment. */
  readonly origin: bigint;
  /** Which of the two formats. */
  readonly kind: 'single' | 'span';
  /** keccak256 over the decoded content, 32 bytes; not a hash of the bytes on the wire. */
  readonly hash: Uint8Array;
}

/** A flush decision: an invalid batch, or a payload that the engine refused. */
export interface FlushEntry {
  /** Number of the L1 origin at that moment. */
  readonly origin: bigint;
  /** Which of the two it was. */
  readonly cause: 'batch' | 'execution';
}

/** An emitted single batch. */
export interface SingleEntry {
  /** Number of the pipeline's L1 origin at that moment, behind which the batch's own epoch may lie. */
  readonly origin: bigint;
  /** Hash of the L2 block on which it builds, 32 bytes. */
  readonly parentHash: Uint8Array;
  /** Number of the batch's L1 origin. */
  readonly epochNum: bigint;
  /** Hash of the batch's L1 origin, 32 bytes. */
  readonly epochHash: Uint8Array;
  /** Seconds. */
  readonly timestamp: bigint;
  /** Raw transactions. */
  readonly transactions: readonly Uint8Array[];
}

/** How a run ended. `timeout` and `crash` are said by the runner, of an implementation that does not answer. */
export type OutcomeKind = 'drained' | 'reset' | 'critical' | 'crash' | 'timeout' | 'stalled';

/** How a run ended, with a word about it. */
export interface Outcome {
  /** What is compared. */
  readonly kind: OutcomeKind;
  /** Free text, never compared. */
  readonly message?: string;
}

/** What {@link derive} says of a vector. */
export interface Trace {
  /** Who says it. */
  readonly implementation: { readonly name: string; readonly version: string };
  /** From the frame queue to the channel stage. */
  readonly frames: readonly FrameEntry[];
  /** From the channel stage to the channel reader. */
  readonly channels: readonly ChannelEntry[];
  /** From the channel reader to the batch stage. */
  readonly batches: readonly BatchEntry[];
  /** Back from the batch stage or the engine. */
  readonly flushes: readonly FlushEntry[];
  /** From the batch stage to the engine. */
  readonly singles: readonly SingleEntry[];
  /** How the run ended. */
  readonly outcome: Outcome;
  /** The last L2 block that was derived, or the one at the start. */
  readonly safeHead: BlockId;
}
