/** Where a campaign's vectors come from: numbered, so that a seed and an index name the same vector anywhere. */

import type { Vector } from '../../src/vector.ts';
import { HolodiffError } from '../errors.ts';
import { EXHAUSTIVE_SCOPES, type ExhaustiveScope, exhaustiveScope } from '../generate/exhaustive.ts';
import { generateVector } from '../generate/index.ts';
import type { VectorPlan } from '../generate/plan.ts';

/** One part of a campaign that is run in `count` parts; `index` from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export type SourceSpec =
  | { readonly kind: 'generated'; readonly seed: string }
  | { readonly kind: 'exhaustive'; readonly scope: string };

export interface SourcedVector {
  /** The number that names the vector, together with the seed or the scope. */
  readonly index: number;
  readonly vector: Vector;
  readonly plan: VectorPlan | undefined;
}

export interface Source {
  /** How many vectors this shard has; infinite for generated ones. */
  readonly count: number;
  /** The index of the vector at a position of this shard, from 0. */
  indexOf(position: number): number;
  /** The vector at a position of this shard. */
  at(position: number): SourcedVector;
}

/** The source that options name. @throws HolodiffError for a scope that there is not, and for both at once */
export function sourceOf({ seed, exhaustive }: { readonly seed?: string; readonly exhaustive?: string }): SourceSpec {
  if (exhaustive === undefined) return { kind: 'generated', seed: seed ?? '1' };
  if (seed !== undefined)
    throw new HolodiffError('bad-option', '--exhaustive: takes every vector of its scope, so leave --seed out');
  if (!Object.hasOwn(EXHAUSTIVE_SCOPES, exhaustive)) {
    throw new HolodiffError(
      'bad-option',
      `--exhaustive ${exhaustive}: expected one of ${Object.keys(EXHAUSTIVE_SCOPES).join(', ')}`,
    );
  }
  return { kind: 'exhaustive', scope: exhaustive };
}

/** Opens the part of a source that belongs to the shard: every `count`th vector, from `index - 1` on. */
export function openSource(spec: SourceSpec, shard: Shard): Source {
  const indexOf = (position: number) => position * shard.count + shard.index - 1;
  if (spec.kind === 'generated') {
    const seed = BigInt(spec.seed);
    return {
      count: Number.POSITIVE_INFINITY,
      indexOf,
      at(position) {
        const index = indexOf(position);
        return { index, ...generateVector(seed, index) };
      },
    };
  }
  const scope: ExhaustiveScope = exhaustiveScope(spec.scope);
  return {
    count: Math.max(0, Math.ceil((scope.count - (shard.index - 1)) / shard.count)),
    indexOf,
    at(position) {
      const index = indexOf(position);
      return { index, vector: scope.at(index), plan: undefined };
    },
  };
}
