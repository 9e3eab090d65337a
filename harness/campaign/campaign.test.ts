/** Campaigns: every planted fault is noticed, and what is found depends on the seed and on nothing else. */

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KnownDivergence, KnownSignatures } from '../compare/ledger.ts';
import { ProcessImplementation } from '../implementations/process.ts';
import { formatCampaign } from '../report/campaign.ts';
import { parseVector } from '../vector.ts';
import { Totals } from './campaign.ts';
import { FINDING_FILES } from './finding.ts';
import { JOURNAL_FILE, Journal, readJournal } from './journal.ts';
import { MERGED_FILE, merge, readMerged } from './merge.ts';
import { minimiseFindings } from './minimise-findings.ts';
import { campaign, faulty, findingsIn, Mock, reportTotalsOf, totalsOf } from './testing.ts';

const MOCK = fileURLToPath(new URL('../implementations/fixtures/mock.mjs', import.meta.url));

let root: string;
let whole: Awaited<ReturnType<typeof campaign>>;
const at = (name: string) => path.join(root, name);
const journalOf = (name: string) => path.join(root, name, JOURNAL_FILE);

function entryOf(id: string, signatures: string[]): KnownDivergence {
  return {
    id,
    title: id,
    vectors: { some: 'frames' },
    signatures,
    outlier: 'kona',
    rule: 'frame/version-byte',
    versions: {},
    specification: { right: [], section: 'x', sentence: 'x' },
    date: '2026-11-30',
  };
}

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-campaign-'));
  whole = await campaign(at('whole'));
});

afterAll(() => rm(root, { recursive: true }));

describe('a fault planted in a program', () => {
  /** Runs some vectors against a program with the fault. */
  async function against(fault: string, indices: readonly number[], count: number) {
    const mock = await ProcessImplementation.start({
      command: process.execPath,
      args: [MOCK, 'kona', fault, ...indices.map(String)],
      label: 'kona',
      limits: { vectorTime: fault === 'hang' ? 3_000 : 60_000 },
    });
    const folder = at(`fault-${fault}`);
    const result = await campaign(folder, { vectors: count, references: [mock, new Mock('op-node')] });
    await mock.close();
    return { result, findings: findingsIn(folder), mock };
  }

  const signaturesOf = (findings: Record<string, string>) =>
    Object.entries(findings)
      .filter(([file]) => file.endsWith('finding.json'))
      .map(([, text]) => JSON.parse(text) as { signature: string; index: number });

  test.each([
    ['wrong-batch', /^batches \| kona \| /],
    ['missing-flush', /^flushes \| kona \| /],
    ['extra-flush', /^flushes \| kona \| /],
  ])('%s: a signature, and a finding with its vector', async (fault, signature) => {
    const { result, findings } = await against(fault, [], 24);
    expect(result.vectors).toBe(24);
    expect([...result.incidents]).toEqual([]);
    expect([...result.differences.keys()].filter((one) => signature.test(one))).not.toEqual([]);
    expect(
      signaturesOf(findings)
        .map((one) => one.signature)
        .sort(),
    ).toEqual([...result.differences.keys()].sort());
    for (const [file, text] of Object.entries(findings)) {
      if (file.endsWith('.vector.json')) expect(parseVector(text).name).toMatch(/^generated\/5\/\d+$/);
    }
  });

  test.each([
    ['crash', 'exit', 'crash'],
    ['hang', 'timeout', 'timeout'],
    ['garbage', 'garbage', 'crash'],
    ['truncated', 'truncated', 'crash'],
  ])(
    '%s: an incident, a finding of the vector that it came with, and all others are compared',
    async (fault, kind, outcome) => {
      const { result, findings } = await against(fault, [4, 11], 14);
      expect(result.vectors).toBe(14);
      expect([...result.incidents]).toEqual([[`kona ${kind}`, 2]]);
      // Two vectors of one signature, or of two: what they have in common is that kona gave no trace.
      const shown = [...result.differences];
      expect(shown.reduce((sum, [, { count }]) => sum + count, 0)).toBe(2);
      for (const [signature] of shown)
        expect(signature).toMatch(new RegExp(`^outcome \\| kona \\| .*no trace: ${outcome}`));
      expect(signaturesOf(findings).map(({ index }) => index)).toContain(4);
    },
  );

  test('two answers to one question: whatever is wrong from there on is noticed', async () => {
    const { result, mock } = await against('surplus', [4], 24);
    expect(result.vectors).toBe(24);
    expect(result.differences.size + mock.incidents.length).toBeGreaterThan(0);
  });

  test.each(['slow', 'none'])('%s: nothing is wrong', async (fault) => {
    const { result, findings } = await against(fault, [], 24);
    expect(totalsOf(result)).toMatchObject({ vectors: 24, differences: [], incidents: [] });
    expect(findings).toEqual({});
  });
});

