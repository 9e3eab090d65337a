import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import { RULE_IDS, type RuleId } from '../../src/rules/catalogue.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import { parseVector, vectorToJson, vectorToLine } from '../vector.ts';
import { validVectorPlan, vectorPlan } from './arbitrary.ts';
import { CORNERS, costlyCorner, largeCorner } from './corners.ts';
import { FAULT_IDS, FAULTS, type FaultId } from './faults.ts';
import { generateVector, planFromSeed } from './index.ts';
import { COSTLY } from './parts.ts';
import { render } from './render.ts';

const RUNS = 300;

/** What hardly ever comes up takes seconds to write as text: it has a test of its own. */
const everyday = vectorPlan().filter(({ faults }) => !faults.some(({ fault }) => COSTLY.has(fault)));

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
      fc.property(everyday, (plan) => {
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

/** Faults that are tried often. */
const CHEAP = FAULT_IDS.filter((fault) => !COSTLY.has(fault));

describe('the fault catalogue', () => {
  test('has no fault that changes nothing', () => {
    const idle = CHEAP.filter((fault) => {
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
    for (const first of CHEAP) {
      for (const second of CHEAP) {
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

describe('a corner', () => {
  /** Decided by the configuration, and asked by nobody. */
  const FORK_ORDER = 'activation/fork-order';
  const asked = Object.entries(CORNERS).filter(([rule]) => rule !== FORK_ORDER);

  test(`comes to ${FORK_ORDER}`, () => {
    for (const plan of fc.sample(CORNERS[FORK_ORDER]!, { seed: 1, numRuns: 20 })) {
      const { config } = render(plan, 'corner');
      expect(config.forks.isthmus).toBeNull();
      expect(config.forks.jovian).not.toBeNull();
    }
  });

  test.each(asked)('comes to %s', (rule, plans) => {
    const rules = new RuleBook();
    for (const plan of fc.sample(plans, { seed: 1, numRuns: 60 })) {
      const vector = render(plan, 'corner');
      expect(parseVector(vectorToJson(vector))).toEqual(vector);
      derive(vector, { rules });
    }
    expect(rules.fired[RULE_IDS.indexOf(rule as RuleId)]).toBeGreaterThan(0);
  });

  /** For each fault that costs much: what its rule compares with the limit, at the limit and past it. */
  const AT_LIMITS: readonly (readonly [fault: FaultId, fact: string, at: number, past: number])[] = [
    ['frame/longest', 'length', 1_000_000, 1_000_001],
    ['channel-reader/limit', 'end', 10_000_000, 10_000_001],
    ['channel-reader/fjord-limit', 'end', 100_000_000, 100_000_001],
    // The length is told only where it is too large.
    ['batch-decode/tx-data-limit', 'length', 0, 10_000_001],
    ['channel-bank/prune', 'total', 100_000_000, 100_000_001],
    ['channel-assembler/size-limit', 'size', 100_000_000, 100_000_001],
  ];

  test('of much data stands at its limit or past it by one', () => {
    expect(AT_LIMITS.map(([fault]) => fault).toSorted()).toEqual([...COSTLY].toSorted());
    const drawn = [costlyCorner, largeCorner].flatMap((plans) => fc.sample(plans, { seed: 3, numRuns: 40 }));
    for (const [fault, fact, ...limits] of AT_LIMITS) {
      // A channel by itself: what stands behind it would pass the limit as well.
      const plan = drawn.find(
        ({ faults, channels }) => faults[0]?.fault === fault && channels[0]!.batches.length === 1,
      )!;
      for (const [value, limit] of limits.entries()) {
        const faults = [{ fault, at: 0, value }];
        let largest = 0;
        derive(render({ ...plan, channels: plan.channels.slice(0, 1), faults }, 'large'), {
          onDecision: ({ rule, context }) => {
            if (rule === FAULTS[fault].rule) largest = Math.max(largest, Number(context[fact] ?? 0));
          },
        });
        expect([fault, largest]).toEqual([fault, limit]);
      }
    }
  });
});
