/**
 * Which batch stage is at work: the batch queue before Holocene, the batch validator from it on.
 *
 * Specification: holocene/derivation.md#activation.
 */

import type { SingleBatch } from '../batch/batch.ts';
import type { L1BlockRef, L2Block } from '../chain/blocks.ts';
import type { SafeChain } from '../chain/safe-chain.ts';
import type { ChainSpec } from '../chain/spec.ts';
import { BatchQueue } from './batch-queue.ts';
import type { BatchStream } from './batch-stream.ts';
import { BatchValidator } from './batch-validator.ts';
import { BatchWindow } from './batch-window.ts';
import type { FlushCause, Pull } from './pull.ts';

export class BatchProvider {
  readonly #stream: BatchStream;
  readonly #spec: ChainSpec;
  readonly #safeChain: SafeChain;
  #stage: BatchQueue | BatchValidator;

  constructor(stream: BatchStream, spec: ChainSpec, safeChain: SafeChain) {
    this.#stream = stream;
    this.#spec = spec;
    this.#safeChain = safeChain;
    this.#stage = this.#freshStage();
  }

  get origin(): L1BlockRef {
    return this.#stream.origin;
  }

  /** The next single batch on the parent. */
  next(parent: L2Block): Pull<SingleBatch> {
    return this.#stage.next(parent);
  }

  flushChannel(cause: FlushCause): void {
    this.#stream.flushChannel(cause);
  }

  /** Swaps the stages: the window goes on, batches that were kept do not. */
  activateHolocene(): void {
    const before = this.#stage;
    if (!(before instanceof BatchQueue)) return;
    const { rules } = this.#spec;
    if (!rules.fires('activation/window-kept', true)) before.window.clear();
    if (!rules.fires('activation/batches-dropped', true)) this.#stream.adopt(before.remaining);
    this.#stage = new BatchValidator(this.#stream, this.#spec, before.window);
  }

  /** Starts the stage that the origin's time asks for; its window holds the origin alone. */
  reset(): void {
    this.#stage = this.#freshStage();
  }

  #freshStage(): BatchQueue | BatchValidator {
    const window = new BatchWindow(this.#spec, this.origin);
    return this.#spec.isActive('holocene', this.origin.timestamp)
      ? new BatchValidator(this.#stream, this.#spec, window)
      : new BatchQueue(this.#stream, this.#spec, this.#safeChain, window);
  }
}
