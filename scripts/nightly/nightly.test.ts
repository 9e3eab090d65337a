/** The scripts of the nightly workflow, as it calls them: with a `gh` that keeps its issues in a file, and a remote of git in a folder. */

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FINDING_FILES, findingFolder, findingName } from '../../harness/campaign/finding.ts';
import { MERGED_FILE } from '../../harness/campaign/merge.ts';
import { LEDGER_FILE } from '../../harness/compare/ledger.ts';
import { type CampaignReport, type ReplayReport, resultToJson } from '../../harness/report/result.ts';
import { signatureParts } from '../../harness/report/signature-parts.ts';
import { CAMPAIGN, REPLAY } from '../../harness/report/testing.ts';

let root: string;
const at = (name: string) => path.join(root, name);
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-nightly-'));
  mkdirSync(at('bin'));
  copyFileSync(script('fake-gh.mjs'), at('bin/gh'));
  chmodSync(at('bin/gh'), 0o755);
});

afterAll(() => rm(root, { recursive: true }));

beforeEach(() => {
  rmSync(at('gh'), { recursive: true, force: true });
  mkdirSync(at('gh'));
  writeFileSync(at('output'), '');
  writeFileSync(at('env'), '');
});

async function run(name: string, args: readonly string[], env: Record<string, string> = {}, cwd = root) {
  const { PATH = '' } = process.env;
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), script(name), ...args],
    {
      reject: false,
      cwd,
      env: {
        PATH: `${at('bin')}${path.delimiter}${PATH}`,
        FAKE_GH: at('gh'),
        GITHUB_OUTPUT: at('output'),
        GITHUB_ENV: at('env'),
        GITHUB_REPOSITORY: 'someone/something',
        GITHUB_RUN_ID: '17',
        HOLODIFF_KNOWN: '',
        ...env,
      },
    },
  );
  return { code: exitCode, out: stdout, err: stderr };
}

const SIGNATURES = [
  'frames | kona | frame/is-last-values+ | more',
  'batches | kona | channel-reader/limit+ | less',
  'outcome | op-node | unknown | drained → crash (panicked at "a|b" for @someone)',
];

function difference(signature: string, changes: Partial<CampaignReport['differences'][number]> = {}) {
  const { rule, boundary, ...parts } = signatureParts(signature);
  return {
    ...CAMPAIGN.differences[0]!,
    ...parts,
    signature,
    boundary: boundary as 'frames',
    rule: rule ?? null,
    count: 5,
    first: { campaign: 0, index: 17 },
    known: null,
    finding: findingName(signature),
    ...changes,
  };
}

/** What `holodiff merge` leaves: a result, and a folder for each finding. */
function night(name: string, differences: readonly CampaignReport['differences'][number][]): string {
  mkdirSync(at(name), { recursive: true });
  const report: CampaignReport = { ...CAMPAIGN, differences: [...differences] };
  writeFileSync(path.join(at(name), MERGED_FILE), resultToJson(report));
  for (const { signature, finding } of differences) {
    if (finding === null) continue;
    const folder = findingFolder(path.join(at(name), 'findings'), signature);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, FINDING_FILES.finding), JSON.stringify({ signature, index: 17 }));
    writeFileSync(path.join(folder, FINDING_FILES.vector), '{"the":"vector"}');
  }
  return at(name);
}

/** A replay of kept findings, of which these agree now. */
function replayed(name: string, agreeing: readonly string[], differing: readonly string[]): string {
  const source = (signature: string) => `kept/findings/${findingName(signature)}/vector.vector.json`;
  const report: ReplayReport = {
    ...REPLAY,
    agreed: agreeing.map((one) => ({ vector: 'x', source: source(one) })),
    differences: differing.map((one) => ({ ...REPLAY.differences[0]!, source: source(one) })),
    failures: [],
  };
  writeFileSync(at(name), resultToJson(report));
  return at(name);
}

