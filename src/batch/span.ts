/**
 * Span batches: what the columns mean, and the columns of given blocks.
 *
 * Specification: delta/span-batches.md#how-derivation-works-with-span-batches.
 */

import { bitAt, encodeBitList } from '../encoding/bit-list.ts';
import { u64 } from '../encoding/bytes.ts';
import type { RuleBook } from '../rules/rule-book.ts';
import type { SpanBatch, SpanBlock } from './batch.ts';
import type { DecodeContext, Skipped } from './outcome.ts';
import type { SpanColumns } from './span-columns.ts';
import { rebuildTransactions, transactionColumns } from './span-transactions.ts';

const MAX_U64 = 0xffff_ffff_ffff_ffffn;
const NO_TRANSACTIONS: readonly Uint8Array[] = [];

/**
 * The span batch that columns describe.
 *
 * @param context - genesis time, block time and chain id are used
 * @returns the batch, or why its transactions cannot be rebuilt
 */
export function spanBatchOf(columns: SpanColumns, context: DecodeContext, rules: RuleBook): SpanBatch | Skipped {
  const { genesisTime, blockTime, l2ChainId } = context;
  const count = columns.blockTxCounts.length;
  const epochs = epochNumbers(columns, count, rules);
  const rebuilt = rebuildTransactions(columns, l2ChainId, rules);
  if (rebuilt.kind === 'skipped') return rebuilt;

  const first = genesisTime + columns.relTimestamp;
  const last = first + blockTime * BigInt(count - 1);
  const wraps = rules.fires('span/timestamps', last > MAX_U64, () => ({ first, last, blockTime }));
  const blocks: SpanBlock[] = [];
  let next = 0;
  let timestamp = first;
  for (let index = 0; index < count; index++) {
    const transactions = Number(columns.blockTxCounts[index]);
    blocks.push({
      epochNum: epochs[index] as bigint,
      timestamp: wraps ? u64(timestamp) : timestamp > MAX_U64 ? MAX_U64 : timestamp,
      transactions: transactions === 0 ? NO_TRANSACTIONS : rebuilt.transactions.slice(next, next + transactions),
    });
    next += transactions;
    timestamp += blockTime;
  }
  // Only a variant of the element limits lets this through; op-node refuses it here a second time.
  if (!isFilled(blocks)) return { kind: 'skipped', rule: 'batch-decode/element-limits', detail: 'no blocks' };
  return { kind: 'span', parentCheck: columns.parentCheck, l1OriginCheck: columns.l1OriginCheck, blocks };
}

function isFilled(blocks: SpanBlock[]): blocks is [SpanBlock, ...SpanBlock[]] {
  return blocks.length > 0;
}

/** `span/epochs`: back from the last block, a set origin bit (the first one excepted) lowers the number by one. */
function epochNumbers(columns: SpanColumns, count: number, rules: RuleBook): bigint[] {
  const epochs = new Array<bigint>(count);
  let epoch = columns.l1OriginNum;
  for (let index = count - 1; index >= 0; index--) {
    epochs[index] = epoch;
    if (index === 0) break;
    const block = index;
    const context = rules.watched ? () => ({ block, epoch }) : undefined;
    if (rules.fires('span/epochs', bitAt(columns.originBits, index), context)) epoch = u64(epoch - 1n);
  }
  return epochs;
}

/** What encoding needs of the chain. */
export interface SpanEncodeContext {
  /** Seconds; the timestamp of L2 genesis. */
  readonly genesisTime: bigint;
  /** The first block's origin bit, which no reader looks at. The batcher sets it for the first block of an epoch. */
  readonly startsEpoch?: boolean;
}

/**
 * The columns of a span batch.
 *
 * The format knows the first timestamp, the last epoch and where the epoch changes; whatever else the blocks say of
 * times and epochs is lost.
 *
 * @throws RangeError for a transaction that cannot be taken apart, see {@link transactionColumns}
 */
export function columnsOf(batch: SpanBatch, context: SpanEncodeContext): SpanColumns {
  const { blocks } = batch;
  const originBits = blocks.map((block, index) => {
    const before = blocks[index - 1];
    return before === undefined ? context.startsEpoch === true : before.epochNum !== block.epochNum;
  });
  return {
    relTimestamp: u64(blocks[0].timestamp - context.genesisTime),
    l1OriginNum: (blocks[blocks.length - 1] as SpanBlock).epochNum,
    parentCheck: batch.parentCheck,
    l1OriginCheck: batch.l1OriginCheck,
    blockCount: BigInt(blocks.length),
    originBits: encodeBitList(originBits),
    blockTxCounts: blocks.map((block) => BigInt(block.transactions.length)),
    ...transactionColumns(blocks.flatMap((block) => block.transactions)),
  };
}
