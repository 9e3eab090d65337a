/** What is stored below `vectors/`: as it was written, complete, explained, and enough. */

import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derive } from '../src/derive.ts';
import { RULE_IDS } from '../src/rules/catalogue.ts';
import { RuleBook } from '../src/rules/rule-book.ts';
import { LEDGER_FILE, LedgerCheck, readLedger } from './compare/ledger.ts';
import { EVERYDAY_FOLDERS, loadCorpus, VECTORS_FOLDER } from './corpus.ts';
import { corpusProblems } from './corpus-files.ts';
import { CURATED } from './curated/index.ts';
import { LARGE_SCENARIOS } from './curated/large.ts';
import { BEYOND_CAMPAIGNS, UNREACHABLE } from './curated/unreachable.ts';
import { CURATED_FOLDER, curatedFiles, LARGE_FOLDER, largeFiles } from './curated/write.ts';
import { findVectorFiles, readVectorText } from './files.ts';
import { hashVector, RecordedImplementation } from './implementations/recorded.ts';
import { TypeScriptImplementation } from './implementations/typescript.ts';
import { pinnedVersion, REFERENCE_NAMES } from './references/build.ts';
import { type ReplayResult, replay } from './replay.ts';
import { sampleVector } from './testing.ts';
import { traceToJson } from './trace.ts';
import { parseVector, vectorToJson } from './vector.ts';

/** Entries are held against the day of the replay where vectors are replayed, not here. */
const NOTHING_EXPIRED = '0001-01-01';

/** The recordings that have to be there, and one that may be. */
const PINNED = REFERENCE_NAMES.map((name) => `${name}@${pinnedVersion(name)}.traces.ndjson`);
const EARLIER = 'kona@0.4.4.traces.ndjson';

/** Sides that only a vector shows on which a reference is known to differ. */
const SHOWN_BY_DIVERGENCES_ALONE: readonly string[] = [
  'frame/is-last-values+',
  'single/activation-block-empty+',
  'single/tx-post-exec+',
  'activation/several-forks+',
];

describe('the stored vectors', { timeout: 300_000 }, () => {
  const files = findVectorFiles([VECTORS_FOLDER]);
  let result: ReplayResult;

  beforeAll(async () => {
    const folders = files.map((file) => path.dirname(file));
    const implementations = [
      new TypeScriptImplementation(),
      ...REFERENCE_NAMES.map((name) => RecordedImplementation.load(name, pinnedVersion(name), folders)!),
    ];
    const ledger = new LedgerCheck(readLedger(LEDGER_FILE), implementations, NOTHING_EXPIRED);
    result = await replay({ files, implementations, ledger, complete: true });
  });

  test('are each compared with both references', () => {
    expect(result).toMatchObject({ failures: [], missing: {}, incidents: [], vectors: files.length });
    expect(result.compared).toBe(files.length);
  });

  test('agree, or differ as the ledger says', () => {
    expect(result.differing.filter(({ known }) => known === undefined).map(({ name }) => name)).toEqual([]);
  });

  test('show every entry of the ledger', () => {
    expect(result.ledgerProblems).toEqual([]);
  });

  test('and the clean ones among them, which gate every change, reach all that can be reached', () => {
    const rules = new RuleBook();
    const clean = loadCorpus(EVERYDAY_FOLDERS, 'clean');
    const unclean = new Set(result.differing.map(({ name }) => name)).size;
    expect(clean.length).toBe(result.vectors - LARGE_SCENARIOS.length - unclean);
    for (const { vector } of clean) derive(vector, { rules });
    const missed = RULE_IDS.flatMap((rule, index) => [
      ...(rules.fired[index] === 0 ? [`${rule}+`] : []),
      ...(rules.passed[index] === 0 ? [`${rule}-`] : []),
    ]);
    const excused = { ...UNREACHABLE, ...BEYOND_CAMPAIGNS };
    expect(missed.filter((side) => !(side in excused))).toEqual(SHOWN_BY_DIVERGENCES_ALONE);
  });
});

describe('the curated vectors are what their scenarios write', { timeout: 300_000 }, () => {
  const written = curatedFiles(CURATED);

  test('name for name', () => {
    const stored = readdirSync(CURATED_FOLDER, { recursive: true, encoding: 'utf8' })
      .map((file) => file.split(path.sep).join('/'))
      .filter((file) => file.endsWith('.json'));
    expect(stored.sort()).toEqual([...written.keys()].sort());
  });

  test('byte for byte, or with the same effect where this Node compresses to other bytes', () => {
    const effect = (text: string) => {
      const { batches, flushes, singles, outcome } = traceToJson(derive(parseVector(text)));
      return { batches, flushes, singles, outcome };
    };
    const changed: string[] = [];
    for (const [file, text] of written) {
      const stored = readFileSync(path.join(CURATED_FOLDER, file), 'utf8');
      if (stored === text) continue;
      if (file.endsWith('index.json')) changed.push(file);
      else expect([file, effect(text)]).toEqual([file, effect(stored)]);
    }
    expect(changed).toEqual([]);
  });

  test('the large ones among them too', () => {
    const names: string[] = [];
    for (const [file, text] of largeFiles()) {
      names.push(file);
      // A message of two hundred megabytes helps nobody.
      const stored = readVectorText(path.join(LARGE_FOLDER, file));
      expect([file, hashVector(stored)]).toEqual([file, hashVector(text)]);
    }
    const stored = readdirSync(LARGE_FOLDER).filter((file) => !file.endsWith('.traces.ndjson'));
    expect(stored.sort()).toEqual(names.sort());
  });
});

