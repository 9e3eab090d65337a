/**
 * Stage 6: from Holocene on, turns span batches into single batches, so that the batch validator never sees a span
 * batch. Before Holocene batches are handed through.
 *
 * Specification: holocene/derivation.md#span-batches.
 */

import type { Batch, SingleBatch, SpanBatch } from '../batch/batch.ts';
import type { L1BlockRef, L2Block } from '../chain/blocks.ts';
import type { SafeChain } from '../chain/safe-chain.ts';
import type { ChainSpec } from '../chain/spec.ts';
import type { Verdict } from '../rules/rule-book.ts';
import type { BatchEnvironment } from '../rules/single.ts';
import { newBlocks } from '../rules/span-new-blocks.ts';
import { checkSpanBatchOverlap } from '../rules/span-overlap.ts';
import { checkSpanBatchPrefix } from '../rules/span-prefix.ts';
import { END_OF_DATA, type FlushCause, type Pull, RETRY } from './pull.ts';
import { SpanBuffer } from './span-buffer.ts';

interface BatchSource {
  readonly origin: L1BlockRef;
  next(): Pull<Batch>;
  flushChannel(cause: FlushCause): void;
}

export class BatchStream {
  readonly #batches: BatchSource;
  readonly #spec: ChainSpec;
  readonly #safeChain: SafeChain;
  readonly #current: SpanBuffer;
  /** Batches that wait for an undecided one before them. The base rules never keep one: a variant may. */
  #waiting: Batch[] = [];

  constructor(batches: BatchSource, spec: ChainSpec, safeChain: SafeChain) {
    this.#batches = batches;
    this.#spec = spec;
    this.#safeChain = safeChain;
    this.#current = new SpanBuffer(spec, 'batch-validator/lazy-span');
  }

  get origin(): L1BlockRef {
    return this.#batches.origin;
  }

  /** The next batch as the channel reader gives it, unchecked; what is buffered stays. */
  nextBatch(): Pull<Batch> {
    return this.#batches.next();
  }

  /** The next batch that is thrown away, where a variant may have it judged. */
  nextDrained(environment: BatchEnvironment): Pull<Batch> {
    const { rules } = this.#spec;
    const judged = () => rules.extend('batch-validator/drain', environment) !== undefined;
    // Where a span batch is being handed out, and where others wait, judging goes on with these.
    if ((!this.#current.isEmpty || this.#waiting.length > 0) && judged()) return this.nextSingle(environment);
    const pulled = this.nextBatch();
    return pulled.kind === 'value' && pulled.value.kind === 'span' && judged()
      ? this.#take(pulled.value, environment)
      : pulled;
  }

  /** The next candidate for the safe head, from Holocene on. */
  nextSingle(environment: BatchEnvironment): Pull<SingleBatch> {
    const { safeHead } = environment;
    const buffered = this.#current.next(safeHead);
    if (buffered !== undefined) return { kind: 'value', value: buffered };
    if (this.#waiting.length > 0) return this.#nextWaiting(environment);
    const pulled = this.#batches.next();
    if (pulled.kind !== 'value') return pulled;
    return this.#take(pulled.value, environment);
  }

  #take(batch: Batch, environment: BatchEnvironment): Pull<SingleBatch> {
    if (batch.kind === 'single') return { kind: 'value', value: batch };
    const { rules } = this.#spec;
    const verdict = this.#checkSpanBatch(environment, batch);
    switch (verdict) {
      case 'accept':
        return this.#extract(batch, environment);
      case 'past':
        if (!rules.fires('batch-validator/span-past', true)) this.flushChannel('batch');
        return RETRY;
      case 'undecided':
        if (!rules.fires('batch-validator/span-undecided', true)) this.#waiting.unshift(batch);
        return RETRY;
      case 'drop':
        if (rules.fires('batch-validator/span-drop', true)) this.flushChannel('batch');
        if (rules.isExtended && rules.extend('batch-stream/dropped', { ...environment, batch }) !== undefined)
          return END_OF_DATA;
        return RETRY;
      case 'future':
        return { kind: 'critical', why: 'a span batch cannot be future after Holocene' };
      default:
        return verdict satisfies never;
    }
  }

  /** Looks at the batch that waits longest again; while it is undecided, what comes meanwhile queues up behind it. */
  #nextWaiting(environment: BatchEnvironment): Pull<SingleBatch> {
    const waiting = this.#waiting.length;
    const taken = this.#take(this.#waiting.shift()!, environment);
    if (taken.kind !== 'retry' || this.#waiting.length < waiting) return taken;
    const pulled = this.#batches.next();
    if (pulled.kind !== 'value') return pulled;
    this.#waiting.push(pulled.value);
    return RETRY;
  }

  #checkSpanBatch(environment: BatchEnvironment, batch: SpanBatch): Verdict {
    const prefix = checkSpanBatchPrefix(environment, batch, this.#safeChain);
    if (prefix.kind === 'rejected') return prefix.verdict;
    const overlap = checkSpanBatchOverlap(environment, batch, prefix.parent, this.#safeChain);
    if (overlap !== undefined) return overlap;
    const { rules } = environment.spec;
    return (rules.isExtended ? rules.extend('batch/span', { ...environment, batch }) : undefined) ?? 'accept';
  }

  #extract(batch: SpanBatch, environment: BatchEnvironment): Pull<SingleBatch> {
    const singles = newBlocks(environment, batch);
    if (singles === undefined) {
      if (this.#spec.rules.fires('batch-validator/span-extraction', true)) this.flushChannel('batch');
      return RETRY;
    }
    this.#current.fill(singles);
    const first = this.#current.pop(environment.safeHead);
    return first === undefined ? RETRY : { kind: 'value', value: first };
  }

  /** Forgets the rest of the current span batch and of its channel. */
  flushChannel(cause: FlushCause): void {
    this.#current.clear();
    this.#waiting = [];
    if (this.#spec.rules.fires('batch-validator/flush-scope', true, () => ({ cause })))
      this.#batches.flushChannel(cause);
  }

  /** Takes batches over that were kept before Holocene, at an activation that does not drop them. */
  adopt(batches: readonly Batch[]): void {
    this.#waiting = [...batches];
  }

  reset(): void {
    this.#current.clear();
    this.#waiting = [];
  }

  /** The safe head's chain, for the batch stage behind this one. */
  get safeHead(): L2Block {
    return this.#safeChain.head;
  }
}
