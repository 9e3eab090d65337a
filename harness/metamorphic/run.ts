/** The relations over many vectors, for each implementation by itself. */

import { setImmediate } from 'node:timers/promises';
import { derive } from '../../src/derive.ts';
import { RULE_IDS, type RuleId } from '../../src/rules/catalogue.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { type Answer, type Implementation, inOrder } from '../implementations/implementation.ts';
import { vectorToLine } from '../vector.ts';
import { type Parting, partingOf } from './parting.ts';
import type { Relation } from './relation.ts';
import { type Standing, Standings } from './standing.ts';

/** A vector for which a relation does not hold. */
export interface Break {
  readonly relation: Relation;
  readonly implementation: Implementation;
  /** The vector, and what the implementation's trace of it is beside that of the TypeScript pipeline. */
  readonly original: Vector;
  readonly originalStanding: Standing;
  /** The same of the vector with the change. */
  readonly changed: Vector;
  readonly changedStanding: Standing;
  /** Which of the relation's ways the change was made in. */
  readonly choice: number;
  readonly parting: Parting;
}

export interface RelationResult {
  readonly relation: Relation;
  /** Vectors on which it claims something. */
  readonly applied: number;
  /** Vectors on which it claims nothing, because an exception holds. */
  readonly excepted: number;
  readonly breaks: readonly Break[];
}

/** Ids of the ledger's entries that account for a break: either trace is listed as differing. Empty if none does. */
export function explanationsOf({ originalStanding, changedStanding }: Break): readonly string[] {
  const ids = [originalStanding, changedStanding].map((standing) =>
    standing.kind === 'differs' ? standing.listed : undefined,
  );
  return [...new Set(ids)].filter((id) => id !== undefined);
}

/** `name@version`. */
export function nameOf({ name, version }: Implementation): string {
  return `${name}@${version}`;
}

/** A vector with the rule book of its derivation. */
interface Run {
  readonly vector: Vector;
  readonly rules: RuleBook;
  /** Asks one implementation, once. */
  readonly ask: (implementation: Implementation) => Promise<Answer>;
}

function runOf(vector: Vector): Run {
  const rules = new RuleBook();
  derive(vector, { rules });
  const line = vectorToLine(vector);
  const answers = new Map<Implementation, Promise<Answer>>();
  return {
    vector,
    rules,
    ask(implementation) {
      const answer = answers.get(implementation) ?? implementation.submit(line, vector);
      answers.set(implementation, answer);
      return answer;
    },
  };
}

/**
 * Runs every relation on every vector.
 *
 * @param implementations - open ones; what they give is compared with what they themselves give of the changed vector
 * @param standings - knows the ledger; without one every break is unexplained
 */
export async function runRelations(
  relations: readonly Relation[],
  vectors: Iterable<Vector>,
  implementations: readonly Implementation[],
  standings = new Standings([]),
): Promise<RelationResult[]> {
  const results = relations.map((relation) => ({ relation, applied: 0, excepted: 0, breaks: [] as Break[] }));
  const window = Math.max(1, ...implementations.map(({ inFlight }) => inFlight));

  function* numbered(): Generator<readonly [Vector, number]> {
    let choice = 0;
    for (const vector of vectors) {
      yield [vector, choice];
      choice += 1;
    }
  }

  const outcomes = inOrder(numbered(), window, async ([vector, choice]) => {
    // Answers of children are read between two vectors.
    await setImmediate();
    const original = runOf(vector);
    return Promise.all(
      relations.map(async (relation): Promise<'none' | 'excepted' | readonly Break[]> => {
        const other = relation.change(vector, choice);
        if (other === undefined) return 'none';
        const changed = runOf(other);
        if (isExcepted(relation, original.rules) || isExcepted(relation, changed.rules)) return 'excepted';
        const found = await Promise.all(
          implementations.map((one) => breakOf(relation, one, [original, changed], choice, standings)),
        );
        return found.filter((one) => one !== undefined);
      }),
    );
  });
  for await (const outcome of outcomes) {
    for (const [index, said] of outcome.entries()) {
      const result = results[index]!;
      if (said === 'none') continue;
      if (said === 'excepted') result.excepted += 1;
      else {
        result.applied += 1;
        result.breaks.push(...said);
      }
    }
  }
  return results;
}

/**
 * How one implementation breaks the relation on this vector; `undefined` if it does not, or if the relation claims
 * nothing there.
 */
export async function breakOn(
  relation: Relation,
  implementation: Implementation,
  vector: Vector,
  choice: number,
  standings: Standings,
): Promise<Break | undefined> {
  const other = relation.change(vector, choice);
  if (other === undefined) return undefined;
  const runs = [runOf(vector), runOf(other)] as const;
  if (runs.some(({ rules }) => isExcepted(relation, rules))) return undefined;
  return breakOf(relation, implementation, runs, choice, standings);
}

async function breakOf(
  relation: Relation,
  implementation: Implementation,
  [original, changed]: readonly [Run, Run],
  choice: number,
  standings: Standings,
): Promise<Break | undefined> {
  const [before, after] = await Promise.all([original.ask(implementation), changed.ask(implementation)]);
  const parting = partingBetween(relation, [original.vector, before], [changed.vector, after]);
  if (parting === undefined) return undefined;
  return {
    relation,
    implementation,
    original: original.vector,
    originalStanding: standings.of(implementation, original.vector, before),
    changed: changed.vector,
    changedStanding: standings.of(implementation, changed.vector, after),
    choice,
    parting,
  };
}

/** Where what must be the same is not. An implementation that gives no trace breaks every relation. */
function partingBetween(
  { view }: Relation,
  [original, before]: readonly [Vector, Answer],
  [changed, after]: readonly [Vector, Answer],
): Parting | undefined {
  const silence = { path: 'outcome', original: silenceOf(before), changed: silenceOf(after) };
  if (silence.original !== undefined || silence.changed !== undefined) return silence;
  return before.kind === 'trace' && after.kind === 'trace'
    ? partingOf(view(before.trace, original), view(after.trace, changed))
    : undefined;
}

/** Why there is no trace, if there is none. */
function silenceOf(answer: Answer): string | undefined {
  switch (answer.kind) {
    case 'trace':
      return answer.incident && `no trace: ${answer.incident.message}`;
    case 'error':
      return `refuses the vector: ${answer.path}: ${answer.message}`;
    case 'absent':
      return answer.reason;
    default:
      return answer satisfies never;
  }
}

const POSITION: ReadonlyMap<RuleId, number> = new Map(RULE_IDS.map((id, index) => [id, index]));

function isExcepted({ exceptions }: Relation, rules: RuleBook): boolean {
  return exceptions.some(({ side }) => {
    const counters = side.endsWith('+') ? rules.fired : rules.passed;
    return counters[POSITION.get(side.slice(0, -1) as RuleId)!]! > 0;
  });
}
