/**
 * The checks on one single batch, in order. The batch queue uses them for single batches, and from Holocene on the
 * batch validator for every batch.
 *
 * Specification: derivation.md#batch-queue, holocene/derivation.md#batch-queue.
 */

import type { SingleBatch } from '../batch/batch.ts';
import type { L1BlockRef, L2Block } from '../chain/blocks.ts';
import type { ChainSpec } from '../chain/spec.ts';
import { equalBytes, u64 } from '../encoding/bytes.ts';
import type { RuleBook, Verdict } from './rule-book.ts';

/** First byte of a deposit transaction. */
const DEPOSIT_TX_TYPE = 0x7e;
/** First byte of an EIP-7702 set-code transaction. */
const SET_CODE_TX_TYPE = 0x04;
/** First byte of a post-execution transaction. */
const POST_EXEC_TX_TYPE = 0x7d;

/** What a check on a batch sees besides the batch. */
export interface BatchEnvironment {
  /** The configuration, and what is active when. */
  readonly spec: ChainSpec;
  /** The batch stage's consecutive L1 blocks up to the origin. */
  readonly window: readonly L1BlockRef[];
  /** The block on which the batch is to build. */
  readonly safeHead: L2Block;
  /** The L1 block at which the batch was read. */
  readonly inclusionBlock: L1BlockRef;
}

/** Whether a batch read at `inclusionBlock` is judged by Holocene's rules: by that block, however old the batch is. */
export function judgedByHolocene(environment: BatchEnvironment, timestamp: bigint): boolean {
  const { spec, inclusionBlock } = environment;
  if (!spec.isActive('holocene', inclusionBlock.timestamp)) return false;
  const old = !spec.isActive('holocene', timestamp);
  return !old || spec.rules.fires('activation/old-batches-new-rules', true, () => ({ timestamp }));
}

/** The verdict on a single batch that is to build on the safe head. */
export function checkSingleBatch(environment: BatchEnvironment, batch: SingleBatch): Verdict {
  const { spec, window, safeHead, inclusionBlock } = environment;
  const { rules, config } = spec;
  const w0 = window[0];
  const w1 = window[1];
  // Without a single L1 block nothing can be said.
  if (w0 === undefined) return 'undecided';

  const { timestamp, epochNum } = batch;
  const next = u64(safeHead.timestamp + config.blockTime);
  const holocene = judgedByHolocene(environment, timestamp);
  const nextEpoch = u64(w0.number + 1n);
  const advances = epochNum === nextEpoch;
  const epoch = advances && w1 !== undefined ? w1 : w0;
  const freshFork = forkWithEmptyActivationBlock(spec, timestamp);
  const times = rules.watched
    ? () => ({ timestamp, next, safeTime: safeHead.timestamp, inclusion: inclusionBlock.number, holocene })
    : undefined;
  const epochs = rules.watched
    ? () => ({ epochNum, w0: w0.number, window: window.length, inclusion: inclusionBlock.number })
    : undefined;

  return (
    rules.rejects('single/too-early', timestamp > next, holocene ? 'drop' : 'future', times) ??
    rules.rejects('single/too-late', timestamp < next, holocene ? 'past' : 'drop', times) ??
    rules.rejects('single/parent-hash', !equalBytes(batch.parentHash, safeHead.hash), 'drop', times) ??
    rules.rejects(
      'single/sequence-window',
      u64(epochNum + config.seqWindowSize) < inclusionBlock.number,
      'drop',
      epochs,
    ) ??
    rules.rejects('single/epoch-too-old', epochNum < w0.number, 'drop', epochs) ??
    rules.rejects('single/next-epoch-unknown', advances && w1 === undefined, 'undecided', epochs) ??
    rules.rejects('single/epoch-too-new', epochNum > w0.number && epochNum !== nextEpoch, 'drop', epochs) ??
    rules.rejects('single/epoch-hash', !equalBytes(batch.epochHash, epoch.hash), 'drop', epochs) ??
    rules.rejects('single/min-time', timestamp < epoch.timestamp, 'drop', times) ??
    rules.rejects(
      'single/activation-block-empty',
      batch.transactions.length > 0 && freshFork !== undefined,
      'drop',
      () => ({ ...times?.(), fork: freshFork }),
    ) ??
    checkDrift(environment, batch, epoch) ??
    checkTransactions(rules, batch.transactions, spec.isActive('isthmus', timestamp)) ??
    (rules.isExtended ? rules.extend('batch/single', { ...environment, batch }) : undefined) ??
    'accept'
  );
}

/** The fork whose activation block, the first one active at `timestamp`, carries no user transactions. */
function forkWithEmptyActivationBlock(spec: ChainSpec, timestamp: bigint): 'jovian' | 'karst' | undefined {
  const { blockTime } = spec.config;
  return (['jovian', 'karst'] as const).find(
    (fork) =>
      // Below one block time there is no block before this one that could have been inactive.
      timestamp >= blockTime && spec.isActive(fork, timestamp) && !spec.isActive(fork, timestamp - blockTime),
  );
}

function checkDrift(environment: BatchEnvironment, batch: SingleBatch, epoch: L1BlockRef): Verdict | undefined {
  const { spec, window } = environment;
  const { rules } = spec;
  const limit = u64(epoch.timestamp + spec.maxSequencerDrift(epoch.timestamp));
  if (batch.timestamp <= limit) return undefined;
  const w0 = window[0]!;
  const w1 = window[1];
  const empty = batch.transactions.length === 0;
  const context = rules.watched ? () => ({ timestamp: batch.timestamp, limit, empty, next: w1?.timestamp }) : undefined;
  const full = rules.rejects('single/drift-with-transactions', !empty, 'drop', context);
  if (full !== undefined) return full;
  // An empty batch past the limit is right only while the next epoch could not have been adopted.
  const stays = empty && epoch.number === w0.number;
  if (w1 === undefined) return rules.rejects('single/drift-empty', stays, 'undecided', context);
  return rules.rejects('single/drift-empty', stays && batch.timestamp >= w1.timestamp, 'drop', context);
}

/**
 * The checks on a block's transactions: the first forbidden one drops the batch.
 *
 * @param isthmus - whether Isthmus is active at the block's timestamp
 */
export function checkTransactions(
  rules: RuleBook,
  transactions: readonly Uint8Array[],
  isthmus: boolean,
): Verdict | undefined {
  for (let index = 0; index < transactions.length; index++) {
    const type = transactions[index]![0];
    const context = rules.watched ? () => ({ index, type, isthmus }) : undefined;
    const verdict =
      rules.rejects('single/tx-empty', type === undefined, 'drop', context) ??
      rules.rejects('single/tx-deposit', type === DEPOSIT_TX_TYPE, 'drop', context) ??
      rules.rejects('single/tx-set-code', type === SET_CODE_TX_TYPE && !isthmus, 'drop', context) ??
      // Lagoon is no fork of the vector format, so a post-execution transaction always comes before it.
      rules.rejects('single/tx-post-exec', type === POST_EXEC_TX_TYPE, 'drop', context) ??
      rules.rejects('single/tx-other-types', false, 'drop', context);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}
