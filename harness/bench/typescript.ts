/**
 * Times the TypeScript pipeline on one vector, as `--bench` of the reference adapters does: nothing is recorded, and
 * the simulated engine takes its block hashes from an earlier run.
 */

import { blockHash } from '../../src/chain/engine.ts';
import { type DriveObserver, drive } from '../../src/derive.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';

/** One line of a bench: how long a derivation of the vector takes, in nanoseconds. */
export interface BenchLine {
  readonly name: string;
  readonly iterations: number;
  readonly medianNanoseconds: number;
}

/** Counts entries, as the driver needs, and keeps nothing. */
class Counter implements DriveObserver {
  entries = 0;
  readonly #count = () => {
    this.entries += 1;
  };
  frame = this.#count;
  channel = this.#count;
  batch = this.#count;
  flush = this.#count;
  single = this.#count;
}

/**
 * Derives the vector again and again.
 *
 * @param milliseconds - for about how long, after a warm-up of a fifth of it
 */
export function benchTypescript(vector: Vector, milliseconds: number): BenchLine {
  const hashes: Uint8Array[] = [];
  drive(vector, new RuleBook(), new Counter(), (...block) => {
    const hash = blockHash(...block);
    hashes.push(hash);
    return hash;
  });
  const run = () => {
    let built = 0;
    drive(vector, new RuleBook(), new Counter(), () => hashes[built++]!);
  };
  repeat(run, milliseconds / 5);
  const times = repeat(run, milliseconds).sort((a, b) => a - b);
  return {
    name: vector.name,
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
