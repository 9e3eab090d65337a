/** Changes between versions, on recorded traces that are said to be of certain versions: as data and as a user reads them. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import { loadCorpus } from '../corpus.ts';
import { hashVector, recordingFile, writeRecordings } from '../implementations/recorded.ts';
import { pinnedVersion, REFERENCE_NAMES } from '../references/names.ts';
import { sampleVector } from '../testing.ts';
import { type TraceJson, traceToJson } from '../trace.ts';
import { vectorToJson, vectorToLine } from '../vector.ts';
import { askVersions, wantedVersions } from './ask.ts';
import { builtInSet } from './sets.ts';

const BIN = fileURLToPath(new URL('../cli/bin.mjs', import.meta.url));
const VECTORS = [sampleVector('first', 100), sampleVector('second', 200), sampleVector('the-third', 300)];

let root: string;
let folder: string;

const flushed = (trace: TraceJson): TraceJson => ({ ...trace, flushes: [{ origin: 100, cause: 'batch' }] });
const crashed = (trace: TraceJson): TraceJson => ({ ...trace, outcome: { kind: 'crash' } });

/** Stores what a version is said to make of each vector; without a say it does as the TypeScript pipeline does. */
function say(
  reference: string,
  version: string,
  edits: Readonly<Record<string, (trace: TraceJson) => TraceJson>>,
): void {
  const implementation = { name: reference, version };
  const recordings = VECTORS.filter(({ name }) => version !== '0.3.0' || name !== 'second').map((vector) => ({
    vector: vector.name,
    sha256: hashVector(vectorToLine(vector)),
    trace: { ...(edits[vector.name] ?? ((trace) => trace))(traceToJson(derive(vector))), implementation },
  }));
  const dependencies = { protocol: `${reference}-protocol ${version}` };
  const handshake = { implementation, formats: [1], decompressors: { zlib: 'miniz_oxide 0.8' }, dependencies };
  writeRecordings(recordingFile(folder, reference, version), handshake, recordings);
}

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-versions-'));
  folder = path.join(root, 'vectors');
  mkdirSync(folder);
  for (const vector of VECTORS) writeFileSync(path.join(folder, `${vector.name}.vector.json`), vectorToJson(vector));
  say('kona', '0.2.10', { first: flushed, second: flushed, 'the-third': flushed });
  say('kona', '0.3.0', { 'the-third': crashed });
  say('kona', '0.4.5', { 'the-third': crashed });
  say('kona', '0.4.5+checked', { first: crashed, 'the-third': crashed });
  say('op-node', '1.19.6', {});
});

afterAll(() => rm(root, { recursive: true }));

const quiet = { recorded: true, limits: {}, note: () => undefined };

describe('the versions that are asked', () => {
  test('are all that were recorded, the oldest first', () => {
    const corpus = loadCorpus([folder], 'all');
    const all = ['kona@0.2.10', 'kona@0.3.0', 'kona@0.4.5', 'kona@0.4.5+checked', 'op-node@1.19.6'];
    expect(wantedVersions({ named: [], of: [], recorded: true }, corpus)).toEqual(all);
    expect(wantedVersions({ named: [], of: ['op-node'], recorded: true }, corpus)).toEqual(['op-node@1.19.6']);
  });

  test('or a built-in set with the pinned one', () => {
    const specs = wantedVersions({ named: [], of: [], recorded: false }, []);
    expect(specs).toEqual(REFERENCE_NAMES.flatMap(builtInSet));
    for (const name of REFERENCE_NAMES) expect(specs).toContain(`${name}@${pinnedVersion(name)}`);
  });

  test('or those that are named', () => {
    expect(wantedVersions({ named: ['kona@0.3.0'], of: [], recorded: false }, [])).toEqual(['kona@0.3.0']);
  });
});

