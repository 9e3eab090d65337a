/** The hash by which traces compare decoded batches. */

import { keccak256 } from '../encoding/keccak.ts';
import { encodeRlp } from '../encoding/rlp.ts';
import type { Batch } from './batch.ts';
import { encodeSingleList } from './single.ts';

/**
 * The hash of a decoded batch, 32 bytes: keccak256 of `rlp([parentHash, epochNum, epochHash, timestamp, transactions])`
 * for a single batch, and of `rlp([parentCheck, l1OriginCheck, [[epochNum, timestamp, transactions], …]])` for a span
 * batch.
 */
export function batchHash(batch: Batch): Uint8Array {
  if (batch.kind === 'single') return keccak256(encodeSingleList(batch));
  const blocks = batch.blocks.map((block) => [block.epochNum, block.timestamp, block.transactions]);
  return keccak256(encodeRlp([batch.parentCheck, batch.l1OriginCheck, blocks]));
}
