import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateVector } from '../generate/index.ts';
import { parseVector, vectorToJson } from '../vector.ts';

const BIN = fileURLToPath(new URL('bin.mjs', import.meta.url));

let root: string;
let file: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "holo'diff-"));
  file = path.join(root, 'some.vector.json');
  writeFileSync(file, vectorToJson(generateVector(1, 9).vector));
});

afterAll(() => rm(root, { recursive: true }));

function holodiff(...args: string[]) {
  const env = { PATH: path.dirname(process.execPath), HOLODIFF_BUILD_DIR: path.join(root, 'build'), TMPDIR: root };
  return execa(process.execPath, [BIN, ...args], { env, reject: false, extendEnv: false });
}

/** A program that finds vectors of at least two L1 blocks interesting. */
function judge(): string {
  const script = path.join(root, 'judge.mjs');
  writeFileSync(
    script,
    `import { readFileSync } from 'node:fs';
     process.exit(JSON.parse(readFileSync(process.argv.at(-1), 'utf8')).l1.length >= 2 ? 0 : 1);`,
  );
  return `"${process.execPath}" "${script}"`;
}

test.each(['', ' {}'])('by a command%s', async (placeholder) => {
  const out = path.join(root, 'small.vector.json');
  const command = `${judge()}${placeholder}`;
  const { exitCode, stdout, stderr } = await holodiff(
    'minimise',
    file,
    '--command',
    command,
    '-o',
    out,
    '--max-tests',
    '25',
  );
  expect(stdout).toMatch(/small\.vector\.json: \d+ characters before, \d+ after \d+ tests \([\d.]+ s\)$/);
  expect(stderr).toMatch(/^\d+ characters after \d+ tests \(/);
  expect(exitCode).toBe(0);
  const { l1 } = parseVector(readFileSync(out, 'utf8'));
  expect(l1).toHaveLength(2);
  expect(readdirSync(root).filter((name) => name.startsWith('holodiff-minimise'))).toEqual([]);
});

test('not interesting to begin with: exit 2 and one line', async () => {
  const { exitCode, stdout, stderr } = await holodiff('minimise', file, '--command', 'false #');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toBe('holodiff: generated/1/9 is not interesting to begin with');
});

test.each([
  [['minimise', 'none.json'], /^holodiff: none\.json: no such file or folder$/],
  [['minimise'], /^holodiff: missing required argument 'file'$/],
  [
    ['minimise', 'FILE', '-i', 'geth'],
    /^holodiff: --implementation geth: expected typescript, kona, op-node, a reference with @VERSION or @path:FOLDER, or NAME=COMMAND$/,
  ],
  [['minimise', 'FILE', '-i', 'typescript'], /^holodiff: only typescript is at hand: a comparison needs two$/],
  [['minimise', 'FILE', '--command', 'true', '-i', 'kona'], /^holodiff: --command: decides alone/],
  [['promote', 'none'], /^holodiff: none.finding\.json: no such file or folder$/],
  [['promote', 'FILE'], /^holodiff: .*: no finding\.json: not the folder of a finding$/],
])('what cannot be is one line: %j', async (args, message) => {
  const { exitCode, stderr } = await holodiff(...args.map((arg) => (arg === 'FILE' ? file : arg)));
  expect(stderr).toMatch(message);
  expect(exitCode).toBe(2);
});

test('promote refuses what it cannot keep before it writes anything', async () => {
  const folder = path.join(root, 'finding');
  mkdirSync(folder);
  const signature = 'frames | kona | frame/version-byte- | less';
  writeFileSync(path.join(folder, 'finding.json'), JSON.stringify({ signature, boundary: 'frames' }));
  writeFileSync(path.join(folder, 'vector.vector.json'), readFileSync(file, 'utf8'));
  const { exitCode, stderr } = await holodiff('promote', folder, '--rules', 'no/rule+');
  expect(stderr).toBe('holodiff: --rules no/rule+: expected a rule of the catalogue with + or - behind it');
  expect(exitCode).toBe(2);
});

test.each(['minimise', 'promote'])('%s has examples', async (command) => {
  const { exitCode, stdout } = await holodiff(command, '--help');
  expect(stdout).toMatch(/Examples:\n {2}\$ holodiff/);
  expect(exitCode).toBe(0);
});
