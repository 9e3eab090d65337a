/**
 * Exported tests are compiled against the published packages and run: each passes in the reference that behaves as it
 * expects, and fails in the one that does not. Their sources are as the languages' own formatters leave them.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FINDING_FILES, findingFolder, writeFinding } from '../campaign/finding.ts';
import { type Boundary, same } from '../compare/compare.ts';
import { LEDGER_FILE, readLedgers } from '../compare/ledger.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { buildReference, type ReferenceName } from '../references/build.ts';
import { EXPECTATIONS, type Expectation } from './forms.ts';
import { goTest } from './go/go.ts';
import { goNames } from './go/names.ts';
import { rustNames } from './rust/names.ts';
import { rustTest } from './rust/rust.ts';
import { loadSubject, type Subject } from './subject.ts';
import { testCaseOf } from './test-case.ts';

/** Known divergences for every boundary, and what else makes an exported test different. */
const VECTORS: readonly (readonly [name: string, what: string, boundary?: Boundary])[] = [
  ['curated/frame/is-last-2', 'frames'],
  ['curated/batch-decode/version-127', 'frames, and kona panics'],
  ['curated/channel-assembler/early-close-does-not-close', 'channels'],
  ['curated/activation/with-canyon', 'channels, and op-node stands alone'],
  ['curated/batch-decode/uvarint-of-2-groups-in-block-tx-counts', 'batches: a span batch'],
  ['curated/single/parent-hash-unknown-after-holocene', 'batches: single ones'],
  ['finds/span/overlap-then-epoch-behind', 'flushes'],
  ['curated/engine/span-repeats-refused-block', 'flushes of both kinds, and whole safe blocks'],
  ['curated/batch-validator/own-epoch-span', 'singles'],
  ['curated/activation/with-granite-refused-payload', 'the outcome: op-node panics'],
  ['curated/activation/with-delta', 'the safe head, which no known divergence comes to first', 'safeHead'],
  ['curated/empty/long-gap-after-holocene', 'all agree, and there is no L1 data'],
];

interface Exported {
  readonly subject: Subject;
  readonly expectation: Expectation;
  /** Under which a run reports it. */
  readonly goId: string;
  readonly rustId: string;
}

let root: string;
const exported: Exported[] = [];
const results = new Map<string, { readonly passed: boolean; readonly output: string }>();

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-compiled-'));
  const known = readLedgers([LEDGER_FILE]);
  for (const [name, , boundary] of VECTORS) {
    const file = path.join(PACKAGE_ROOT, 'vectors', `${name}.vector.json`);
    const loaded = await loadSubject(file, { recorded: true, known, limits: {}, note: () => {} });
    const subject =
      boundary === undefined ? loaded : { ...loaded, difference: { ...loaded.difference!, boundary, groups: [] } };
    for (const expectation of EXPECTATIONS) exported.push(writeExports(subject, expectation));
  }
  await Promise.all([runGo(), runRust()]);
});

afterAll(() => rm(root, { recursive: true }));

/** Both sources, where their test runners find them. Each expectation is a package or a module of its own. */
function writeExports(subject: Subject, expectation: Expectation): Exported {
  const testCase = testCaseOf(subject, expectation);
  const scope = scopeOf(expectation);
  const go = goNames(testCase);
  const rust = rustNames(testCase);
  write(`go/${scope}/${go.file}`, goTest(testCase));
  write(`rust/tests/exported/${scope}/${rust.file}`, rustTest(testCase));
  return { subject, expectation, goId: `go ${scope} ${go.test}`, rustId: `rust ${scope}::${rust.test}::${rust.test}` };
}

/** The package or module of an expectation. */
function scopeOf(expectation: Expectation): string {
  return expectation.replace('-', '_');
}

function write(file: string, content: string): void {
  const full = path.join(root, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, content);
}

function adapterFile(reference: ReferenceName, file: string): string {
  return readFileSync(path.join(PACKAGE_ROOT, 'harness', 'references', reference, file), 'utf8');
}

