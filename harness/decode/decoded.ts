/**
 * Decoded bytes as data: what `holodiff decode --json` prints, and what explanations show on demand.
 *
 * Every offset counts from the start of the bytes that the value was decoded from: a frame's from the start of its item,
 * a batch's from the start of the channel's decompressed content, a field's from the start of its batch.
 */

import { RULES, type RuleId } from '../../src/rules/catalogue.ts';

/** The version of this form. */
export const DECODED_FORMAT = 1;

/** An integer as JSON can hold it: a string above 2^53. */
export type DecodedInteger = number | string;

export function integer(value: bigint): DecodedInteger {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** A named stretch of bytes. */
export interface Part {
  readonly name: string;
  readonly start: number;
  /** Offset of the first byte behind it. */
  readonly end: number;
  /** What it says, in a form for people. */
  readonly value?: string;
}

/** Why decoding went no further. */
export interface Ending {
  readonly rule: RuleId;
  readonly statement: string;
  /** Sections of the specification. */
  readonly specification: readonly string[];
  /** How far the bytes are valid. */
  readonly offset: number;
  readonly detail: string;
}

export function ending(rule: RuleId, offset: number, detail: string): Ending {
  const { statement, specification } = RULES[rule];
  return { rule, statement, specification, offset, detail };
}

export interface DecodedFrame {
  /** Offset in the item, or in the bytes given. */
  readonly start: number;
  readonly end: number;
  readonly channel: string;
  readonly number: number;
  /** Length of the data in bytes. */
  readonly size: number;
  readonly last: boolean;
  readonly parts: readonly Part[];
}

/** One item of L1 data, or frames without a version byte in front. */
export interface DecodedItem {
  readonly kind: 'item' | 'frames';
  readonly size: number;
  /** Frames that parse; none of them counts when there is an ending. */
  readonly frames: readonly DecodedFrame[];
  readonly parts: readonly Part[];
  readonly ending: Ending | null;
}

export interface DecodedTransaction {
  /** `null` if the bytes are no transaction of a known type. */
  readonly type: number | null;
  readonly size: number;
  readonly hash: string;
  readonly nonce: DecodedInteger | null;
  /** `null` for the creation of a contract, and for an unknown type. */
  readonly to: string | null;
  readonly value: DecodedInteger | null;
  readonly gas: DecodedInteger | null;
  /** Length of the call data in bytes. */
  readonly dataSize: number | null;
}

export interface DecodedBlock {
  readonly timestamp: DecodedInteger;
  readonly epoch: DecodedInteger;
  readonly transactions: readonly DecodedTransaction[];
}

export interface DecodedBatch {
  readonly kind: 'batch';
  readonly form: 'single' | 'span' | 'unknown';
  readonly size: number;
  /** The hash by which traces name it; `null` if there is no batch. */
  readonly hash: string | null;
  /** Every byte belongs to one part. */
  readonly parts: readonly Part[];
  readonly blocks: readonly DecodedBlock[];
  readonly ending: Ending | null;
  /** What the ending does: a malformed batch ends its channel, a skipped one is passed over. */
  readonly effect: 'malformed' | 'skipped' | null;
}

export interface ChannelBatch {
  readonly index: number;
  /** Offset in the content of the RLP string's header. */
  readonly start: number;
  /** Offset in the content of the batch itself. */
  readonly payload: number;
  readonly end: number;
  /** Whether derivation comes so far: not behind a malformed batch. */
  readonly read: boolean;
  readonly batch: DecodedBatch;
}

export interface DecodedChannel {
  readonly kind: 'channel';
  readonly size: number;
  /** keccak256 of the compressed data, by which traces name it. */
  readonly hash: string;
  readonly compression: 'zlib' | 'brotli' | null;
  readonly parts: readonly Part[];
  /** Decompressed bytes that were read. */
  readonly contentSize: number;
  readonly batches: readonly ChannelBatch[];
  /** `null` if the content simply ends behind the last batch. */
  readonly ending: Ending | null;
}

/** A signed batcher transaction around an item. */
export interface DecodedEnvelope {
  readonly kind: 'transaction';
  readonly size: number;
  readonly transaction: DecodedTransaction;
  readonly parts: readonly Part[];
  readonly item: DecodedItem;
}

export type Decoded = DecodedItem | DecodedChannel | DecodedBatch | DecodedEnvelope;

/** Whether all of it is valid. */
export function isWhole(decoded: Decoded): boolean {
  switch (decoded.kind) {
    case 'transaction':
      return isWhole(decoded.item);
    case 'channel':
      return decoded.ending === null && decoded.batches.every(({ batch }) => isWhole(batch));
    case 'item':
    case 'frames':
    case 'batch':
      return decoded.ending === null;
    default:
      return decoded satisfies never;
  }
}
