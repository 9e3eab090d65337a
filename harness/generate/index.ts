/**
 * The generator: an endless supply of meaningful vectors, each named by a seed and an index and by nothing else.
 */

import fc from 'fast-check';
import type { Vector } from '../../src/vector.ts';
import { vectorPlan } from './arbitrary.ts';
import type { VectorPlan } from './plan.ts';
import { render } from './render.ts';

export { vectorPlan } from './arbitrary.ts';
export type { VectorPlan } from './plan.ts';
export { render } from './render.ts';

export interface Generated {
  readonly plan: VectorPlan;
  readonly vector: Vector;
}

/** The vector of that seed and index: the same on any machine and in any order. */
export function generateVector(seed: number | bigint, index: number): Generated {
  const plan = planFromSeed(seed, index);
  return { plan, vector: render(plan, `generated/${seed}/${index}`) };
}

const plans = vectorPlan();

/** The plan alone. */
export function planFromSeed(seed: number | bigint, index: number): VectorPlan {
  const [plan] = fc.sample(plans, { seed: drawSeed(BigInt(seed), BigInt(index)), numRuns: 1 });
  return plan!;
}

/** The seed from which fast-check draws a plan: depends on all bits of both numbers (the finaliser of SplitMix64). */
export function drawSeed(seed: bigint, index: bigint): number {
  let z = BigInt.asUintN(64, seed * 0x9e3779b97f4a7c15n + index + 1n);
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return Number(BigInt.asIntN(32, z ^ (z >> 31n)));
}
