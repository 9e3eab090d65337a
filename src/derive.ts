/**
 * The driver: one vector in, one trace out.
 *
 * It asks the pipeline for the next batch on the safe head, applies it to the simulated engine, and moves the L1 origin
 * on when the pipeline has no more data.
 */

import type { Batch, SingleBatch } from './batch/batch.ts';
import { batchHash } from './batch/hash.ts';
import type { L1BlockRef, L2Block } from './chain/blocks.ts';
import { type BlockHash, blockHash, buildBlock } from './chain/engine.ts';
import { SafeChain } from './chain/safe-chain.ts';
import { ChainSpec } from './chain/spec.ts';
import { keccak256 } from './encoding/keccak.ts';
import type { Frame } from './frame.ts';
import { Pipeline, type PipelineObserver } from './pipeline.ts';
import { type Decision, RuleBook, type Variant } from './rules/rule-book.ts';
import type { FlushCause } from './stages/pull.ts';
import type { BatchEntry, ChannelEntry, FlushEntry, FrameEntry, Outcome, SingleEntry, Trace } from './trace.ts';
import type { Vector } from './vector.ts';
import { VERSION } from './version.ts';

/** So many retries in a row, with neither a list entry nor a new origin, mean that a run is stalled. */
const STALLED_AFTER = 10_000;

/**
 * So many batches at one L1 block without end mean that a run would never end: a block time of zero fills an expired
 * sequencing window for ever, and so does a variant that makes empty batches always due. A real chain stays far below.
 */
const ENDLESS_AFTER = 500_000;

/** A decision of the rule book and where in the run it was taken. */
export interface TracedDecision extends Decision {
  /** Number of the L1 origin. */
  readonly origin: bigint;
  /** How many entries each list of the trace had at that moment. */
  readonly at: Readonly<Record<ListName, number>>;
}

/** The lists of a trace, in the order of the boundaries. */
export const LIST_NAMES = ['frames', 'channels', 'batches', 'flushes', 'singles'] as const;

/** The name of one of {@link LIST_NAMES}. */
export type ListName = (typeof LIST_NAMES)[number];

/** What a run may be given besides the vector. */
export interface DeriveOptions {
  /** A changed rule set; without one the catalogue's base rules hold. */
  readonly variant?: Variant;
  /** The rule book to ask, for its counters; made from the variant when absent. */
  readonly rules?: RuleBook;
  /** Hears every decision, in order. Explaining costs time: leave it out in a campaign. */
  readonly onDecision?: (decision: TracedDecision) => void;
}

/** Derives the vector: the whole interface that the harness uses. Pure and synchronous; never throws on any bytes. */
export function derive(vector: Vector, options: DeriveOptions = {}): Trace {
  const rules = options.rules ?? new RuleBook(options.variant);
  const recorder = new Recorder();
  const { onDecision } = options;
  let origin: L1BlockRef = vector.l1[0];
  if (onDecision !== undefined) {
    rules.listener = (decision) => onDecision({ ...decision, origin: origin.number, at: recorder.lengths() });
  }
  const { outcome, safeHead } = drive(vector, rules, recorder, blockHash, (moved) => {
    origin = moved;
  });
  rules.listener = undefined;
  return {
    implementation: { name: 'typescript', version: VERSION },
    ...recorder.lists(),
    outcome,
    safeHead: { number: safeHead.number, hash: safeHead.hash },
  };
}

/** Sees what the driver emits besides what passes inside the pipeline. */
export interface DriveObserver extends PipelineObserver {
  /** How many entries were seen in all: a change means progress. */
  readonly entries: number;
  single(origin: L1BlockRef, batch: SingleBatch): void;
  /** Sees the block that an emitted batch became. */
  block?(block: L2Block): void;
}

/**
 * Runs the pipeline over the vector.
 *
 * @param hash - gives the simulated engine its block hashes
 * @param onOrigin - told whenever the origin has moved
 */
export function drive(
  vector: Vector,
  rules: RuleBook,
  observer: DriveObserver,
  hash: BlockHash,
  onOrigin: (origin: L1BlockRef) => void = () => {},
): { readonly outcome: Outcome; readonly safeHead: L2Block } {
  const spec = new ChainSpec(vector.config, rules);
  const safeChain = new SafeChain(vector.l2);
  const pipeline = new Pipeline(vector, spec, safeChain, observer);
  const engine = new Engine(vector, spec, safeChain, pipeline, hash);
  const outcome = runToEnd(pipeline, engine, observer, onOrigin);
  return { outcome, safeHead: safeChain.head };
}

