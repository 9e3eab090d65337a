/** `holodiff export` as a user meets it: the real program on a machine with Node alone. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../places.ts';

const BIN = fileURLToPath(new URL('bin.mjs', import.meta.url));
const VECTOR = path.join(PACKAGE_ROOT, 'vectors/curated/frame/is-last-2.vector.json');

let root: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-export-'));
  mkdirSync(path.join(root, 'folder'));
  writeFileSync(path.join(root, 'broken.vector.json'), readFileSync(VECTOR, 'utf8').replace('"0x00', '"0x0'));
});

afterAll(() => rm(root, { recursive: true }));

async function holodiff(...args: readonly string[]) {
  const env = { PATH: path.dirname(process.execPath), HOLODIFF_BUILD_DIR: path.join(root, 'build') };
  const result = await execa(process.execPath, [BIN, 'export', ...args], {
    cwd: root,
    env,
    reject: false,
    extendEnv: false,
  });
  return { code: result.exitCode, out: result.stdout, err: result.stderr };
}

test('without a toolchain a stored vector is exported from recorded traces, to standard output', async () => {
  const { code, out, err } = await holodiff(VECTOR, '--as', 'go');
  expect(code).toBe(0);
  expect(out).toMatch(/^\/\/ Exported by holodiff .*\n(?:.*\n)+package derive_test\n/);
  expect(err).toContain('its recorded traces are used');
});

test('--out writes a file, and --expect says whose behaviour is asserted', async () => {
  const { code, out, err } = await holodiff(
    VECTOR,
    '--as',
    'rust',
    '--recorded',
    '--expect',
    'kona',
    '-o',
    'tests/a.rs',
  );
  expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' });
  const text = readFileSync(path.join(root, 'tests', 'a.rs'), 'utf8');
  expect(text).toContain('"L1 block 12: frame 0 of channel 0x00000000000000000000000000000001, 180 bytes",');
});

describe('a wrong argument is one clear line, exit code 2 and no file', () => {
  test.each<[args: string[], message: RegExp]>([
    [['--as', 'go'], /missing required argument 'finding\|vector'/],
    [[VECTOR], /required option '--as <form>' not specified/],
    [[VECTOR, '--as', 'pdf'], /argument 'pdf' is invalid. Allowed choices are go, rust, markdown\./],
    [[VECTOR, '--as', 'go', '--expect', 'geth'], /Allowed choices are typescript, kona, op-node\./],
    [['nowhere', '--as', 'go'], /^holodiff: nowhere: no such file or folder$/m],
    [['folder', '--as', 'go'], /^holodiff: folder: no vector\.vector\.json: not the folder of a finding$/m],
    [
      ['broken.vector.json', '--as', 'go'],
      /^holodiff: broken\.vector\.json: l1\[2\]\.data\[0\]: expected 0x and an even number/m,
    ],
    [[VECTOR, '--as', 'go', '--recorded', '--known', 'nowhere'], /nowhere: no such file or folder$/m],
    [[VECTOR, '--as', 'go', '--recorded', '-o', 'folder'], /^holodiff: folder: cannot be written: /m],
    [[VECTOR, '--as', 'go', '--recorded', '-o', 'broken.vector.json/x'], /x: cannot be written: /m],
  ])('%j', async (args, message) => {
    const before = readdirSync(root);
    const { code, out, err } = await holodiff(...args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(message);
    expect(err.split('\n').filter((line) => line.startsWith('holodiff: '))).toHaveLength(1);
    expect(readdirSync(root)).toEqual(before);
    expect(existsSync(path.join(root, 'folder', 'x'))).toBe(false);
  });
});
