/** Vectors against mutants: which vector is the first to tell each mutant from the base, and at which boundary. */

import type { Fork } from '../../src/chain/config.ts';
import { derive } from '../../src/derive.ts';
import { RULE_IDS, type RuleId } from '../../src/rules/catalogue.ts';
import { CONSTANT_NAMES, CONSTANTS, type ConstantName } from '../../src/rules/constants.ts';
import { RuleBook, type Variant } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { type Boundary, compare } from '../compare/compare.ts';
import { type TraceJson, traceToJson } from '../trace.ts';
import { type BoundedRuleBook, boundedBook, decisionsOf, deriveBounded } from '../variant/bounded.ts';
import type { Condition, Mutant, MutantId } from './mutants.ts';

/** How a mutant was told apart. */
export interface Kill {
  /** Name of the vector. */
  readonly vector: string;
  /** How many vectors the hunt had seen, this one included. */
  readonly after: number;
  /** Where the traces part first. */
  readonly boundary: Boundary;
  /** The smaller number under which it was told, as `NAME = VALUE`; `undefined` under the rules as they are. */
  readonly under: string | undefined;
}

/** Mutants that are still alive, and what became of the others. */
export class Hunt {
  readonly kills = new Map<MutantId, Kill>();
  #seen = 0;
  #alive: readonly Mutant[];

  constructor(mutants: readonly Mutant[]) {
    this.#alive = mutants;
  }

  get alive(): readonly Mutant[] {
    return this.#alive;
  }

  /** How many vectors were seen. */
  get seen(): number {
    return this.#seen;
  }

  /**
   * Runs every living mutant on the vector that could do anything else on it than the base.
   *
   * @param base - what counts as the base in place of the catalogue's rules, for a vector that was seen by those before:
   * it has other constants, and only the mutants of these are run, since what it says of any others holds for it alone
   */
  see(vector: Vector, base?: Variant): void {
    if (base === undefined) this.#seen += 1;
    const concerned = this.#alive.filter((mutant) => base === undefined || isOf(base, mutant));
    if (concerned.length === 0) return;
    const rules = new AskedRuleBook(base);
    const trace = derive(vector, { rules });
    const able = concerned.filter(({ condition }) => rules.allows(condition));
    if (able.length === 0) return;
    const json = traceToJson(trace);
    const decisions = decisionsOf(rules);
    const [smaller] = Object.entries(base?.constants ?? {});
    const under = smaller?.join(' = ');
    for (const { id, variant } of able) {
      const boundary = whereParted(vector, json, boundedBook(on(base, variant), decisions));
      if (boundary !== undefined) this.kills.set(id, { vector: vector.name, after: this.#seen, boundary, under });
    }
    this.#alive = this.#alive.filter(({ id }) => !this.kills.has(id));
  }
}

function isOf(base: Variant, { condition }: Mutant): boolean {
  return condition.kind === 'constant' && base.constants?.[condition.name] !== undefined;
}

function whereParted(vector: Vector, base: TraceJson, rules: BoundedRuleBook): Boundary | undefined {
  const trace = deriveBounded(vector, rules);
  return compare([
    { implementation: 'base', trace: base },
    { implementation: 'mutant', trace, silent: trace.outcome.kind === 'timeout' },
  ])?.boundary;
}

/** The mutant on top of another base: constants move by as much as they would from the catalogue's. */
function on(base: Variant | undefined, mutant: Variant): Variant {
  if (base === undefined) return mutant;
  const constants = { ...base.constants };
  for (const name of CONSTANT_NAMES) {
    const value = mutant.constants?.[name];
    if (value !== undefined) constants[name] = (base.constants?.[name] ?? CONSTANTS[name]) + value - CONSTANTS[name];
  }
  return { ...base, ...mutant, constants };
}

/**
 * Takes down what was asked besides rules. Until a mutant gives its first answer that differs from the base's, its run
 * is the base's run, so a mutant whose answers were all the same does nothing else.
 */
class AskedRuleBook extends RuleBook {
  readonly #constants = new Set<ConstantName>();
  /** Forks that were asked for at the very second of their activation, and at the one before it. */
  readonly #atActivation = new Set<Fork>();
  readonly #justBefore = new Set<Fork>();

  override constant(name: ConstantName): bigint {
    this.#constants.add(name);
    return super.constant(name);
  }

  override activates(fork: Fork, base: boolean, time: bigint, activation: bigint | null): boolean {
    if (time === activation) this.#atActivation.add(fork);
    else if (activation !== null && time + 1n === activation) this.#justBefore.add(fork);
    return super.activates(fork, base, time, activation);
  }

  /** Whether a run under this condition can take another turn. */
  allows(condition: Condition): boolean {
    switch (condition.kind) {
      case 'decided':
        return (condition.fired ? this.fired : this.passed)[POSITION.get(condition.rule)!]! > 0;
      case 'constant':
        return this.#constants.has(condition.name);
      case 'fork':
        return (condition.later ? this.#atActivation : this.#justBefore).has(condition.fork);
      default:
        return condition satisfies never;
    }
  }
}

const POSITION: ReadonlyMap<RuleId, number> = new Map(RULE_IDS.map((id, index) => [id, index]));
