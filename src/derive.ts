/** The driver: one vector in, one trace out. */

import type { Variant } from './rules/rule-book.ts';
import type { Trace } from './trace.ts';
import type { Vector } from './vector.ts';

export interface DeriveOptions {
  /** A changed rule set; without one the catalogue's base rules hold. */
  readonly variant?: Variant;
}

/** Derives the vector: the whole interface that the harness uses. Pure and synchronous; never throws on any bytes. */
export function derive(vector: Vector, _options: DeriveOptions = {}): Trace {
  const head = vector.l2[vector.l2.length - 1]!;
  return {
    implementation: { name: 'typescript', version: '0.1.0' },
    frames: [],
    channels: [],
    batches: [],
    flushes: [],
    singles: [],
    outcome: { kind: 'drained' },
    safeHead: { number: head.number, hash: head.hash },
  };
}
