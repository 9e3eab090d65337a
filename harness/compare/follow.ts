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
import type { Outcome } from '../../src/trace.ts';
import type { Vector } from '../../src/vector.ts';
import type { TraceInteger, TraceJson } from '../trace.ts';
import { BOUNDARIES, type Boundary } from './compare.ts';

/**
 * How far two traces go together: larger is further, infinite is all the way. An earlier boundary weighs more than any
 * number of entries of a later one.
 */
export type Reach = number;

function reachOf(boundary: Boundary, index = 0): Reach {
  return BOUNDARIES.indexOf(boundary) * 2 ** 32 + index;
}

/** The run can come no further than the caller has come before. */
class GivenUp extends Error {}

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
  end({ kind }: Outcome, { number, hash }: L2Block): Reach {
    const trace = this.#trace;
    if (trace === undefined) return Number.POSITIVE_INFINITY;
    for (const name of LIST_NAMES) {
      const length = this.#lengths[name];
      const left = this.#left[name] ?? (length < trace[name].length ? length : undefined);
      if (left !== undefined) return reachOf(name, left);
    }
    if (trace.outcome.kind !== kind) return reachOf('outcome');
    const { safeHead } = trace;
    if (!equal(safeHead.number, number) || safeHead.hash !== toHex(hash)) return reachOf('safeHead');
    return Number.POSITIVE_INFINITY;
  }

  #step(name: ListName, agrees: boolean): void {
    const index = this.#lengths[name];
    this.#lengths[name] = index + 1;
    this.entries += 1;
    if (agrees || this.#trace === undefined || this.#left[name] !== undefined) return;
    this.#left[name] = index;
    if (reachOf(name, index) <= this.#floor) throw new GivenUp();
  }
}

function equal(a: TraceInteger, b: bigint): boolean {
  return typeof a === 'number' ? a === Number(b) : a === b;
}
