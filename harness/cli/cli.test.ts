import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import type { Vector } from '../../src/vector.ts';
import type { KnownDivergence } from '../compare/ledger.ts';
import { hashVector, recordingFile, writeRecordings } from '../implementations/recorded.ts';
import { pinnedVersion, type ReferenceName } from '../references/build.ts';
import { sampleVector } from '../testing.ts';
import { type TraceJson, traceToJson } from '../trace.ts';
import { vectorToJson, vectorToLine } from '../vector.ts';

const BIN = fileURLToPath(new URL('bin.mjs', import.meta.url));

let root: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-'));
});

afterAll(() => rm(root, { recursive: true }));

/** Runs the real program on a machine that has Node and nothing else. */
async function holodiff(args: readonly string[], input = '') {
  const env = { PATH: path.dirname(process.execPath), HOLODIFF_BUILD_DIR: path.join(root, 'build') };
  const result = await execa(process.execPath, [BIN, ...args], { env, input, reject: false, extendEnv: false });
  return { code: result.exitCode, out: result.stdout.split('\n'), err: result.stderr };
}

/** A folder of vectors with what the references are said to have made of them. */
function corpus(
  name: string,
  vectors: readonly Vector[],
  edit: (trace: TraceJson, reference: ReferenceName) => TraceJson = (trace) => trace,
): string {
  const folder = path.join(root, name);
  mkdirSync(folder, { recursive: true });
  for (const vector of vectors) writeFileSync(path.join(folder, `${vector.name}.vector.json`), vectorToJson(vector));
  for (const reference of ['kona', 'op-node'] as const) {
    const implementation = { name: reference, version: pinnedVersion(reference) };
    const recordings = vectors.map((vector) => ({
      vector: vector.name,
      sha256: hashVector(vectorToLine(vector)),
      trace: edit({ ...traceToJson(derive(vector)), implementation }, reference),
    }));
    const file = recordingFile(folder, reference, implementation.version);
    writeRecordings(file, { implementation, formats: [1], decompressors: {} }, recordings);
  }
  return folder;
}

const VECTORS = [sampleVector('one', 100), sampleVector('two', 200)];

/** kona ends the second vector on another block. */
function konaDiffers(trace: TraceJson, reference: ReferenceName): TraceJson {
  if (reference !== 'kona') return trace;
  return { ...trace, flushes: [{ origin: 200, cause: 'batch' }] };
}

function ledger(name: string, entry: Partial<KnownDivergence>): string {
  const file = path.join(root, `${name}.json`);
  const divergence: KnownDivergence = {
    id: 'extra-flush',
    title: 'kona flushes',
    vectors: { one: 'flushes', two: 'flushes' },
    signatures: [],
    outlier: 'kona',
    rule: 'frame/version-byte',
    versions: { kona: pinnedVersion('kona') },
    specification: { right: ['op-node'], section: 'derivation.md', sentence: 'Nothing is flushed.' },
    date: '2026-11-30',
    ...entry,
  };
  writeFileSync(file, JSON.stringify({ format: 1, divergences: [divergence] }));
  return file;
}

