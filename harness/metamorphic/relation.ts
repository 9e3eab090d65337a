/** Relations between two vectors that need no reference: change one in a way that the rules say does not matter, and
 * the same must come out. */

import type { RuleId } from '../../src/rules/catalogue.ts';
import type { Vector } from '../../src/vector.ts';
import type { RuleSide } from '../curated/curated.ts';
import type { TraceJson } from '../trace.ts';

/** A case in which the rules say that the result may differ after all. */
export interface Exception {
  /** If the TypeScript pipeline decides so on either vector, nothing is claimed. */
  readonly side: RuleSide;
  readonly why: string;
}

export interface Relation {
  readonly id: string;
  /** What is changed and what stays, in one sentence. */
  readonly statement: string;
  /** The rules by which it has to hold. */
  readonly grounds: readonly RuleId[];
  readonly exceptions: readonly Exception[];
  /**
   * The vector with the change; `undefined` if it does not apply.
   *
   * @param choice - picks one of several ways
   */
  readonly change: (vector: Vector, choice: number) => Vector | undefined;
  /** What must be the same of both traces; `vector` is the one that was derived. */
  readonly view: (trace: TraceJson, vector: Vector) => unknown;
}

/** All that a trace says. */
export function everything(trace: TraceJson): unknown {
  return { ...without(trace, 'implementation'), outcome: trace.outcome.kind };
}

/** The object without one of its fields. */
export function without<T extends object, K extends keyof T & string>(value: T, field: K): Omit<T, K> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== field)) as Omit<T, K>;
}
