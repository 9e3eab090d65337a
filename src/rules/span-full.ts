/**
 * The full check of a span batch, before Holocene: the prefix, every new block, and the overlap.
 *
 * Specification: delta/span-batches.md#batch-queue.
 */

import type { SpanBatch } from '../batch/batch.ts';
import type { L1BlockRef, L2Block } from '../chain/blocks.ts';
import type { SafeChain } from '../chain/safe-chain.ts';
import { u64 } from '../encoding/bytes.ts';
import type { Rejection, Verdict } from './rule-book.ts';
import { type BatchEnvironment, checkTransactions } from './single.ts';
import { checkSpanBatchOverlap } from './span-overlap.ts';
import { checkSpanBatchPrefix } from './span-prefix.ts';

export function checkSpanBatchFull(environment: BatchEnvironment, batch: SpanBatch, safeChain: SafeChain): Verdict {
  const prefix = checkSpanBatchPrefix(environment, batch, safeChain);
  if (prefix.kind === 'rejected') return prefix.verdict;
  const blocks = checkNewBlocks(environment, batch, prefix.parent);
  if (blocks !== undefined) return blocks;
  const overlap = checkSpanBatchOverlap(environment, batch, prefix.parent, safeChain);
  if (overlap !== undefined) return overlap;
  const { rules } = environment.spec;
  return (rules.isExtended ? rules.extend('batch/span', { ...environment, batch }) : undefined) ?? 'accept';
}

function checkNewBlocks(environment: BatchEnvironment, batch: SpanBatch, parent: L2Block): Rejection | undefined {
  const { spec, window, safeHead } = environment;
  const { rules } = spec;
  // The window is searched forwards only: epochs of a span batch never go back.
  let searched = 0;
  for (const [index, block] of batch.blocks.entries()) {
    if (block.timestamp <= safeHead.timestamp) continue;
    const { epochNum, timestamp } = block;
    let found = searched;
    while (found < window.length && window[found]!.number !== epochNum) found += 1;
    const epoch: L1BlockRef | undefined = window[found];
    const tooOld = epochNum < safeHead.l1Origin.number;
    const context = rules.watched ? () => ({ index, timestamp, epochNum, epochTime: epoch?.timestamp }) : undefined;
    const unknown = rules.rejects('span/full-epoch', tooOld || epoch === undefined, 'drop', context);
    if (unknown !== undefined) return unknown;
    // A variant that lets an unknown epoch pass goes by the L1 block that was looked at last.
    if (epoch !== undefined) searched = found;
    const origin = window[searched];
    if (origin === undefined) continue;

    const before = index === 0 ? parent.l1Origin.number : batch.blocks[index - 1]!.epochNum;
    const advanced = index === 0 ? epochNum === u64(before + 1n) : epochNum > before;
    const verdict =
      rules.rejects('span/full-min-time', timestamp < origin.timestamp, 'drop', context) ??
      checkDrift(environment, block.timestamp, block.transactions.length === 0, advanced, origin, window[searched + 1]);
    if (verdict !== undefined) return verdict;
    const forbidden = checkTransactions(rules, block.transactions, spec.isActive('isthmus', timestamp));
    const dropped = rules.rejects('span/full-transactions', forbidden !== undefined, 'drop', context);
    if (dropped !== undefined) return dropped;
  }
  return undefined;
}

function checkDrift(
  environment: BatchEnvironment,
  timestamp: bigint,
  empty: boolean,
  advanced: boolean,
  epoch: L1BlockRef,
  following: L1BlockRef | undefined,
): Rejection | undefined {
  const { spec } = environment;
  const limit = u64(epoch.timestamp + spec.maxSequencerDrift(epoch.timestamp));
  const past = timestamp > limit;
  const context = spec.rules.watched
    ? () => ({ timestamp, limit, empty, advanced, following: following?.timestamp })
    : undefined;
  if (empty && !advanced && following === undefined) {
    return spec.rules.rejects('span/full-drift', past, 'undecided', context);
  }
  const wrong = !empty || (!advanced && timestamp >= following!.timestamp);
  return spec.rules.rejects('span/full-drift', past && wrong, 'drop', context);
}
