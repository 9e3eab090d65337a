/**
 * The simulated engine: turns an emitted batch into the next L2 block, so that all implementations agree on hashes.
 */

import type { SingleBatch } from '../batch/batch.ts';
import { equalBytes, u64 } from '../encoding/bytes.ts';
import { keccak256 } from '../encoding/keccak.ts';
import type { L2Block } from './blocks.ts';

/** The hash of the block that carries the batch's epoch and timestamp on `parent`, with the given transactions. */
export type BlockHash = (parent: L2Block, batch: SingleBatch, transactions: readonly Uint8Array[]) => Uint8Array;

/** The part of a block's preimage before its transactions; filled anew for each block, as the hash is taken at once. */
const header = new Uint8Array(88);
const headerView = new DataView(header.buffer);

/** The hash that all implementations use: keccak256 of parent hash, number, time, epoch and the transactions' hashes. */
export const blockHash: BlockHash = (parent, batch, transactions) => {
  const hashes = transactions.map((transaction) => keccak256(transaction));
  header.set(parent.hash, 0);
  headerView.setBigUint64(32, u64(parent.number + 1n));
  headerView.setBigUint64(40, batch.timestamp);
  headerView.setBigUint64(48, batch.epochNum);
  header.set(batch.epochHash, 56);
  return keccak256(header, ...hashes);
};

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
