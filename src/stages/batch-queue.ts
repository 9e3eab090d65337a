/**
 * Stage 7 before Holocene: keeps batches until they can be judged, and emits the first acceptable one.
 *
 * Specification: derivation.md#batch-queue, delta/span-batches.md#batch-queue.
 */

import type { Batch, SingleBatch } from '../batch/batch.ts';
import type { L1BlockRef, L2Block } from '../chain/blocks.ts';
import type { SafeChain } from '../chain/safe-chain.ts';
import type { ChainSpec } from '../chain/spec.ts';
import type { Verdict } from '../rules/rule-book.ts';
import { type BatchEnvironment, checkSingleBatch } from '../rules/single.ts';
import { checkSpanBatchFull } from '../rules/span-full.ts';
import { newBlocks } from '../rules/span-new-blocks.ts';
import type { BatchWindow } from './batch-window.ts';
import { END_OF_DATA, type Pull, RETRY } from './pull.ts';
import { SpanBuffer } from './span-buffer.ts';

interface BatchSource {
  readonly origin: L1BlockRef;
  nextBatch(): Pull<Batch>;
}

interface KeptBatch {
  readonly batch: Batch;
  readonly inclusionBlock: L1BlockRef;
}

export class BatchQueue {
  readonly window: BatchWindow;
  readonly #batches: BatchSource;
  readonly #spec: ChainSpec;
  readonly #safeChain: SafeChain;
  readonly #current: SpanBuffer;
  #kept: KeptBatch[] = [];

  constructor(batches: BatchSource, spec: ChainSpec, safeChain: SafeChain, window: BatchWindow) {
    this.#batches = batches;
    this.#spec = spec;
    this.#safeChain = safeChain;
    this.window = window;
    this.#current = new SpanBuffer(spec, 'batch-queue/span-cache');
  }

  get origin(): L1BlockRef {
    return this.#batches.origin;
  }

  next(parent: L2Block): Pull<SingleBatch> {
    const { rules } = this.#spec;
    const buffered = this.#current.next(parent);
    if (buffered !== undefined) return { kind: 'value', value: buffered };
    this.window.update(this.origin, parent);

    const behind = rules.fires('batch-queue/origin-behind', this.origin.number < parent.l1Origin.number);
    const pulled = this.#batches.nextBatch();
    if (pulled.kind !== 'value' && pulled.kind !== 'endOfData') return pulled;
    const outOfData = pulled.kind === 'endOfData';
    if (!behind && pulled.kind === 'value') this.#add(pulled.value, parent);
    if (behind) return outOfData ? END_OF_DATA : RETRY;

    const derived = this.#derive(outOfData, parent);
    return derived.kind === 'endOfData' && !outOfData ? RETRY : derived;
  }

  /** Batches that were kept and single batches not yet emitted, for an activation that does not drop them. */
  get remaining(): readonly Batch[] {
    const singles = this.#current.rest.map((single) => ({ ...single, parentHash: this.#safeChain.head.hash }));
    return [...singles, ...this.#kept.map(({ batch }) => batch)];
  }

  #add(batch: Batch, parent: L2Block): void {
    const kept = { batch, inclusionBlock: this.origin };
    const dropped = this.#check(kept, parent) === 'drop';
    if (!this.#spec.rules.fires('batch-queue/arrival', dropped)) this.#kept.push(kept);
  }

  #check({ batch, inclusionBlock }: KeptBatch, parent: L2Block): Verdict {
    const environment: BatchEnvironment = { ...this.window.environment(parent), inclusionBlock };
    return batch.kind === 'single'
      ? checkSingleBatch(environment, batch)
      : checkSpanBatchFull(environment, batch, this.#safeChain);
  }

  #derive(outOfData: boolean, parent: L2Block): Pull<SingleBatch> {
    const mismatch = this.window.checkEpoch(parent);
    if (mismatch !== undefined) return mismatch;
    const { rules } = this.#spec;
    const remaining: KeptBatch[] = [];
    for (const [index, kept] of this.#kept.entries()) {
      const verdict = this.#check(kept, parent);
      if (rules.fires('batch-queue/undecided-stops', verdict === 'undecided')) {
        this.#kept = [...remaining, ...this.#kept.slice(index)];
        return END_OF_DATA;
      }
      if (rules.fires('batch-queue/first-accepted', verdict === 'accept')) {
        this.#kept = [...remaining, ...this.#kept.slice(index + 1)];
        return this.#emit(kept.batch, parent);
      }
      // Past is a verdict of Holocene's, under which the batch queue is not at work unless a variant keeps it there.
      if (verdict === 'past') return { kind: 'critical', why: 'a batch in the batch queue cannot be past' };
      if (verdict !== 'drop') remaining.push(kept);
    }
    this.#kept = remaining;
    return this.window.nextEmptyBatch(outOfData, parent);
  }

  #emit(batch: Batch, parent: L2Block): Pull<SingleBatch> {
    if (batch.kind === 'single') return { kind: 'value', value: batch };
    const singles = newBlocks(this.window.environment(parent), batch);
    this.#current.fill(singles ?? []);
    const first = this.#current.pop(parent);
    // The full check has looked at every block, so this cannot happen under the base rules.
    if (first === undefined) return { kind: 'critical', why: 'an accepted span batch yields no single batch' };
    return { kind: 'value', value: first };
  }
}
