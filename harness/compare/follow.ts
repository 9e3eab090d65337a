/**
 * Follows a run of the pipeline along somebody else's trace: how far do the two go together?
 *
 * Nothing is recorded, and a run that has left the trace too early is given up, so that many runs can be tried.
 */

import type { Batch, SingleBatch } from '../../src/batch/batch.ts';
import { batchHash } from '../../src/batch/hash.ts';
import type { L1BlockRef, L2Block } from '../../src/chain/blocks.ts';
import { blockHash } from '../../src/chain/engine.ts';
import { type DriveObserver, drive, LIST_NAMES, type ListName } from '../../src/derive.ts';
import { toHex } from '../../src/encoding/bytes.ts';
import { keccak256 } from '../../src/encoding/keccak.ts';
import type { Frame } from '../../src/frame.ts';
import type { RuleBook } from '../../src/rules/rule-book.ts';
import type { FlushCause } from '../../src/stages/pull.ts';
import type { Outcome, OutcomeKind } from '../../src/trace.ts';
import type { Vector } from '../../src/vector.ts';
import type { TraceInteger, TraceJson } from '../trace.ts';
import { BOUNDARIES, type Boundary, same } from './compare.ts';

/**
 * How far two traces go together: larger is further, infinite is all the way. An earlier boundary weighs more than any
 * number of entries of a later one.
 */
export type Reach = number;

function reachOf(boundary: Boundary, index = 0): Reach {
  return BOUNDARIES.indexOf(boundary) * 2 ** 32 + index;
}

/** What follows the lists: they are the same, or theirs ended and ours begin like them. */
const WHOLE_LISTS: Reach = reachOf('outcome');

/** The boundary at which two traces part that go together so far; `undefined` if they go all the way. */
export function boundaryOf(reach: Reach): Boundary | undefined {
  return BOUNDARIES[Math.floor(reach / 2 ** 32)];
}

/** The run can come no further than the caller has come before. */
export class GivenUp extends Error {}

/** Where a run stands: entries of each list so far. */
export type Lengths = Readonly<Record<ListName, number>>;

/**
 * How far a run goes along with the trace.
 *
 * @param floor - a run that comes no further is given up
 * @returns the reach, or `undefined` if it is not above the floor
 */
export function follow(vector: Vector, rules: RuleBook, trace: TraceJson, floor: Reach): Reach | undefined {
  const follower = new Follower(trace, floor);
  try {
    const { outcome, safeHead } = drive(vector, rules, follower, blockHash);
    const reach = follower.end(outcome, safeHead);
    return reach > floor ? reach : undefined;
  } catch (error) {
    if (error instanceof GivenUp) return undefined;
    throw error;
  }
}

/** Watches a run; with nobody's trace it counts what is emitted. */
export class Follower implements DriveObserver {
  readonly #trace: TraceJson | undefined;
  readonly #floor: Reach;
  readonly #lengths = { frames: 0, channels: 0, batches: 0, flushes: 0, singles: 0 };
  /** Where each list has left the trace. */
  readonly #left: Partial<Record<ListName, number>> = {};
  entries = 0;

  constructor(trace: TraceJson | undefined, floor: Reach = Number.NEGATIVE_INFINITY) {
    this.#trace = trace;
    this.#floor = floor;
  }

  /** How far a trace goes along with another one: what a run that gave the first would come to. */
  static reach(ours: TraceJson, theirs: TraceJson): Reach {
    const follower = new Follower(theirs);
    for (const name of LIST_NAMES) {
      const other: readonly unknown[] = theirs[name];
      for (const [index, entry] of ours[name].entries()) follower.#step(name, same(entry, other[index]));
    }
    return follower.#end(ours.outcome.kind, () => same(ours.safeHead, theirs.safeHead));
  }

  /** How many entries of each list there have been so far: goes on counting. */
  get lengths(): Lengths {
    return this.#lengths;
  }

