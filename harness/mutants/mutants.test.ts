/** The mutants against the clean curated vectors; and what is said of those that nothing kills. */

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import { RULE_IDS } from '../../src/rules/catalogue.ts';
import { CONSTANT_NAMES } from '../../src/rules/constants.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { compare } from '../compare/compare.ts';
import { LEDGER_FILE, readLedger } from '../compare/ledger.ts';
import { CURATED } from '../curated/index.ts';
import { LARGE_SCENARIOS } from '../curated/large.ts';
import { costlyCorner, fjordBankCorner, largeCorner } from '../generate/corners.ts';
import { EXHAUSTIVE_SCOPES, exhaustiveScope } from '../generate/exhaustive.ts';
import type { FaultId } from '../generate/faults.ts';
import { generateVector, render } from '../generate/index.ts';
import { CONSTRUCTIVE } from '../rules/constructive.ts';
import { traceToJson } from '../trace.ts';
import { boundedBook, decisionsOf, deriveBounded } from '../variant/bounded.ts';
import { vectorToLine } from '../vector.ts';
import { exemptionOf, LISTED_MUTANTS } from './equivalent.ts';
import { Hunt } from './hunt.ts';
import { isOfSize, largeVector, SCALED } from './large.ts';
import { MUTANTS } from './mutants.ts';

const WANTED = MUTANTS.filter((mutant) => exemptionOf(mutant) === undefined);
const EQUIVALENT = MUTANTS.filter((mutant) => exemptionOf(mutant)?.kind === 'equivalent');
const DIVERGENT = MUTANTS.filter((mutant) => exemptionOf(mutant)?.kind === 'divergent');

/** Characters; longer vectors take too much time where every one of them has to be run. */
const SHORT = 8_000;

