/**
 * What a campaign reached: each rule on both sides, by era, and every verdict, flush cause and outcome.
 *
 * A campaign that finds nothing proves something only as far as this table is full.
 */

import { eraOf, RULE_IDS, type RuleId } from '../../src/rules/catalogue.ts';
import { REJECTIONS, type RuleBook } from '../../src/rules/rule-book.ts';
import type { Trace } from '../../src/trace.ts';
import type { Vector } from '../../src/vector.ts';
import { BEYOND_CAMPAIGNS, UNREACHABLE } from '../curated/unreachable.ts';

/** On which side of Holocene a vector's L1 blocks lie. */
export const ERAS = ['before', 'across', 'after'] as const;

export type VectorEra = (typeof ERAS)[number];

/** The era of a vector by L1 time. */
function eraOfVector({ config, l1 }: Vector): VectorEra {
  const { holocene } = config.forks;
  if (holocene === null || l1[l1.length - 1]!.timestamp < holocene) return 'before';
  return l1[0].timestamp >= holocene ? 'after' : 'across';
}

/** What one run of the TypeScript pipeline reached. */
export interface Reached {
  readonly era: VectorEra;
  /** By position in the catalogue, two a rule: 1 where it fired, 1 where it let pass. */
  readonly sides: Uint8Array;
  /** Verdicts, flush causes and the outcome, by name. */
  readonly others: readonly string[];
}

/** Takes down what a run reached; `rules` counted that run alone. */
export function reachedBy(vector: Vector, rules: RuleBook, trace: Trace): Reached {
  const sides = new Uint8Array(RULE_IDS.length * 2);
  for (let index = 0; index < RULE_IDS.length; index++) {
    if (rules.fired[index] !== 0) sides[index * 2] = 1;
    if (rules.passed[index] !== 0) sides[index * 2 + 1] = 1;
  }
  const others = REJECTIONS.filter((verdict) => rules.verdicts[verdict] > 0).map((verdict) => `verdict ${verdict}`);
  if (trace.singles.length > 0) others.push('verdict accept');
  for (const cause of ['batch', 'execution']) {
    if (trace.flushes.some((flush) => flush.cause === cause)) others.push(`flush ${cause}`);
  }
  others.push(`outcome ${trace.outcome.kind}`);
  return { era: eraOfVector(vector), sides, others };
}

/** Coverage as it stands in a journal: in how many vectors something was reached, by its name. */
export type CoverageCounters = Readonly<Record<string, number>>;

