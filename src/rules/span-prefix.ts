/**
 * The checks on a span batch as a whole that hold before and after Holocene, in order.
 *
 * Specification: delta/span-batches.md#batch-queue, holocene/derivation.md#span-batches.
 */

import type { SpanBatch } from '../batch/batch.ts';
import type { L2Block } from '../chain/blocks.ts';
import type { SafeChain } from '../chain/safe-chain.ts';
import { equalBytes, u64 } from '../encoding/bytes.ts';
import type { Rejection, RuleBook } from './rule-book.ts';
import { type BatchEnvironment, judgedByHolocene } from './single.ts';

/** Length of the parent check and the L1 origin check in bytes. */
const CHECK_LENGTH = 20;

/** The verdict that ends the checks, or the L2 block on which the span batch builds. */
export type PrefixResult =
  | { readonly kind: 'rejected'; readonly verdict: Rejection }
  | { readonly kind: 'passed'; readonly parent: L2Block };

export function checkSpanBatchPrefix(
  environment: BatchEnvironment,
  batch: SpanBatch,
  safeChain: SafeChain,
): PrefixResult {
  const { spec, window, safeHead, inclusionBlock } = environment;
  const { rules, config } = spec;
  const w0 = window[0];
  const w1 = window[1];
  if (w0 === undefined) return { kind: 'rejected', verdict: 'undecided' };

  const first = batch.blocks[0];
  const last = batch.blocks[batch.blocks.length - 1]!;
  const next = u64(safeHead.timestamp + config.blockTime);
  const holocene = judgedByHolocene(environment, first.timestamp);
  const advances = first.epochNum === u64(w0.number + 1n);
  const start = advances && w1 !== undefined ? w1 : w0;
  const epochs = rules.watched
    ? () => ({ holocene, start: first.epochNum, end: last.epochNum, w0: w0.number, window: window.length })
    : undefined;
  const times = rules.watched
    ? () => ({ first: first.timestamp, last: last.timestamp, next, safeTime: safeHead.timestamp })
    : undefined;

  const early =
    rules.rejects('span/next-epoch-unknown', advances && w1 === undefined, 'undecided', epochs) ??
    rules.rejects('span/delta', !spec.isActive('delta', start.timestamp), 'drop', epochs) ??
    rules.rejects('span/too-early', first.timestamp > next, holocene ? 'drop' : 'future', times) ??
    rules.rejects('span/no-new-block', last.timestamp < next, holocene ? 'past' : 'drop', times);
  if (early !== undefined) return { kind: 'rejected', verdict: early };

  const parent = findParent(environment, first.timestamp, next, safeChain, rules);
  if (parent.kind === 'rejected') return parent;
  const { number: parentOrigin } = parent.parent.l1Origin;
  const parentContext = rules.watched
    ? () => ({ ...epochs?.(), parent: parent.parent.number, parentOrigin })
    : undefined;
  const matches = equalBytes(batch.parentCheck, parent.parent.hash.subarray(0, CHECK_LENGTH));
  const end = window.find((block) => block.number === last.epochNum);
  const endMatches = end !== undefined && equalBytes(batch.l1OriginCheck, end.hash.subarray(0, CHECK_LENGTH));

  const verdict =
    rules.rejects('span/parent-check', !matches, 'drop', parentContext) ??
    rules.rejects(
      'span/sequence-window',
      u64(first.epochNum + config.seqWindowSize) < inclusionBlock.number,
      'drop',
      epochs,
    ) ??
    rules.rejects('span/start-epoch-too-new', first.epochNum > u64(parentOrigin + 1n), 'drop', parentContext) ??
    rules.rejects('span/origin-check', end !== undefined && !endMatches, 'drop', epochs) ??
    rules.rejects('span/origin-unknown', end === undefined, 'undecided', epochs) ??
    rules.rejects('span/start-epoch-too-old', first.epochNum < parentOrigin, 'drop', parentContext);
  return verdict === undefined ? parent : { kind: 'rejected', verdict };
}

/** The L2 block before the first one of the span batch: the safe head, or an ancestor when the batch overlaps. */
function findParent(
  environment: BatchEnvironment,
  timestamp: bigint,
  next: bigint,
  safeChain: SafeChain,
  rules: RuleBook,
): PrefixResult {
  const { safeHead, spec } = environment;
  const { blockTime } = spec.config;
  // A batch that was let through although it starts too late builds on the safe head.
  if (timestamp >= next) {
    rules.rejects('span/aligned', false, 'drop');
    rules.rejects('span/parent-known', false, 'undecided');
    return { kind: 'passed', parent: safeHead };
  }
  const back = safeHead.timestamp - timestamp;
  const context = rules.watched ? () => ({ timestamp, safeTime: safeHead.timestamp, blockTime }) : undefined;
  const misaligned = rules.rejects(
    'span/aligned',
    back < 0n || blockTime === 0n || back % blockTime !== 0n,
    'drop',
    context,
  );
  if (misaligned !== undefined) return { kind: 'rejected', verdict: misaligned };
  const number = u64(safeHead.number - (back < 0n || blockTime === 0n ? 0n : back / blockTime) - 1n);
  const parent = safeChain.at(number);
  const genesis = spec.config.genesis.l2.number;
  const unknown = rules.rejects('span/parent-known', parent === undefined, 'undecided', () => ({
    number,
    genesis,
    safe: safeHead.number,
  }));
  if (unknown !== undefined || parent === undefined) return { kind: 'rejected', verdict: unknown ?? 'undecided' };
  return { kind: 'passed', parent };
}
