/**
 * The simulated engine: turns an emitted batch into the next L2 block, so that all implementations agree on hashes.
 */

import type { SingleBatch } from '../batch/batch.ts';
import { equalBytes, u64, uint64be } from '../encoding/bytes.ts';
import { keccak256 } from '../encoding/keccak.ts';
import type { L2Block } from './blocks.ts';

/** The hash of the block that carries the batch's epoch and timestamp on `parent`, with the given transactions. */
export type BlockHash = (parent: L2Block, batch: SingleBatch, transactions: readonly Uint8Array[]) => Uint8Array;

export const blockHash: BlockHash = (parent, batch, transactions) =>
  keccak256(
    parent.hash,
    uint64be(u64(parent.number + 1n)),
    uint64be(batch.timestamp),
    uint64be(batch.epochNum),
    batch.epochHash,
    ...transactions.map((transaction) => keccak256(transaction)),
  );

/** The block that follows `parent` when the batch is applied with these transactions. */
export function buildBlock(
  parent: L2Block,
  batch: SingleBatch,
  transactions: readonly Uint8Array[],
  hash: BlockHash = blockHash,
): L2Block {
  const sameEpoch = batch.epochNum === parent.l1Origin.number && equalBytes(batch.epochHash, parent.l1Origin.hash);
  return {
    number: u64(parent.number + 1n),
    hash: hash(parent, batch, transactions),
    parentHash: parent.hash,
    timestamp: batch.timestamp,
    l1Origin: { number: batch.epochNum, hash: batch.epochHash },
    sequenceNumber: sameEpoch ? parent.sequenceNumber + 1n : 0n,
    transactions,
  };
}
