import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildReference, pinnedVersion, ToolchainError } from './build.ts';

let root: string;
let log: string;

/** A toolchain of shell: tells its version, and builds a file after noting that it did. */
function installGo(version: string, status = 0, complaint = ''): void {
  const file = path.join(root, 'bin', 'go');
  writeFileSync(
    file,
    `#!/bin/sh
if [ "$1" = version ]; then echo "go version go${version} linux/amd64"; exit 0; fi
if [ "$2" = download ]; then echo '{"Dir":"${root}/module","GoMod":"${root}/module/go.mod"}'; exit 0; fi
if [ "$2" = edit ]; then echo '{"Module":{"Path":"github.com/ethereum-optimism/optimism"}}'; exit 0; fi
echo "$@" >> "${log}"
if [ -n "${complaint}" ]; then echo "${complaint}" >&2; fi
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

  describe('other versions', () => {
    /** Sources with the interfaces of op-node before it had types of its own, as far as the build looks at them. */
    function layOut(folder: string): void {
      const files: Readonly<Record<string, string>> = {
        'go.mod': 'module github.com/ethereum-optimism/optimism\n',
        'op-node/rollup/derive/batch_mux.go': '',
        'op-node/rollup/derive/attributes.go':
          '\tFetchReceipts(ctx, hash common.Hash) (eth.BlockInfo, types.Receipts, error)',
        'op-node/rollup/derive/span_batch.go': 'func DeriveSpanBatch(data *BatchData, cfg *rollup.Config) {',
        'op-node/rollup/derive/pipeline.go':
          'func NewDerivationPipeline(log log.Logger, depSet DependencySet,\n\tl1ChainConfig *params.ChainConfig,\n) {',
        'op-node/rollup/derive/data_source.go': '',
        'op-node/rollup/types.go': '\tJovianTime *uint64\n',
      };
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
        writeFileSync(path.join(folder, file), text);
      }
    }

    const commands = () => readFileSync(log, 'utf8').trim().split('\n');

    test('each in a folder of its own, by its module file and with the tags that fit its interfaces', async () => {
      layOut(path.join(root, 'module'));
      const pinned = await build();
      const other = await buildReference('op-node@1.13.7', () => undefined);
      expect(other).toMatchObject({ name: 'op-node', built: true });
      expect(other.binary).toBe(path.join(root, 'build', 'op-node@1.13.7', 'holodiff-op-node'));
      expect(commands()[1]).toMatch(/-modfile=\S+\/op-node\/versions\/1\.13\.7\.mod -tags types_of_geth,no_karst -o/);
      expect((await buildReference('op-node@1.13.7', () => undefined)).built).toBe(false);
      expect(await build()).toEqual({ ...pinned, built: false });
    });

    test('where another op-geth stands in, the binary is told which was named', async () => {
      layOut(path.join(root, 'module'));
      await buildReference('op-node@1.16.13', () => undefined);
      expect(commands()[0]).toContain('-ldflags -X main.namedOpGeth=v1.101702.1-rc.1');
    });

    test('a folder is built again when something in it changes, and says so in its version', async () => {
      const folder = path.join(root, 'mine');
      layOut(folder);
      const own = () => buildReference(`op-node@path:${folder}`, () => undefined);
      expect((await own()).built).toBe(true);
      expect((await own()).built).toBe(false);
      writeFileSync(path.join(folder, 'README.md'), 'no compiler reads this');
      expect((await own()).built).toBe(false);
      writeFileSync(path.join(folder, 'op-node', 'new.go'), '');
      expect((await own()).built).toBe(true);
      const suffixes = commands().map((line) => /-X main\.versionSuffix=(\+src\.[0-9a-f]{12})/.exec(line)?.[1]);
      expect(new Set(suffixes).size).toBe(2);
      expect(suffixes).not.toContain(undefined);
    });

    test('a revision is laid out beside the build, and the repository stays as it is', async () => {
      const folder = path.join(root, 'mine');
      const git = (...args: string[]) =>
        execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-C', folder, ...args]);
      layOut(folder);
      await git('init', '-q');
      await git('add', '.');
      await git('commit', '-q', '-m', 'first');
      const { stdout: first } = await git('rev-parse', 'HEAD');
      await rm(path.join(folder, 'op-node'), { recursive: true });
      const { built } = await buildReference(`op-node@path:${folder}#HEAD`, () => undefined);
      expect(built).toBe(true);
      expect(commands()[0]).toContain(`-X main.versionSuffix=+git.${first.slice(0, 12)}`);
      expect((await git('status', '--short')).stdout).toMatch(/^ D /);
      await git('commit', '-q', '-a', '-m', 'second');
      await expect(buildReference(`op-node@path:${folder}#HEAD`, () => undefined)).rejects.toMatchObject({
        message: expect.stringMatching(/#HEAD: cannot be built: it has no stages for Holocene/) as string,
      });
      await expect(buildReference(`op-node@path:${folder}#nope`, () => undefined)).rejects.toMatchObject({
        code: 'build-failed',
        message: expect.stringMatching(/#nope: git knows no such revision/) as string,
      });
    });

    test('what cannot be built says why in one line', async () => {
      layOut(path.join(root, 'module'));
      const refusal = (spec: string) => expect(buildReference(spec, () => undefined)).rejects;
      const message = (pattern: RegExp) => ({ message: expect.stringMatching(pattern) as string });
      await refusal('op-node@path:/nowhere').toMatchObject(
        message(/^op-node@path:\/nowhere: there is no folder \/nowhere: /),
      );
      await refusal(`op-node@path:${root}`).toMatchObject(message(/there is no \S+\/go\.mod: expected a folder whose/));
      await refusal(`kona@path:${root}`).toMatchObject(
        message(/there is no \S+\/Cargo\.toml: expected a Cargo workspace/),
      );
      installGo('1.26.8', 1, '/x/pkg/mod/optimism@v1.13.7/a.go:3:4: pattern b.zip: no matching files found');
      await refusal('op-node@1.13.7').toMatchObject(
        message(/^op-node@1\.13\.7: cannot be built: optimism@v1\.13\.7\/a\.go embeds b\.zip, which the published/),
      );
      installGo('1.26.8', 1, './stages.go:7:2: undefined: derive.NewThing');
      await refusal('op-node@1.13.7').toMatchObject(
        message(/ended with code 1: \.\/stages\.go:7:2: undefined: derive\.New/),
      );
    });
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
