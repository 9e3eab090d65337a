/**
 * The package as a user gets it: packed, installed in an empty folder, run from there and imported by a program.
 */

import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../harness/places.ts';
import { buildReference, pinnedVersion, REFERENCE_NAMES } from '../harness/references/build.ts';
import { traceToJson } from '../harness/trace.ts';
import { parseVector, vectorToLine } from '../harness/vector.ts';
import { derive, type TraceJson, type Variant } from '../src/index.ts';
import { VERSION } from '../src/version.ts';

const VECTOR = 'vectors/finds/span/overlap-then-epoch-behind.vector.json';

interface Packed {
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

let root: string;
/** An empty package of the user's, of the kind that `npm init` makes. */
let user: string;
/** The installed package. */
let installed: string;
let packed: Packed;
let before: string[];

beforeAll(async () => {
  root = realpathSync(await mkdtemp(path.join(tmpdir(), 'holodiff-package-')));
  user = path.join(root, 'user');
  installed = path.join(user, 'node_modules', 'holodiff');
  await mkdir(user);
  const { stdout } = await npm(['pack', '--json', '--pack-destination', root], PACKAGE_ROOT);
  packed = (JSON.parse(stdout) as [Packed])[0];
  await writeFile(path.join(user, 'package.json'), '{ "name": "user", "private": true, "type": "commonjs" }\n');
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', path.join(root, packed.filename)], user);
  before = stateOf(installed);
});

afterAll(() => rm(root, { recursive: true }));

function npm(args: readonly string[], cwd: string) {
  return execa('npm', args, { cwd });
}

/** Runs the program as a user does, with a cache of its own. */
async function holodiff(args: readonly string[], env: Record<string, string> = {}, input = '') {
  const cache = { XDG_CACHE_HOME: path.join(root, 'cache'), LOCALAPPDATA: path.join(root, 'cache') };
  const result = await execa('holodiff', args, {
    preferLocal: true,
    localDir: user,
    cwd: user,
    env: { HOLODIFF_BUILD_DIR: '', ...cache, ...env },
    input,
    reject: false,
  });
  return { code: result.exitCode, out: result.stdout, err: result.stderr };
}

/** Every file below a folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .map((name) => name.replaceAll(path.sep, '/'))
    .sort();
}

function stateOf(folder: string): string[] {
  return filesOf(folder).map((name) => {
    const { size, mtimeMs } = statSync(path.join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}

/** The variable's own folder for built references, or the repository's. */
const BUILT = path.resolve(process.env['HOLODIFF_BUILD_DIR'] ?? path.join(PACKAGE_ROOT, '.build'));

describe('what is in it', () => {
  const ALLOWED = [
    /^(?:package\.json|LICENSE|(?:README|CHANGELOG|CONTRIBUTING|SECURITY)\.md)$/,
    /^dist\/(?:src|harness)\/[a-z0-9/-]+\.(?:js|d\.ts)$/,
    /^vectors\//,
    /^(?:docs|examples)\//,
    /^harness\/(?:as-module\.mjs|campaign\/thread\.mjs|cli\/bin\.mjs|report\/html\/page\.(?:css|mjs))$/,
    /^harness\/references\/kona\/(?:Cargo\.(?:toml|lock)|README\.md|build\.rs|src\/[a-z]+\.rs|\.cargo\/config\.toml)$/,
    /^harness\/references\/kona\/versions\/[\d.]+\.lock$/,
    /^harness\/references\/op-node\/(?:[a-z]+\.go|go\.(?:mod|sum)|README\.md)$/,
    /^harness\/references\/op-node\/(?:compat\/[a-z0-9_]+\.go|versions\/[\d.]+\.(?:mod|sum))$/,
  ];

  test('nothing else than what an installed holodiff needs', () => {
    const files = packed.files.map((file) => file.path);
    expect(files.filter((file) => !ALLOWED.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(files.filter((file) => /\.test\.|_test\.|\/(?:testing|fixtures)[./]/.test(file))).toEqual([]);
    expect(packed.size).toBeLessThan(15_000_000);
  });

  test('all stored vectors with the recordings of the pinned versions alone, and the sources of the references as the repository has them', async () => {
    const pinned = REFERENCE_NAMES.map((name) => `/${name}@${pinnedVersion(name)}.traces.ndjson`);
    const stored = filesOf(path.join(PACKAGE_ROOT, 'vectors'));
    expect(filesOf(path.join(installed, 'vectors'))).toEqual(
      stored.filter((file) => !file.endsWith('.traces.ndjson') || pinned.some((end) => file.endsWith(end))),
    );
    for (const name of REFERENCE_NAMES) await buildReference(name, () => {});
    const { out, code } = await holodiff(['build'], { HOLODIFF_BUILD_DIR: BUILT });
    expect(out.split('\n').map((line) => line.replace(/^.* \(/, '('))).toEqual(['(up to date)', '(up to date)']);
    expect(code).toBe(0);
  });
});

describe('the program', () => {
  test('tells its version and needs no loader of TypeScript for it', async () => {
    expect((await execa('npx', ['holodiff', '--version'], { cwd: user })).stdout).toBe(VERSION);
    const bin = readFileSync(path.join(installed, 'harness', 'cli', 'bin.mjs'), 'utf8');
    expect(bin).toMatch(/^#!/);
    expect(filesOf(path.join(installed, 'dist')).filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  test('replays the vectors that come with it, against recorded traces and against the references', async () => {
    const all = await holodiff(['replay', '--recorded']);
    expect(all.out.split('\n').at(-1)).toMatch(/^\d{3,} vectors, \d+ agree, 0 differ, \d+ differ as known/);
    expect(all.code).toBe(0);
    const built = await holodiff(['replay', `node_modules/holodiff/${VECTOR}`], { HOLODIFF_BUILD_DIR: BUILT });
    expect(built.err).toMatch(/^typescript .* \(in process\) · kona .* \(process\) · op-node .* \(process\)$/m);
    expect(built.out).toMatch(/^1 vector, 0 agree, 0 differ, 1 differ as known/m);
    expect(built.code).toBe(0);
  });

  test('derives as the sources do', async () => {
    const vector = parseVector(readFileSync(path.join(installed, VECTOR), 'utf8'));
    const { out, code } = await holodiff(['derive', '-i', 'typescript'], {}, `${vectorToLine(vector)}\n`);
    const [handshake, trace] = out.split('\n').map((line) => JSON.parse(line) as TraceJson);
    expect(handshake).toMatchObject({ holodiff: 'handshake' });
    expect(trace).toEqual(traceToJson(derive(vector)));
    expect(code).toBe(0);
  });

  test("a variant and a configuration of the user's in TypeScript, which import the package", async () => {
    await writeFile(
      path.join(user, 'mine.ts'),
      `import { RULE_IDS, type Variant } from 'holodiff';
       const variant: Variant = { name: 'mine', rules: { [RULE_IDS.find((id) => id === 'batch-validator/span-drop')!]: 'never' } };
       export default variant;`,
    );
    await writeFile(
      path.join(user, 'holodiff.config.ts'),
      `import { defineConfig } from 'holodiff';
       export default defineConfig({ timeout: 7, variant: './mine.ts' });`,
    );
    const config = await holodiff(['config']);
    expect(config.out).toMatch(/^timeout +7 +configuration$/m);
    const vector = parseVector(readFileSync(path.join(installed, VECTOR), 'utf8'));
    const variant: Variant = { name: 'mine', rules: { 'batch-validator/span-drop': 'never' } };
    const args = ['derive', '-i', 'typescript', '--variant', 'mine.ts'];
    const { out } = await holodiff(args, {}, `${vectorToLine(vector)}\n`);
    expect(JSON.parse(out.split('\n')[1]!)).toEqual(traceToJson(derive(vector, { variant })));
    expect(derive(vector, { variant })).not.toEqual(derive(vector));
    await rm(path.join(user, 'holodiff.config.ts'));
  });

  test('writes the report, whose style and script are files of the package', async () => {
    const { code } = await holodiff(['report', `node_modules/holodiff/${VECTOR}`, '--recorded', '-o', 'report.html']);
    expect(code).toBe(0);
    expect(readFileSync(path.join(user, 'report.html'), 'utf8')).toContain('</html>');
  });

  test('knows that it is installed', async () => {
    const doctor = await holodiff(['doctor'], { HOLODIFF_BUILD_DIR: BUILT });
    expect(doctor.out).toContain(`${VERSION}, installed in ${installed}`);
  });

  test('keeps a campaign below the current folder', async () => {
    const args = ['run', '--vectors', '2', '-i', 'op-node', '--no-table'];
    const { code } = await holodiff(args, { HOLODIFF_BUILD_DIR: BUILT });
    expect(code).toBe(0);
    expect(filesOf(path.join(user, 'findings', 'seed-1'))).toContain('journal.ndjson');
  });

  test.skipIf(process.platform === 'win32')('builds references in the cache of the user', async () => {
    const go = path.join(root, 'bin', 'go');
    await mkdir(path.dirname(go));
    const script = `#!/bin/sh
if [ "$1" = version ]; then echo 'go version go1.99.0 linux/amd64'; exit 0; fi
while [ "$1" != -o ]; do shift; done
echo "GOWORK=$GOWORK" > "$2"
`;
    await writeFile(go, script, { mode: 0o755 });
    const env = {
      PATH: `${path.dirname(go)}:${process.env['PATH'] ?? ''}`,
      HOME: path.join(root, 'home'),
    };
    const { out, code } = await holodiff(['build', 'op-node'], env);
    expect(code).toBe(0);
    expect(out.startsWith(root)).toBe(true);
    expect(out).toMatch(/[/\\]holodiff[/\\](?:Cache[/\\])?op-node-[0-9a-f]{16}[/\\]holodiff-op-node$/i);
    expect(readFileSync(out, 'utf8')).toBe('GOWORK=off\n');
    expect((await holodiff(['build', 'op-node'], env)).out).toBe(`${out} (up to date)`);
  });
});

describe('as a library', () => {
  const SOURCE = `
    import { readFileSync } from 'node:fs';
    import { derive, defineConfig, parseVector, traceToJson, VectorError, type Trace, type Variant, type Vector } from 'holodiff';

    const vector: Vector = parseVector(readFileSync(process.argv[2]!, 'utf8'));
    const variant: Variant = { name: 'mine', rules: { 'batch-validator/span-drop': 'never' } };
    const trace: Trace = derive(vector);
    const origin: bigint | undefined = trace.flushes[0]?.origin;
    // @ts-expect-error the catalogue has no such rule
    const wrong: Variant = { name: 'wrong', rules: { 'span/nonsense': 'never' } };
    // @ts-expect-error a vector is not its text
    const text = () => derive('{}');
    let refusal = '';
    try {
      parseVector('{}');
    } catch (error) {
      if (error instanceof VectorError) refusal = error.path;
    }
    console.log(JSON.stringify({
      trace: traceToJson(trace), variant: traceToJson(derive(vector, { variant })), refusal, origin: String(origin),
      unused: [typeof wrong, typeof text, typeof defineConfig({ timeout: 5 })],
    }));
  `;

  /** The programs of the page, with what each prints. */
  const page = readFileSync(path.join(PACKAGE_ROOT, 'docs', 'api.md'), 'utf8');
  const programs = [...page.matchAll(/```ts\n(.*?)```\n\n```text\n(.*?)```/gs)].map(([, source, output]) => ({
    source: source!,
    output: output!,
  }));

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('typed under --module %s --moduleResolution %s, and runs in plain Node', async (module, moduleResolution) => {
    const folder = path.join(user, moduleResolution);
    await mkdir(folder);
    const sources = [SOURCE, ...programs.map(({ source }) => source)];
    for (const [index, source] of sources.entries()) await writeFile(path.join(folder, `${index}.mts`), source);
    const compilerOptions = {
      ...{
        module,
        moduleResolution,
        target: 'es2022',
        lib: ['es2022'],
        strict: true,
        exactOptionalPropertyTypes: true,
      },
      // Once is enough for the declarations of the package.
      skipLibCheck: moduleResolution === 'bundler',
      ...{ typeRoots: [path.join(PACKAGE_ROOT, 'node_modules', '@types')], types: ['node'] },
    };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const tsc = path.join(PACKAGE_ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    expect((await execa(process.execPath, [tsc, '-p', folder], { reject: false })).stdout).toBe('');

    const run = (index: number, ...args: readonly string[]) =>
      execa(process.execPath, [path.join(folder, `${index}.mjs`), ...args], { cwd: user, stripFinalNewline: false });
    const { stdout } = await run(0, path.join(installed, VECTOR));
    const vector = parseVector(readFileSync(path.join(installed, VECTOR), 'utf8'));
    const variant: Variant = { name: 'mine', rules: { 'batch-validator/span-drop': 'never' } };
    expect(JSON.parse(stdout)).toMatchObject({
      trace: traceToJson(derive(vector)),
      variant: traceToJson(derive(vector, { variant })),
      refusal: 'format',
      origin: '2',
    });
    expect(programs.length).toBeGreaterThanOrEqual(3);
    for (const [index, { output }] of programs.entries()) expect((await run(index + 1)).stdout).toBe(output);
  });
});

test('nothing was written to the installed package', () => {
  expect(stateOf(installed)).toEqual(before);
});