describe('what changed', () => {
  test('is told for each step, by boundary and by agreement before and after, the smallest vector first', async () => {
    const corpus = loadCorpus([folder], 'all');
    const specs = ['kona@0.4.5+checked', 'kona@0.3.0', 'kona', 'kona@0.2.10'];
    const { vectors, histories } = await askVersions({ corpus, specs, ...quiet });
    expect(vectors).toBe(3);
    expect(histories).toHaveLength(1);
    const [{ versions, steps, failures }] = histories as [(typeof histories)[0]];
    expect(failures).toEqual([]);
    expect(versions).toMatchObject([
      { title: 'kona@0.2.10', agree: 0, differ: 3, absent: 0 },
      { title: 'kona@0.3.0', agree: 1, differ: 1, absent: 1 },
      { title: 'kona@0.4.5', agree: 2, differ: 1, absent: 0 },
      { title: 'kona@0.4.5+checked', agree: 1, differ: 2, absent: 0 },
    ]);
    const told = steps.map(({ from, to, compared, groups }) => [
      `${from} ${to} ${compared}`,
      ...groups.map(
        (group) => `${group.boundary} ${group.before} ${group.after} ${group.vectors.map(({ name }) => name).join()}`,
      ),
    ]);
    expect(told).toEqual([
      ['kona@0.2.10 kona@0.3.0 2', 'flushes differs agrees first', 'outcome differs differs the-third'],
      ['kona@0.3.0 kona@0.4.5 2'],
      ['kona@0.4.5 kona@0.4.5+checked 3', 'outcome agrees differs first'],
    ]);
  });

  test('a version that cannot be asked does not keep the others from it', async () => {
    const corpus = loadCorpus([folder], 'all');
    const { histories } = await askVersions({ corpus, specs: ['kona@0.2.10', 'kona@0.2.11', 'kona@0.4.5'], ...quiet });
    expect(histories[0]).toMatchObject({
      failures: ['kona 0.2.11: no recorded traces beside the vectors'],
      steps: [
        {
          from: 'kona@0.2.10',
          to: 'kona@0.4.5',
          groups: [{ vectors: [{ name: 'first' }, { name: 'second' }] }, { vectors: [{ name: 'the-third' }] }],
        },
      ],
    });
  });
});

describe('holodiff versions', () => {
  async function holodiff(...args: readonly string[]) {
    const env = { PATH: path.dirname(process.execPath), HOLODIFF_BUILD_DIR: path.join(root, 'build') };
    const result = await execa(process.execPath, [BIN, 'versions', ...args], { env, reject: false, extendEnv: false });
    return { code: result.exitCode, out: result.stdout, err: result.stderr };
  }

  test('in words', async () => {
    const { code, out } = await holodiff(folder, '--recorded');
    expect(code).toBe(0);
    expect(out).toContain('kona: 3 vectors through 4 versions\n');
    expect(out).toContain('  kona@0.3.0: 1 agree with typescript, 1 differ, 1 without a trace (kona-protocol 0.3.0');
    expect(out).toContain('kona@0.3.0 → kona@0.4.5: no change on 2 vectors\n');
    expect(out).toMatch(/^kona@0\.4\.5 → kona@0\.4\.5\+checked: 1 of 3 vectors changed$/m);
    expect(out).toMatch(/^ {2}outcome \(drained → crash\), .+: 1 vector came to differ from typescript$/m);
    expect(out).toMatch(/^ {4}smallest: first, \d+ characters: outcome: kona@0\.4\.5\+checked ends as crash where/m);
    expect(out).toContain('op-node: 3 vectors through 1 version\n');
  });

  test('as data, and as tables', async () => {
    const data = JSON.parse((await holodiff(folder, '--recorded', '--json', '--of', 'kona')).out) as unknown;
    expect(data).toMatchObject({
      format: 1,
      vectors: 3,
      references: [
        {
          reference: 'kona',
          versions: [{ version: 'kona@0.2.10', dependencies: { protocol: 'kona-protocol 0.2.10' } }, {}, {}, {}],
          steps: [{ from: 'kona@0.2.10', to: 'kona@0.3.0', compared: 2, changed: 2 }, { changed: 0, groups: [] }, {}],
        },
      ],
    });
    const { out } = await holodiff(folder, '--recorded', '--markdown');
    expect(out).toMatch(/^\| kona@0\.2\.10 \| 0 \| 3 \| 0 \| kona-protocol 0\.2\.10, miniz_oxide 0\.8 \|$/m);
    expect(out).toMatch(/^\| kona@0\.3\.0 → kona@0\.4\.5 \| no change \|/m);
  });

  test.each<[string, readonly string[], RegExp]>([
    ['a version that is none', ['-i', 'kona@newest'], /--implementation kona@newest: expected a version such as/],
    ['another implementation', ['-i', 'typescript'], /--implementation typescript: no reference is called typescript/],
    ['both ways to choose', ['--of', 'kona', '-i', 'kona'], /--of: chooses from the built-in set/],
    ['both ways to write', ['--json', '--markdown'], /--json.*cannot be used with.*--markdown/],
    ['a version without a recording', ['--recorded', '-i', 'kona@0.1.0'], /kona 0\.1\.0: no recorded traces beside/],
    [
      'a folder that cannot be built',
      ['-i', 'kona@path:/nowhere'],
      /--implementation kona@path:\/nowhere: there is no folder/,
    ],
  ])('%s ends with code 2 and a line that says so', async (_, args, message) => {
    const { code, err } = await holodiff(folder, ...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
