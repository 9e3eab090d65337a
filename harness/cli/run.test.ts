/** `holodiff run` and `holodiff merge` as real programs, one of them killed. */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Totals } from '../campaign/campaign.ts';
import { JOURNAL_FILE, readJournal } from '../campaign/journal.ts';
import { findingsIn, totalsOf } from '../campaign/testing.ts';

const BIN = fileURLToPath(new URL('bin.mjs', import.meta.url));
const MOCK = fileURLToPath(new URL('../implementations/fixtures/mock.mjs', import.meta.url));
/** A program that leaves out flushes. */
const PROGRAM = `kona=${process.execPath} ${MOCK} kona missing-flush`;
const COMMON = ['--no-known', '--no-minimise', '--no-table'];
/** More than one chunk, so that there is something to go on with. */
const VECTORS = 400;

let root: string;
const at = (name: string) => path.join(root, name);

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-run-'));
});

afterAll(() => rm(root, { recursive: true }));

async function holodiff(args: readonly string[]) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [BIN, ...args], { reject: false });
  return { code: exitCode, out: stdout.split('\n'), err: stderr };
}

function totalsIn(folder: string) {
  const totals = new Totals();
  for (const chunk of readJournal(folder).chunks) totals.add(chunk);
  return totalsOf(totals);
}

describe('a campaign', { timeout: 300_000 }, () => {
  let whole: Awaited<ReturnType<typeof holodiff>>;

  beforeAll(async () => {
    whole = await holodiff(['run', '-i', PROGRAM, '--vectors', String(VECTORS), '-o', at('whole'), ...COMMON]);
  }, 300_000);

  test('that finds something new ends with 1 and says what and where', () => {
    expect(whole.code).toBe(1);
    expect(whole.out.some((line) => line.startsWith('NEW'))).toBe(true);
    expect(whole.out.at(-1)).toMatch(/^400 vectors in .*: \d+ signatures, \d+ new; findings in .*whole/);
    expect(readJournal(at('whole')).ended).toBe(true);
  });

  test('that is killed in the middle and resumed comes to the same', async () => {
    const args = [BIN, 'run', '-i', PROGRAM, '--vectors', String(VECTORS), '-o', at('killed'), ...COMMON];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const gone = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    const journal = path.join(at('killed'), JOURNAL_FILE);
    while (!existsSync(journal) || !readFileSync(journal, 'utf8').includes('"chunk"')) await delay(10);
    child.kill('SIGKILL');
    await gone;
    const done = readJournal(at('killed'));
    expect(done.ended).toBe(false);
    expect(done.chunks.at(-1)!.to).toBeLessThan(VECTORS);
    const resumed = await holodiff(['run', '-i', PROGRAM, '--resume', at('killed'), ...COMMON]);
    expect(resumed.code).toBe(1);
    expect(totalsIn(at('killed'))).toEqual(totalsIn(at('whole')));
    expect(findingsIn(at('killed'))).toEqual(findingsIn(at('whole')));
  });

  test('can be merged, and the exit code is that of the run', async () => {
    const merged = await holodiff(['merge', at('whole'), '-o', at('merged'), '--no-known', '--no-table']);
    expect(merged.code).toBe(1);
    expect(merged.out.slice(0, -1)).toEqual(whole.out.slice(0, -1));
    expect(findingsIn(at('merged'))).toEqual(findingsIn(at('whole')));
  });

  test.each<[string, () => string[], RegExp]>([
    [
      'other programs',
      () => ['run', '--resume', at('whole'), '-i', PROGRAM.replaceAll('kona', 'mine')],
      /was run with .*kona 1\.0\.0, now there is .*mine 1/,
    ],
    ['a program under another name', () => ['run', '-i', PROGRAM.replace('kona', 'mine')], /calls itself kona$/],
    ['no command', () => ['run', '-i', 'mine='], /expected NAME=COMMAND$/],
    ['a seed beside --resume', () => ['run', '--resume', at('whole'), '--seed', '2'], /goes on with its own seed/],
    ['no campaign', () => ['run', '--resume', root], /this folder holds no campaign$/],
    [
      'a folder that is taken',
      () => ['run', '-i', PROGRAM, '-o', at('whole')],
      /exists already: go on with --resume \S+whole, or keep another one with --out$/,
    ],
    [
      'a folder below a file',
      () => ['run', '-i', PROGRAM, '-o', path.join(at('whole'), JOURNAL_FILE, 'a')],
      /journal\.ndjson: cannot be written: a file of that name is in the way$/,
    ],
    ['nothing to merge', () => ['merge', root], /this folder holds no campaign$/],
    [
      'a bad journal',
      () => {
        mkdirSync(at('bad'), { recursive: true });
        writeFileSync(path.join(at('bad'), JOURNAL_FILE), 'garbage\n');
        return ['run', '--resume', at('bad')];
      },
      /journal\.ndjson: line 1: expected JSON$/,
    ],
  ])('%s: one line, and exit 2', async (_, args, message) => {
    const { code, err } = await holodiff(args());
    // A note on what is run may stand above it.
    expect(err.split('\n').at(-1)).toMatch(/^holodiff: /);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });
});
