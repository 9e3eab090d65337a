/** The conformance table over the stored vectors, and the page that is made of it. */

import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import { RULE_IDS } from '../../src/rules/catalogue.ts';
import { type KnownDivergence, LEDGER_FILE } from '../compare/ledger.ts';
import { EVERYDAY_FOLDERS } from '../corpus.ts';
import { hashVector, recordingFile, writeRecordings } from '../implementations/recorded.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { pinnedVersion, REFERENCE_NAMES } from '../references/names.ts';
import { formatRule, formatRules, rulesPage } from '../report/rules.ts';
import { sampleVector } from '../testing.ts';
import { type TraceJson, traceToJson } from '../trace.ts';
import { vectorToJson, vectorToLine } from '../vector.ts';
import { type Conformance, conformance } from './conformance.ts';
import { CONSTRUCTIVE } from './constructive.ts';

const PINNED = REFERENCE_NAMES.map((name) => `${name}@${pinnedVersion(name)}`);

describe('the conformance table', { timeout: 300_000 }, () => {
  let table: Conformance;

  beforeAll(() => {
    table = conformance(EVERYDAY_FOLDERS, LEDGER_FILE);
  });

  test('covers every rule for the pinned versions, on every vector, and for earlier ones', () => {
    expect(table.rows.map(({ rule }) => rule)).toEqual(RULE_IDS);
    for (const title of PINNED) {
      expect(table.versions).toContainEqual(expect.objectContaining({ title, compared: table.vectors }));
    }
    expect(table.versions.map(({ title }) => title)).toEqual([
      PINNED[0],
      'kona@0.4.4',
      'kona@0.2.0',
      PINNED[1],
      'op-node@1.19.0',
      'op-node@1.14.3',
    ]);
    expect(table.versions.map(({ against }) => against)).toEqual([0, 0, 0, 1, 1, 1].map((index) => PINNED[index]));
    expect(table.unexplained.filter(({ version }) => PINNED.includes(version))).toEqual([]);
  });

  test('tells of what the releases changed', () => {
    const parting = (rule: string, title: string) => {
      const { more, less } = table.rows.find((row) => row.rule === rule)!.agreement[title]!;
      return { more, less };
    };
    expect(parting('single/activation-block-empty', 'op-node@1.14.3').more).toContain('single/activation-block-jovian');
    expect(parting('single/activation-block-empty', 'op-node@1.19.0').more).toEqual([]);
    expect(parting('activation/several-forks', 'op-node@1.14.3').less).toContain('activation/with-granite');
    expect(parting('activation/fork-order', 'kona@0.4.4')).toMatchObject({
      more: [],
      less: expect.arrayContaining(['activation/jovian-without-isthmus']) as string[],
    });
  });

  test('knows what each reference does, and shows both sides of each rule or says why not', () => {
    const text = formatRules(table).join('\n');
    expect(text).not.toMatch(/UNKNOWN|NONE/);
    for (const row of table.rows) expect(formatRule(table, row).join('\n')).not.toContain('NO REASON GIVEN');
  });

  test('has a reason for each rule that decides nothing, and no vector that decides by it', () => {
    for (const { rule, fires, passes } of table.rows) {
      if (CONSTRUCTIVE[rule] !== undefined) expect([rule, fires.count, passes.count]).toEqual([rule, 0, 0]);
    }
  });

  test('names the vectors by which a reference differs', () => {
    const row = table.rows.find(({ rule }) => rule === 'single/tx-post-exec')!;
    expect(row.agreement[PINNED[0]!]!.divergences).toEqual(['post-exec-single']);
    expect(formatRule(table, row).join('\n')).toContain('single/tx-post-exec-after-holocene');
  });

  test('is the page docs/rules.md: if not, npm run docs writes it', () => {
    expect(readFileSync(path.join(PACKAGE_ROOT, 'docs', 'rules.md'), 'utf8')).toBe(rulesPage(table));
  });
});

