/** The commands that ask about rules, as a user meets them: the real program on a machine with Node alone. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXHAUSTIVE_SCOPES } from '../generate/exhaustive.ts';
import { generateVector } from '../generate/index.ts';
import { vectorToJson } from '../vector.ts';

const BIN = fileURLToPath(new URL('bin.mjs', import.meta.url));

let root: string;
let vectors: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-questions-'));
  vectors = path.join(root, 'vectors');
  mkdirSync(vectors);
  for (let index = 0; index < 20; index++) {
    const { vector } = generateVector(3, index);
    writeFileSync(path.join(vectors, `${index}.vector.json`), vectorToJson(vector));
  }
});

afterAll(() => rm(root, { recursive: true }));

async function holodiff(...args: readonly string[]) {
  const env = { PATH: path.dirname(process.execPath), HOLODIFF_BUILD_DIR: path.join(root, 'build') };
  const result = await execa(process.execPath, [BIN, ...args], { env, reject: false, extendEnv: false });
  return { code: result.exitCode, out: result.stdout, err: result.stderr };
}

test.each(['run', 'mutants'])(
  '%s --exhaustive help lists the scopes with their sizes, and runs none',
  async (command) => {
    const { code, out, err } = await holodiff(command, '--exhaustive', 'help');
    expect([code, err]).toEqual([0, '']);
    const lines = out.split('\n');
    expect(lines.slice(lines.indexOf('item-bytes  7,612 vectors')).slice(0, 3)).toEqual([
      'item-bytes  7,612 vectors',
      '  an item with the two frames of a channel: every bit flipped, every cut, a byte behind it and every first byte, before',
      '  and after Holocene',
    ]);
    expect(lines.filter((line) => !line.startsWith('  ')).map((line) => line.split(' ')[0])).toEqual(
      Object.keys(EXHAUSTIVE_SCOPES),
    );
  },
);

describe('a wrong argument is one clear line and exit code 2', () => {
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['rules', 'single/nothing'], /no rule of the catalogue is called single\/nothing: there are single\/too-early, /],
    [['rules', '--colour'], /unknown option '--colour'/],
    [['variant'], /missing required argument/],
    [['variant', 'nothing.ts'], /unknown variant nothing\.ts: neither built in \(text\) nor a file/],
    [['variant', 'text', 'nowhere'], /nowhere: no such file or folder/],
    [['variant', 'text', '--vectors', 'many'], /expected a whole number above 0/],
    [
      ['variant', 'text', '-i', 'geth'],
      /--implementation geth: expected typescript, kona, op-node, a reference with @VERSION or @path:FOLDER, or NAME=COMMAND/,
    ],
    [['mutants', '--corpus', 'dirty'], /Allowed choices are clean, all/],
    [['mutants', '--seed', '-1'], /expected a whole number from 0/],
    [
      ['metamorphic', '-i', 'geth'],
      /--implementation geth: expected typescript, kona, op-node, a reference with @VERSION or @path:FOLDER, or NAME=COMMAND/,
    ],
  ];

  test.each(cases)('%j', async (args, message) => {
    const { code, out, err } = await holodiff(...args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(message);
    expect(
      err
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('holodiff: ')),
    ).toHaveLength(1);
  });
});

test('variant answers over given vectors, and keeps what was asked for', async () => {
  const kept = path.join(root, 'kept');
  const { code, out } = await holodiff('variant', 'text', vectors, '--no-campaign', '--no-minimise', '--promote', kept);
  expect(code).toBe(0);
  expect(out).toMatch(/\d+ of 20 stored vectors flip, 0 of 0 generated ones/);
  const kinds = Number(/(\d+) kinds? of change/.exec(out)![1]);
  expect(kinds).toBeGreaterThan(0);
  expect((await readdir(kept)).filter((file) => file.endsWith('.vector.json'))).toHaveLength(kinds);
});

test('mutants names every mutant, and the exit code says that some survive so few vectors', async () => {
  const { code, out } = await holodiff('mutants', vectors, '--vectors', '0');
  expect(code).toBe(1);
  const lines = out.split('\n');
  expect(lines.filter((line) => /^(killed|SURVIVES|equivalent|divergent) /.test(line))).toHaveLength(
    Number(/^(\d+) mutants: /m.exec(out)![1]),
  );
  expect(out).toMatch(/^clean corpus, 20 vectors: \d+ of \d+ killed/m);
});

test('metamorphic tells its relations and runs them', async () => {
  const listed = await holodiff('metamorphic', '--list');
  expect(listed.code).toBe(0);
  expect(listed.out).toMatch(/^ignored: .*\n {2}by frame\/version-byte/m);
  const { code, out } = await holodiff('metamorphic', vectors, '--vectors', '0');
  expect(out).toMatch(/^time: \d+ vectors(, \d+ excepted)?: holds$/m);
  expect(code).toBe(0);
});

test('metamorphic asks any program by itself, and keeps the pair that breaks', async () => {
  const mock = fileURLToPath(new URL('../implementations/fixtures/mock.mjs', import.meta.url));
  const kept = path.join(root, 'breaks');
  const ask = (fault: string) =>
    holodiff(
      ...['metamorphic', path.join(vectors, '1.vector.json'), '--vectors', '0', '--no-minimise', '--out', kept],
      ...['-i', `mine=${process.execPath} ${mock} mine ${fault}`],
    );
  const good = await ask('none');
  expect(good).toMatchObject({ code: 0 });
  const { code, out } = await ask('crash');
  expect(code).toBe(1);
  const [folder] = await readdir(kept);
  expect(out).toMatch(/^ignored: 1 vectors: broken once, 1 NOT LISTED$/m);
  expect(out).toMatch(/^NOT LISTED: mine@1\.0\.0 breaks \w+ once$/m);
  expect(out).toContain(path.join(kept, folder!));
  expect(await readdir(path.join(kept, folder!))).toEqual(['changed.vector.json', 'original.vector.json']);
});
