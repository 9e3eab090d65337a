/** The mutants against the clean curated vectors; and what is said of those that nothing kills. */

import { beforeAll, describe, expect, test } from 'vitest';
import { RULE_IDS } from '../../src/rules/catalogue.ts';
import { CONSTANT_NAMES } from '../../src/rules/constants.ts';
import type { Vector } from '../../src/vector.ts';
import { LEDGER_FILE, readLedger } from '../compare/ledger.ts';
import { CURATED } from '../curated/index.ts';
import { EXHAUSTIVE_SCOPES } from '../generate/exhaustive.ts';
import { generateVector } from '../generate/index.ts';
import { CONSTRUCTIVE } from '../rules/constructive.ts';
import { vectorToLine } from '../vector.ts';
import { exemptionOf, LISTED_MUTANTS } from './equivalent.ts';
import { Hunt } from './hunt.ts';
import { largeCases } from './large.ts';
import { MUTANTS } from './mutants.ts';

const WANTED = MUTANTS.filter((mutant) => exemptionOf(mutant) === undefined);
const EQUIVALENT = MUTANTS.filter((mutant) => exemptionOf(mutant)?.kind === 'equivalent');
const DIVERGENT = MUTANTS.filter((mutant) => exemptionOf(mutant)?.kind === 'divergent');
const LARGE = MUTANTS.filter((mutant) => exemptionOf(mutant)?.kind === 'large');

/** Characters; longer vectors take too much time where every one of them has to be run. */
const SHORT = 8_000;

describe('mutants', { timeout: 300_000 }, () => {
  const ledger = readLedger(LEDGER_FILE);
  const clean: { vector: Vector; length: number }[] = [];
  const unclean: Vector[] = [];

  beforeAll(() => {
    const listed = new Set(ledger.flatMap(({ vectors }) => Object.keys(vectors)));
    for (const { name, build } of CURATED) {
      const vector = { ...build(), name };
      if (listed.has(name)) unclean.push(vector);
      else clean.push({ vector, length: vectorToLine(vector).length });
    }
    clean.sort((a, b) => a.length - b.length);
  });

  test('are made of every rule that decides, every constant and every fork', () => {
    const rules = RULE_IDS.filter((rule) => !(rule in CONSTRUCTIVE));
    expect(MUTANTS).toHaveLength(2 * (rules.length + CONSTANT_NAMES.length + 10));
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
    expect(LISTED_MUTANTS.filter((id) => !MUTANTS.some((mutant) => mutant.id === id))).toEqual([]);
  });

  test('are all killed by the clean curated vectors', () => {
    const hunt = new Hunt(WANTED);
    for (const { vector } of clean) hunt.see(vector);
    expect(hunt.alive.map(({ id }) => id)).toEqual([]);
  });

  test('that are equivalent survive', () => {
    const hunt = new Hunt(EQUIVALENT);
    for (const { vector, length } of clean) if (length < SHORT) hunt.see(vector);
    for (let index = 0; index < 150; index++) hunt.see(generateVector(9, index).vector);
    for (const scope of Object.values(EXHAUSTIVE_SCOPES)) {
      const step = Math.max(1, Math.floor(scope.count / 60));
      for (let index = 0; index < scope.count; index += step) hunt.see(scope.at(index));
    }
    expect([...hunt.kills]).toEqual([]);
  });

  test('that behave as a reference does are killed where it is known to differ', () => {
    const ids = new Set(ledger.map(({ id }) => id));
    expect(DIVERGENT.filter((mutant) => !ids.has(exemptionOf(mutant)!.argument)).map(({ id }) => id)).toEqual([]);
    const hunt = new Hunt(DIVERGENT);
    for (const vector of unclean) hunt.see(vector);
    expect(hunt.alive.map(({ id }) => id)).toEqual([]);
  });

  test('that take large vectors are killed by them', () => {
    const killed = new Set<string>();
    for (const { base, vector } of largeCases()) {
      const hunt = new Hunt(LARGE, base);
      hunt.see(vector);
      for (const id of hunt.kills.keys()) killed.add(id);
    }
    expect(LARGE.map(({ id }) => id).filter((id) => !killed.has(id))).toEqual([]);
  });
});
