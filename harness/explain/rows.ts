/**
 * The rows of a time line: everything that happens to a vector's bytes, in the order in which it happens.
 */

import type { SingleBatch } from '../../src/batch/batch.ts';
import type { ListName } from '../../src/derive.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import type { Rejection } from '../../src/rules/rule-book.ts';
import type { DecodedBatch, DecodedItem, Ending, Part } from '../decode/decoded.ts';

/** Why something was dropped, skipped, kept waiting or replaced. */
export interface Reason {
  readonly rule: RuleId;
  /** What the rule did here, in a few words. */
  readonly effect: string;
  readonly verdict?: Rejection;
  /** What the decision saw, as text. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Decoded content of a row, shown on demand. */
export interface Content {
  /** What `parts` are places in. */
  readonly bytes: Uint8Array;
  readonly parts: readonly Part[];
  readonly decoded?: DecodedItem | DecodedBatch;
  readonly ending: Ending | null;
}

interface RowBase {
  /** Number of the L1 block at which it happens. */
  readonly origin: bigint;
  readonly reasons: Reason[];
  /** Where the TypeScript pipeline's trace has it, if it has. */
  entry?: number;
  content?: Content;
}

export interface BlockRow extends RowBase {
  readonly kind: 'block';
  readonly timestamp: bigint;
  readonly items: number;
  readonly holocene: boolean;
  /** Holocene activates with this block. */
  activates: boolean;
}

interface ItemRow extends RowBase {
  readonly kind: 'item';
  readonly index: number;
  readonly size: number;
  readonly frames: number;
  /** The block's data is read a second time. */
  readonly again: boolean;
}

export interface FrameRow extends RowBase {
  readonly kind: 'frame';
  readonly channel: string;
  readonly number: number;
  readonly data: Uint8Array;
  readonly last: boolean;
  /** Why its channel was given up later. */
  channelLost?: Reason;
}

/** A channel that is complete and read. */
export interface ChannelRow extends RowBase {
  readonly kind: 'channel';
  readonly channel: string | undefined;
  readonly frames: number;
  readonly data: Uint8Array;
  readonly compression: 'zlib' | 'brotli' | null;
  /** Batches that were read; those that cannot be decoded included. */
  batches: number;
}

/** A channel that is given up before it is complete. */
export interface LostRow extends RowBase {
  readonly kind: 'lost';
  readonly channel: string;
  readonly frames: number;
}

export interface BatchRow extends RowBase {
  readonly kind: 'batch';
  readonly form: 'single' | 'span' | 'unknown';
  /** Position in its channel. */
  readonly index: number;
  /** Of the first and the last block; absent if the batch is not decoded. */
  readonly first?: { readonly timestamp: bigint; readonly epoch: bigint };
  readonly last?: { readonly timestamp: bigint; readonly epoch: bigint };
  readonly blocks: number;
  readonly transactions: number;
  readonly hash: string | undefined;
  /** How many L2 blocks came of it. */
  emitted: number;
}

interface FlushRow extends RowBase {
  readonly kind: 'flush';
  readonly cause: 'batch' | 'execution';
}

export interface SingleRow extends RowBase {
  readonly kind: 'single';
  /** Number of the L2 block. */
  readonly number: bigint;
  readonly batch: SingleBatch;
  /** What it was made from: a kind of batch, or nothing when an empty batch was due. */
  readonly from: 'single' | 'span' | 'empty';
}

export type Row = BlockRow | ItemRow | FrameRow | ChannelRow | LostRow | BatchRow | FlushRow | SingleRow;

/** The list of a trace in which a row's kind stands. */
export const ROW_LISTS: Readonly<Partial<Record<Row['kind'], ListName>>> = {
  frame: 'frames',
  channel: 'channels',
  batch: 'batches',
  flush: 'flushes',
  single: 'singles',
};
