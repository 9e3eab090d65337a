import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import { findingFolder, writeFinding } from '../campaign/finding.ts';
import { Journal } from '../campaign/journal.ts';
import { MERGED_FILE, merge } from '../campaign/merge.ts';
import { compare, type Side } from '../compare/compare.ts';
import type { KnownDivergence } from '../compare/ledger.ts';
import { CURATED } from '../curated/index.ts';
import { traceToJson } from '../trace.ts';
import { vectorToJson } from '../vector.ts';
import { type CollectOptions, collectReport, findReportSources } from './collect.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'holodiff-collect-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NAME = 'channel-assembler/early-close-does-not-close';
const SIGNATURE = 'channels | kona | channel-assembler/in-order+ | less';
const vector = { ...CURATED.find(({ name }) => name === NAME)!.build(), name: NAME };

const ENTRY: KnownDivergence = {
  id: 'some-entry',
  title: 'Something that kona does',
  vectors: { other: 'frames' },
  signatures: [SIGNATURE],
  outlier: 'kona',
  rule: 'channel-assembler/in-order',
  versions: {},
  specification: { right: [], section: 'x', sentence: 'x' },
  date: '2026-11-30',
};

/** A campaign's folder with one finding. */
function campaign(name: string, seed: string, count: number): string {
  const target = path.join(folder, name);
  const journal = Journal.create(target, {
    kind: 'start',
    format: 1,
    source: { kind: 'generated', seed },
    shard: { index: 1, count: 1 },
    implementations: [],
  });
  const differences = { [SIGNATURE]: { count, first: 3 } };
  const coverage = { 'frame/version-byte+ after': 5 };
  journal.chunk({ kind: 'chunk', from: 0, to: 100, differences, coverage, incidents: {} });
  journal.end();
  journal.close();
  const variant = { name: 'other', rules: { 'channel-assembler/in-order': 'never' as const } };
  const sides = ['typescript', 'kona'].map((implementation): Side => {
    const trace = traceToJson(derive(vector, implementation === 'kona' ? { variant } : {}));
    return { implementation, trace: { ...trace, implementation: { name: implementation, version: '1' } } };
  });
  writeFinding(path.join(target, 'findings'), {
    signature: SIGNATURE,
    index: 3,
    vector,
    plan: undefined,
    difference: compare(sides)!,
    traces: sides.map(({ trace }) => trace),
  });
  return target;
}

const report = (paths: readonly string[], changes: Partial<CollectOptions> = {}) =>
  collectReport({
    title: 'title',
    sources: findReportSources(paths),
    implementations: [],
    known: [],
    all: false,
    note: () => undefined,
    ...changes,
  });

describe('a report of campaigns', () => {
  const first = campaign('first', '1', 2);
  const second = campaign('second', '2', 5);

  test('has a signature once, with its counts summed up', async () => {
    const { findings, summary, coverage } = await report([first, second]);
    expect(findings).toMatchObject([
      { signature: SIGNATURE, boundary: 'channels', outlier: 'kona', rule: 'channel-assembler/in-order', count: 7 },
    ]);
    expect(findings[0]?.explanation.difference).toBeDefined();
    expect(findings[0]?.traces.length).toBe(2);
    expect(summary).toEqual([
      'campaign seed 1: 100 vectors',
      'campaign seed 2: 100 vectors',
      '1 new difference, 0 known',
    ]);
    expect(coverage?.rows.find(({ rule }) => rule === 'frame/version-byte')?.counts.some((count) => count === 10)).toBe(
      true,
    );
  });

  test('has a merged folder in place of its campaigns, by its file too', async () => {
    const merged = path.join(folder, 'merged');
    merge([second, first], merged);
    const apart = await report([first, second]);
    const { findings, summary, coverage } = await report([path.join(merged, MERGED_FILE)]);
    expect(findings).toMatchObject([
      { signature: SIGNATURE, count: 7, source: findingFolder(`${merged}/findings`, SIGNATURE) },
    ]);
    expect(findings[0]?.explanation).toEqual(apart.findings[0]?.explanation);
    expect({ summary, coverage }).toEqual({ summary: apart.summary, coverage: apart.coverage });
    expect((await report([merged])).summary).toEqual(summary);
    writeFileSync(path.join(merged, MERGED_FILE), '{}');
    expect(() => findReportSources([merged])).toThrow(/merged\.json: /);
  });

  test('tells of an embargo nothing but how much there is under it', async () => {
    const vectors = path.join(folder, 'embargoed.vector.json');
    writeFileSync(vectors, vectorToJson({ ...vector, name: 'embargoed' }));
    const entry = { ...ENTRY, embargo: true as const, vectors: { embargoed: 'channels' as const } };
    for (const paths of [
      [first, second, vectors],
      [findingFolder(path.join(first, 'findings'), SIGNATURE), vectors],
    ]) {
      const input = await report(paths, { known: [entry], all: true });
      expect(input.findings).toEqual([]);
      expect(input.summary.at(-1)).toBe('2 under embargo');
      const told = JSON.stringify(input);
      for (const secret of [SIGNATURE, 'embargoed', entry.id, entry.title]) expect(told).not.toContain(secret);
    }
    expect((await report([first], { known: [{ ...ENTRY }] })).findings).toMatchObject([{ known: { id: ENTRY.id } }]);
  });

  test('takes a finding by its own folder, and a vector by its file', async () => {
    const { findings } = await report([findingFolder(path.join(first, 'findings'), SIGNATURE)]);
    expect(findings.length).toBe(1);
    const file = path.join(folder, 'some.vector.json');
    writeFileSync(file, vectorToJson(vector));
    expect(findReportSources([file])).toMatchObject({ campaigns: [], findings: [], vectors: [file] });
    expect((await report([file])).findings).toEqual([]);
  });

  test('refuses what is broken, by file and line', async () => {
    const broken = campaign('broken', '3', 1);
    const target = findingFolder(path.join(broken, 'findings'), SIGNATURE);
    writeFileSync(path.join(target, 'traces.ndjson'), '{"format":1}\n');
    await expect(report([broken])).rejects.toThrow(/traces\.ndjson: line 1: expected a trace$/);
    writeFileSync(path.join(target, 'finding.json'), '{}');
    await expect(report([broken])).rejects.toThrow(/finding\.json: expected the summary of a finding/);
    expect(() => findReportSources([path.join(folder, 'gone')])).toThrow(/gone: no such file or folder/);
  });
});
