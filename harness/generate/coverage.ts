/**
 * What a heap of vectors reaches: each rule on both sides, in each era, and every verdict, flush cause and outcome.
 *
 * A generator is judged by this table. A cell that could be reached and stays empty is a rule that no comparison has
 * ever put to the test.
 */

import { type DeriveOptions, derive } from '../../src/derive.ts';
import { RULE_IDS, type RuleId, eraOf as ruleEra } from '../../src/rules/catalogue.ts';
import { RuleBook, type Verdict } from '../../src/rules/rule-book.ts';
import type { OutcomeKind, Trace } from '../../src/trace.ts';
import type { Vector } from '../../src/vector.ts';
import type { Era } from '../scenario/scenario.ts';

export const ERAS = ['before', 'across', 'after'] as const satisfies Era[];

/** Whether a rule fired or was asked and did not. */
export type RuleSide = 'fired' | 'passed';

/** On which side of Holocene's activation the vector's L1 blocks lie. */
export function eraOf({ config, l1 }: Vector): Era {
  const { holocene } = config.forks;
  if (holocene === null || l1[l1.length - 1]!.timestamp < holocene) return 'before';
  return l1[0].timestamp < holocene ? 'across' : 'after';
}

/** How often each side of each rule was seen, by the rule's position in the catalogue. */
type Counters = Readonly<Record<RuleSide, Float64Array>>;

const counters = (): Counters => ({
  fired: new Float64Array(RULE_IDS.length),
  passed: new Float64Array(RULE_IDS.length),
});

function count<K extends string>(counts: Partial<Record<K, number>>, key: K, by = 1): void {
  counts[key] = (counts[key] ?? 0) + by;
}

export class Coverage {
  vectors = 0;
  readonly rules: Readonly<Record<Era, Counters>> = { before: counters(), across: counters(), after: counters() };
  /** Verdicts on batches; those that were accepted are counted by the blocks that came of them. */
  readonly verdicts: Partial<Record<Verdict, number>> = {};
  readonly flushes: Partial<Record<Trace['flushes'][number]['cause'], number>> = {};
  readonly outcomes: Partial<Record<OutcomeKind, number>> = {};

  /** Derives the vector and counts what it reached. */
  derive(vector: Vector, options: Omit<DeriveOptions, 'rules' | 'onDecision'> = {}): Trace {
    const rules = new RuleBook(options.variant);
    const trace = derive(vector, {
      rules,
      onDecision: ({ verdict }) => {
        if (verdict !== undefined) count(this.verdicts, verdict);
      },
    });
    this.add(vector, rules, trace);
    return trace;
  }

  /** Adds a run that was made with this rule book. */
  add(vector: Vector, rules: RuleBook, trace: Trace): void {
    this.vectors += 1;
    const { fired, passed } = this.rules[eraOf(vector)];
    for (let index = 0; index < RULE_IDS.length; index++) {
      fired[index]! += rules.fired[index]!;
      passed[index]! += rules.passed[index]!;
    }
    count(this.verdicts, 'accept', trace.singles.length);
    count(this.outcomes, trace.outcome.kind);
    for (const { cause } of trace.flushes) count(this.flushes, cause);
  }

  /** How often that side of the rule was seen, in one era or in all. */
  seen(rule: RuleId, side: RuleSide, era?: Era): number {
    const index = RULE_IDS.indexOf(rule);
    const eras = era === undefined ? ERAS : [era];
    return eras.reduce((sum, one) => sum + this.rules[one][side][index]!, 0);
  }

  /** Sides of rules that were never seen where the rule has a place. A rule of one side of the fork has none beyond it. */
  gaps(): readonly { readonly rule: RuleId; readonly side: RuleSide; readonly era: Era }[] {
    return RULE_IDS.flatMap((rule) =>
      ERAS.filter((era) => era === 'across' || ruleEra(rule) === 'both' || ruleEra(rule) === era).flatMap((era) =>
        (['fired', 'passed'] as const)
          .filter((side) => this.seen(rule, side, era) === 0)
          .map((side) => ({ rule, side, era })),
      ),
    );
  }

  /** The whole measure as lines of text. */
  table(): string {
    const width = Math.max(...RULE_IDS.map((rule) => rule.length));
    const head = `${'rule'.padEnd(width)}  ${ERAS.map((era) => `${era} fired/passed`.padStart(24)).join('')}`;
    const rows = RULE_IDS.map((rule) => {
      const cells = ERAS.map((era) =>
        `${this.seen(rule, 'fired', era)}/${this.seen(rule, 'passed', era)}`.padStart(24),
      );
      return `${rule.padEnd(width)}  ${cells.join('')}`;
    });
    const summary = [
      `vectors   ${this.vectors}`,
      `verdicts  ${listed(this.verdicts)}`,
      `flushes   ${listed(this.flushes)}`,
      `outcomes  ${listed(this.outcomes)}`,
    ];
    return [head, ...rows, '', ...summary].join('\n');
  }
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([key, number]) => `${key} ${number}`)
    .join(', ');
}