describe('a version beside the one that is told in full', () => {
  const RULE = 'frame/version-byte';
  const VECTORS = ['first', 'second', 'third'].map((name, index) => sampleVector(name, 100 * (index + 1)));
  let folder: string;
  let table: Conformance;

  const differs = (trace: TraceJson): TraceJson => ({ ...trace, flushes: [{ origin: 100, cause: 'batch' }] });

  /** Stores that a version was asked these vectors, and differs on those. */
  function say(reference: string, version: string, asked: readonly string[], differing: readonly string[]): void {
    const implementation = { name: reference, version };
    const recordings = VECTORS.filter(({ name }) => asked.includes(name)).map((vector) => {
      const trace = { ...traceToJson(derive(vector)), implementation };
      return {
        vector: vector.name,
        sha256: hashVector(vectorToLine(vector)),
        trace: differing.includes(vector.name) ? differs(trace) : trace,
      };
    });
    const file = recordingFile(folder, reference, version);
    writeRecordings(file, { implementation, formats: [1], decompressors: {} }, recordings);
  }

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holodiff-rules-'));
    for (const vector of VECTORS) writeFileSync(path.join(folder, `${vector.name}.vector.json`), vectorToJson(vector));
    const all = VECTORS.map(({ name }) => name);
    const pinned = pinnedVersion('kona');
    say('kona', '0.2.10', all, []);
    say('kona', '0.3.0', all, ['second', 'third']);
    say('kona', '0.2.9', ['third'], ['third']);
    say('kona', pinned, all, ['first', 'second']);
    say('kona', `${pinned}+checked`, all, ['first', 'second']);
    say('kona', '99.0.0', [], []);
    say('op-node', '1.2.3', all, []);
    say('op-node', '1.10.0', all, []);
    const entry: KnownDivergence = {
      id: 'extra-flush',
      title: 'kona flushes',
      vectors: { first: 'flushes', second: 'flushes', third: 'flushes' },
      signatures: [],
      outlier: 'kona',
      rule: RULE,
      versions: { kona: pinned },
      specification: { right: ['op-node'], section: 'derivation.md', sentence: 'Nothing is flushed.' },
      date: '2026-11-30',
    };
    const ledger = path.join(folder, 'ledger.json');
    writeFileSync(ledger, JSON.stringify({ format: 1, divergences: [entry] }));
    table = conformance([folder], ledger);
  });

  afterAll(() => rm(folder, { recursive: true }));

  test('stands behind it, the newest first; without the pinned one the newest is told in full', () => {
    const pinned = PINNED[0]!;
    expect(table.versions).toEqual([
      { title: pinned, against: pinned, compared: 3, differs: 2 },
      { title: 'kona@99.0.0', against: pinned, compared: 0, differs: 0 },
      { title: `${pinned}+checked`, against: pinned, compared: 3, differs: 2 },
      { title: 'kona@0.3.0', against: pinned, compared: 3, differs: 2 },
      { title: 'kona@0.2.10', against: pinned, compared: 3, differs: 0 },
      { title: 'kona@0.2.9', against: pinned, compared: 1, differs: 1 },
      { title: 'op-node@1.10.0', against: 'op-node@1.10.0', compared: 3, differs: 0 },
      { title: 'op-node@1.2.3', against: 'op-node@1.10.0', compared: 3, differs: 0 },
    ]);
  });

  test('is told where it parts from that, of the vectors that it was asked', () => {
    const page = rulesPage(table).split('\n');
    const cells = page.find((line) => line.startsWith(`| \`${RULE}\` |`))!.split(' | ');
    expect(cells.slice(-8).map((cell) => cell.replace(/ ?\|$/, ''))).toEqual([
      '**differs**: first [extra-flush]',
      'not asked',
      '',
      '+1: third −1: first',
      'agrees',
      '+1: third',
      'agrees',
      '',
    ]);
    expect(page).toContain('| kona@0.3.0 | 3 | 1 | 2 | 1 |');
  });

  test('is told so on a terminal, and of one rule', () => {
    const line = formatRules(table).find((one) => one.startsWith(RULE))!;
    expect(line).toMatch(/ differs \(2\) +not asked +\+1 −1 +agrees +\+1 +agrees +The first byte/);
    const row = table.rows.find(({ rule }) => rule === RULE)!;
    expect(formatRule(table, row)).toEqual(
      expect.arrayContaining([
        `${PINNED[0]!}+checked: as ${PINNED[0]!}`,
        'kona@0.3.0: differs (2), 3 vectors compared: third, second [extra-flush]',
        'kona@0.2.10: agrees, 3 vectors compared',
        'kona@99.0.0: not asked',
      ]),
    );
  });
});
