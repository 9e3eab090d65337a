/**
 * Times the TypeScript pipeline on one vector, as `--bench` of the reference adapters does: nothing is recorded, and
 * the simulated engine takes its block hashes from an earlier run.
 */

import { blockHash } from '../../src/chain/engine.ts';
import { BROTLI_VERSION } from '../../src/channel.ts';
import { type DriveObserver, drive } from '../../src/derive.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';

/** One line of a bench: how long a derivation of the vector takes, in nanoseconds. */
export interface BenchLine {
  readonly name: string;
  readonly iterations: number;
  readonly medianNanoseconds: number;
}

/** A bench of the TypeScript pipeline, with what it saw of the vector. */
export interface TypescriptBenchLine extends BenchLine {
  /** Whether a channel was handed to the reader that is compressed with brotli. */
  readonly brotli: boolean;
}

/** Counts entries, as the driver needs, and keeps nothing. */
class Counter implements DriveObserver {
  entries = 0;
  brotli = false;
  readonly #count = () => {
    this.entries += 1;
  };
  frame = this.#count;
  channel: DriveObserver['channel'] = (_origin, data) => {
    this.entries += 1;
    this.brotli ||= data[0] === BROTLI_VERSION;
  };
  batch = this.#count;
  flush = this.#count;
  single = this.#count;
}

/**
 * Derives the vector again and again.
 *
 * @param milliseconds - for about how long, after a warm-up of a fifth of it
 */
export function benchTypescript(vector: Vector, milliseconds: number): TypescriptBenchLine {
  const hashes: Uint8Array[] = [];
  const first = new Counter();
  drive(vector, new RuleBook(), first, (...block) => {
    const hash = blockHash(...block);
    hashes.push(hash);
    return hash;
  });
  // One rule book for all runs, as a campaign has it.
  const rules = new RuleBook();
  const run = () => {
    let built = 0;
    drive(vector, rules, new Counter(), () => hashes[built++]!);
  };
  repeat(run, milliseconds / 5);
  const times = repeat(run, milliseconds).sort((a, b) => a - b);
  return {
    name: vector.name,
    brotli: first.brotli,
    iterations: times.length,
    medianNanoseconds: Math.round(times[times.length >> 1]! * 1e6),
  };
}

/** The duration of each run in milliseconds; at least one. */
function repeat(run: () => void, milliseconds: number): number[] {
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  let start = performance.now();
  do {
    run();
    const now = performance.now();
    times.push(now - start);
    start = now;
  } while (start < end);
  return times;
}
