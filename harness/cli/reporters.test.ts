/** `--reporter` and embargoes in `replay`, `run` and `merge`, as real programs, against one with a planted fault. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MERGED_FILE } from '../campaign/merge.ts';
import type { KnownDivergence } from '../compare/ledger.ts';
import { type CampaignReport, parseResult, type ReplayReport } from '../report/result.ts';
import { sampleVector } from '../testing.ts';
import { vectorToJson } from '../vector.ts';

const BIN = fileURLToPath(new URL('bin.mjs', import.meta.url));
const MOCK = fileURLToPath(new URL('../implementations/fixtures/mock.mjs', import.meta.url));

let root: string;
const at = (name: string) => path.join(root, name);

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-reporter-'));
  mkdirSync(at('vectors'));
  for (const name of ['hidden', 'three', 'two']) {
    writeFileSync(at(`vectors/${name}.vector.json`), vectorToJson(sampleVector(name, 100 + name.length)));
  }
});

afterAll(() => rm(root, { recursive: true }));

async function holodiff(args: readonly string[], env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [BIN, ...args], { reject: false, cwd: root, env });
  return { code: exitCode, out: stdout, err: stderr };
}

/** A program under kona's name with this fault. */
const program = (fault: string) => `kona=${process.execPath} ${MOCK} kona ${fault}`;

const ENTRY: KnownDivergence = {
  id: 'secret-entry',
  title: 'kona has a flush of its own',
  vectors: { hidden: 'flushes' },
  signatures: ['* | kona / typescript | *'],
  outlier: 'kona',
  rule: 'frame/version-byte',
  versions: { kona: '1.0.0' },
  specification: { right: ['typescript'], section: 'derivation.md', sentence: 'Nothing is flushed.' },
  date: '2026-11-30',
};

const OPEN: KnownDivergence = { ...ENTRY, id: 'open', title: 'told', vectors: { two: 'flushes', three: 'flushes' } };

function ledger(name: string, ...entries: readonly KnownDivergence[]): string {
  writeFileSync(at(name), JSON.stringify({ format: 1, divergences: entries }));
  return at(name);
}

const replayReport = (file: string) => parseResult(readFileSync(at(file), 'utf8'), file) as ReplayReport;
const campaignReport = (file: string) => parseResult(readFileSync(at(file), 'utf8'), file) as CampaignReport;