  frame(origin: L1BlockRef, { channel, number, data, last }: Frame): void {
    const other = this.#trace?.frames[this.#lengths.frames];
    this.#step(
      'frames',
      other !== undefined &&
        equal(other.origin, origin.number) &&
        other.number === number &&
        other.size === data.length &&
        other.last === last &&
        other.channel === toHex(channel),
    );
  }

  channel(origin: L1BlockRef, data: Uint8Array): void {
    const other = this.#trace?.channels[this.#lengths.channels];
    this.#step(
      'channels',
      other !== undefined &&
        equal(other.origin, origin.number) &&
        other.size === data.length &&
        other.hash === toHex(keccak256(data)),
    );
  }

  batch(origin: L1BlockRef, batch: Batch): void {
    const other = this.#trace?.batches[this.#lengths.batches];
    this.#step(
      'batches',
      other !== undefined &&
        equal(other.origin, origin.number) &&
        other.kind === batch.kind &&
        other.hash === toHex(batchHash(batch)),
    );
  }

  flush(origin: L1BlockRef, cause: FlushCause): void {
    const other = this.#trace?.flushes[this.#lengths.flushes];
    this.#step('flushes', other !== undefined && equal(other.origin, origin.number) && other.cause === cause);
  }

  single(origin: L1BlockRef, { parentHash, epochNum, epochHash, timestamp, transactions }: SingleBatch): void {
    const other = this.#trace?.singles[this.#lengths.singles];
    this.#step(
      'singles',
      other !== undefined &&
        equal(other.origin, origin.number) &&
        equal(other.epochNum, epochNum) &&
        equal(other.timestamp, timestamp) &&
        other.transactions.length === transactions.length &&
        other.parentHash === toHex(parentHash) &&
        other.epochHash === toHex(epochHash) &&
        transactions.every((transaction, index) => toHex(transaction) === other.transactions[index]),
    );
  }

  /** The reach of a run that has ended so. */
  end({ kind }: Pick<Outcome, 'kind'>, { number, hash }: L2Block): Reach {
    return this.#end(kind, ({ safeHead }) => equal(safeHead.number, number) && safeHead.hash === toHex(hash));
  }

  #end(kind: OutcomeKind, isHead: (trace: TraceJson) => boolean): Reach {
    const reach = this.#endOfLists(kind);
    if (reach < WHOLE_LISTS || this.#trace?.outcome.kind !== kind) return reach;
    return isHead(this.#trace) ? Number.POSITIVE_INFINITY : reachOf('safeHead');
  }

  /** The reach of a run that was cut short, with this outcome: where its safe head stands is not known. */
  cut(kind: OutcomeKind): Reach {
    const reach = this.#endOfLists(kind);
    return reach < WHOLE_LISTS || this.#trace?.outcome.kind !== kind ? reach : Number.POSITIVE_INFINITY;
  }

  /** Where the lists part, or {@link WHOLE_LISTS}. */
  #endOfLists(kind: OutcomeKind): Reach {
    const trace = this.#trace;
    if (trace === undefined) return Number.POSITIVE_INFINITY;
    const parted = (name: ListName) => {
      const length = this.#lengths[name];
      return this.#left[name] ?? (length < trace[name].length ? length : undefined);
    };
    const first = LIST_NAMES.find((name) => parted(name) !== undefined);
    if (first === undefined) return WHOLE_LISTS;
    // Of a run that stopped in the middle of what this one did, the end is what differs.
    const stopped = this.#stopped && trace.outcome.kind !== kind;
    if (stopped && LIST_NAMES.every((name) => (parted(name) ?? trace[name].length) === trace[name].length)) {
      return WHOLE_LISTS;
    }
    return reachOf(first, parted(first));
  }

  /** Whether the trace is that of a run that may have stopped in the middle of what another one does. */
  get #stopped(): boolean {
    return this.#trace !== undefined && this.#trace.outcome.kind !== 'drained';
  }

  #step(name: ListName, agrees: boolean): void {
    const index = this.#lengths[name];
    this.#lengths[name] = index + 1;
    this.entries += 1;
    const trace = this.#trace;
    if (agrees || trace === undefined || this.#left[name] !== undefined) return;
    this.#left[name] = index;
    const reachable = this.#stopped && index === trace[name].length ? WHOLE_LISTS : reachOf(name, index);
    if (reachable <= this.#floor) throw new GivenUp();
  }
}

function equal(a: TraceInteger, b: bigint): boolean {
  return typeof a === 'number' ? a === Number(b) : a === b;
}