function runToEnd(
  pipeline: Pipeline,
  engine: Engine,
  observer: DriveObserver,
  onOrigin: (origin: L1BlockRef) => void,
): Outcome {
  let retries = 0;
  let emitted = 0;
  let seen = observer.entries;
  for (;;) {
    const pulled = pipeline.next();
    switch (pulled.kind) {
      case 'value':
        observer.single(pipeline.origin, pulled.value);
        engine.apply(pulled.value, observer);
        retries = 0;
        emitted += 1;
        if (emitted > ENDLESS_AFTER) return { kind: 'timeout', message: 'batches without end at one L1 block' };
        break;
      case 'retry':
        retries = observer.entries === seen ? retries + 1 : 1;
        seen = observer.entries;
        if (retries > STALLED_AFTER) return { kind: 'stalled' };
        break;
      case 'endOfData': {
        const stopped = pipeline.advance();
        if (stopped?.kind === 'endOfData') return { kind: 'drained' };
        if (stopped?.kind === 'reset') return { kind: 'reset', message: stopped.why };
        onOrigin(pipeline.origin);
        retries = 0;
        emitted = 0;
        break;
      }
      case 'reset':
      case 'critical':
        return { kind: pulled.kind, message: pulled.why };
      default:
        return pulled satisfies never;
    }
  }
}

/** The engine's part. */
class Engine {
  readonly #invalid: ReadonlySet<bigint>;
  readonly #spec: ChainSpec;
  readonly #safeChain: SafeChain;
  readonly #pipeline: Pipeline;
  readonly #hash: BlockHash;

  constructor(vector: Vector, spec: ChainSpec, safeChain: SafeChain, pipeline: Pipeline, hash: BlockHash) {
    this.#invalid = new Set(vector.invalidBlocks);
    this.#spec = spec;
    this.#safeChain = safeChain;
    this.#pipeline = pipeline;
    this.#hash = hash;
  }

  /** Builds the block, without its transactions if the payload is refused from Holocene on. */
  apply(batch: SingleBatch, observer: DriveObserver): void {
    const { rules } = this.#spec;
    const parent = this.#safeChain.head;
    const refused =
      this.#invalid.has(parent.number + 1n) &&
      batch.transactions.length > 0 &&
      this.#spec.isActive('holocene', this.#pipeline.origin.timestamp);
    const replaced = rules.fires('engine/deposits-only', refused, () => ({ number: parent.number + 1n }));
    const block = buildBlock(parent, batch, replaced ? [] : batch.transactions, this.#hash);
    this.#safeChain.append(block);
    observer.block?.(block);
    if (rules.fires('engine/replacement-flushes', replaced)) this.#pipeline.flushChannel('execution');
  }
}

/** Collects the lists of a trace. */
class Recorder implements DriveObserver {
  readonly #frames: FrameEntry[] = [];
  readonly #channels: ChannelEntry[] = [];
  readonly #batches: BatchEntry[] = [];
  readonly #flushes: FlushEntry[] = [];
  readonly #singles: SingleEntry[] = [];
  entries = 0;

  frame(origin: L1BlockRef, { channel, number, data, last }: Frame): void {
    this.entries += 1;
    this.#frames.push({ origin: origin.number, channel, number, size: data.length, last });
  }

  channel(origin: L1BlockRef, data: Uint8Array): void {
    this.entries += 1;
    this.#channels.push({ origin: origin.number, size: data.length, hash: keccak256(data) });
  }

  batch(origin: L1BlockRef, batch: Batch): void {
    this.entries += 1;
    this.#batches.push({ origin: origin.number, kind: batch.kind, hash: batchHash(batch) });
  }

  flush(origin: L1BlockRef, cause: FlushCause): void {
    this.entries += 1;
    this.#flushes.push({ origin: origin.number, cause });
  }

  single(origin: L1BlockRef, { parentHash, epochNum, epochHash, timestamp, transactions }: SingleBatch): void {
    this.entries += 1;
    this.#singles.push({ origin: origin.number, parentHash, epochNum, epochHash, timestamp, transactions });
  }

  lengths(): Readonly<Record<ListName, number>> {
    return {
      frames: this.#frames.length,
      channels: this.#channels.length,
      batches: this.#batches.length,
      flushes: this.#flushes.length,
      singles: this.#singles.length,
    };
  }

  lists(): Pick<Trace, ListName> {
    return {
      frames: this.#frames,
      channels: this.#channels,
      batches: this.#batches,
      flushes: this.#flushes,
      singles: this.#singles,
    };
  }
}
