/** The table of rules × side × era: what counts as empty, and that nothing is reached of which it is said that it cannot be. */

import { expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import { RULE_IDS } from '../../src/rules/catalogue.ts';
import { REJECTIONS, RuleBook } from '../../src/rules/rule-book.ts';
import { generateVector } from '../generate/index.ts';
import { Coverage, ERAS, emptyCells, reachedBy, unreachableReason } from './coverage.ts';

const SIDES = ['+', '-'] as const;

test('generated vectors reach no cell that is said to be out of reach, and nearly all of the others', () => {
  const coverage = new Coverage();
  const rules = new RuleBook();
  for (let index = 0; index < 4000; index++) {
    const { vector } = generateVector(4, index);
    rules.resetCounters();
    coverage.add(reachedBy(vector, rules, derive(vector, { rules })));
  }
  const reached = RULE_IDS.flatMap((rule) =>
    SIDES.flatMap((side) =>
      ERAS.filter((era) => unreachableReason(rule, side, era) !== undefined && coverage.side(rule, side, era) > 0).map(
        (era) => `${rule}${side} ${era}`,
      ),
    ),
  );
  expect(reached).toEqual([]);
  expect(emptyCells(coverage).length).toBeLessThan(20);
});

test('every cell that can be reached is missed, a whole side by its name', () => {
  const full: Record<string, number> = {
    'flush batch': 1,
    'flush execution': 1,
    'outcome drained': 1,
    'outcome reset': 1,
  };
  for (const verdict of ['accept', ...REJECTIONS]) full[`verdict ${verdict}`] = 1;
  for (const rule of RULE_IDS) {
    for (const side of SIDES) {
      for (const era of ERAS) if (unreachableReason(rule, side, era) === undefined) full[`${rule}${side} ${era}`] = 1;
    }
  }
  const missing = (...names: readonly string[]) => {
    const coverage = new Coverage();
    coverage.merge(Object.fromEntries(Object.entries(full).filter(([name]) => !names.includes(name))));
    return emptyCells(coverage);
  };
  expect(missing()).toEqual([]);
  for (const name of Object.keys(full)) {
    const [rule, era] = name.split(' ');
    const alone = name.includes('/') && ERAS.every((other) => other === era || full[`${rule} ${other}`] === undefined);
    expect(missing(name)).toEqual([alone ? rule : name]);
  }
  expect(missing('single/too-late+ before', 'single/too-late+ across')).toEqual([
    'single/too-late+ before',
    'single/too-late+ across',
  ]);
  expect(missing('single/too-late+ before', 'single/too-late+ across', 'single/too-late+ after')).toEqual([
    'single/too-late+',
  ]);
});