describe('derive', () => {
  test('a handshake, then a trace for each vector, in order; blank lines have no answer', async () => {
    const input = `${VECTORS.map(vectorToLine).join('\n\n  \n')}\n`;
    const { code, out, err } = await holodiff(['derive', '-i', 'typescript'], input);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toHaveLength(3);
    const [handshake, ...traces] = out.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(handshake).toMatchObject({ holodiff: 'handshake', implementation: { name: 'typescript' }, formats: [1] });
    expect(traces).toEqual(VECTORS.map((vector) => traceToJson(derive(vector))));
  });

  test('a line that is no vector is answered with its path, the others are derived, and the exit code says so', async () => {
    const good = vectorToLine(VECTORS[0]!);
    const odd = good.replace('"blockTime":2', '"blockTime":2,"extra":1');
    const { code, out } = await holodiff(['derive', '-i', 'typescript'], [good, odd, 'garbage', good].join('\n'));
    expect(code).toBe(2);
    expect(out).toHaveLength(5);
    expect(JSON.parse(out[2]!)).toEqual({ error: { path: 'config.extra', message: 'unknown field' } });
    expect(JSON.parse(out[3]!)).toMatchObject({ error: { path: '' } });
    expect(out[4]).toBe(out[1]);
  });

  test('no input gives the handshake alone', async () => {
    expect(await holodiff(['derive', '-i', 'typescript'])).toMatchObject({ code: 0, out: [expect.any(String)] });
  });

  test('a variant by name, and one by file', async () => {
    const input = vectorToLine(VECTORS[0]!);
    expect((await holodiff(['derive', '-i', 'typescript', '--variant', 'text'], input)).code).toBe(0);
    const file = path.join(root, 'variant.json');
    writeFileSync(file, JSON.stringify({ name: 'mine', rules: { 'frame/version-byte': 'never' } }));
    expect((await holodiff(['derive', '-i', 'typescript', '--variant', file], input)).code).toBe(0);
    writeFileSync(file, JSON.stringify({ name: 'mine', rules: { 'no/rule': 'never' } }));
    const refused = await holodiff(['derive', '-i', 'typescript', '--variant', file], input);
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringMatching(/variant\.json: rules\.no\/rule: no rule/) as string,
    });
  });

  test('a reference without its toolchain: what is missing, and the oldest version that does', async () => {
    const kona = await holodiff(['derive', '-i', 'kona']);
    expect(kona).toMatchObject({
      code: 2,
      err: expect.stringMatching(/kona: Rust \(cargo\) is missing: [\d.]+ or newer/) as string,
    });
    const opNode = await holodiff(['derive', '-i', 'op-node']);
    expect(opNode).toMatchObject({
      code: 2,
      err: expect.stringMatching(/op-node: Go is missing: [\d.]+ or newer/) as string,
    });
  });
});

test('a module of the user that never comes to an end: one line and exit 2', async () => {
  const file = path.join(root, 'never.mjs');
  writeFileSync(file, 'export default new Promise(() => {});');
  const { code, out, err } = await holodiff(['config', '--config', file]);
  expect(err).toBe('holodiff: a module of yours, or its default export, waits for what never comes');
  expect(out).toEqual(['']);
  expect(code).toBe(2);
});

