import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildReference, pinnedVersion, ToolchainError } from './build.ts';

let root: string;
let log: string;

/** A toolchain of shell: tells its version, and builds a file after noting that it did. */
function installGo(version: string, status = 0): void {
  const file = path.join(root, 'bin', 'go');
  writeFileSync(
    file,
    `#!/bin/sh
if [ "$1" = version ]; then echo "go version go${version} linux/amd64"; exit 0; fi
echo built >> "${log}"
sleep 0.3
while [ "$1" != -o ]; do shift; done
echo binary > "$2"
exit ${status}
`,
  );
  chmodSync(file, 0o755);
}

const builds = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0);

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-'));
  log = path.join(root, 'log');
  mkdirSync(path.join(root, 'bin'));
  vi.stubEnv('PATH', `${path.join(root, 'bin')}:/usr/bin:/bin`);
  vi.stubEnv('HOLODIFF_BUILD_DIR', path.join(root, 'build'));
  installGo('1.26.8');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

const build = (report: (line: string) => void = () => undefined) => buildReference('op-node', report);
const stamp = () => path.join(root, 'build', 'op-node', 'stamp.json');

describe.skipIf(process.platform === 'win32')('building a reference', () => {
  test('builds once, and says where the binary is', async () => {
    const first = await build();
    expect(first).toMatchObject({ built: true, binary: path.join(root, 'build', 'op-node', 'holodiff-op-node') });
    expect(readFileSync(first.binary, 'utf8')).toBe('binary\n');
    expect(await build()).toEqual({ ...first, built: false });
    expect(builds()).toBe(1);
  });

  test('builds again when the sources, the toolchain or the stamp changed', async () => {
    await build();
    writeFileSync(stamp(), readFileSync(stamp(), 'utf8').replace(/"sources": ".{8}/, '"sources": "00000000'));
    expect((await build()).built).toBe(true);
    installGo('1.26.9');
    expect((await build()).built).toBe(true);
    await rm(stamp());
    expect((await build()).built).toBe(true);
    expect((await build()).built).toBe(false);
  });

  test('a failed build leaves nothing that passes for fresh', async () => {
    await build();
    await rm(stamp());
    installGo('1.26.8', 3);
    await expect(build()).rejects.toMatchObject({
      code: 'build-failed',
      message: expect.stringContaining('code 3') as string,
    });
    installGo('1.26.8');
    expect((await build()).built).toBe(true);
  });

  test('two at a time build once', async () => {
    const lines: string[] = [];
    const both = await Promise.all([build((line) => lines.push(line)), build((line) => lines.push(line))]);
    expect(both.map(({ built }) => built).sort()).toEqual([false, true]);
    expect(lines).toContain('op-node: waiting for another build');
    expect(builds()).toBe(1);
  });

  test('the lock of a process that is gone is taken over', async () => {
    mkdirSync(path.join(root, 'build', 'op-node'), { recursive: true });
    writeFileSync(path.join(root, 'build', 'op-node', 'lock'), '4194304');
    expect((await build()).built).toBe(true);
  });

  test('without the toolchain a fresh binary still serves, and a stale one does not', async () => {
    await build();
    await rm(path.join(root, 'bin', 'go'));
    expect((await build()).built).toBe(false);
    await rm(stamp());
    await expect(build()).rejects.toBeInstanceOf(ToolchainError);
  });

  test('a toolchain that is too old', async () => {
    installGo('1.20.1');
    await expect(build()).rejects.toMatchObject({ code: 'missing-toolchain', found: '1.20.1' });
  });
});

test('the versions that the sources pin', () => {
  expect(pinnedVersion('kona')).toMatch(/^\d+\.\d+\.\d+$/);
  expect(pinnedVersion('op-node')).toMatch(/^\d+\.\d+\.\d+$/);
});
