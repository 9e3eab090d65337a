/**
 * Stage 7 from Holocene on: judges one single batch at a time and keeps none.
 *
 * Specification: holocene/derivation.md#batch-queue.
 */

import type { Batch, SingleBatch } from '../batch/batch.ts';
import type { L1BlockRef, L2Block } from '../chain/blocks.ts';
import type { ChainSpec } from '../chain/spec.ts';
import { type BatchEnvironment, checkSingleBatch } from '../rules/single.ts';
import type { BatchWindow } from './batch-window.ts';
import { type FlushCause, type Pull, RETRY } from './pull.ts';

interface SingleBatchSource {
  readonly origin: L1BlockRef;
  nextBatch(): Pull<Batch>;
  nextDrained(environment: BatchEnvironment): Pull<Batch>;
  nextSingle(environment: BatchEnvironment): Pull<SingleBatch>;
  flushChannel(cause: FlushCause): void;
}

export class BatchValidator {
  readonly window: BatchWindow;
  readonly #batches: SingleBatchSource;
  readonly #spec: ChainSpec;

  constructor(batches: SingleBatchSource, spec: ChainSpec, window: BatchWindow) {
    this.#batches = batches;
    this.#spec = spec;
    this.window = window;
  }

  get origin(): L1BlockRef {
    return this.#batches.origin;
  }

  next(parent: L2Block): Pull<SingleBatch> {
    const { rules } = this.#spec;
    this.window.update(this.origin, parent);

    // A channel read at or before the safe head's L1 origin can only hold past batches.
    if (rules.fires('batch-validator/drain', this.origin.number <= parent.l1Origin.number)) {
      const drained = rules.isExtended
        ? this.#batches.nextDrained(this.window.environment(parent))
        : this.#batches.nextBatch();
      return drained.kind === 'value' ? RETRY : drained;
    }
    if (rules.fires('batch-validator/two-origins', this.window.blocks.length < 2)) {
      return { kind: 'critical', why: 'fewer than two L1 blocks in the window' };
    }
    const mismatch = this.window.checkEpoch(parent);
    if (mismatch !== undefined) return mismatch;

    const environment = this.window.environment(parent);
    const candidate = this.#batches.nextSingle(environment);
    if (candidate.kind === 'endOfData') return this.window.nextEmptyBatch(true, parent);
    if (candidate.kind !== 'value') return candidate;

    const verdict = checkSingleBatch(environment, candidate.value);
    switch (verdict) {
      case 'accept':
        // A variant may accept a batch on another parent, and the block builds on the safe head all the same.
        if (rules.variant !== undefined)
          return { kind: 'value', value: { ...candidate.value, parentHash: parent.hash } };
        return candidate;
      case 'past':
        if (!rules.fires('batch-validator/single-past', true)) this.#batches.flushChannel('batch');
        return RETRY;
      case 'drop':
        if (rules.fires('batch-validator/single-drop', true)) this.#batches.flushChannel('batch');
        return RETRY;
      case 'undecided':
        return RETRY;
      case 'future':
        return { kind: 'critical', why: 'a single batch cannot be future after Holocene' };
      default:
        return verdict satisfies never;
    }
  }
}