describe('what a campaign finds', () => {
  test('is something, here', () => {
    expect(whole.differences.size).toBeGreaterThan(3);
  });

  test('is the same for the same seed, whoever answers when', async () => {
    const late = (asked: number) => delay(asked % 5);
    const references = [
      new Mock('kona', faulty, late),
      new Mock('op-node', undefined, (asked) => delay((asked * 3) % 4)),
    ];
    const again = await campaign(at('again'), { references });
    expect(totalsOf(again)).toEqual(totalsOf(whole));
    expect(findingsIn(at('again'))).toEqual(findingsIn(at('whole')));
    expect(readFileSync(journalOf('again'), 'utf8').split('\n').at(0)).toBe(
      readFileSync(journalOf('whole'), 'utf8').split('\n').at(0),
    );
  });

  test('is the same in several goes, with a line cut off in between', async () => {
    await campaign(at('goes'), { vectors: 25 });
    appendFileSync(journalOf('goes'), '{"kind":"chunk","from":25,"to":40,"diff');
    const last = await campaign(at('goes'), { resume: true });
    expect(totalsOf(last)).toEqual(totalsOf(whole));
    expect(last.fresh).toBe(35);
    expect(findingsIn(at('goes'))).toEqual(findingsIn(at('whole')));
  });

  test('stays as it is when there is nothing more to do', async () => {
    await campaign(at('done'));
    const before = readFileSync(journalOf('done'), 'utf8');
    const references = [new Mock('kona', faulty), new Mock('op-node')];
    expect(totalsOf(await campaign(at('done'), { resume: true, references }))).toEqual(totalsOf(whole));
    expect(references.map(({ asked }) => asked)).toEqual([0, 0]);
    expect(readFileSync(journalOf('done'), 'utf8')).toBe(before);
  });

  test('has no finding for what is listed, and counts it', async () => {
    const [first] = whole.differences.keys();
    const result = await campaign(at('known'), { known: new Set([first!]) });
    expect(totalsOf(result)).toEqual(totalsOf(whole));
    const files = Object.keys(findingsIn(at('known'))).filter((file) => file.endsWith('finding.json'));
    expect(files).toHaveLength(whole.differences.size - 1);
  });

  test('is lost by nobody when a campaign was killed before its first line was whole', async () => {
    mkdirSync(at('stillborn'));
    writeFileSync(journalOf('stillborn'), '{"kind":"start","form');
    expect(totalsOf(await campaign(at('stillborn')))).toEqual(totalsOf(whole));
  });

  test('is gone on with by one run at a time', async () => {
    await campaign(at('shared'), { vectors: 25 });
    const content = readJournal(at('shared'));
    const first = Journal.resume(at('shared'), content);
    const second = Journal.resume(at('shared'), content);
    const message = `${journalOf('shared')}: another run is writing to this campaign: let one of them go on alone`;
    first.chunk({ ...content.chunks[0]!, from: 25, to: 30 });
    expect(() => second.chunk({ ...content.chunks[0]!, from: 25, to: 31 })).toThrow(message);
    expect(() => Journal.resume(at('shared'), content)).toThrow(message);
    first.chunk({ ...content.chunks[0]!, from: 30, to: 35 });
    first.close();
    second.close();
    expect(readJournal(at('shared')).chunks.at(-1)!.to).toBe(35);
  });

  test('is cut where its last whole line ends, also if the rest is no text', async () => {
    await campaign(at('cut-character'), { vectors: 25 });
    const before = readFileSync(journalOf('cut-character'));
    appendFileSync(journalOf('cut-character'), Buffer.from([0x22, 0xc3]));
    const content = readJournal(at('cut-character'));
    expect(content).toMatchObject({ length: before.length, size: before.length + 2 });
    Journal.resume(at('cut-character'), content).close();
    expect(readFileSync(journalOf('cut-character'))).toEqual(before);
  });

  test('is not mixed with what lies in the folder', async () => {
    await expect(campaign(at('whole'))).rejects.toMatchObject({
      message: expect.stringMatching(
        /^(.*)[/\\]journal\.ndjson: this campaign exists already: go on with --resume \1, or keep another one with --out$/,
      ) as string,
    });
  });
});

