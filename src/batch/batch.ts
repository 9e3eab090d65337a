/** What a channel carries: batches of two kinds. */

/**
 * A single batch (version 0): one L2 block without its deposits.
 *
 * Specification: derivation.md#batch-format.
 */
export interface SingleBatch {
  /** Tells it from a span batch. */
  readonly kind: 'single';
  /** Hash of the L2 block before this one. */
  readonly parentHash: Uint8Array;
  /** Number of the L1 origin. */
  readonly epochNum: bigint;
  /** Hash of the L1 origin, 32 bytes. */
  readonly epochHash: Uint8Array;
  /** Seconds. */
  readonly timestamp: bigint;
  /** Raw transactions; on the wire any byte strings, even empty ones. */
  readonly transactions: readonly Uint8Array[];
}

/** One block of a span batch as it follows from the columns. */
export interface SpanBlock {
  /** Number of the L1 origin. */
  readonly epochNum: bigint;
  /** Seconds. */
  readonly timestamp: bigint;
  /** Raw transactions, rebuilt from the columns. */
  readonly transactions: readonly Uint8Array[];
}

/**
 * A span batch (version 1), its columns already turned into blocks; never without blocks.
 *
 * Specification: delta/span-batches.md#span-batch-format.
 */
export interface SpanBatch {
  /** Tells it from a single batch. */
  readonly kind: 'span';
  /** First 20 bytes of the hash of the L2 block before the first one. */
  readonly parentCheck: Uint8Array;
  /** First 20 bytes of the hash of the last block's L1 origin. */
  readonly l1OriginCheck: Uint8Array;
  /** Consecutive L2 blocks, oldest first; some may be in the safe chain already. */
  readonly blocks: readonly [SpanBlock, ...SpanBlock[]];
}

/** A decoded batch of either kind. */
export type Batch = SingleBatch | SpanBatch;