describe('plan', () => {
  const outputs = () => {
    const lines = readFileSync(at('output'), 'utf8').trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split('=', 2) as [string, string]));
  };

  test('a private repository: a seed of its own for every run, the same if the run is run again', async () => {
    expect((await run('plan.ts', [])).code).toBe(0);
    expect(outputs()).toEqual({ go: 'true', seed: '17', shards: '[1,2,3,4,5,6,7,8]', minutes: '60' });
  });

  test('what is asked for', async () => {
    await run('plan.ts', [], { SEED: '007', SHARDS: '2', MINUTES: '5' });
    expect(outputs()).toEqual({ go: 'true', seed: '7', shards: '[1,2]', minutes: '5' });
  });

  test('a public repository: nothing, unless its owner wants it', async () => {
    const { out } = await run('plan.ts', [], { FAKE_GH_VISIBILITY: 'PUBLIC' });
    expect(outputs()).toMatchObject({ go: 'false' });
    expect(out).toMatch(/^::notice .*docs\/nightly\.md$/);
    writeFileSync(at('output'), '');
    await run('plan.ts', [], { FAKE_GH_VISIBILITY: 'PUBLIC', HOLODIFF_PUBLIC_FINDINGS: 'yes' });
    expect(outputs()).toMatchObject({ go: 'true' });
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['a seed', { SEED: '-1' }, /^::error::SEED: expected a whole number from 0, got "-1"$/],
    ['parts', { SHARDS: '300' }, /^::error::SHARDS: expected a number from 1 to 256, got "300"$/],
    ['minutes', { MINUTES: '1e9' }, /^::error::MINUTES: expected a number from 1 to 300, got "1e9"$/],
    [
      'a repository that gh cannot see',
      { FAKE_GH_FAILS: 'repo view' },
      /^::error::a command ended with 1: HTTP 403: .* \/ see/,
    ],
  ])('%s that cannot be: one line and exit 2', async (_, env, message) => {
    const { code, err } = await run('plan.ts', [], env);
    expect(err).toMatch(message);
    expect(code).toBe(2);
    expect(readFileSync(at('output'), 'utf8')).toBe('');
  });
});

