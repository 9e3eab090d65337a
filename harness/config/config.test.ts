import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { program } from '../cli/main.ts';
import { implementationOption, knownOption, seedOption, timeoutOption } from '../cli/options.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { findConfig } from './find.ts';
import { loadConfig } from './load.ts';
import { applySettings, optionOf, SETTINGS } from './settings.ts';

const BIN = fileURLToPath(new URL('../cli/bin.mjs', import.meta.url));

let root: string;
let count = 0;
/** A new folder for each test. */
let folder: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'holodiff-config-')));
});
beforeEach(() => {
  count += 1;
  folder = path.join(root, String(count));
  mkdirSync(path.join(folder, 'inner', 'most'), { recursive: true });
});
afterAll(() => rm(root, { recursive: true }));

function write(name: string, content: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('where the configuration lies', () => {
  test('in the current folder or the nearest above; .ts before .js before .mjs', () => {
    expect(findConfig(undefined, {}, root)).toBeUndefined();
    write('holodiff.config.mjs', '');
    expect(findConfig(undefined, {}, path.join(folder, 'inner', 'most'))).toBe('../../holodiff.config.mjs');
    write('inner/holodiff.config.js', '');
    expect(findConfig(undefined, {}, path.join(folder, 'inner', 'most'))).toBe('../holodiff.config.js');
    write('inner/holodiff.config.ts', '');
    expect(findConfig(undefined, {}, path.join(folder, 'inner'))).toBe('holodiff.config.ts');
  });

  test('where the flag says, else where the environment says; an empty variable says nothing', () => {
    write('holodiff.config.ts', '');
    const env = { HOLODIFF_CONFIG: 'theirs.ts' };
    expect(findConfig('mine.ts', env, folder)).toBe('mine.ts');
    expect(findConfig(undefined, env, folder)).toBe('theirs.ts');
    expect(findConfig(undefined, { HOLODIFF_CONFIG: '' }, folder)).toBe('holodiff.config.ts');
    expect(findConfig(false, env, folder)).toBeUndefined();
  });
});

describe('loading', () => {
  test('a TypeScript module with defineConfig of the package; its paths are meant from its folder', async () => {
    const file = write(
      'holodiff.config.ts',
      `import { defineConfig, type HolodiffConfig } from 'holodiff';
       const config: HolodiffConfig = {
         adapters: { mine: '../bin/a\\\\ b --in ./x', theirs: 'adapter --fast' },
         implementations: ['typescript', 'other=node ./other.mjs'],
         variant: 'variants/v.ts', timeout: 1.5, memory: 100, seed: 12345678901234567890n, known: 'known.json',
         findings: 'found', buildDir: '/elsewhere', reporters: ['junit'],
       };
       export default defineConfig({ ...config, seed: 7n });`,
    );
    expect((await loadConfig(file)).config).toEqual({
      adapters: { mine: `${root}/bin/a\\ b --in ${folder}/x`, theirs: 'adapter --fast' },
      implementations: ['typescript', `other=node ${folder}/other.mjs`],
      variant: `${folder}/variants/v.ts`,
      timeout: 1.5,
      memory: 100,
      seed: 7n,
      known: [`${folder}/known.json`],
      findings: `${folder}/found`,
      buildDir: '/elsewhere',
      reporters: ['junit'],
    });
  });

  test('plain JavaScript, as a module and outside of any package', async () => {
    const mjs = write('a.mjs', 'export default { known: false, variant: "text" };');
    expect((await loadConfig(mjs)).config).toEqual({ known: false, variant: 'text' });
    const js = write('b.js', 'export default { timeout: 5 };');
    expect((await loadConfig(js)).config).toEqual({ timeout: 5 });
  });

  test.each([
    ['export default 5', 'its default export is not a configuration: expected an object, got 5'],
    ['export const timeout = 5', 'its default export is not a configuration: expected an object, got undefined'],
    ['export default { timeout: 0 }', 'timeout: expected a number above 0, got 0'],
    ['export default { timeout: "60" }', 'timeout: expected a number above 0, got "60"'],
    ['export default { memory: 1 / 0 }', 'memory: expected a number above 0, got Infinity'],
    ['export default { timeOut: 5 }', 'timeOut: unknown field'],
    ['export default { seed: -1 }', 'seed: expected a whole number from 0, of at most 19 digits, got -1'],
    ['export default { seed: 1.5 }', 'seed: expected a whole number from 0, got 1.5'],
    ['export default { known: true }', 'known: expected a file, a list of files, or false, got true'],
    ['export default { implementations: "kona" }', 'implementations: expected a list, got "kona"'],
    ['export default { implementations: ["kona", 5] }', 'implementations[1]: expected a string, got 5'],
    ['export default { adapters: { mine: ["a"] } }', 'adapters.mine: expected a string, got a list'],
    ['export default { adapters: { mine: "" } }', 'adapters.mine: expected some text, got ""'],
    [
      'export default { adapters: { "a=b": "x" } }',
      'adapters.a=b: expected a name without spaces, commas, = and @, got "a=b"',
    ],
    [
      'export default { adapters: { kona: "x" } }',
      'adapters.kona: this name is taken by what holodiff brings, got "kona"',
    ],
    ['export default {\n timeout 5 }', 'line 2, column 9: Expected "}" but found "5"'],
    ['throw new Error("two\\n  lines")', 'two lines'],
  ])('%j is one line that names the file and the place', async (content, message) => {
    const file = write('bad.ts', content);
    await expect(loadConfig(file)).rejects.toMatchObject({ message: `${file}: ${message}`, code: 'invalid-file' });
  });

  test('a file that is not there', async () => {
    const file = path.join(folder, 'none.ts');
    await expect(loadConfig(file)).rejects.toMatchObject({ message: `${file}: no such file or folder` });
  });
});

describe('settings', () => {
  function parse(args: string[], env: NodeJS.ProcessEnv, config: object = {}): Record<string, unknown> {
    const command = new Command('some')
      .addOption(implementationOption('', 'all'))
      .addOption(timeoutOption())
      .addOption(seedOption())
      .addOption(knownOption())
      .option('--no-known')
      .option('--resume <folder>')
      .action(() => {});
    command.parse(args, { from: 'user' });
    applySettings(command, env, { file: 'holodiff.config.ts', config });
    return command.opts();
  }
  const config = { implementations: ['kona', 'mine'], timeout: 7, seed: 9, known: false, adapters: { mine: './a -x' } };
  const env = { HOLODIFF_IMPLEMENTATION: 'op-node, mine', HOLODIFF_TIMEOUT: '8', HOLODIFF_KNOWN: 'env.json' };

  test('a flag goes before the environment, that before the configuration, that before the default', () => {
    expect(parse([], {})).toEqual({ implementation: [], timeout: 60, seed: '1' });
    expect(parse([], {}, config)).toEqual({
      implementation: ['kona', 'mine=./a -x'],
      timeout: 7,
      seed: '9',
      known: false,
    });
    expect(parse([], env, config)).toEqual({
      implementation: ['op-node', 'mine=./a -x'],
      timeout: 8,
      seed: '9',
      known: ['env.json'],
    });
    expect(parse(['-i', 'mine', '--timeout', '5', '--no-known', '--seed', '3'], env, config)).toEqual({
      implementation: ['mine=./a -x'],
      timeout: 5,
      seed: '3',
      known: false,
    });
    expect(parse(['--known', 'flag.json'], env, config)).toMatchObject({ known: ['flag.json'] });
  });

  test('an empty variable says nothing', () => {
    expect(parse([], { HOLODIFF_TIMEOUT: '', HOLODIFF_IMPLEMENTATION: '' }, config)).toMatchObject({ timeout: 7 });
  });

  test('what a campaign was begun with goes before environment and configuration', () => {
    expect(parse(['--resume', 'x'], { ...env, HOLODIFF_SEED: '5' }, config)).toMatchObject({
      implementation: [],
      seed: '1',
      timeout: 8,
    });
    expect(parse(['--resume', 'x', '-i', 'kona'], env, config)).toMatchObject({ implementation: ['kona'] });
  });

  test('what the parser of the flag refuses names the variable, or the file and the field', () => {
    expect(() => parse([], { HOLODIFF_TIMEOUT: 'soon' })).toThrow(
      'HOLODIFF_TIMEOUT: expected a number above 0, got "soon"',
    );
    expect(() => parse([], {}, { seed: 'x' })).toThrow(
      'holodiff.config.ts: seed: expected a whole number from 0, got "x"',
    );
  });

  test('the page has each of them', () => {
    const page = readFileSync(path.join(PACKAGE_ROOT, 'docs', 'configuration.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` \| `(--[a-z-]+)` \| `([A-Z_]+)` \|/gm)].map(([, ...cells]) => cells);
    const root = program();
    const flagOf = (setting: (typeof SETTINGS)[number]) =>
      [root, ...root.commands].map((command) => optionOf(command, setting)?.long).find((flag) => flag !== undefined);
    expect(rows).toEqual(SETTINGS.map((setting) => [setting.key, flagOf(setting), setting.env]));
  });

  test('which commands take which', () => {
    const commands = program().commands;
    const takers = (key: string) => {
      const setting = SETTINGS.find((one) => one.key === key)!;
      return commands.filter((command) => optionOf(command, setting) !== undefined).map((command) => command.name());
    };
    expect(takers('implementations').sort()).toEqual(['explain', 'metamorphic', 'minimise', 'replay', 'report', 'run']);
    expect(takers('variant').sort()).toEqual(['explain', 'replay', 'report', 'run']);
    expect(takers('seed').sort()).toEqual(['metamorphic', 'mutants', 'run', 'variant']);
    expect(takers('findings').sort()).toEqual(['doctor', 'merge', 'metamorphic', 'run']);
    for (const { key, env } of SETTINGS) {
      const shown = takers(key).map((name) => commands.find((one) => one.name() === name)!.helpInformation());
      for (const help of shown) expect(help).toContain(`[${env}]`);
    }
  });
});

describe('the real program', () => {
  async function holodiff(args: readonly string[], env: Record<string, string> = {}) {
    const result = await execa(process.execPath, [BIN, ...args], {
      cwd: path.join(folder, 'inner'),
      env: { PATH: process.env['PATH'], ...env },
      extendEnv: false,
      reject: false,
    });
    return { code: result.exitCode, out: result.stdout, err: result.stderr };
  }

  test('holodiff config tells each value and where it comes from', async () => {
    write('holodiff.config.ts', `export default { timeout: 7, buildDir: 'b', adapters: { mine: './a' } };`);
    const { out, code } = await holodiff(['config'], { HOLODIFF_SEED: '5' });
    expect(code).toBe(0);
    const lines = out.split('\n').map((line) => line.split(/ {2,}/));
    expect(lines).toContainEqual(['configuration: ../holodiff.config.ts']);
    expect(lines).toContainEqual(['timeout', '7', 'configuration']);
    expect(lines).toContainEqual(['memory', '4096', 'default']);
    expect(lines).toContainEqual(['seed', '5', 'HOLODIFF_SEED']);
    expect(lines).toContainEqual(['buildDir', path.join(folder, 'b'), 'configuration']);
    expect(lines).toContainEqual(['adapters.mine', path.join(folder, 'a'), 'configuration']);
    const json = JSON.parse((await holodiff(['config', '--json', '--build-dir', 'x'])).out) as { settings: unknown[] };
    expect(json).toMatchObject({
      format: 1,
      file: '../holodiff.config.ts',
      adapters: { mine: path.join(folder, 'a') },
    });
    expect(json.settings).toContainEqual({
      key: 'buildDir',
      flag: '--build-dir',
      env: 'HOLODIFF_BUILD_DIR',
      value: 'x',
      source: 'flag',
    });
  });

  test('a bad configuration stops any command with one line and exit code 2; --no-config leaves it out', async () => {
    write('holodiff.config.ts', 'export default { timeout: "long" };');
    const bad = await holodiff(['decode', '00', '--as', 'item']);
    expect(bad).toEqual({
      code: 2,
      out: '',
      err: 'holodiff: ../holodiff.config.ts: timeout: expected a number above 0, got "long"',
    });
    expect((await holodiff(['decode', '00', '--as', 'item', '--no-config'])).code).not.toBe(2);
    expect((await holodiff(['config', '--config', 'none.ts'])).err).toBe('holodiff: none.ts: no such file or folder');
  });
});
