/**
 * Every check of the project in one go: types, lint, the adapters' own tests and the project's.
 *
 * Prints what ran and ends with `N passed, N failed`; exits with 1 when anything failed or nothing ran. A check that
 * cannot run, because a toolchain is missing, is a failure unless `--without-references` says so.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { $, argv, chalk } from 'zx';

interface Count {
  readonly passed: number;
  readonly failed: number;
}

const root = fileURLToPath(new URL('..', import.meta.url));
$.cwd = root;
$.nothrow = true;
$.verbose = false;
$.stdio = ['ignore', 'pipe', 'pipe'];

const references = argv['without-references'] !== true;
const buildFolder = process.env['HOLODIFF_BUILD_DIR'] ?? join(root, '.build');

/** A command that passes or fails as a whole. */
async function whole(command: string, parameters: readonly string[]): Promise<Count> {
  const run = await $`${command} ${parameters}`;
  if (run.exitCode === 0) return { passed: 1, failed: 0 };
  console.log(run.stdall);
  return { passed: 0, failed: 1 };
}

const bin = (name: string) => join(root, 'node_modules', '.bin', name);

async function cargoTests(): Promise<Count> {
  const target = join(buildFolder, 'kona', 'target');
  const folder = join(root, 'harness/references/kona');
  const run = await $({
    cwd: folder,
    env: { ...process.env, CARGO_TARGET_DIR: target },
  })`cargo test --release --locked`;
  const results = [...run.stdout.matchAll(/^test result: .*? (\d+) passed; (\d+) failed/gm)];
  if (run.exitCode !== 0) console.log(run.stdall);
  const passed = results.reduce((sum, result) => sum + Number(result[1]), 0);
  const failed = results.reduce((sum, result) => sum + Number(result[2]), 0);
  return { passed, failed: run.exitCode !== 0 && failed === 0 ? 1 : failed };
}

async function goTests(): Promise<Count> {
  const folder = join(root, 'harness/references/op-node');
  const vet = await $({ cwd: folder })`go vet ./...`;
  if (vet.exitCode !== 0) {
    console.log(vet.stdall);
    return { passed: 0, failed: 1 };
  }
  const run = await $({ cwd: folder })`go test -json ./...`;
  if (run.exitCode !== 0) console.log(run.stdall);
  const results = run.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { Action: string; Test?: string })
    .filter(({ Test }) => Test !== undefined);
  const failed = results.filter(({ Action }) => Action === 'fail').length;
  return {
    passed: results.filter(({ Action }) => Action === 'pass').length,
    failed: run.exitCode !== 0 && failed === 0 ? 1 : failed,
  };
}

async function vitest(): Promise<Count> {
  const folder = await mkdtemp(join(tmpdir(), 'holodiff-test-'));
  const report = join(folder, 'vitest.json');
  const run = await $({
    stdio: 'inherit',
  })`${bin('vitest')} run --reporter=default --reporter=json --outputFile.json=${report}`;
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(await readFile(report, 'utf8')) as {
      numPassedTests: number;
      numFailedTests: number;
      numFailedTestSuites: number;
    };
    // A file that does not load fails as a suite without a test.
    const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
    return { passed: numPassedTests, failed: run.exitCode !== 0 && failed === 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const steps: readonly (readonly [string, () => Promise<Count>])[] = [
  ['types', () => whole(bin('tsc'), ['-p', '.'])],
  ['format and lint', () => whole(bin('biome'), ['check', '--colors=off', '.'])],
  ['typed lint', () => whole(bin('eslint'), ['.'])],
  ['unused code', () => whole(bin('knip'), [])],
  ['API documentation', () => whole(bin('typedoc'), ['--emit', 'none'])],
  ...(references
    ? ([
        ['build of the references', () => whole(process.execPath, ['harness/cli/bin.mjs', 'build'])],
        ["kona adapter's tests", cargoTests],
        ["op-node adapter's tests", goTests],
        // Go builds the linter.
        ['workflows', () => whole(process.execPath, ['--import', 'tsx', 'scripts/lint-workflows.ts'])],
      ] as const)
    : []),
  ['tests', vitest],
];

let passed = 0;
let failed = 0;
for (const [name, step] of steps) {
  const start = Date.now();
  const count = await step();
  passed += count.passed;
  failed += count.failed;
  const verdict = count.failed === 0 && count.passed > 0 ? chalk.green('ok') : chalk.red('FAILED');
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(`${verdict} ${name}: ${count.passed} passed, ${count.failed} failed (${seconds} s)`);
  if (count.passed === 0 && count.failed === 0) failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
