/** The real program on machines that are made up: with toolchains of shell, or with none. */

import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Examined } from './examine.ts';

const BIN = fileURLToPath(new URL('../cli/bin.mjs', import.meta.url));

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'holodiff-doctor-')));
  mkdirSync(path.join(root, 'bin'));
  symlinkSync(process.execPath, path.join(root, 'bin', 'node'));
});

afterEach(() => rm(root, { recursive: true }));

function install(name: string, script: string): void {
  const file = path.join(root, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** A Go that tells its version, and builds a file. */
function installGo(version: string): void {
  const build = 'while [ "$1" != -o ]; do shift; done; echo binary > "$2"';
  install('go', `if [ "$1" = version ]; then echo "go version go${version} linux/amd64"; else ${build}; fi`);
}

function installRust(version: string): void {
  install('cargo', `echo "cargo ${version}"`);
  install('rustc', `echo "rustc ${version}"`);
}

async function holodiff(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [BIN, ...args], {
    cwd: root,
    env: { PATH: path.join(root, 'bin'), HOLODIFF_BUILD_DIR: path.join(root, 'build') },
    extendEnv: false,
    reject: false,
  });
  return { code: exitCode, out: stdout, err: stderr };
}

async function doctor(...args: readonly string[]) {
  const { code, out, err } = await holodiff('doctor', '--json', '--findings', 'found', ...args);
  expect(err).toBe('');
  const { format, healthy, checks } = JSON.parse(out) as { format: number; healthy: boolean; checks: Examined[] };
  expect([format, healthy]).toEqual([1, code === 0]);
  const problems = checks.filter(({ health }) => health === 'problem').map(({ id }) => id);
  return { code, problems, of: (id: string) => checks.find((one) => one.id === id) };
}

describe.skipIf(process.platform === 'win32')('doctor', () => {
  test('a machine with Node alone: what is missing, the oldest version that does, and what works all the same', async () => {
    const { code, problems, of } = await doctor();
    expect([code, problems]).toEqual([2, ['rust', 'go']]);
    expect(of('node')).toMatchObject({
      health: 'ok',
      text: expect.stringContaining(process.versions.node) as string,
    });
    expect(of('go')?.text).toMatch(/^missing \([\d.]+ or newer builds op-node\)$/);
    expect(of('go')?.advice).toMatch(/^install Go [\d.]+ or newer$/);
    expect(of('kona')?.text).toMatch(/^[\d.]+, not built: .*build\/kona\/holodiff-kona$/);
    expect(of('kona')?.advice).toMatch(/recorded traces/);
    expect(of('vectors')?.text).toMatch(/: \d{3,} vectors, with the recorded traces of kona and op-node$/);
    expect(of('ledger')).toMatchObject({ health: 'ok' });
    expect(existsSync(path.join(root, 'build'))).toBe(false);
    expect(existsSync(path.join(root, 'found'))).toBe(false);
  });

  test('toolchains that are too old, or whole and unused', async () => {
    installGo('1.20.1');
    installRust('1.60.0');
    const old = await doctor();
    expect(old.problems).toEqual(['rust', 'go']);
    expect(old.of('rust')?.text).toMatch(/^rustc 1\.60\.0; cargo 1\.60\.0 is too old \([\d.]+ or newer builds kona\)$/);
    installGo('1.99.0');
    installRust('1.99.0');
    const fine = await doctor();
    expect([fine.code, fine.problems]).toEqual([0, []]);
    expect(fine.of('op-node')).toMatchObject({
      health: 'note',
      advice: expect.stringContaining('holodiff build op-node') as string,
    });
    await rm(path.join(root, 'bin', 'rustc'));
    expect((await doctor()).of('rust')).toMatchObject({
      health: 'problem',
      text: expect.stringContaining('rustc is missing') as string,
    });
  });

  test('what was built, and when it is stale', async () => {
    installGo('1.99.0');
    installRust('1.99.0');
    expect((await holodiff('build', 'op-node')).code).toBe(0);
    expect((await doctor()).of('op-node')).toMatchObject({
      health: 'ok',
      text: expect.stringMatching(/, built: .*holodiff-op-node$/) as string,
    });
    expect((await doctor()).of('build-folder')?.text).not.toContain('other versions');
    const other = path.join(root, 'build', 'op-node@1.0.0');
    mkdirSync(other);
    writeFileSync(path.join(other, 'stamp.json'), '{}');
    expect((await doctor()).of('build-folder')?.text).toContain(', with 1 build of other versions or toolchains, ');
    installGo('1.99.1');
    expect((await doctor()).of('op-node')?.text).toMatch(/built from other sources or with another toolchain/);
    installGo('1.99.0');
    const stamp = path.join(root, 'build', 'op-node', 'stamp.json');
    writeFileSync(stamp, readFileSync(stamp, 'utf8').replace(/"sources": ".{8}/, '"sources": "00000000'));
    expect((await doctor()).of('op-node')).toMatchObject({
      health: 'note',
      advice: expect.stringContaining('holodiff build op-node') as string,
    });
    // Without its toolchain, what was built goes on working.
    await rm(path.join(root, 'build'), { recursive: true });
    await holodiff('build', 'op-node');
    await rm(path.join(root, 'bin', 'go'));
    expect((await doctor()).of('go')).toMatchObject({
      health: 'note',
      text: expect.stringMatching(/^missing/) as string,
    });
  });

  test('a broken configuration and a broken list are named, and everything else is looked at all the same', async () => {
    installGo('1.99.0');
    installRust('1.99.0');
    writeFileSync(path.join(root, 'holodiff.config.mjs'), 'export default { timeout: "long" };');
    writeFileSync(path.join(root, 'known.json'), '{"format":1,"divergences":[{}]}');
    const { code, problems, of } = await doctor('--known', 'known.json');
    expect([code, problems]).toEqual([2, ['config', 'ledger']]);
    expect(of('config')?.text).toBe('holodiff.config.mjs: timeout: expected a number above 0, got "long"');
    expect(of('ledger')?.text).toMatch(/^known\.json: divergences\[0\]\.id: missing/);
    writeFileSync(path.join(root, 'holodiff.config.mjs'), 'export default { findings: "mine" };');
    const named = await holodiff('doctor', '--json');
    expect(named.out).toContain(`"${path.join(root, 'mine')}: not there yet`);
    expect(named.out).toContain('"text": "holodiff.config.mjs"');
  });

  test('folders that cannot be written', async () => {
    installGo('1.99.0');
    installRust('1.99.0');
    writeFileSync(path.join(root, 'found'), '');
    writeFileSync(path.join(root, 'build'), '');
    const { problems, of } = await doctor();
    expect(problems).toEqual(['build-folder', 'findings']);
    expect(of('findings')?.text).toBe(`${path.join(root, 'found')}: ${path.join(root, 'found')} is no folder`);
  });

  test('for people: a mark and a line each, what to do below it, and a summary', async () => {
    const { code, out } = await holodiff('doctor');
    expect(out).toMatch(/^✓ node /);
    expect(out).toMatch(/\n✗ go +missing .*\n +→ install Go/);
    expect(out.split('\n').at(-1)).toBe('2 problems');
    expect(code).toBe(2);
  });
});
