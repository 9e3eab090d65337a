/** The hash by which traces compare decoded batches. */

import { keccak256, keccak256Of } from '../encoding/keccak.ts';
import { encodeRlp, encodeRlpItems, encodeRlpListHeader, type RlpValue, rlpLength } from '../encoding/rlp.ts';
import type { Batch, SpanBatch, SpanBlock } from './batch.ts';
import { encodeSingleList } from './single.ts';

/**
 * The hash of a decoded batch, 32 bytes: keccak256 of `rlp([parentHash, epochNum, epochHash, timestamp, transactions])`
 * for a single batch, and of `rlp([parentCheck, l1OriginCheck, [[epochNum, timestamp, transactions], …]])` for a span
 * batch.
 */
export function batchHash(batch: Batch): Uint8Array {
  if (batch.kind === 'single') return keccak256(encodeSingleList(batch));
  if (batch.blocks.length > PIECE) return keccak256Of(piecesOf(batch));
  return keccak256(encodeRlp([batch.parentCheck, batch.l1OriginCheck, batch.blocks.map(blockList)]));
}

/** Blocks. As one list the ten million that a batch may have take a gigabyte. */
const PIECE = 4096;

/** The same list as for fewer blocks. */
function* piecesOf({ parentCheck, l1OriginCheck, blocks }: SpanBatch): Generator<Uint8Array, void, undefined> {
  const checks = encodeRlpItems([parentCheck, l1OriginCheck]);
  let length = 0;
  for (const block of blocks) length += rlpLength(blockList(block));
  const header = encodeRlpListHeader(length);
  yield encodeRlpListHeader(checks.length + header.length + length);
  yield checks;
  yield header;
  for (let at = 0; at < blocks.length; at += PIECE) yield encodeRlpItems(blocks.slice(at, at + PIECE).map(blockList));
}

function blockList({ epochNum, timestamp, transactions }: SpanBlock): RlpValue {
  return [epochNum, timestamp, transactions];
}
