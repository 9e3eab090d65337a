/** Blocks of both layers, as derivation sees them. Numbers and timestamps are u64 on the wire, hence bigint. */

/** A block by number and hash (32 bytes). */
export interface BlockId {
  readonly number: bigint;
  readonly hash: Uint8Array;
}

/** An L1 block without its data. `timestamp` in seconds. */
export interface L1BlockRef extends BlockId {
  readonly parentHash: Uint8Array;
  readonly timestamp: bigint;
}

/** An L1 block with the data that the data source yields for it, in order: one entry an authorised batcher item. */
export interface L1Block extends L1BlockRef {
  readonly data: readonly Uint8Array[];
}

/** A safe L2 block. `transactions` are the user transactions, raw and without deposits. */
export interface L2Block extends BlockId {
  readonly parentHash: Uint8Array;
  readonly timestamp: bigint;
  readonly l1Origin: BlockId;
  readonly sequenceNumber: bigint;
  readonly transactions: readonly Uint8Array[];
}