export class Coverage {
  readonly #sides: Readonly<Record<VectorEra, Float64Array>> = {
    before: new Float64Array(RULE_IDS.length * 2),
    across: new Float64Array(RULE_IDS.length * 2),
    after: new Float64Array(RULE_IDS.length * 2),
  };
  readonly #others = new Map<string, number>();

  add({ era, sides, others }: Reached): void {
    const counters = this.#sides[era];
    for (let index = 0; index < sides.length; index++) counters[index]! += sides[index]!;
    for (const name of others) this.#others.set(name, this.count(name) + 1);
  }

  /** Adds counters that were counted elsewhere; what this version has no name for is passed over. */
  merge(counters: CoverageCounters): void {
    for (const [name, count] of Object.entries(counters)) {
      const cell = CELLS.get(name);
      if (cell !== undefined) this.#sides[cell.era][cell.index]! += count;
      else if (!name.includes('/')) this.#others.set(name, this.count(name) + count);
    }
  }

  /** In how many vectors a verdict, flush cause or outcome came up. */
  count(name: string): number {
    return this.#others.get(name) ?? 0;
  }

  /** In how many vectors of the era the rule was decided on that side. */
  side(rule: RuleId, side: '+' | '-', era: VectorEra): number {
    return this.#sides[era][RULE_IDS.indexOf(rule) * 2 + (side === '+' ? 0 : 1)]!;
  }

  /** Sides that were reached at least once, in any era. */
  get reachedSides(): number {
    let reached = 0;
    for (let index = 0; index < RULE_IDS.length * 2; index++) {
      if (ERAS.some((era) => this.#sides[era][index]! > 0)) reached += 1;
    }
    return reached;
  }

  /** All counters above zero, by name in a stable order. */
  toJson(): CoverageCounters {
    const sides = [...CELLS].map(([name, { era, index }]) => [name, this.#sides[era][index]!] as const);
    const others = [...this.#others].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries([...sides, ...others].filter(([, count]) => count > 0));
  }
}

/** Where each side of each rule is counted, by the name that stands in a journal. */
const CELLS: ReadonlyMap<string, { readonly era: VectorEra; readonly index: number }> = new Map(
  RULE_IDS.flatMap((rule, position) =>
    (['+', '-'] as const).flatMap((side, offset) =>
      ERAS.map((era) => [`${rule}${side} ${era}`, { era, index: position * 2 + offset }] as const),
    ),
  ),
);

/** A cell of the table. */
type Cell = `${RuleId}${'+' | '-'} ${VectorEra}`;

const NO_STEP = 'Holocene is active at the first L1 block: the origin never steps into it';

/** Sides that can be reached, but not in vectors of every era that knows the rule, with the reason. */
const UNREACHABLE_CELLS: Readonly<Partial<Record<Cell, string>>> = {
  'frame-queue/prune-on-load+ before': 'Holocene is active at no L1 block',
  'frame-queue/prune-on-load- after': 'Holocene is active at every L1 block',
  'channel-bank/timeout-length- after': 'Granite is active wherever Holocene is',
  'channel-reader/brotli-gate+ after': 'Fjord is active wherever Holocene is',
  'batch-decode/span-before-delta+ after': 'Delta is active wherever Holocene is',
  'span/delta+ after': 'Delta is active wherever Holocene is, and the window begins no earlier than the first L1 block',
  'single/drift-limit- after': 'Fjord is active at every L1 block, and no batch of an older epoch comes so far',
  'span/next-epoch-unknown+ after':
    "batches are judged above the safe head's L1 origin only, with two blocks in the window",
  'single/next-epoch-unknown+ after':
    "batches are judged above the safe head's L1 origin only, with two blocks in the window",
  'batch-validator/two-origins+ across':
    'the window comes from the batch queue, which has taken in an L1 block at least, and the activation block is one more',
  'engine/deposits-only+ before': 'before Holocene the simulated engine refuses nothing',
  'engine/replacement-flushes+ before': 'before Holocene the simulated engine refuses nothing',
  'activation/trigger+ before': 'Holocene is active at no L1 block',
  'activation/trigger+ after': NO_STEP,
  'activation/channels-dropped+ after': NO_STEP,
  'activation/batches-dropped+ after': NO_STEP,
  'activation/window-kept+ after': NO_STEP,
  'activation/data-once+ after': NO_STEP,
  'activation/several-forks+ after': NO_STEP,
};

/** Why vectors of that era do not show that side of the rule; `undefined` if they do. */
export function unreachableReason(rule: RuleId, side: '+' | '-', era: VectorEra): string | undefined {
  if (!erasOf(rule).includes(era)) return `${rule} is not asked there`;
  const both = `${rule}${side}` as const;
  return UNREACHABLE[both] ?? BEYOND_CAMPAIGNS[both] ?? UNREACHABLE_CELLS[`${both} ${era}`];
}

/** What a long campaign has to reach and did not: cells of the table, verdicts, flush causes and outcomes. */
export function emptyCells(coverage: Coverage): string[] {
  const sides = RULE_IDS.flatMap((rule) =>
    (['+', '-'] as const).flatMap((side) => {
      const eras = ERAS.filter((era) => unreachableReason(rule, side, era) === undefined);
      const empty = eras.filter((era) => coverage.side(rule, side, era) === 0);
      // A side that was not reached at all is named by itself.
      const none = empty.length > 0 && empty.length === eras.length;
      return none ? [`${rule}${side}`] : empty.map((era) => `${rule}${side} ${era}`);
    }),
  );
  const others = [
    ...['accept', ...REJECTIONS].map((verdict) => `verdict ${verdict}`),
    'flush batch',
    'flush execution',
    'outcome drained',
    'outcome reset',
  ];
  return [...sides, ...others.filter((name) => coverage.count(name) === 0)];
}

/** The eras of vectors in which a rule can be asked at all. */
function erasOf(rule: RuleId): readonly VectorEra[] {
  const era = eraOf(rule);
  if (era === 'before') return ['before', 'across'];
  return era === 'after' ? ['across', 'after'] : ERAS;
}