describe('replay', () => {
  const replay = (fault: string, ...rest: readonly string[]) =>
    holodiff(['replay', 'vectors', '-i', 'typescript', '-i', program(fault), '--no-known', ...rest]);

  test('one document goes to standard output alone, and says what the exit code says', async () => {
    const { code, out } = await replay('extra-flush', '--reporter', 'json');
    const report = parseResult(out, 'stdout') as ReplayReport;
    expect(code).toBe(1);
    expect(report).toMatchObject({
      command: 'replay',
      status: 'differs',
      implementations: [{ name: 'typescript' }, { name: 'kona', version: '1.0.0' }],
      vectors: 3,
      agreed: [],
      failures: [],
    });
    expect(report.differences.map(({ vector }) => vector).sort()).toEqual(['hidden', 'three', 'two']);
    expect(report.differences[0]).toMatchObject({
      source: 'vectors/hidden.vector.json',
      boundary: 'flushes',
      index: 0,
      outlier: 'kona / typescript',
      known: null,
      signature: expect.stringMatching(/^flushes \| kona \/ typescript \| /) as string,
    });
  });

  test('several, beside the lines for a terminal', async () => {
    const files = ['json=a.json', 'junit=a.xml', 'sarif=a.sarif', 'text', 'github=a.md'];
    const { code, out } = await replay('none', ...files.flatMap((one) => ['--reporter', one]));
    expect(code).toBe(0);
    expect(out).toMatch(/^3 vectors, 3 agree, 0 differ \(/);
    expect(replayReport('a.json')).toMatchObject({ status: 'ok', differences: [] });
    expect(readFileSync(at('a.xml'), 'utf8')).toContain('tests="3" failures="0" errors="0" skipped="0"');
    expect(JSON.parse(readFileSync(at('a.sarif'), 'utf8'))).toMatchObject({ runs: [{ results: [] }] });
    expect(readFileSync(at('a.md'), 'utf8')).toContain('3 vectors alike, 0 differ');
  });

  test('in a job of GitHub', async () => {
    writeFileSync(at('summary.md'), '');
    const args = ['replay', 'vectors', '-i', 'typescript', '-i', program('extra-flush'), '--no-known'];
    const env = { GITHUB_STEP_SUMMARY: at('summary.md'), GITHUB_WORKSPACE: root };
    const { out } = await holodiff([...args, '--reporter', 'github'], env);
    expect(out.split('\n')).toHaveLength(3);
    expect(out).toMatch(
      /^::error file=vectors\/hidden\.vector\.json,line=1,title=holodiff%3A difference%3A hidden::flushes/,
    );
    expect(readFileSync(at('summary.md'), 'utf8')).toContain('0 vectors alike, 3 differ');
  });

  test('the same run gives the same bytes', async () => {
    await replay('extra-flush', '--reporter', 'json=b.json', '--reporter', 'junit=b.xml');
    await replay('extra-flush', '--reporter', 'json=c.json', '--reporter', 'junit=c.xml');
    expect(readFileSync(at('c.json'))).toEqual(readFileSync(at('b.json')));
    expect(readFileSync(at('c.xml'))).toEqual(readFileSync(at('b.xml')));
  });

  test.each<[string, string[], RegExp]>([
    ['an unknown reporter', ['--reporter', 'tap'], /^holodiff: --reporter tap: expected one of text, json/],
    ['two documents', ['--reporter', 'json', '--reporter', 'junit'], /junit goes to standard output too/],
  ])('%s: one line and exit 2, before anything is run', async (_, args, message) => {
    const { code, out, err } = await replay('extra-flush', ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err.split('\n')).toHaveLength(1);
  });
});

describe('an embargo', () => {
  const SECRETS = ['hidden', 'secret-entry', 'a flush of its own'];
  const args = (fault: string, known: string, ...rest: string[]) => {
    const names = ['-i', 'typescript', '-i', program(fault), '--known', known, ...rest];
    return [
      'replay',
      'vectors',
      ...names,
      ...['text', 'json=e.json', 'junit=e.xml', 'sarif=e.sarif', 'github=e.md'].flatMap((one) => ['--reporter', one]),
    ];
  };
  /** Everything that a replay told. */
  const told = ({ out, err }: { out: string; err: string }) =>
    [out, err, ...['e.json', 'e.xml', 'e.sarif', 'e.md'].map((name) => readFileSync(at(name), 'utf8'))].join('\n');

  test('that shows as listed is counted, and nothing else is told of it', async () => {
    const known = ledger('embargo.json', { ...ENTRY, embargo: true }, OPEN);
    const run = await holodiff(args('extra-flush', known));
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/\n3 vectors, 0 agree, 0 differ, 2 differ as known, 1 under embargo \(/);
    expect(replayReport('e.json')).toMatchObject({ status: 'ok', underEmbargo: 1, embargoBroken: 0, vectors: 3 });
    for (const secret of SECRETS) expect(told(run)).not.toContain(secret);
    // Whoever may know asks for it.
    expect(
      (await holodiff(['replay', 'vectors', '-i', 'typescript', '-i', program('extra-flush'), '--no-known'])).out,
    ).toContain('hidden: flushes');
  });

  test.each([
    ['that does not show any more', 'none'],
    ['that shows otherwise than listed', 'missing-flush'],
    ['of a vector that a program crashes on', 'crash'],
  ])('%s fails the replay, and is not told either', async (_, fault) => {
    const known = ledger('embargo.json', { ...ENTRY, embargo: true });
    const run = await holodiff(args(fault, known));
    expect(run.code).toBe(1);
    expect(run.err).toContain('1 under embargo not as listed: --no-known tells which');
    expect(replayReport('e.json')).toMatchObject({ underEmbargo: 1, embargoBroken: 1 });
    for (const secret of SECRETS) expect(told(run)).not.toContain(secret);
  });

  test('stands in a list of its own, beside the public one', async () => {
    const open = ledger('public.json', OPEN);
    const secret = ledger('private.json', { ...ENTRY, embargo: true });
    const run = await holodiff([...args('extra-flush', open), '--known', secret]);
    expect(run.code).toBe(0);
    expect(run.out).toContain('2 differ as known, 1 under embargo');
    const twice = await holodiff([...args('extra-flush', open), '--known', ledger('twice.json', OPEN)]);
    expect(twice).toMatchObject({
      code: 2,
      err: expect.stringMatching(/twice\.json: open is listed in .*public\.json too$/) as string,
    });
  });

  test('of a signature is counted by campaigns, merges and reports', async () => {
    const known = ledger('signature.json', { ...ENTRY, embargo: true });
    const run = await holodiff([
      'run',
      '-i',
      program('extra-flush'),
      '--vectors',
      '30',
      '-o',
      'kept',
      '--known',
      known,
      '--reporter',
      'text',
      '--reporter',
      'json=run.json',
      '--reporter',
      'github',
    ]);
    const merged = await holodiff([
      'merge',
      'kept',
      '-o',
      'merged',
      '--known',
      known,
      '--reporter',
      'text',
      '--reporter',
      'github',
    ]);
    const report = await holodiff(['report', 'merged', '--stored', '-o', 'report.html', '--known', known]);
    expect([run.code, merged.code, report.code]).toEqual([0, 0, 0]);
    const number = campaignReport('run.json').underEmbargo;
    expect(number).toBeGreaterThan(0);
    expect(campaignReport(`merged/${MERGED_FILE}`)).toMatchObject({
      status: 'ok',
      differences: [],
      underEmbargo: number,
    });
    for (const text of [run.out, merged.out, readFileSync(at('report.html'), 'utf8')]) {
      expect(text).toContain(`${number} under embargo`);
      expect(text).not.toMatch(/kona \/ typescript|secret-entry|a flush of its own/);
    }
  });
});

describe('run and merge', () => {
  test('tell the same of the same campaign', async () => {
    const common = ['--no-known', '--no-table', '--reporter', 'text'];
    const run = await holodiff([
      'run',
      '-i',
      program('extra-flush'),
      '--vectors',
      '40',
      '--no-minimise',
      '-o',
      'whole',
      ...common,
      '--reporter',
      'json=whole.json',
    ]);
    const merged = await holodiff([
      'merge',
      'whole',
      '-o',
      'merged-whole',
      ...common,
      '--reporter',
      'json=m.json',
      '--reporter',
      'junit=m.xml',
    ]);
    expect([run.code, merged.code]).toEqual([1, 1]);
    expect(campaignReport('m.json')).toEqual({ ...campaignReport('whole.json'), command: 'merge' });
    expect(readFileSync(at('m.json'))).toEqual(readFileSync(at(`merged-whole/${MERGED_FILE}`)));
    expect(readFileSync(at('m.xml'), 'utf8')).toContain('<testsuite name="differences"');
    expect(campaignReport('whole.json').campaigns).toEqual([
      { source: { seed: '1' }, part: { index: 1, count: 1 }, vectors: 40 },
    ]);
  });

  test('a part is taken from the index of the job', async () => {
    const part = (value: string, name: string, env: Record<string, string>) =>
      holodiff(
        ['run', '-i', program('none'), '--vectors', '2', '--shard', value, '-o', name, '--reporter', 'json'],
        env,
      );
    const { out } = await part('env/3', 'env', { JOB_COMPLETION_INDEX: '2' });
    expect((parseResult(out, 'x') as CampaignReport).campaigns).toMatchObject([{ part: { index: 3, count: 3 } }]);
    const unset = await part('env/3', 'unset', { JOB_COMPLETION_INDEX: '' });
    expect(unset.code).toBe(2);
    expect(unset.err).toMatch(
      /^holodiff: .*--shard.* expected JOB_COMPLETION_INDEX to be a number from 0 to 2, and it is ""\.?$/,
    );
    const beyond = await part('env/3', 'beyond', { JOB_COMPLETION_INDEX: '3' });
    expect(beyond).toMatchObject({ code: 2, err: expect.stringMatching(/and it is "3"\.?$/) as string });
    expect((await part('4/3', 'none', {})).err).toMatch(/expected a part from 1 to 3\.?$/);
  });
});
