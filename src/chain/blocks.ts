/** Blocks of both layers, as derivation sees them. Numbers and timestamps are u64 on the wire, hence bigint. */

/** A block of either layer by number and hash. */
export interface BlockId {
  /** Height; a u64. */
  readonly number: bigint;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** An L1 block without its data. */
export interface L1BlockRef extends BlockId {
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
  /** Seconds. */
  readonly timestamp: bigint;
}

/** An L1 block with the data that the data source yields for it, in order: one entry an authorised batcher item. */
export interface L1Block extends L1BlockRef {
  /** Batcher transactions' calldata and blobs' content, each a version byte and frames, if it is well formed. */
  readonly data: readonly Uint8Array[];
}

/** A safe L2 block. */
export interface L2Block extends BlockId {
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
  /** Seconds. */
  readonly timestamp: bigint;
  /** The L1 block whose epoch it belongs to. */
  readonly l1Origin: BlockId;
  /** Position in its epoch, from 0. */
  readonly sequenceNumber: bigint;
  /** The user transactions, raw and without deposits. */
  readonly transactions: readonly Uint8Array[];
}
