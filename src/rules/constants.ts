/**
 * The protocol's constants, by name, so that a variant can move each of them. Units stand beside each value.
 */

import type { RuleId } from './catalogue.ts';

interface ConstantEntry {
  readonly value: bigint;
  /** The rule whose statement holds the number. */
  readonly rule: RuleId;
}

const entries = {
  /** Bytes; the largest data length of a frame. */
  MAX_FRAME_LENGTH: { value: 1_000_000n, rule: 'frame/max-data-length' },
  /** Bytes added to a frame's data length when sizes are summed up. */
  FRAME_OVERHEAD: { value: 200n, rule: 'channel-bank/size' },
  /** L1 blocks; the channel timeout from Granite on. */
  CHANNEL_TIMEOUT_GRANITE: { value: 50n, rule: 'channel-bank/timeout-length' },
  /** Bytes; the total size of the channel bank before Fjord. */
  MAX_CHANNEL_BANK_SIZE_BEDROCK: { value: 100_000_000n, rule: 'channel-bank/prune' },
  /** Bytes; the total size of the channel bank from Fjord on. */
  MAX_CHANNEL_BANK_SIZE_FJORD: { value: 1_000_000_000n, rule: 'channel-bank/prune' },
  /** Bytes; the limit of decompressed bytes of a channel, and of a staging channel's size, before Fjord. */
  MAX_RLP_BYTES_PER_CHANNEL_BEDROCK: { value: 10_000_000n, rule: 'channel-reader/limit' },
  /** Bytes; the same from Fjord on. */
  MAX_RLP_BYTES_PER_CHANNEL_FJORD: { value: 100_000_000n, rule: 'channel-reader/limit' },
  /** Number of blocks or transactions in a span batch. */
  MAX_SPAN_BATCH_ELEMENT_COUNT: { value: 10_000_000n, rule: 'batch-decode/element-limits' },
  /** Bytes; the RLP list of one transaction in a span batch, header included. */
  MAX_SPAN_BATCH_TX_SIZE: { value: 10_000_000n, rule: 'batch-decode/tx-data-size' },
  /** Seconds; the sequencer drift from Fjord on. */
  MAX_SEQUENCER_DRIFT_FJORD: { value: 1800n, rule: 'single/drift-limit' },
} as const satisfies Record<string, ConstantEntry>;

/** The name of a constant that a variant may set. */
export type ConstantName = keyof typeof entries;

/** All names, in the order of the stages. */
export const CONSTANT_NAMES = Object.keys(entries) as readonly ConstantName[];

export const CONSTANT_ENTRIES: Readonly<Record<ConstantName, ConstantEntry>> = entries;

/** The values that the specification gives: bytes, L1 blocks, seconds or a number of elements, as the name says. */
export const CONSTANTS = Object.fromEntries(CONSTANT_NAMES.map((name) => [name, entries[name].value])) as Readonly<
  Record<ConstantName, bigint>
>;