describe('below the folder of vectors', () => {
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holodiff-corpus-'));
  });

  afterAll(() => rm(root, { recursive: true }));

  test('lies nothing that no check reads, and nothing is missing', { timeout: 120_000 }, () => {
    expect(corpusProblems(VECTORS_FOLDER)).toEqual([]);
  });

  test.each<[string, (group: string, folder: string) => void, string[]]>([
    ['an unknown file', (_, folder) => writeFileSync(path.join(folder, 'notes.txt'), ''), ['notes.txt: nothing of']],
    ['an unknown folder', (_, folder) => mkdirSync(path.join(folder, 'old')), ['old: nothing of']],
    ['an empty collection', (_, folder) => mkdirSync(path.join(folder, 'finds')), ['finds: is empty']],
    [
      'an empty group',
      (_, folder) => mkdirSync(path.join(folder, 'curated', 'none')),
      ['curated/none/*.vector.json: there is none', ...PINNED.map((file) => `curated/none/${file}: is missing`)],
    ],
    ['a file between the groups', (_, folder) => writeFileSync(path.join(folder, 'curated', 'a'), ''), ['curated/a: ']],
    ['a folder in a group', (group) => mkdirSync(path.join(group, 'deep')), ['curated/empty/deep: a folder of']],
    ['an odd file in a group', (group) => writeFileSync(path.join(group, 'a.json'), ''), ['curated/empty/a.json: ']],
    [
      'a vector that is gone',
      (group) => rmSync(path.join(group, vectorFiles(group)[0]!)),
      ['curated/empty/index.json: empty/', ...[...PINNED, EARLIER].map((file) => `curated/empty/${file}: empty/`)],
    ],
    [
      'a vector under another name',
      (group) => renameSync(path.join(group, vectorFiles(group)[0]!), path.join(group, 'renamed.vector.json')),
      ['curated/empty/renamed.vector.json: calls itself empty/'],
    ],
    [
      'a compressed vector that nothing names',
      (group) =>
        writeFileSync(path.join(group, 'packed.vector.json.gz'), gzipSync(vectorToJson(sampleVector('other')))),
      ['index.json', ...PINNED].map((file) => `curated/empty/${file}: empty/packed is missing`),
    ],
    [
      'a folder of large vectors without any',
      (_, folder) => mkdirSync(path.join(folder, 'large')),
      ['large/*.vector.json: there is none', ...PINNED.map((file) => `large/${file}: is missing`)],
    ],
    [
      'a vector without an entry in the index',
      (group) => {
        const file = path.join(group, 'index.json');
        writeFileSync(file, JSON.stringify((JSON.parse(readFileSync(file, 'utf8')) as unknown[]).slice(1)));
      },
      ['curated/empty/index.json: empty/'],
    ],
    ['an index that is gone', (group) => rmSync(path.join(group, 'index.json')), ['curated/empty/index.json: empty/']],
    [
      'a vector that has changed since it was recorded',
      (group) => {
        const file = path.join(group, vectorFiles(group)[0]!);
        writeFileSync(file, readFileSync(file, 'utf8').replace('"blockTime": 2', '"blockTime": 3'));
      },
      [...PINNED, EARLIER].map((file) => `curated/empty/${file}: empty/`),
    ],
    [
      'a pinned version that was not recorded',
      (group) => rmSync(path.join(group, PINNED[0]!)),
      [`curated/empty/${PINNED[0]!}: is missing`],
    ],
    [
      'a pinned version that was not asked of a vector',
      (group) => withoutLastRecording(path.join(group, PINNED[1]!)),
      [`curated/empty/${PINNED[1]!}: empty/`],
    ],
    [
      'data without a source',
      (_, folder) => writeFileSync(path.join(folder, 'real', 'other.hex'), ''),
      ['real/other.hex: SOURCES.md'],
    ],
    ['no word about sources', (_, folder) => rmSync(path.join(folder, 'real', 'SOURCES.md')), ['real/SOURCES.md: ']],
  ])('%s is noticed', (name, spoil, problems) => {
    const { folder, group } = copy(name);
    spoil(group, folder);
    const found = corpusProblems(folder);
    for (const problem of problems) {
      expect(found).toContainEqual(expect.stringContaining(problem));
    }
    expect(found.length).toBeGreaterThanOrEqual(problems.length);
  });

  test.each<[string, (file: string) => void]>([
    ['a version that is not pinned need not be recorded', (file) => rmSync(file)],
    ['a version that is not pinned need not be asked of every vector', withoutLastRecording],
  ])('%s', (name, change) => {
    const { folder, group } = copy(name);
    change(path.join(group, EARLIER));
    expect(corpusProblems(folder)).toEqual([]);
  });

  test('a recording that is none is told by file and line, also of a version that is not pinned', () => {
    const { folder, group } = copy('a recording that is none');
    const file = path.join(group, EARLIER);
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [...lines.slice(0, 2), '{}', ...lines.slice(2)].join('\n'));
    expect(() => corpusProblems(folder)).toThrow(`${EARLIER}:3: `);
  });

  /** Vectors of a few files, in which there is nothing to say. */
  function copy(name: string): { readonly folder: string; readonly group: string } {
    const folder = path.join(root, name.replaceAll(' ', '-'));
    const group = path.join(folder, 'curated', 'empty');
    cpSync(path.join(VECTORS_FOLDER, 'curated', 'empty'), group, { recursive: true });
    cpSync(path.join(VECTORS_FOLDER, 'real'), path.join(folder, 'real'), { recursive: true });
    expect(corpusProblems(folder)).toEqual([]);
    return { folder, group };
  }
});

function withoutLastRecording(file: string): void {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`);
}

function vectorFiles(folder: string): string[] {
  return readdirSync(folder).filter((file) => file.endsWith('.vector.json'));
}