describe('issues', () => {
  interface Issue {
    readonly number: number;
    readonly title: string;
    readonly body: string;
    readonly state: string;
    readonly stateReason: string | null;
  }
  const issues = () => JSON.parse(readFileSync(at('gh/issues.json'), 'utf8')) as Issue[];
  const setIssue = (number: number, changes: Partial<Issue>) =>
    writeFileSync(
      at('gh/issues.json'),
      JSON.stringify(issues().map((one) => (one.number === number ? { ...one, ...changes } : one))),
    );
  const calls = () =>
    readFileSync(at('gh/calls.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { args: string[] }).args.slice(0, 2).join(' '));
  const update = (folder: string, name: string, ...rest: string[]) =>
    run('issues.ts', ['--night', folder, '--name', name, '--link', `https://example.org/${name}`, ...rest]);

  test('one for each new signature, without the vector, and none for known ones', async () => {
    const known = difference(SIGNATURES[1]!, { known: { id: 'some-entry', title: 'x', link: null } });
    const { code, out } = await update(
      night('found', [difference(SIGNATURES[0]!), known, difference(SIGNATURES[2]!, { finding: null })]),
      '2026-12-01',
    );
    expect({ code, out }).toEqual({ code: 0, out: '2 opened, 0 updated, 0 opened again, 0 closed, 0 left closed' });
    const [first, second] = issues();
    expect(issues()).toHaveLength(2);
    expect(first!.title).toBe('kona at frames: frame/is-last-values+, more');
    expect(first!.body).toContain('Signature: `frames | kona | frame/is-last-values+ | more`');
    expect(first!.body).toContain('| [2026-12-01](https://example.org/2026-12-01) | seed 7, index 17 | 5 |');
    expect(first!.body).toContain('kona 0.4.5');
    expect(first!.body).not.toContain('{"the"');
    expect(second!.body).toContain('finding: none was kept');
    // Nobody is called by a crash's message.
    expect(second!.title).not.toContain('@someone');
  });

  test('the next nights update it, and what people wrote stays', async () => {
    await update(night('n', [difference(SIGNATURES[0]!)]), '2026-12-01');
    setIssue(1, { body: `Looked at it.\n\n${issues()[0]!.body}\n\nIt is the parser.` });
    for (const day of ['02', '03', '03'])
      await update(night('n', [difference(SIGNATURES[0]!, { count: Number(day) })]), `2026-12-${day}`);
    expect(issues()).toHaveLength(1);
    const { body } = issues()[0]!;
    expect(body.startsWith('Looked at it.\n\n')).toBe(true);
    expect(body.endsWith('\n\nIt is the parser.')).toBe(true);
    expect(body.match(/^\| \[2026-12-\d\d\]/gm)).toEqual(['| [2026-12-01]', '| [2026-12-02]', '| [2026-12-03]']);
    // The same night once more says the same.
    expect(calls().filter((call) => call === 'issue edit')).toHaveLength(2);
  });

  test('keeps the first night and the last ten', async () => {
    await update(night('n', [difference(SIGNATURES[0]!)]), 'night 0');
    const { bodyOf } = await import('./issue-text.ts');
    let { body } = issues()[0]!;
    const report: CampaignReport = { ...CAMPAIGN, differences: [difference(SIGNATURES[0]!)] };
    for (let i = 1; i <= 30; i++)
      body = bodyOf(report.differences[0]!, { report, name: `night ${i}`, link: 'https://example.org' }, body);
    const nights = [...body.matchAll(/^\| \[night (\d+)\]/gm)].map((match) => Number(match[1]));
    expect(nights).toEqual([0, ...Array.from({ length: 10 }, (_, i) => 21 + i)]);
  });

  test('one that was closed is opened again, unless nobody means to do anything about it', async () => {
    await update(
      night(
        'n',
        SIGNATURES.slice(0, 2).map((one) => difference(one)),
      ),
      '1',
    );
    setIssue(1, { state: 'CLOSED', stateReason: 'COMPLETED' });
    setIssue(2, { state: 'CLOSED', stateReason: 'NOT_PLANNED' });
    const { out } = await update(at('n'), '2');
    expect(out).toBe('0 opened, 0 updated, 1 opened again, 0 closed, 1 left closed');
    expect(issues().map(({ state }) => state)).toEqual(['OPEN', 'CLOSED']);
    expect(issues()).toHaveLength(2);
  });

  test('one is closed when its signature is listed, or when all agree on its vector now', async () => {
    await update(
      night(
        'n',
        SIGNATURES.map((one) => difference(one)),
      ),
      '1',
    );
    const listed = difference(SIGNATURES[1]!, { known: { id: 'some-entry', title: 'x', link: null } });
    const kept = replayed('kept.json', [SIGNATURES[0]!, SIGNATURES[2]!], []);
    // The third agrees on its old vector and shows on another one.
    const { out } = await update(night('m', [listed, difference(SIGNATURES[2]!)]), '2', '--replayed', kept);
    expect(out).toBe('0 opened, 1 updated, 0 opened again, 2 closed, 0 left closed');
    expect(issues().map(({ state }) => state)).toEqual(['CLOSED', 'CLOSED', 'OPEN']);
  });

  test('a night that brings too many opens the most frequent, and says how many are left', async () => {
    const many = Array.from({ length: 30 }, (_, i) => difference(`frames | kona | unknown | shape ${i}`));
    const { out } = await update(night('many', many), '1');
    expect(issues()).toHaveLength(20);
    expect(out).toMatch(/^20 opened, .*\n::warning title=holodiff::10 more new signatures have no issue/);
    expect((await update(at('many'), '1', '--most', '3')).out).toMatch(/^3 opened, 20 updated/);
  });

  test.each<[string, string[], Record<string, string>, RegExp]>([
    ['no arguments', [], {}, /^::error::expected --night DIR --name TEXT --link URL/],
    [
      'no night',
      ['--night', 'nowhere', '--name', 'x', '--link', 'x'],
      {},
      /^::error::nowhere\/merged\.json: no such file/,
    ],
    [
      'a gh that may not',
      ['--night', 'n', '--name', 'x', '--link', 'x'],
      { FAKE_GH_FAILS: 'issue list' },
      /^::error::a command ended with 1: HTTP 403/,
    ],
  ])('%s: one line and exit 2', async (_, args, env, message) => {
    night('n', [difference(SIGNATURES[0]!)]);
    const { code, err } = await run('issues.ts', args, env);
    expect(err).toMatch(message);
    expect(err.split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });
});

describe('kept', () => {
  const git = (cwd: string, ...args: string[]) =>
    execa('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.invalid', ...args], { cwd });
  /** A checkout as a job has it: fresh each time. */
  async function checkout(name: string): Promise<string> {
    await git(root, 'clone', '-q', at('remote.git'), name);
    return at(name);
  }
  const inBranch = async () =>
    (await git(at('remote.git'), 'ls-tree', '-r', '--name-only', 'nightly')).stdout.split('\n');

  beforeAll(async () => {
    await git(root, 'init', '-q', '--bare', '-b', 'main', 'remote.git');
    const first = await checkout('zero');
    writeFileSync(path.join(first, 'file'), '');
    await git(first, 'add', '.');
    await git(first, 'commit', '-q', '-m', 'x');
    await git(first, 'push', '-q', 'origin', 'HEAD:main');
  });

  test('findings from one night to the next, each once, on a branch of their own', async () => {
    const one = await checkout('one');
    expect((await run('kept.ts', ['open', 'kept'], {}, one)).code).toBe(0);
    expect(readdirSync(path.join(one, 'kept'))).toEqual(['.git']);
    const known = difference('singles | kona | unknown | less', { known: { id: 'x', title: 'x', link: null } });
    const first = night('kept-1', [difference(SIGNATURES[0]!), known, difference(SIGNATURES[1]!)]);
    const saved = await run('kept.ts', ['save', 'kept', '--night', first], {}, one);
    expect(saved).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\nkept: 2 added, 0 gone, 0 listed$/) as string,
    });
    const names = SIGNATURES.map(findingName);
    const files = (name: string) =>
      Object.values(FINDING_FILES)
        .map((file) => `findings/${name}/${file}`)
        .filter((file) => /finding\.json|\/vector\.vector/.test(file));
    expect(new Set(await inBranch())).toEqual(new Set(['README.md', ...files(names[0]!), ...files(names[1]!)]));
    // The same night run again changes nothing.
    const before = (await git(at('remote.git'), 'rev-parse', 'nightly')).stdout;
    const again = await checkout('again');
    await run('kept.ts', ['open', 'kept'], {}, again);
    expect((await run('kept.ts', ['save', 'kept', '--night', first], {}, again)).out).toBe(
      'kept: 0 added, 0 gone, 0 listed',
    );
    expect((await git(at('remote.git'), 'rev-parse', 'nightly')).stdout).toBe(before);

    const two = await checkout('two');
    await run('kept.ts', ['open', 'kept'], {}, two);
    expect(existsSync(path.join(two, 'kept/findings', names[0]!, FINDING_FILES.vector))).toBe(true);
    const kept = replayed('kept-2.json', [SIGNATURES[0]!], [SIGNATURES[1]!]);
    const second = night('kept-night-2', [difference(SIGNATURES[2]!)]);
    const out = (await run('kept.ts', ['save', 'kept', '--night', second, '--replayed', kept], {}, two)).out;
    expect(out).toBe(`added: ${names[2]!}\ngone: ${names[0]!}\nkept: 1 added, 1 gone, 0 listed`);
    expect(new Set(await inBranch())).toEqual(new Set(['README.md', ...files(names[1]!), ...files(names[2]!)]));
    // Nothing of the branch is in the other one.
    expect((await git(at('remote.git'), 'ls-tree', '--name-only', 'main')).stdout).toBe('file');
  });

  test('what is listed goes, and an embargo put there is used', async () => {
    const three = await checkout('three');
    await run('kept.ts', ['open', 'kept'], {}, three);
    mkdirSync(path.join(three, 'kept/embargo'));
    const entry = {
      id: 'secret',
      title: 'x',
      vectors: { x: 'frames' },
      signatures: [SIGNATURES[2]!],
      outlier: 'kona',
      rule: 'frame/version-byte',
      versions: {},
      specification: { right: [], section: 'x', sentence: 'x' },
      date: '2026-11-30',
      embargo: true,
    };
    writeFileSync(
      path.join(three, 'kept/embargo/known-divergences.json'),
      JSON.stringify({ format: 1, divergences: [entry] }),
    );
    await git(path.join(three, 'kept'), 'add', '.');
    await git(path.join(three, 'kept'), 'commit', '-q', '-m', 'x');
    await git(path.join(three, 'kept'), 'push', '-q', 'origin', 'HEAD:nightly');

    const four = await checkout('four');
    await run('kept.ts', ['open', 'kept'], {}, four);
    const variable = readFileSync(at('env'), 'utf8').trim();
    expect(variable).toMatch(/^HOLODIFF_KNOWN=.*,.*four\/kept\/embargo\/known-divergences\.json$/);
    expect(variable).toContain(LEDGER_FILE);
    const { out } = await run(
      'kept.ts',
      ['save', 'kept', '--night', night('kept-3', [])],
      { HOLODIFF_KNOWN: variable.slice('HOLODIFF_KNOWN='.length) },
      four,
    );
    expect(out).toBe(`listed: ${findingName(SIGNATURES[2]!)}\nkept: 0 added, 0 gone, 1 listed`);
    expect(await inBranch()).toContain('embargo/known-divergences.json');
  });

  test.each<[string, string[], RegExp]>([
    ['no command', [], /^::error::expected open FOLDER, or save FOLDER/],
    ['no night', ['save', 'x'], /^::error::expected open FOLDER, or save FOLDER/],
    ['no remote', ['open', 'kept'], /^::error::git ls-remote: origin cannot be reached$/],
  ])('%s: one line and exit 2', async (_, args, message) => {
    const { code, err } = await run('kept.ts', args);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });
});
