/** Vectors against mutants: which vector is the first to tell each mutant from the base, and at which boundary. */

import { derive } from '../../src/derive.ts';
import { RULE_IDS, type RuleId } from '../../src/rules/catalogue.ts';
import { CONSTANT_NAMES, CONSTANTS, type ConstantName } from '../../src/rules/constants.ts';
import { RuleBook, type Variant } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { type Boundary, compare } from '../compare/compare.ts';
import { type TraceJson, traceToJson } from '../trace.ts';
import { boundedBook, decisionsOf, deriveBounded } from '../variant/bounded.ts';
import type { Condition, Mutant, MutantId } from './mutants.ts';

/** How a mutant was told apart. */
export interface Kill {
  /** Name of the vector. */
  readonly vector: string;
  /** How many vectors the hunt had seen, this one included. */
  readonly after: number;
  /** Where the traces part first. */
  readonly boundary: Boundary;
}

/** Mutants that are still alive, and what became of the others. */
export class Hunt {
  readonly kills = new Map<MutantId, Kill>();
  /** How many vectors each mutant was run on: those on which it might do anything else than the base. */
  readonly runs = new Map<MutantId, number>();
  #seen = 0;
  #alive: readonly Mutant[];

  /** @param base - what counts as the base; each mutant changes it further */
  constructor(
    mutants: readonly Mutant[],
    private readonly base?: Variant,
  ) {
    this.#alive = mutants;
  }

  get alive(): readonly Mutant[] {
    return this.#alive;
  }

  /** How many vectors were seen. */
  get seen(): number {
    return this.#seen;
  }

  /** Runs every living mutant on the vector that could do anything else on it than the base. */
  see(vector: Vector): void {
    this.#seen += 1;
    if (this.#alive.length === 0) return;
    const rules = new AskedRuleBook(this.base);
    const base = traceToJson(derive(vector, { rules }));
    const decisions = decisionsOf(rules);
    const alive: Mutant[] = [];
    for (const mutant of this.#alive) {
      const boundary = rules.allows(mutant.condition, vector)
        ? this.#differs(vector, base, decisions, mutant)
        : undefined;
      if (boundary === undefined) alive.push(mutant);
      else this.kills.set(mutant.id, { vector: vector.name, after: this.#seen, boundary });
    }
    this.#alive = alive;
  }

  #differs(vector: Vector, base: TraceJson, decisions: number, { id, variant }: Mutant): Boundary | undefined {
    this.runs.set(id, (this.runs.get(id) ?? 0) + 1);
    const trace = deriveBounded(vector, boundedBook(on(this.base, variant), decisions));
    return compare([
      { implementation: 'base', trace: base },
      { implementation: 'mutant', trace, silent: trace.outcome.kind === 'timeout' },
    ])?.boundary;
  }
}

/** The mutant on top of another variant: constants move by as much as they would from the base's. */
function on(base: Variant | undefined, mutant: Variant): Variant {
  if (base === undefined) return mutant;
  const constants = { ...base.constants };
  for (const name of CONSTANT_NAMES) {
    const value = mutant.constants?.[name];
    if (value !== undefined) constants[name] = (base.constants?.[name] ?? CONSTANTS[name]) + value - CONSTANTS[name];
  }
  return { ...base, ...mutant, constants };
}

/** Takes down which constants were asked for, besides what every rule book counts. */
class AskedRuleBook extends RuleBook {
  readonly #constants = new Set<ConstantName>();

  override constant(name: ConstantName): bigint {
    this.#constants.add(name);
    return super.constant(name);
  }

  /** Whether a run on the same vector can take another turn under this condition: until it does, it is the same run. */
  allows(condition: Condition, vector: Vector): boolean {
    switch (condition.kind) {
      case 'decided':
        return (condition.fired ? this.fired : this.passed)[POSITION.get(condition.rule)!]! > 0;
      case 'constant':
        return this.#constants.has(condition.name);
      case 'fork':
        return vector.config.forks[condition.fork] !== null;
      default:
        return condition satisfies never;
    }
  }
}

const POSITION: ReadonlyMap<RuleId, number> = new Map(RULE_IDS.map((id, index) => [id, index]));
