import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import { parseVector, vectorToJson, vectorToLine } from '../vector.ts';
import { validVectorPlan, vectorPlan } from './arbitrary.ts';
import { FAULT_IDS, FAULTS } from './faults.ts';
import { generateVector, planFromSeed } from './index.ts';
import { render } from './render.ts';

const RUNS = 300;

describe('a seed and an index', () => {
  test('give the same vector in any order', () => {
    const indices = Array.from({ length: 40 }, (_, index) => index);
    const forwards = indices.map((index) => vectorToLine(generateVector(5, index).vector));
    const backwards = indices.toReversed().map((index) => vectorToLine(generateVector(5n, index).vector));
    expect(backwards.toReversed()).toEqual(forwards);
  });

  test('give other vectors for other seeds and indices', () => {
    const lines = new Set<string>();
    for (let seed = 0; seed < 10; seed++) {
      for (let index = 0; index < 30; index++)
        lines.add(vectorToLine({ ...generateVector(seed, index).vector, name: '' }));
    }
    expect(lines.size).toBeGreaterThan(290);
  });

  test('give a plan of plain data that renders to the vector', () => {
    for (let index = 0; index < RUNS; index++) {
      const plan = planFromSeed(6, index);
      const copy = JSON.parse(JSON.stringify(plan)) as typeof plan;
      expect(vectorToLine(render(copy, `generated/6/${index}`))).toBe(vectorToLine(generateVector(6, index).vector));
    }
  });
});

describe('a rendered plan', () => {
  test('is a vector of the format, and every implementation of it ends', () => {
    fc.assert(
      fc.property(vectorPlan(), (plan) => {
        const vector = render(plan, 'any');
        expect(parseVector(vectorToJson(vector))).toEqual(vector);
        derive(vector);
      }),
      { numRuns: RUNS },
    );
  });

  test('stays one while it shrinks', () => {
    for (let seed = 0; seed < 5; seed++) {
      let rendered = 0;
      let broken: unknown;
      // A property that always fails is shrunk as far as it goes; each step is a plan that must be rendered.
      const result = fc.check(
        fc.property(vectorPlan(), (plan) => {
          try {
            const vector = render(plan, 'shrunk');
            expect(parseVector(vectorToJson(vector))).toEqual(vector);
            rendered += 1;
          } catch (error) {
            broken ??= error;
          }
          return false;
        }),
        { seed, numRuns: 1 },
      );
      expect(broken).toBeUndefined();
      expect(rendered).toBeGreaterThan(5);
      expect(result.counterexample?.[0]).toMatchObject({ faults: [], channels: { length: 1 } });
    }
  });

  test('of a valid plan is derived block for block', () => {
    fc.assert(
      fc.property(validVectorPlan(), (plan) => {
        const vector = render(plan, 'valid');
        const { singles, flushes, outcome } = derive(vector);
        const planned = plan.channels.flatMap(({ batches }) => batches).reduce((sum, { length }) => sum + length, 0);
        expect(outcome.kind).toBe('drained');
        expect(flushes).toEqual([]);
        expect(singles).toHaveLength(planned);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the fault catalogue', () => {
  test('has no fault that changes nothing', () => {
    const idle = FAULT_IDS.filter((fault) => {
      for (let index = 0; index < 400; index++) {
        const { channels, chain, tail } = planFromSeed(8, index);
        const without = vectorToLine(render({ chain, channels, tail, faults: [] }, ''));
        const broken = vectorToLine(
          render({ chain, channels, tail, faults: [{ fault, at: index, value: index }] }, ''),
        );
        if (without !== broken) return false;
      }
      return true;
    });
    expect(idle).toEqual([]);
  });

  test('has no two faults that cannot stand together', () => {
    const plans = Array.from({ length: 40 }, (_, index) => planFromSeed(9, index));
    let turn = 0;
    for (const first of FAULT_IDS) {
      for (const second of FAULT_IDS) {
        if (FAULTS[first].layer !== FAULTS[second].layer) continue;
        turn += 1;
        const { channels, chain, tail } = plans[turn % plans.length]!;
        const faults = [first, second].map((fault, index) => ({ fault, at: turn % 7, value: turn * 31 + index }));
        derive(render({ channels, chain, tail, faults }, ''));
      }
    }
  });

  test('names the layer and the rule of each', () => {
    for (const { layer, rule } of Object.values(FAULTS))
      expect([layer, rule].every((name) => name.length > 0)).toBe(true);
  });
});
