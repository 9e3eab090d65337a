/** What decoding a batch needs to know, and what can come of it. */

import type { RuleId } from '../rules/catalogue.ts';
import type { Batch } from './batch.ts';

export interface DecodeContext {
  /** Seconds; the timestamp of L2 genesis, to which a span batch's relative timestamp is added. */
  readonly genesisTime: bigint;
  /** Seconds between two L2 blocks. */
  readonly blockTime: bigint;
  /** Goes into the rebuilt transactions of a span batch. */
  readonly l2ChainId: bigint;
  /** Whether Delta is active at the L1 origin at which the batch is read. */
  readonly deltaActive: boolean;
}

/** The bytes cannot be parsed: the channel ends here. */
export interface Malformed {
  readonly kind: 'malformed';
  /** The rule that decided. */
  readonly rule: RuleId;
  /** One line for people. */
  readonly detail: string;
}

/** A span batch that parses but cannot be used: only this batch is passed over. */
export interface Skipped {
  readonly kind: 'skipped';
  /** The rule that decided. */
  readonly rule: RuleId;
  /** One line for people. */
  readonly detail: string;
}

export type DecodedBatch = { readonly kind: 'batch'; readonly batch: Batch } | Malformed | Skipped;