describe('replay', () => {
  test('all agree: exit 0, nothing but a summary on standard output', async () => {
    const folder = corpus('agree', VECTORS);
    const { code, out, err } = await holodiff(['replay', folder]);
    expect(out).toEqual([expect.stringMatching(/^2 vectors, 2 agree, 0 differ \(/)]);
    expect(err).toMatch(/Rust \(cargo\) is missing.*recorded traces are used/);
    expect(err).toMatch(/typescript [\d.]+ \(in process\) · kona [\d.]+ \(recorded\) · op-node [\d.]+ \(recorded\)/);
    expect(code).toBe(0);
  });

  test('one differs: exit 1 and a line that says where, who and what', async () => {
    const folder = corpus('differ', VECTORS, konaDiffers);
    const { code, out } = await holodiff(['replay', folder]);
    expect(out).toEqual([
      'one: flushes[0]: kona alone: kona signals a flush (batch) (at L1 block 200) where typescript and op-node signal nothing',
      'two: flushes[0]: kona alone: kona signals a flush (batch) (at L1 block 200) where typescript and op-node signal nothing',
      expect.stringMatching(/^2 vectors, 0 agree, 2 differ/),
    ]);
    expect(code).toBe(1);
  });

  test('a known divergence does not count, unless the list is put aside', async () => {
    const folder = corpus('known', VECTORS, konaDiffers);
    const file = ledger('known', {});
    const known = await holodiff(['replay', folder, '--known', file]);
    expect(known.out[0]).toMatch(/\[known: extra-flush\]$/);
    expect(known.out[2]).toMatch(/0 agree, 0 differ, 2 differ as known/);
    expect(known.code).toBe(0);
    expect((await holodiff(['replay', folder, '--no-known'])).code).toBe(1);
  });

  test('a difference that is not listed, and an entry that is gone, count', async () => {
    const folder = corpus('half-known', VECTORS, konaDiffers);
    expect((await holodiff(['replay', folder, '--known', ledger('half', { vectors: { one: 'flushes' } })])).code).toBe(
      1,
    );
    // Its cause is listed, by the signature, and the vector is not.
    const cause = ledger('cause', { vectors: { other: 'flushes' }, signatures: ['flushes | kona | *'] });
    const caused = await holodiff(['replay', folder, '--known', cause]);
    expect(caused.out[0]).toMatch(/ signal nothing \[as extra-flush, which does not list this vector\]$/);
    expect(caused.code).toBe(1);
    const agreeing = corpus('gone', VECTORS);
    const gone = await holodiff(['replay', agreeing, '--known', ledger('gone', {})]);
    expect(gone).toMatchObject({
      code: 1,
      err: expect.stringMatching(/known divergence extra-flush: one is listed and/) as string,
    });
  });

  test('a bad file is named with its path; the others are compared', async () => {
    const folder = corpus('bad', VECTORS);
    writeFileSync(path.join(folder, 'odd.vector.json'), vectorToJson(VECTORS[0]!).replace('"0x00"', '"0x0"'));
    const { code, out, err } = await holodiff(['replay', folder]);
    expect(err).toMatch(/failed: .*odd\.vector\.json: l1\[1\]\.data\[0\]: expected 0x and an even number/);
    expect(out).toEqual([expect.stringMatching(/^2 vectors, 2 agree, 0 differ, 1 failure /)]);
    expect(code).toBe(2);
  });

  test('a recording of another content is noticed', async () => {
    const folder = corpus('stale', VECTORS);
    writeFileSync(path.join(folder, 'one.vector.json'), vectorToJson(sampleVector('one', 300)));
    const { code, err } = await holodiff(['replay', folder]);
    expect(err).toMatch(/one\.vector\.json: kona: its recording is of another content; record it again/);
    expect(code).toBe(2);
  });

  test('a file with a vector a line, without recordings, has nothing to be compared with', async () => {
    const folder = path.join(root, 'lines');
    mkdirSync(folder);
    const file = path.join(folder, 'vectors.ndjson');
    writeFileSync(file, `${VECTORS.map(vectorToLine).join('\n')}\n`);
    const { code, err } = await holodiff(['replay', file]);
    expect(err).toMatch(/holodiff: only typescript is at hand: a comparison needs two/);
    expect(code).toBe(2);
  });

  test.each([
    ['a folder that is not there', ['replay', 'no-such-folder'], /^holodiff: no-such-folder: no such file or folder$/],
    [
      'a folder without vectors',
      ['replay', path.dirname(BIN)],
      /no \*\.vector\.json or \*\.vector\.json\.gz below this folder$/,
    ],
    ['an unknown option', ['replay', '.', '--recordd'], /unknown option '--recordd' \(Did you mean --recorded\?\)$/],
    ['an unknown command', ['reply'], /^holodiff: unknown command 'reply' \(Did you mean replay\?\)$/],
    ['an unknown implementation', ['replay', '.', '-i', 'geth'], /holodiff: /],
    ['a limit that is no number', ['replay', '.', '--timeout', 'soon'], /expected a number above 0\.?$/],
    ['no implementation', ['derive'], /required option '-i, --implementation <name>' not specified$/],
    [
      'an implementation of another name',
      ['derive', '-i', 'geth'],
      /--implementation geth: expected typescript, kona, op-node, a reference with @VERSION or @path:FOLDER, or NAME=COMMAND$/,
    ],
    [
      'an unknown variant',
      ['derive', '-i', 'typescript', '--variant', 'x'],
      /unknown variant x: neither built in \(text\)/,
    ],
    [
      'a variant of a reference',
      ['derive', '-i', 'kona', '--variant', 'text'],
      /changes the TypeScript pipeline, not kona/,
    ],
    ['a ledger that is not there', ['replay', '.', '--known', 'none.json'], /holodiff: /],
  ])('one line on standard error and exit 2: %s', async (_, args, message) => {
    const { code, out, err } = await holodiff(args);
    expect(err).toMatch(message);
    expect(err.split('\n')).toHaveLength(1);
    expect(out).toEqual(['']);
    expect(code).toBe(2);
  });
});

describe('help', () => {
  test.each([['derive'], ['replay'], ['record'], ['build']])('%s has examples', async (command) => {
    const { code, out } = await holodiff([command, '--help']);
    expect(out.join('\n')).toMatch(/Examples:\n {2}\$ .*holodiff/);
    expect(code).toBe(0);
  });

  test('build without toolchains says what is missing and what still works', async () => {
    const { code, err } = await holodiff(['build']);
    expect(err).toMatch(/Rust \(cargo\) is missing/);
    expect(err).toMatch(/Go is missing/);
    expect(err).toMatch(/what still works/);
    expect(code).toBe(2);
  });
});
