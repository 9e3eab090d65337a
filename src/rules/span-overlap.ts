/**
 * The check that a span batch tells the same story as the safe chain where it overlaps it.
 *
 * Specification: delta/span-batches.md#batch-queue.
 */

import type { SpanBatch, SpanBlock } from '../batch/batch.ts';
import type { L2Block } from '../chain/blocks.ts';
import type { RollupConfig } from '../chain/config.ts';
import type { SafeChain } from '../chain/safe-chain.ts';
import { equalBytes } from '../encoding/bytes.ts';
import type { Rejection } from './rule-book.ts';
import type { BatchEnvironment } from './single.ts';

/** The verdict if an overlapped block differs or cannot be got, `undefined` if all are equal. */
export function checkSpanBatchOverlap(
  environment: BatchEnvironment,
  batch: SpanBatch,
  parent: L2Block,
  safeChain: SafeChain,
): Rejection | undefined {
  const { spec, safeHead } = environment;
  const holocene = spec.isActive('holocene', environment.inclusionBlock.timestamp);
  const overlapped = Number(safeHead.number - parent.number);
  for (let index = 0; index < overlapped; index++) {
    const block = batch.blocks[index];
    // The batch reaches past the safe head, so it is never the shorter one unless a variant let such a batch through.
    if (block === undefined) return undefined;
    const number = parent.number + BigInt(index) + 1n;
    const safe = safeChain.at(number);
    const context = spec.rules.watched
      ? () => ({
          holocene,
          number,
          epochNum: block.epochNum,
          safeEpoch: safe?.l1Origin.number,
          safe: safe?.transactions,
        })
      : undefined;
    const differs = safe === undefined || !sameContent(block, safe, spec.config.genesis);
    const verdict = spec.rules.rejects(
      'span/overlap-content',
      differs,
      safe === undefined ? 'undecided' : 'drop',
      context,
    );
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/**
 * Every client reads a block's L1 origin out of its first deposit, but for genesis, which has none: there both hash and
 * origin are those of the configuration.
 */
function sameContent(block: SpanBlock, safe: L2Block, genesis: RollupConfig['genesis']): boolean {
  const isGenesis = safe.number === genesis.l2.number;
  if (isGenesis && !equalBytes(safe.hash, genesis.l2.hash)) return false;
  const origin = isGenesis ? genesis.l1 : safe.l1Origin;
  return (
    block.transactions.length === safe.transactions.length &&
    block.transactions.every((transaction, index) => equalBytes(transaction, safe.transactions[index]!)) &&
    block.epochNum === origin.number
  );
}
