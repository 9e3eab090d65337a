/** The relations over many vectors, for each implementation by itself. */

import { setImmediate } from 'node:timers/promises';
import { derive } from '../../src/derive.ts';
import { RULE_IDS, type RuleId } from '../../src/rules/catalogue.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { same } from '../compare/compare.ts';
import type { Answer, Implementation } from '../implementations/implementation.ts';
import { vectorToLine } from '../vector.ts';
import type { Relation } from './relation.ts';

/** A vector on which a relation does not hold. */
interface Broken {
  readonly relation: string;
  /** `name@version`. */
  readonly implementation: string;
  readonly vector: Vector;
  readonly changed: Vector;
  readonly choice: number;
}

export interface RelationResult {
  readonly relation: Relation;
  /** Vectors on which it claims something. */
  readonly applied: number;
  /** Vectors on which it claims nothing, because an exception holds. */
  readonly excepted: number;
  readonly broken: readonly Broken[];
}

/** Runs every relation on every vector; the implementations must be open. */
export async function runRelations(
  relations: readonly Relation[],
  vectors: Iterable<Vector>,
  implementations: readonly Implementation[],
): Promise<RelationResult[]> {
  const results = relations.map((relation) => ({ relation, applied: 0, excepted: 0, broken: [] as Broken[] }));
  let choice = 0;
  for (const vector of vectors) {
    for (const result of results) {
      const { relation } = result;
      const changed = relation.change(vector, choice);
      if (changed === undefined) continue;
      if (isExcepted(relation, vector) || isExcepted(relation, changed)) {
        result.excepted += 1;
        continue;
      }
      result.applied += 1;
      const pairs = await Promise.all(
        implementations.map((one) =>
          Promise.all([vector, changed].map((each) => one.submit(vectorToLine(each), each))),
        ),
      );
      for (const [index, [before, after]] of pairs.entries()) {
        if (holds(relation, [vector, before!], [changed, after!])) continue;
        const { name, version } = implementations[index]!;
        result.broken.push({ relation: relation.id, implementation: `${name}@${version}`, vector, changed, choice });
      }
    }
    choice += 1;
    await setImmediate();
  }
  return results;
}

/** Whether what must be the same is the same. An implementation that gives no trace breaks every relation. */
function holds({ view }: Relation, before: readonly [Vector, Answer], after: readonly [Vector, Answer]): boolean {
  const [first, second] = [before, after].map(([vector, answer]) =>
    answer.kind === 'trace' ? view(answer.trace, vector) : undefined,
  );
  return first !== undefined && same(first, second);
}

const POSITION: ReadonlyMap<RuleId, number> = new Map(RULE_IDS.map((id, index) => [id, index]));

function isExcepted({ exceptions }: Relation, vector: Vector): boolean {
  if (exceptions.length === 0) return false;
  const rules = new RuleBook();
  derive(vector, { rules });
  return exceptions.some(({ side }) => {
    const counters = side.endsWith('+') ? rules.fired : rules.passed;
    return counters[POSITION.get(side.slice(0, -1) as RuleId)!]! > 0;
  });
}
