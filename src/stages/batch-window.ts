/**
 * What both batch stages share: the window of L1 blocks, and the empty batches that fill it up when nobody sent any.
 *
 * Specification: derivation.md#batch-queue.
 */

import type { SingleBatch } from '../batch/batch.ts';
import type { L1BlockRef, L2Block } from '../chain/blocks.ts';
import type { ChainSpec } from '../chain/spec.ts';
import { equalBytes, u64 } from '../encoding/bytes.ts';
import type { BatchEnvironment } from '../rules/single.ts';
import { END_OF_DATA, type NoValue, type Pull } from './pull.ts';

export class BatchWindow {
  readonly #spec: ChainSpec;
  #origin: L1BlockRef;
  #blocks: L1BlockRef[];

  /** A window that holds the L1 block to which the pipeline was reset. */
  constructor(spec: ChainSpec, origin: L1BlockRef) {
    this.#spec = spec;
    this.#origin = origin;
    this.#blocks = [origin];
  }

  /** Consecutive L1 blocks; the first is the safe head's L1 origin or, once that was given up, the block after it. */
  get blocks(): readonly L1BlockRef[] {
    return this.#blocks;
  }

  /** What checks on a batch read at the current origin see. */
  environment(safeHead: L2Block): BatchEnvironment {
    return { spec: this.#spec, window: this.#blocks, safeHead, inclusionBlock: this.#origin };
  }

  /** Takes a new origin in and lets the blocks before the safe head's epoch go. */
  update(origin: L1BlockRef, safeHead: L2Block): void {
    const epoch = safeHead.l1Origin.number;
    const moved = origin !== this.#origin;
    if (moved) {
      this.#origin = origin;
      if (origin.number < epoch) this.#blocks = [];
      else this.#blocks.push(origin);
    }
    const w0 = this.#blocks[0];
    const passed = w0 !== undefined && epoch > w0.number;
    const { rules } = this.#spec;
    const context = rules.watched
      ? () => ({
          epoch,
          origin: origin.number,
          moved,
          holocene: this.#spec.isActive('holocene', origin.timestamp),
        })
      : undefined;
    if (!rules.fires('batch-queue/window', passed, context) || !passed) return;
    const index = this.#blocks.findIndex((block) => block.number === epoch);
    if (index > 0) this.#blocks = this.#blocks.slice(index);
  }

  /** A reset request if the window does not start at the safe head's L1 origin or the block after it. */
  checkEpoch(safeHead: L2Block): NoValue | undefined {
    const w0 = this.#blocks[0];
    const { l1Origin } = safeHead;
    const fits =
      w0 !== undefined &&
      ((l1Origin.number === w0.number && equalBytes(l1Origin.hash, w0.hash)) ||
        l1Origin.number === u64(w0.number - 1n));
    const context = this.#spec.rules.watched ? () => ({ w0: w0?.number, safeOrigin: l1Origin.number }) : undefined;
    if (!this.#spec.rules.fires('batch-queue/epoch-mismatch', !fits, context)) return undefined;
    return { kind: 'reset', why: `the window does not fit the safe head's L1 origin ${l1Origin.number}` };
  }

  /** Empties the window, at an activation that does not keep it. */
  clear(): void {
    this.#blocks = [];
  }

  /**
   * The empty batch that is due, or the end of data when none is; in that case the window may have moved on.
   *
   * @param outOfData - whether this L1 block has no more data
   */
  nextEmptyBatch(outOfData: boolean, safeHead: L2Block): Pull<SingleBatch> {
    const { rules, config } = this.#spec;
    const w0 = this.#blocks[0];
    const w1 = this.#blocks[1];
    if (w0 === undefined) return END_OF_DATA;
    const expiry = u64(w0.number + config.seqWindowSize);
    const over = expiry < this.#origin.number || (expiry === this.#origin.number && outOfData);
    const context = rules.watched
      ? () => ({ w0: w0.number, expiry, origin: this.#origin.number, outOfData })
      : undefined;
    if (!rules.fires('empty/window-over', over && w1 !== undefined, context) || w1 === undefined) return END_OF_DATA;
    const timestamp = u64(safeHead.timestamp + config.blockTime);
    const first = w0.number === u64(safeHead.l1Origin.number + 1n);
    const stays = timestamp < w1.timestamp || first;
    if (rules.fires('empty/same-epoch', stays, () => ({ timestamp, first })))
      return emptyBatch(w0, safeHead, timestamp);
    this.#blocks = this.#blocks.slice(1);
    return rules.fires('empty/next-epoch', true, context) ? END_OF_DATA : emptyBatch(w1, safeHead, timestamp);
  }
}

function emptyBatch(epoch: L1BlockRef, safeHead: L2Block, timestamp: bigint): Pull<SingleBatch> {
  return {
    kind: 'value',
    value: {
      kind: 'single',
      parentHash: safeHead.hash,
      epochNum: epoch.number,
      epochHash: epoch.hash,
      timestamp,
      transactions: [],
    },
  };
}