describe('parts of a campaign', () => {
  const partOf = (index: number, count: number) => at(`part-${index}-of-${count}`);

  beforeAll(async () => {
    for (const count of [2, 3]) {
      for (let index = 1; index <= count; index++) {
        await campaign(partOf(index, count), { shard: { index, count }, vectors: 60 / count });
      }
    }
    await campaign(at('other-seed'), { source: { kind: 'generated', seed: '6' }, vectors: 30 });
  });

  test.each([2, 3])('%i together are the whole, in any order', (count) => {
    const parts = Array.from({ length: count }, (_, index) => partOf(index + 1, count));
    const merged = merge(parts, at(`merged-${count}`));
    expect(reportTotalsOf(merged)).toEqual(totalsOf(whole));
    expect(findingsIn(at(`merged-${count}`))).toEqual(findingsIn(at('whole')));
    merge(parts.toReversed(), at('reversed'));
    expect(readFileSync(path.join(at('reversed'), MERGED_FILE), 'utf8')).toBe(
      readFileSync(path.join(at(`merged-${count}`), MERGED_FILE), 'utf8'),
    );
    expect(findingsIn(at('reversed'))).toEqual(findingsIn(at('whole')));
  });

  test('one of which was killed and run again are the whole', async () => {
    const killed = at('killed-part');
    await campaign(killed, { shard: { index: 2, count: 2 }, vectors: 12 });
    const lines = readFileSync(journalOf('killed-part'), 'utf8').split('\n');
    // A kill takes the line of the end, and half of the one before it.
    writeFileSync(journalOf('killed-part'), `${lines.slice(0, -3).join('\n')}\n${lines.at(-3)!.slice(0, 80)}`);
    expect(() => merge([partOf(1, 2), killed], at('not-yet'))).toThrow(/did not come to its end/);
    await campaign(killed, { shard: { index: 2, count: 2 }, vectors: 30, resume: true });
    merge([partOf(1, 2), killed], at('merged-killed'));
    merge([partOf(1, 2), partOf(2, 2)], at('merged-whole'));
    expect(readFileSync(path.join(at('merged-killed'), MERGED_FILE), 'utf8')).toBe(
      readFileSync(path.join(at('merged-whole'), MERGED_FILE), 'utf8'),
    );
    expect(findingsIn(at('merged-killed'))).toEqual(findingsIn(at('whole')));
  });

  test('and campaigns with other seeds are joined: counters add up, a signature has one finding', () => {
    const merged = merge([at('other-seed'), partOf(2, 2), partOf(1, 2)], at('joined'));
    expect(merged.vectors).toBe(90);
    const counts = new Map(merged.differences.map(({ signature, count }) => [signature, count]));
    const other = new Totals();
    for (const chunk of readJournal(at('other-seed')).chunks) other.add(chunk);
    for (const [signature, { count }] of other.differences) {
      expect(counts.get(signature)).toBe((whole.differences.get(signature)?.count ?? 0) + count);
    }
    const folders = new Set(Object.keys(findingsIn(at('joined'))).map((file) => path.dirname(file)));
    expect(folders.size).toBe(merged.differences.length);
    expect(merged.campaigns.map(({ source }) => source)).toEqual([{ seed: '5' }, { seed: '5' }, { seed: '6' }]);
    for (const { first, signature } of merged.differences) {
      const [five, six] = [whole, other].map(({ differences }) => differences.get(signature)?.first ?? Infinity);
      expect(first.index).toBe(Math.min(five!, six!));
      expect(first.campaign === 2).toBe(six! < five!);
    }
  });

  test('say what they found as data that can be read again, listed ones marked', () => {
    const [listed, ...others] = [...whole.differences.keys()].sort();
    const known = new KnownSignatures([entryOf('listed', [listed!])]);
    const report = merge([partOf(1, 2), partOf(2, 2)], at('marked'), known);
    expect(readMerged(at('marked'))).toEqual(report);
    expect(report.status).toBe('differs');
    expect(report.differences.filter((one) => one.known !== null)).toMatchObject([
      { signature: listed, known: { id: 'listed', link: null } },
    ]);
    expect(
      report.differences
        .filter((one) => one.known === null)
        .map(({ signature }) => signature)
        .sort(),
    ).toEqual(others);
    const names = readdirSync(path.join(at('marked'), 'findings')).sort();
    expect(report.differences.map(({ finding }) => finding).sort()).toEqual(names);
    const all = new KnownSignatures([entryOf('all', [...whole.differences.keys()])]);
    expect(merge([at('whole')], at('marked'), all).status).toBe('ok');
  });

  test('tell which of the listed causes they met', () => {
    const [listed] = [...whole.differences.keys()];
    const entries = [
      entryOf('met', [listed!]),
      entryOf('unmet', ['nothing like it']),
      { ...entryOf('secret', ['nothing like it']), embargo: true as const },
    ];
    const report = merge([at('whole')], at('causes'), new KnownSignatures(entries));
    expect(report.causes).toEqual({ met: whole.differences.get(listed!)!.count, unmet: 0 });
    expect(formatCampaign(report)).toContain('1 of 2 listed causes met; not met: unmet');
  });

  test('have nothing of what is under embargo in them but its number', () => {
    const [secret] = [...whole.differences.keys()];
    const known = new KnownSignatures([{ ...entryOf('secret', [secret!]), embargo: true }, entryOf('broad', ['*'])]);
    const report = merge([at('whole')], at('embargo'), known);
    expect(report).toMatchObject({ status: 'ok', underEmbargo: 1, vectors: 60 });
    expect(report.differences).toHaveLength(whole.differences.size - 1);
    const files = readdirSync(at('embargo'), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
    expect(files.length).toBeGreaterThan(1);
    for (const text of files) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain('secret');
    }
  });

  test('with a broken finding are refused by its file', async () => {
    await campaign(at('broken'));
    const folder = path.join(at('broken'), 'findings', readdirSync(path.join(at('broken'), 'findings'))[0]!);
    writeFileSync(path.join(folder, FINDING_FILES.finding), '{"signature":');
    expect(() => merge([at('broken')], at('refused'))).toThrow(/finding\.json: expected the summary of a finding/);
    expect(existsSync(at('refused'))).toBe(false);
  });

  test('are refused by name where a file is in the place of a folder', async () => {
    await campaign(at('file-below'), { vectors: 5 });
    rmSync(path.join(at('file-below'), 'findings'), { recursive: true, force: true });
    writeFileSync(path.join(at('file-below'), 'findings'), '');
    const findings = path.join(at('file-below'), 'findings');
    const isNone = 'is not a folder, or what stands above it is none';
    expect(() => merge([at('file-below')], at('refused'))).toThrow(`${findings}: ${isNone}`);
    expect(() => merge([at('whole')], findings)).toThrow(`${findings}: ${isNone}`);
    expect(() => merge([at('whole')], path.join(findings, 'below'))).toThrow(
      `${findings}: cannot be written: a file of that name is in the way`,
    );
    expect(readFileSync(findings, 'utf8')).toBe('');
  });

  test.each<[string, string, string, RegExp]>([
    ['summary', FINDING_FILES.finding, '{"signature":5}', /finding\.json: expected the summary of a finding/],
    ['summary that is no JSON', FINDING_FILES.finding, '{', /finding\.json: expected the summary of a finding/],
    ['vector', FINDING_FILES.vector, 'x', /vector\.vector\.json: not JSON: /],
  ])('with a broken %s are not minimised', async (name, file, content, message) => {
    const folder = at(`unminimised-${name}`);
    await campaign(folder);
    const findings = path.join(folder, 'findings');
    writeFileSync(path.join(findings, readdirSync(findings).sort()[0]!, file), content);
    await expect(minimiseFindings(folder, [], new KnownSignatures([]), () => undefined)).rejects.toThrow(message);
  });

  test.each<[string, (text: string) => string, RegExp]>([
    ['no JSON', (text) => text.slice(0, 40), /merged\.json: .*JSON/],
    ['another format', (text) => text.replace('"format": 1', '"format": 2'), /merged\.json: format: .*got 2$/],
    ['a wrong field', (text) => text.replace(/"count": \d+/, '"count": -1'), /merged\.json: .*count: .*got -1$/],
    ['another command', (text) => text.replace('"command": "merge"', '"command": "run"'), /expected merge, got run$/],
  ])('whose result is %s are refused', (_, spoil, message) => {
    merge([at('whole')], at('spoilt'));
    const file = path.join(at('spoilt'), MERGED_FILE);
    writeFileSync(file, spoil(readFileSync(file, 'utf8')));
    expect(() => readMerged(at('spoilt'))).toThrow(message);
  });

  test('a merged folder is merged anew, and nothing else is overwritten', () => {
    merge([at('whole')], at('anew'));
    merge([at('other-seed')], at('anew'));
    expect(findingsIn(at('anew'))).toEqual(findingsIn(at('other-seed')));
    expect(() => merge([at('other-seed')], at('whole'))).toThrow(/whole: holds something else/);
  });

  test.each<[string, () => string[], RegExp]>([
    ['one is missing', () => [partOf(1, 3), partOf(3, 3)], /^part 2 of 3 of seed 5 is missing$/],
    ['one is there twice', () => [partOf(1, 2), partOf(2, 2), partOf(2, 2)], /is part 2 of 2 of seed 5, and so is /],
    ['they are of other cuts', () => [partOf(1, 2), partOf(2, 3)], /is a part of 3 of seed 5, but .* is one of 2$/],
    ['the whole is among them', () => [at('whole'), partOf(2, 2)], /is a part of 2 of seed 5, but .* is one of 1$/],
    ['no campaign is there', () => [root], /no such file: this folder holds no campaign$/],
  ])('%s: an error', (_, parts, message) => {
    expect(() => merge(parts(), at('refused'))).toThrow(message);
  });

  test('of other versions: an error', async () => {
    const references = [new Mock('kona', faulty)];
    await campaign(at('two-way'), { references, vectors: 5, source: { kind: 'generated', seed: '7' } });
    expect(() => merge([at('whole'), at('two-way')], at('refused'))).toThrow(
      /two-way: was run with .*, but .*whole with/,
    );
  });
});

