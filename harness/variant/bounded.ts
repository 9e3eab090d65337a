/**
 * Derivation under rules that nobody has tried: it may never end, since a changed rule can emit empty batches for ever.
 */

import { derive } from '../../src/derive.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { type Rejection, RuleBook, type RuleContext, type Variant } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { silentTrace, type TraceJson, traceToJson } from '../trace.ts';

/** So many decisions no vector needs by far, beyond the length of {@link SHARE} runs of the base. */
const SPARE = 200_000;

/** A changed rule set may take so many times the decisions of the base. */
const SHARE = 20;

class RunawayError extends Error {}

/** Gives up after so many decisions. */
export class BoundedRuleBook extends RuleBook {
  #left: number;

  constructor(variant: Variant | undefined, decisions: number) {
    super(variant);
    this.#left = decisions;
  }

  override fires(rule: RuleId, base: boolean, context?: () => RuleContext): boolean {
    this.#count();
    return super.fires(rule, base, context);
  }

  override rejects(
    rule: RuleId,
    base: boolean,
    verdict: Rejection,
    context?: () => RuleContext,
  ): Rejection | undefined {
    this.#count();
    return super.rejects(rule, base, verdict, context);
  }

  #count(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new RunawayError();
  }
}

/** How many decisions a run took. */
export function decisionsOf({ fired, passed }: RuleBook): number {
  let total = 0;
  for (let index = 0; index < fired.length; index++) total += fired[index]! + passed[index]!;
  return total;
}

/** The rule book for a variant's run on a vector for which the base took so many decisions. */
export function boundedBook(variant: Variant | undefined, baseDecisions: number): BoundedRuleBook {
  return new BoundedRuleBook(variant, baseDecisions * SHARE + SPARE);
}

/** The trace; one that does not end is that of a pipeline that is out of time. */
export function deriveBounded(vector: Vector, rules: BoundedRuleBook): TraceJson {
  try {
    return traceToJson(derive(vector, { rules }));
  } catch (error) {
    if (!(error instanceof RunawayError)) throw error;
    return silentTrace({ name: 'typescript', version: '' }, 'timeout', 'does not end', vector);
  }
}
