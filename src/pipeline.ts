/**
 * The derivation pipeline: stages strung together so that each pulls from the one before it.
 *
 *  1. L1 traversal      walks the L1 chain
 *  2. L1 retrieval      yields the batcher data of a block, item by item
 *  3. frame queue       parses items into frames; from Holocene on drops what cannot be contiguous
 *  4. channel provider  channel bank before Holocene, channel assembler from it on
 *  5. channel reader    decompresses a channel and decodes its batches
 *  6. batch stream      hands batches through; from Holocene on turns span batches into single batches
 *  7. batch provider    batch queue before Holocene, batch validator from it on
 *
 * Specification: derivation.md#l2-chain-derivation-pipeline, holocene/derivation.md#overview.
 */

import type { Batch, SingleBatch } from './batch/batch.ts';
import type { L1BlockRef } from './chain/blocks.ts';
import { FORKS, type Fork } from './chain/config.ts';
import type { SafeChain } from './chain/safe-chain.ts';
import type { ChainSpec } from './chain/spec.ts';
import type { Frame } from './frame.ts';
import { BatchProvider } from './stages/batch-provider.ts';
import { BatchStream } from './stages/batch-stream.ts';
import { ChannelProvider } from './stages/channel-provider.ts';
import { ChannelReader } from './stages/channel-reader.ts';
import { FrameQueue } from './stages/frame-queue.ts';
import { L1Retrieval } from './stages/l1-retrieval.ts';
import { L1Traversal } from './stages/l1-traversal.ts';
import type { FlushCause, NoValue, Pull } from './stages/pull.ts';
import type { Vector } from './vector.ts';

/** Sees what crosses the boundaries between stages, with the L1 origin at that moment. */
export interface PipelineObserver {
  /** A frame goes from the frame queue to the channel stage. */
  frame(origin: L1BlockRef, frame: Frame): void;
  /** A complete channel, still compressed, goes to the channel reader. */
  channel(origin: L1BlockRef, data: Uint8Array): void;
  /** A decoded batch goes to the batch stage. */
  batch(origin: L1BlockRef, batch: Batch): void;
  /** The rest of the current span batch and channel is forgotten. */
  flush(origin: L1BlockRef, cause: FlushCause): void;
}

/** What a tap needs of a stage. */
interface Source<T> {
  readonly origin: L1BlockRef;
  next(): Pull<T>;
}

/** Stands between two stages and shows the observer every value that passes. */
class Tap<T> implements Source<T> {
  readonly #source: Source<T>;
  readonly #see: (origin: L1BlockRef, value: T) => void;

  constructor(source: Source<T>, see: (origin: L1BlockRef, value: T) => void) {
    this.#source = source;
    this.#see = see;
  }

  get origin(): L1BlockRef {
    return this.#source.origin;
  }

  next(): Pull<T> {
    const pulled = this.#source.next();
    if (pulled.kind === 'value') this.#see(this.origin, pulled.value);
    return pulled;
  }
}

/** A tap on a stage that can be flushed: shows the observer that too. */
class FlushTap<T> extends Tap<T> {
  readonly #source: Source<T> & { flushChannel(cause: FlushCause): void };
  readonly #seeFlush: (origin: L1BlockRef, cause: FlushCause) => void;

  constructor(
    source: Source<T> & { flushChannel(cause: FlushCause): void },
    see: (origin: L1BlockRef, value: T) => void,
    seeFlush: (origin: L1BlockRef, cause: FlushCause) => void,
  ) {
    super(source, see);
    this.#source = source;
    this.#seeFlush = seeFlush;
  }

  flushChannel(cause: FlushCause): void {
    this.#seeFlush(this.origin, cause);
    this.#source.flushChannel(cause);
  }
}

/**
 * The pipeline, for those who want to drive it step by step: {@link derive} does that for a whole vector. The caller is
 * the engine: it appends each block to the safe chain before it asks for the next batch.
 */
export class Pipeline {
  readonly #spec: ChainSpec;
  readonly #safeChain: SafeChain;
  readonly #traversal: L1Traversal;
  readonly #retrieval: L1Retrieval;
  readonly #frameQueue: FrameQueue;
  readonly #channelProvider: ChannelProvider;
  readonly #channelReader: ChannelReader;
  readonly #batchStream: BatchStream;
  readonly #batchProvider: BatchProvider;

  /** A pipeline that is reset to the vector's first L1 block. */
  constructor(vector: Vector, spec: ChainSpec, safeChain: SafeChain, observer: PipelineObserver) {
    this.#spec = spec;
    this.#safeChain = safeChain;
    this.#traversal = new L1Traversal(vector.l1, spec.rules);
    this.#retrieval = new L1Retrieval(this.#traversal);
    this.#frameQueue = new FrameQueue(this.#retrieval, spec);
    const frames = new Tap(this.#frameQueue, (origin, frame: Frame) => observer.frame(origin, frame));
    this.#channelProvider = new ChannelProvider(frames, spec);
    const channels = new FlushTap(
      this.#channelProvider,
      (origin, data: Uint8Array) => observer.channel(origin, data),
      () => {},
    );
    this.#channelReader = new ChannelReader(channels, spec);
    const batches = new FlushTap(
      this.#channelReader,
      (origin, batch: Batch) => observer.batch(origin, batch),
      (origin, cause) => observer.flush(origin, cause),
    );
    this.#batchStream = new BatchStream(batches, spec, safeChain);
    this.#batchProvider = new BatchProvider(this.#batchStream, spec, safeChain);
    this.#reset();
  }

  /** The L1 block on which the pipeline stands. */
  get origin(): L1BlockRef {
    return this.#traversal.origin;
  }

  /** The next single batch on the safe head. */
  next(): Pull<SingleBatch> {
    return this.#batchProvider.next(this.#safeChain.head);
  }

  /**
   * Moves the origin to the next L1 block; when that steps into Holocene, the stages change before anything is read.
   *
   * @returns `undefined` when the origin moved, the end when there is no further L1 block, or a reset request
   */
  advance(): NoValue | undefined {
    const before = this.origin.timestamp;
    const stopped = this.#traversal.advance();
    if (stopped !== undefined) return stopped;
    const { rules } = this.#spec;
    const steps = this.#activates('holocene', before);
    if (rules.fires('activation/trigger', steps, () => ({ before, after: this.origin.timestamp }))) {
      const earlier = FORKS.slice(0, FORKS.indexOf('holocene'));
      const together = earlier.some((fork) => this.#activates(fork, before));
      // The stages change even when an earlier fork activates at the same step.
      if (!together || rules.fires('activation/several-forks', true)) this.#activateHolocene();
    }
    return undefined;
  }

  /** The driver's flush after a refused payload was replaced. */
  flushChannel(cause: FlushCause): void {
    this.#batchProvider.flushChannel(cause);
  }

  #activates(fork: Fork, before: bigint): boolean {
    return this.#spec.isActive(fork, this.origin.timestamp) && !this.#spec.isActive(fork, before);
  }

  #activateHolocene(): void {
    const items = () => ({ items: this.#traversal.block.data.length });
    if (!this.#spec.rules.fires('activation/data-once', true, items)) this.#retrieval.reset();
    this.#frameQueue.activateHolocene();
    this.#channelProvider.activateHolocene();
    this.#batchProvider.activateHolocene();
  }

  #reset(): void {
    if (!this.#spec.rules.fires('reset/stages', true)) return;
    this.#traversal.reset();
    this.#retrieval.reset();
    this.#frameQueue.reset();
    this.#channelProvider.reset();
    this.#channelReader.reset();
    this.#batchStream.reset();
    this.#batchProvider.reset();
  }
}
