/** When a trace changed from one version of a reference to the next, and what that did to its agreement. */

import { derive } from '../../src/derive.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { BOUNDARIES, type Boundary, compare, type Difference, type Side } from '../compare/compare.ts';
import { coarseSignature, signatureOf } from '../compare/signature.ts';
import type { LoadedVector } from '../files.ts';
import { traceToJson } from '../trace.ts';

/** Whether a version does what the TypeScript pipeline does. */
type Stance = 'agrees' | 'differs';

/** A vector whose trace is another one in the later version. */
export interface ChangedVector {
  readonly name: string;
  /** Characters of its line. */
  readonly size: number;
  /** Between the two versions. */
  readonly difference: Difference;
  /** Where they part; `outcome` also where one run ends before the other without any entry that differs. */
  readonly boundary: Boundary;
  /** What the one has there that the other has not, in terms that survive renumbering. */
  readonly shape: string;
  /** Of each version with the TypeScript pipeline. */
  readonly before: Stance;
  readonly after: Stance;
  /** The rule by which the version differs that differs, the later one if both do; `unknown` if no decision accounts for it. */
  readonly rule: RuleId | 'unknown';
}

/** Changes of the same kind. */
export interface ChangeGroup {
  readonly boundary: Boundary;
  readonly shape: string;
  readonly before: Stance;
  readonly after: Stance;
  readonly rule: RuleId | 'unknown';
  /** The smallest first. */
  readonly vectors: readonly ChangedVector[];
}

/** What one version said of each vector; no entry where it said nothing. */
export type Answers = ReadonlyMap<string, Side>;

/** Agreement of one version with the TypeScript pipeline. */
export interface Tally {
  readonly agree: number;
  readonly differ: number;
  /** Vectors of which it gave no trace. */
  readonly absent: number;
}

/** Vectors with what the TypeScript pipeline makes of them. */
export class Baseline {
  readonly vectors: readonly LoadedVector[];
  readonly #own: readonly Side[];

  /** @param vectors - the smallest first */
  constructor(vectors: readonly LoadedVector[]) {
    this.vectors = vectors;
    this.#own = vectors.map(({ vector }) => ({ implementation: 'typescript', trace: traceToJson(derive(vector)) }));
  }

  tally(answers: Answers): Tally {
    let [agree, differ, absent] = [0, 0, 0];
    for (const [index, { vector }] of this.vectors.entries()) {
      const side = answers.get(vector.name);
      if (side === undefined) absent += 1;
      else if (this.#differs(index, side)) differ += 1;
      else agree += 1;
    }
    return { agree, differ, absent };
  }

  /** What changed between two versions, by kind: in the order of the boundaries, there the largest group first. */
  changes(before: Answers, after: Answers): ChangeGroup[] {
    const groups = new Map<string, { readonly of: ChangedVector; readonly vectors: ChangedVector[] }>();
    for (const [index, { vector }] of this.vectors.entries()) {
      const sides = [before.get(vector.name), after.get(vector.name)] as const;
      const changed = this.#changed(index, ...sides);
      if (changed === undefined) continue;
      const key = [changed.boundary, changed.shape, changed.before, changed.after, changed.rule].join('\0');
      const group = groups.get(key) ?? { of: changed, vectors: [] };
      group.vectors.push(changed);
      groups.set(key, group);
    }
    return [...groups.values()]
      .map(({ of: { boundary, shape, before: was, after: is, rule }, vectors }) => ({
        boundary,
        shape,
        before: was,
        after: is,
        rule,
        vectors,
      }))
      .sort((a, b) => rank(a) - rank(b) || b.vectors.length - a.vectors.length || (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  #changed(index: number, earlier: Side | undefined, later: Side | undefined): ChangedVector | undefined {
    if (earlier === undefined || later === undefined) return undefined;
    const difference = compare([earlier, later]);
    if (difference === undefined) return undefined;
    const [boundary, , shape = ''] = coarseSignature(difference, [earlier, later]).split(' | ');
    const { vector, line } = this.vectors[index]!;
    const [differedBefore, differsAfter] = [this.#differs(index, earlier), this.#differs(index, later)];
    const differing = differsAfter ? later : earlier;
    const sides = [this.#own[index]!, differing];
    const own = compare(sides);
    return {
      name: vector.name,
      size: line.length,
      difference,
      boundary: boundary as Boundary,
      shape,
      before: differedBefore ? 'differs' : 'agrees',
      after: differsAfter ? 'differs' : 'agrees',
      rule: own === undefined ? 'unknown' : signatureOf(vector, own, sides).rule,
    };
  }

  #differs(index: number, side: Side): boolean {
    return compare([this.#own[index]!, side]) !== undefined;
  }
}

function keyOf({ rule, shape, before, after }: ChangeGroup): string {
  return [rule, shape, before, after].join('\0');
}

function rank({ boundary }: ChangeGroup): number {
  return BOUNDARIES.indexOf(boundary);
}
