/** The conformance table over the stored vectors, and the page that is made of it. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { RULE_IDS } from '../../src/rules/catalogue.ts';
import { LEDGER_FILE } from '../compare/ledger.ts';
import { VECTORS_FOLDER } from '../corpus.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { formatRule, formatRules, rulesPage } from '../report/rules.ts';
import { type Conformance, conformance } from './conformance.ts';
import { CONSTRUCTIVE } from './constructive.ts';

describe('the conformance table', { timeout: 300_000 }, () => {
  let table: Conformance;

  beforeAll(() => {
    table = conformance([VECTORS_FOLDER], LEDGER_FILE);
  });

  test('covers every rule for both references', () => {
    expect(table.rows.map(({ rule }) => rule)).toEqual(RULE_IDS);
    expect(table.implementations.map((name) => name.split('@')[0])).toEqual(
      expect.arrayContaining(['kona', 'op-node']),
    );
    expect(table.unexplained).toEqual([]);
  });

  test('knows what each reference does, and shows both sides of each rule or says why not', () => {
    const text = formatRules(table).join('\n');
    expect(text).not.toMatch(/UNKNOWN|NONE/);
    for (const row of table.rows) expect(formatRule(row).join('\n')).not.toContain('NO REASON GIVEN');
  });

  test('has a reason for each rule that decides nothing, and no vector that decides by it', () => {
    for (const { rule, fires, passes } of table.rows) {
      if (CONSTRUCTIVE[rule] !== undefined) expect([rule, fires.count, passes.count]).toEqual([rule, 0, 0]);
    }
  });

  test('names the vectors by which a reference differs', () => {
    const row = table.rows.find(({ rule }) => rule === 'single/tx-post-exec')!;
    const kona = table.implementations.find((name) => name.startsWith('kona@0.4.5'))!;
    expect(row.agreement[kona]!.divergences).toEqual(['post-exec-single']);
    expect(formatRule(row).join('\n')).toContain('single/tx-post-exec-after-holocene');
  });

  test('is the page docs/rules.md: if not, npm run docs writes it', () => {
    expect(readFileSync(path.join(PACKAGE_ROOT, 'docs', 'rules.md'), 'utf8')).toBe(rulesPage(table));
  });
});
