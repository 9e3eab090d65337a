/** What a channel carries: batches of two kinds. */

/** A single batch (version 0): one L2 block without its deposits. */
export interface SingleBatch {
  readonly kind: 'single';
  /** Hash of the L2 block before this one. */
  readonly parentHash: Uint8Array;
  /** Number of the L1 origin. */
  readonly epochNum: bigint;
  readonly epochHash: Uint8Array;
  /** Seconds. */
  readonly timestamp: bigint;
  /** Raw transactions; on the wire any byte strings, even empty ones. */
  readonly transactions: readonly Uint8Array[];
}

/** One block of a span batch as it follows from the columns. */
export interface SpanBlock {
  readonly epochNum: bigint;
  readonly timestamp: bigint;
  readonly transactions: readonly Uint8Array[];
}

/** A span batch (version 1), its columns already turned into blocks; never without blocks. */
export interface SpanBatch {
  readonly kind: 'span';
  /** First 20 bytes of the hash of the L2 block before the first one. */
  readonly parentCheck: Uint8Array;
  /** First 20 bytes of the hash of the last block's L1 origin. */
  readonly l1OriginCheck: Uint8Array;
  readonly blocks: readonly [SpanBlock, ...SpanBlock[]];
}

export type Batch = SingleBatch | SpanBatch;