/** In a module with the requirements of the adapter, so that all it needs is there and mostly compiled. */
async function runGo(): Promise<void> {
  for (const file of ['go.mod', 'go.sum']) write(`go/${file}`, adapterFile('op-node', file));
  const cwd = path.join(root, 'go');
  const vet = await execa('go', ['vet', './...'], { cwd, reject: false, all: true });
  results.set('go vet', { passed: !vet.failed, output: vet.all });
  const format = await execa('gofmt', ['-d', '.'], { cwd, reject: false });
  results.set('gofmt', { passed: !format.failed && format.stdout === '', output: format.stdout });
  const run = await execa('go', ['test', '-json', './...'], { cwd, reject: false });
  const output = new Map<string, string>();
  for (const line of run.stdout.split('\n')) {
    if (!line.startsWith('{')) continue;
    const event = JSON.parse(line) as { Action: string; Package?: string; Test?: string; Output?: string };
    const id = `go ${path.posix.basename(event.Package ?? '')} ${event.Test ?? ''}`;
    if (event.Action === 'output') output.set(id, (output.get(id) ?? '') + (event.Output ?? ''));
    if (event.Action !== 'pass' && event.Action !== 'fail') continue;
    results.set(id, { passed: event.Action === 'pass', output: output.get(id) ?? '' });
  }
}

/** In a package with the dependencies and the profile of the adapter, whose compiled dependencies serve it. */
async function runRust(): Promise<void> {
  const { binary } = await buildReference('kona', () => {});
  const own = 'holodiff-kona-exports';
  const named = (file: string) => adapterFile('kona', file).replace(/^name = "holodiff-kona"$/m, `name = "${own}"`);
  write('rust/Cargo.toml', `${named('Cargo.toml')}\n[profile.release.package.${own}]\nopt-level = 0\n`);
  write('rust/Cargo.lock', named('Cargo.lock'));
  write('rust/src/lib.rs', '');
  const modules = (names: readonly string[]) =>
    names
      .toSorted()
      .map((name) => `mod ${name};\n`)
      .join('');
  write('rust/tests/exported/main.rs', modules(EXPECTATIONS.map(scopeOf)));
  for (const expectation of EXPECTATIONS) {
    const some = exported.filter((one) => one.expectation === expectation);
    write(
      `rust/tests/exported/${scopeOf(expectation)}/mod.rs`,
      modules(some.map(({ rustId }) => rustId.split('::')[1]!)),
    );
  }
  const cwd = path.join(root, 'rust');
  const run = await execa('cargo', ['test', '--release', '--locked', '--test', 'exported'], {
    cwd,
    env: { CARGO_TARGET_DIR: path.join(path.dirname(binary), 'target'), RUST_BACKTRACE: '0' },
    reject: false,
  });
  results.set('cargo', { passed: /^test result: /m.test(run.stdout), output: run.stderr });
  results.set('warnings', { passed: !/^warning/m.test(run.stderr), output: run.stderr });
  for (const [, id, verdict] of run.stdout.matchAll(/^test (\S+) \.\.\. (ok|FAILED)$/gm)) {
    const output = run.stdout.split(`---- ${id!} stdout ----`)[1]?.split('\n---- ')[0] ?? '';
    results.set(`rust ${id!}`, { passed: verdict === 'ok', output });
  }
}

describe('the sources', () => {
  test.each(['go vet', 'gofmt', 'cargo', 'warnings'])('leave nothing to say: %s', (tool) => {
    const { passed, output } = results.get(tool)!;
    expect(passed, output).toBe(true);
  });

  test('are as rustfmt leaves them with the settings of kona', async (context) => {
    const args = ['--check', '--edition', '2024', '--config', 'use_small_heuristics=Max', 'tests/exported/main.rs'];
    const format = await execa('rustfmt', args, { cwd: path.join(root, 'rust'), reject: false });
    if (format.exitCode === undefined) context.skip('there is no rustfmt');
    expect(format.stdout).toBe('');
  });
});