describe('a bad journal is refused in one line, with the line that is bad', () => {
  const lines = () => readFileSync(journalOf('whole'), 'utf8').split('\n').slice(0, -1);

  test.each<[string, (lines: string[]) => string[], RegExp]>([
    ['nothing in it', () => [], /line 1: expected the start of a campaign$/],
    ['no JSON', ([start]) => [start!, '{"kind":'], /line 2: expected JSON$/],
    ['another start', ([start]) => [start!.replace('"format":1', '"format":2')], /line 1: format: expected format 1/],
    [
      'a part of no cut',
      ([start]) => [start!.replace('"index":1', '"index":2')],
      /line 1: shard: expected an index up to/,
    ],
    ['a chunk twice', ([start, chunk]) => [start!, chunk!, chunk!], /line 3: from: expected \d+, and to above it$/],
    ['a gap', ([start, chunk]) => [start!, chunk!.replace('"from":0', '"from":9')], /line 2: from: expected 0, and/],
    [
      'an odd counter',
      ([start, chunk]) => [start!, chunk!.replace('"to":', '"to":-')],
      /line 2: to: expected a number/,
    ],
    [
      'a field twice',
      ([start, chunk]) => [start!, chunk!.replace('"from"', '"to":1,"from"')],
      /line 2: to: repeated field$/,
    ],
    ['an odd field', ([start, chunk]) => [start!, chunk!.replace('"to":', '"till":')], /line 2: /],
  ])('%s', (name, spoil, message) => {
    const folder = `bad-${name}`;
    mkdirSync(at(folder));
    writeFileSync(
      journalOf(folder),
      spoil(lines())
        .map((line) => `${line}\n`)
        .join(''),
    );
    expect(() => readJournal(at(folder))).toThrow(message);
    expect(() => readJournal(at(folder))).toThrow(new RegExp(`^${at(folder)}`));
  });

  test('bytes that are no text', () => {
    mkdirSync(at('bad-bytes'));
    writeFileSync(journalOf('bad-bytes'), Buffer.from(`${lines()[0]!}\n{"caf\xe9":1}\n`, 'latin1'));
    expect(() => readJournal(at('bad-bytes'))).toThrow(`${journalOf('bad-bytes')}: is not UTF-8 text`);
  });

  test('a folder in its place', () => {
    mkdirSync(journalOf('bad-folder'), { recursive: true });
    expect(() => readJournal(at('bad-folder'))).toThrow(`${journalOf('bad-folder')}: is a folder`);
  });
});
