/** The curated scenarios as a whole: each shows what it claims, and together they show every side of every rule. */

import { beforeAll, describe, expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import { RULE_IDS, type RuleId } from '../../src/rules/catalogue.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import { parseVector, vectorToLine } from '../vector.ts';
import type { RuleSide } from './curated.ts';
import { CURATED } from './index.ts';
import { LARGE_SCENARIOS } from './large.ts';
import { BEYOND_CAMPAIGNS, UNREACHABLE } from './unreachable.ts';

const SIDES: readonly RuleSide[] = RULE_IDS.flatMap((rule: RuleId): RuleSide[] => [`${rule}+`, `${rule}-`]);

/** The sides that a book has seen. */
function sidesOf(book: RuleBook): Set<RuleSide> {
  const sides = new Set<RuleSide>();
  for (const [index, rule] of RULE_IDS.entries()) {
    if (book.fired[index]! > 0) sides.add(`${rule}+`);
    if (book.passed[index]! > 0) sides.add(`${rule}-`);
  }
  return sides;
}

describe('curated scenarios', () => {
  const reached = new Map<string, Set<RuleSide>>();
  const refused: string[] = [];

  beforeAll(() => {
    for (const { name, build } of CURATED) {
      const vector = { ...build(), name };
      const rules = new RuleBook();
      derive(vector, { rules });
      reached.set(name, sidesOf(rules));
      // What the schema refuses would only come out when the vector is read again.
      try {
        parseVector(vectorToLine(vector));
      } catch (error) {
        refused.push(`${name}: ${String(error)}`);
      }
    }
  });

  test('have names of their own, in field terms', () => {
    const names = CURATED.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  test('say in one line what they show, and claim something', () => {
    const wanting = CURATED.filter(({ shows, rules }) => /\n/.test(shows) || shows.length < 10 || rules.length === 0);
    expect(wanting.map(({ name }) => name)).toEqual([]);
  });

  test('are vectors that the schema accepts', () => {
    expect(refused).toEqual([]);
  });

  test('reach every side that they claim', () => {
    const missed = CURATED.flatMap(({ name, rules }) =>
      rules.filter((side) => !reached.get(name)!.has(side)).map((side) => `${name}: ${side}`),
    );
    expect(missed).toEqual([]);
  });

  test('show every side of every rule that can be shown', () => {
    const claimed = new Set(CURATED.flatMap(({ rules }) => rules));
    const excused = { ...UNREACHABLE, ...BEYOND_CAMPAIGNS };
    expect(SIDES.filter((side) => !claimed.has(side) && !(side in excused))).toEqual([]);
  });

  test('reach no side that is listed as out of reach', () => {
    const listed = Object.keys({ ...UNREACHABLE, ...BEYOND_CAMPAIGNS }) as RuleSide[];
    expect(listed.filter((side) => !SIDES.includes(side))).toEqual([]);
    const found = (Object.keys(UNREACHABLE) as RuleSide[]).filter((side) =>
      [...reached.values()].some((sides) => sides.has(side)),
    );
    expect(found).toEqual([]);
  });
});

describe('large scenarios', () => {
  test('reach every side that they claim, and none that is listed as out of reach', () => {
    const missed: string[] = [];
    const reached = new Set<RuleSide>();
    for (const { name, rules, build } of LARGE_SCENARIOS) {
      const book = new RuleBook();
      derive({ ...build(), name }, { rules: book });
      const sides = sidesOf(book);
      missed.push(...rules.filter((side) => !sides.has(side)).map((side) => `${name}: ${side}`));
      for (const side of sides) reached.add(side);
    }
    expect(missed).toEqual([]);
    const claimed = new Set([...CURATED, ...LARGE_SCENARIOS].flatMap((scenario) => scenario.rules));
    expect(Object.keys(BEYOND_CAMPAIGNS).filter((side) => !claimed.has(side as RuleSide))).toEqual([]);
    expect(Object.keys(UNREACHABLE).filter((side) => reached.has(side as RuleSide))).toEqual([]);
  });

  test('have names of their own, and say in one line what they show', () => {
    const names = LARGE_SCENARIOS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^large\/[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
    expect(LARGE_SCENARIOS.filter(({ shows }) => /\n/.test(shows) || shows.length < 10)).toEqual([]);
  });
});