describe.each(VECTORS.map(([name, what]) => [name, what] as const))('%s (%s)', (name) => {
  const ofVector = () => exported.filter(({ subject }) => name.endsWith(subject.vector.name));

  test.each(['go', 'rust'] as const)('in %s passes where the reference does as expected, and only there', (form) => {
    const reference = form === 'go' ? 'op-node' : 'kona';
    expect(ofVector()).toHaveLength(EXPECTATIONS.length);
    for (const { subject, expectation, goId, rustId } of ofVector()) {
      const result = results.get(form === 'go' ? goId : rustId);
      expect(result, `${expectation}: did not run`).toBeDefined();
      expect(result!.passed, `${expectation}: ${result!.output}`).toBe(agree(subject, reference, expectation));
    }
  });

  test('is told apart by at least one of the references, unless all agree', () => {
    const told = ofVector().flatMap(({ goId, rustId }) => [results.get(goId)!, results.get(rustId)!]);
    const subject = ofVector()[0]!.subject;
    expect(told.some(({ passed }) => !passed)).toBe(subject.difference !== undefined);
  });
});

/** Whether the two say the same at the boundary that the test asserts. */
function agree({ sides, difference }: Subject, reference: string, expectation: string): boolean {
  const boundary = difference?.boundary ?? 'singles';
  const [one, other] = [reference, expectation].map((name) => {
    const { trace } = sides.find(({ implementation }) => implementation === name)!;
    const { outcome } = trace;
    // A panic is asserted whatever the boundary.
    return [boundary === 'outcome' ? outcome.kind : trace[boundary], outcome.kind === 'crash'];
  });
  return same(one, other);
}

describe('a finding', () => {
  /** A finding of the vector, with this one as the minimised. */
  async function found(minimised: string): Promise<Subject> {
    const { subject } = exported.find((one) => one.subject.vector.name === 'frame/is-last-2')!;
    const signature = `${subject.explanation.difference!.signature} ${minimised}`;
    const traces = subject.sides.map(({ trace }) => trace);
    const { vector, difference } = subject;
    writeFinding(root, { signature, index: 0, vector, plan: undefined, difference: difference!, traces });
    const folder = findingFolder(root, signature);
    const small = readFileSync(path.join(PACKAGE_ROOT, 'vectors/curated', `${minimised}.vector.json`), 'utf8');
    writeFileSync(path.join(folder, FINDING_FILES.minimised), small);
    return loadSubject(folder, { recorded: false, known: [], limits: {}, note: (line) => notes.push(line) });
  }

  const notes: string[] = [];

  test('is taken minimised', async () => {
    const { vector, minimised, difference } = await found('frame/is-last-128');
    expect([vector.name, minimised, difference?.boundary]).toEqual(['frame/is-last-128', true, 'frames']);
  });

  test('is taken as it was found where the minimised one shows nothing any more', async () => {
    const { vector, minimised, difference } = await found('frame/empty-item-is-ignored');
    expect([vector.name, minimised, difference?.boundary]).toEqual(['frame/is-last-2', false, 'frames']);
    expect(notes.at(-1)).toMatch(/: does not differ any more; as it was found$/);
  });
});

describe('a failure says what came and what was expected', () => {
  const outputOf = (name: string, pick: (one: Exported) => string) =>
    results.get(
      pick(exported.find(({ subject, expectation }) => subject.vector.name === name && expectation === 'typescript')!),
    )!.output;

  test('in kona', () => {
    expect(outputOf('frame/is-last-2', ({ rustId }) => rustId)).toContain(`the frames that the frame queue hands on:
  L1 block 12: frame 0 of channel 0x00000000000000000000000000000001, 180 bytes
  L1 block 12: frame 0 of channel 0x000000000000000000000000000000ee, 180 bytes, last
expected:
  L1 block 12: frame 0 of channel 0x000000000000000000000000000000ee, 180 bytes, last
`);
    expect(outputOf('batch-decode/version-127', ({ rustId }) => rustId)).toContain('Invalid batch type: 127');
  });

  test('in op-node', () => {
    const output = outputOf('activation/with-canyon', ({ goId }) => goId);
    expect(output).toContain('the channels that the channel stage hands on');
    expect(output).toMatch(/[-+].*L1 block \d+: channel of \d+ bytes, keccak256 0x[0-9a-f]{64}/);
  });
});