describe('mutants', { timeout: 300_000 }, () => {
  const ledger = readLedger(LEDGER_FILE);
  const clean: { vector: Vector; length: number }[] = [];
  const unclean: Vector[] = [];
  const everyday = new Hunt(WANTED);

  beforeAll(() => {
    const listed = new Set(ledger.flatMap(({ vectors }) => Object.keys(vectors)));
    for (const { name, build } of CURATED) {
      const vector = { ...build(), name };
      if (listed.has(name)) unclean.push(vector);
      else clean.push({ vector, length: vectorToLine(vector).length });
    }
    clean.sort((a, b) => a.length - b.length);
    for (const { vector } of clean) {
      everyday.see(vector);
      everyday.see(vector, SCALED.everyday);
    }
  });

  test('are made of every rule that decides, every constant and every fork', () => {
    const rules = RULE_IDS.filter((rule) => !(rule in CONSTRUCTIVE));
    expect(MUTANTS).toHaveLength(2 * (rules.length + CONSTANT_NAMES.length + 10));
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
    expect(LISTED_MUTANTS.filter((id) => !MUTANTS.some((mutant) => mutant.id === id))).toEqual([]);
  });

  test('are killed by the clean curated vectors, but for sizes that these do not have', () => {
    expect(everyday.alive.filter((mutant) => !isOfSize(mutant)).map(({ id }) => id)).toEqual([]);
    expect(everyday.kills.size).toBeGreaterThan(200);
  });

  test('that take large vectors are killed by those that are stored, none of which is for nothing', () => {
    const hunt = new Hunt(everyday.alive);
    for (const { name, build } of LARGE_SCENARIOS) {
      const vector = { ...build(), name };
      hunt.see(vector);
      hunt.see(vector, SCALED.large);
    }
    expect(hunt.alive.map(({ id }) => id)).toEqual([]);
    const killers = new Set([...hunt.kills.values()].map(({ vector }) => vector));
    expect([...killers].sort()).toEqual(LARGE_SCENARIOS.map(({ name }) => name).sort());
  });

  test('that are equivalent survive', () => {
    const hunt = new Hunt(EQUIVALENT);
    for (const { vector, length } of clean) if (length < SHORT) hunt.see(vector);
    for (let index = 0; index < 150; index++) hunt.see(generateVector(9, index).vector);
    for (const scope of Object.values(EXHAUSTIVE_SCOPES)) {
      const step = Math.max(1, Math.floor(scope.count / 20));
      for (let index = 0; index < scope.count; index += step) hunt.see(scope.at(index));
    }
    expect([...hunt.kills]).toEqual([]);
  });

  // Of a scope of more vectors than this every eleventh is taken, a step that no digit of the scopes has in common;
  // `holodiff mutants --exhaustive` takes all.
  const MOST = 10_000;
  const scopes = new Set(EQUIVALENT.flatMap((mutant) => exemptionOf(mutant)!.scope ?? []));

  test.each([...scopes])('that are equivalent by an argument tried in %s survive there', (name) => {
    const scope = exhaustiveScope(name);
    const hunt = new Hunt(EQUIVALENT.filter((mutant) => exemptionOf(mutant)!.scope === name));
    expect(hunt.alive.length).toBeGreaterThan(0);
    const step = scope.count > MOST ? 11 : 1;
    for (let index = 0; index < scope.count; index += step) hunt.see(scope.at(index));
    expect([...hunt.kills]).toEqual([]);
  });

  test('that behave as a reference does are killed where it is known to differ', () => {
    const ids = new Set(ledger.map(({ id }) => id));
    expect(DIVERGENT.filter((mutant) => !ids.has(exemptionOf(mutant)!.argument)).map(({ id }) => id)).toEqual([]);
    const hunt = new Hunt(DIVERGENT);
    for (const vector of unclean) hunt.see(vector);
    expect(hunt.alive.map(({ id }) => id)).toEqual([]);
  });

  test('that take large vectors are killed by generated ones', () => {
    // Which form each fault takes: at its limit, past it by one, and for the bank closed below and above what it holds.
    const forms: readonly (readonly [fault: FaultId, values: readonly number[]])[] = [
      ['channel-bank/prune', [0, 1, 15, 20]],
      ['frame/longest', [0, 1]],
      ['channel-assembler/size-limit', [0, 1]],
      ['channel-reader/fjord-limit', [0, 1]],
    ];
    const hunt = new Hunt(everyday.alive);
    const corners = [fjordBankCorner, costlyCorner, largeCorner].map((plans) =>
      fc.sample(plans, { seed: 1, numRuns: 40 }),
    );
    for (const drawn of corners) {
      for (const [fault, values] of forms) {
        const plan = drawn.find(({ faults }) => faults[0]?.fault === fault);
        if (plan === undefined) continue;
        for (const value of values) {
          const vector = render({ ...plan, faults: [{ fault, at: 0, value }] }, `${fault} ${value}`);
          hunt.see(vector);
          hunt.see(vector, SCALED.large);
        }
      }
    }
    for (const index of [4, 9, 14]) hunt.see(largeVector(1n, index));
    expect(hunt.alive.map(({ id }) => id)).toEqual([]);
  });

  test('of the number of blocks in a span batch are killed by generated vectors, under a smaller number', () => {
    const hunt = new Hunt(
      MUTANTS.filter(
        ({ condition }) => condition.kind === 'constant' && condition.name === 'MAX_SPAN_BATCH_ELEMENT_COUNT',
      ),
    );
    for (let index = 0; index < 300; index++) hunt.see(generateVector(1, index).vector, SCALED.everyday);
    expect([...hunt.kills.values()].map(({ under }) => under)).toEqual(
      new Array(2).fill('MAX_SPAN_BATCH_ELEMENT_COUNT = 3'),
    );
  });

  test('are killed on a vector only if that is in their reach', () => {
    const vectors: Vector[] = Array.from({ length: 20 }, (_, index) => generateVector(2, index).vector);
    const hunt = new Hunt(MUTANTS);
    for (const vector of vectors) hunt.see(vector);
    // Every mutant on every vector, whatever the run of the base says.
    for (const { id, variant } of MUTANTS) {
      const first = vectors.findIndex((vector) => {
        const rules = new RuleBook();
        const base = derive(vector, { rules });
        const trace = deriveBounded(vector, boundedBook(variant, decisionsOf(rules)));
        return compare([
          { implementation: 'base', trace: traceToJson(base) },
          { implementation: 'mutant', trace, silent: trace.outcome.kind === 'timeout' },
        ]);
      });
      expect([id, hunt.kills.get(id)?.after]).toEqual([id, first < 0 ? undefined : first + 1]);
    }
  });
});
