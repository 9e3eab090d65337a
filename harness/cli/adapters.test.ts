/** A program of the user's, named on the command line or in the configuration, in every command that derives. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CURATED } from '../curated/index.ts';
import { vectorToJson, vectorToLine } from '../vector.ts';

const BIN = fileURLToPath(new URL('bin.mjs', import.meta.url));
const MOCK = fileURLToPath(new URL('../implementations/fixtures/mock.mjs', import.meta.url));
const NAME = 'frame/version-1';
/** One derives as the TypeScript pipeline does, one gives a flush too many. */
const FAULTS = { mine: 'none', other: 'extra-flush' };

let root: string;
let vector: string;
let line: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-adapters-'));
  const built = { ...CURATED[0]!.build(), name: NAME };
  vector = path.join(root, 'some.vector.json');
  line = vectorToLine(built);
  writeFileSync(vector, vectorToJson(built));
  const adapters = Object.entries(FAULTS).map(([name, fault]) => [
    name,
    `${process.execPath} ${MOCK} ${name} ${fault}`,
  ]);
  const config = { adapters: Object.fromEntries(adapters) as object, known: false };
  writeFileSync(path.join(root, 'holodiff.config.mjs'), `export default ${JSON.stringify(config)};`);
});

afterAll(() => rm(root, { recursive: true }));

async function holodiff(args: readonly string[], input = '') {
  const env = { PATH: path.dirname(process.execPath), HOLODIFF_BUILD_DIR: path.join(root, 'build') };
  const options = { cwd: root, env, input, reject: false, extendEnv: false } as const;
  const { exitCode, stdout, stderr } = await execa(process.execPath, [BIN, ...args], options);
  return { code: exitCode, out: stdout, err: stderr };
}

describe('a program by its name in the configuration', { timeout: 120_000 }, () => {
  test('replay', async () => {
    const { code, out, err } = await holodiff(['replay', vector, '-i', 'typescript', '-i', 'other']);
    expect(err).toMatch(/typescript [\d.]+ \(in process\) · other 1\.0\.0 \(process\)/);
    expect(out).toContain(`${NAME}: flushes[0]: the two differ`);
    expect(code).toBe(1);
  });

  test('derive', async () => {
    const { code, out } = await holodiff(['derive', '-i', 'other'], `${line}\n`);
    const [handshake, trace] = out.split('\n').map((one) => JSON.parse(one) as { implementation: { name: string } });
    expect([handshake?.implementation.name, trace?.implementation.name, code]).toEqual(['other', 'other', 0]);
  });

  test('explain', async () => {
    const { code, out } = await holodiff(['explain', vector, '-i', 'typescript', '-i', 'other']);
    expect(out).toContain('FIRST DIFFERENCE  flushes[0]');
    expect(code).toBe(1);
  });

  test('report', async () => {
    const { code } = await holodiff(['report', vector, '-i', 'typescript', '-i', 'other', '-o', 'page.html']);
    expect(readFileSync(path.join(root, 'page.html'), 'utf8')).toContain('other');
    expect(code).toBe(0);
  });

  test('minimise', async () => {
    const { code } = await holodiff(['minimise', vector, '-i', 'typescript', '-i', 'other', '-o', 'small.vector.json']);
    expect(existsSync(path.join(root, 'small.vector.json'))).toBe(true);
    expect(code).toBe(0);
  });

  test('metamorphic', async () => {
    const { code, out } = await holodiff(['metamorphic', '-i', 'mine', '--vectors', '2']);
    expect(out).toMatch(/: holds$/m);
    expect(code).toBe(0);
  });

  test('variant', async () => {
    const { code, out } = await holodiff(['variant', 'text', '--no-minimise', '--vectors', '40', '-i', 'mine', vector]);
    expect(out).toContain('mine@1.0.0');
    expect(code).toBe(0);
  });

  test('run, and its resumption without naming it again', async () => {
    const args = ['--vectors', '5', '--no-minimise', '--no-table'];
    expect((await holodiff(['run', '-i', 'other', '-o', 'campaign', ...args])).code).toBe(1);
    const resumed = await holodiff(['run', '--resume', 'campaign', ...args]);
    expect(resumed.err).toMatch(/typescript [\d.]+, other 1\.0\.0/);
    expect(resumed.code).toBe(1);
    const lost = await holodiff(['run', '--resume', 'campaign', '--no-config', ...args]);
    expect(lost).toMatchObject({
      code: 2,
      err: 'holodiff: --resume campaign: say with --implementation how to start other',
    });
  });
});

describe('a program on the command line', () => {
  const named = (name: string, fault: string) => `${name}=${process.execPath} ${MOCK} ${name} ${fault}`;

  test('may stand beside one of the configuration, and in the environment', async () => {
    const third = named('third', 'none');
    const both = await holodiff(['replay', vector, '-i', 'mine', '-i', third]);
    expect(both.err).toMatch(/mine 1\.0\.0 \(process\) · third 1\.0\.0 \(process\)/);
  });

  test.each([
    ['another name than it gives itself', 'mine', named('x', 'none').replace(/^x=/, 'y='), /calls itself x$/],
    ['no command', 'mine', 'y=', /^holodiff: --implementation y=: expected NAME=COMMAND$/],
    ['no name', 'mine', '=cat', /^holodiff: --implementation =cat: expected NAME=COMMAND$/],
    ['no such program', 'mine', 'y=./none', /^holodiff: y: cannot start \.\/none: there is no such program$/],
    ['no handshake', 'mine', 'y=echo hello', /^holodiff: y: its first line is not JSON: "hello"$/],
  ])('%s: one line and exit code 2', async (_, first, second, message) => {
    const { code, out, err } = await holodiff(['replay', vector, '-i', first, '-i', second]);
    expect(err).toMatch(message);
    expect([err.split('\n').length, out, code]).toEqual([1, '', 2]);
  });
});
