import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import { compare } from '../compare/compare.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { traceToJson } from '../trace.ts';
import { type AdapterReport, type CheckResult, checkAdapter } from './check.ts';
import { findAdapter } from './find.ts';
import { loadExamples } from './vectors.ts';

const BIN = path.join(PACKAGE_ROOT, 'harness', 'cli', 'bin.mjs');
const FIXTURES = path.join(PACKAGE_ROOT, 'harness', 'implementations', 'fixtures');
const EXAMPLE = path.join(PACKAGE_ROOT, 'examples', 'adapter', 'adapter.py');
const FAULTY = path.join(PACKAGE_ROOT, 'harness', 'check-adapter', 'fixtures', 'faulty.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Long ones, so that a busy machine is not taken for a fault. */
const PATIENT = { answer: 60_000, start: 60_000, end: 20_000 };
/** For those that are silent on purpose. */
const HASTY = { answer: 3_000, start: 10_000, end: 3_000 };
const TO_AN_END = { ...PATIENT, end: 3_000 };

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-check-adapter-'));
});
afterAll(() => rm(root, { recursive: true }));

function check(command: readonly [string, ...string[]], limits = PATIENT, name?: string): Promise<AdapterReport> {
  return checkAdapter(command, limits, name, () => {});
}

/** Checks a program until it comes to this check. */
async function checkUntil(
  id: string,
  command: readonly [string, ...string[]],
  limits = PATIENT,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const enough = new Error('enough');
  const running = checkAdapter(command, limits, undefined, (result) => {
    results.push(result);
    if (result.id === id) throw enough;
  });
  await expect(running).rejects.toBe(enough);
  return results;
}

function failed({ checks }: AdapterReport): string[] {
  return checks.filter(({ status }) => status === 'fail').map(({ id }) => id);
}

function resultOf({ checks }: AdapterReport, id: string): CheckResult | undefined {
  return checks.find((one) => one.id === id);
}

describe('the examples', () => {
  test('there are eight, and the pipeline gives the traces that are stored', () => {
    const examples = loadExamples();
    expect(examples).toHaveLength(8);
    for (const { vector, trace } of examples) {
      const own = traceToJson(derive(vector));
      const sides = [trace, own].map((one, index) => ({ implementation: String(index), trace: one }));
      expect(compare(sides)).toBeUndefined();
    }
  });
});

describe('those that come with holodiff keep the protocol, and derive the examples', () => {
  test.each(['typescript', 'kona', 'op-node'])('%s', { timeout: 300_000 }, async (name) => {
    const { words } = await findAdapter([name], {}, () => {});
    const report = await check(words, PATIENT, name);
    expect(report.checks.filter(({ status }) => status !== 'pass').map(({ id }) => id)).toEqual(['time']);
    expect(resultOf(report, 'examples')).toMatchObject({ status: 'pass', detail: '8 of 8' });
    expect(report.handshake?.implementation.name).toBe(name);
  });
});

describe.skipIf(!hasPython)('the example adapter', () => {
  test('keeps the protocol, and says of itself that it derives nothing', async () => {
    const report = await check(['python3', EXAMPLE]);
    expect(report.checks.filter(({ status }) => status !== 'pass').map(({ id }) => id)).toEqual(['examples', 'time']);
    expect(resultOf(report, 'examples')).toMatchObject({ status: 'note', detail: '0 of 8; 8 end as crash' });
  });

  const every = (report: AdapterReport) => report.checks.map(({ id }) => id).filter((id) => id.startsWith('refuses/'));

  test.each<[fault: string, checks: string[], seen: RegExp]>([
    ['talks-first', ['handshake'], /^is not JSON; the line: starting$/],
    ['reads-format-7', ['handshake'], /^formats: expected format 1 among them/],
    ['has-two-names', ['handshake'], /^implementation\.name: expected some text without spaces/],
    ['ends-lines-as-windows-does', ['handshake'], /^ends with a carriage return/],
    ['is-another-one-each-time', ['started-again'], /"version":"\d+/],
    ['leaves-a-lock', ['started-again'], /^ended with code 1; its last words: is running already$/],
    ['fails-without-input', ['no-input', 'end'], /^ended with code 3$/],
    ['ends-in-a-line', ['no-input', 'end'], /^ended with code 0 in the middle of a line$/],
    ['writes-on-and-on', ['no-input', 'count', 'end'], /^wrote on and on$/],
    ['dies', ['one-by-one'], /^ended with code 1; its last words: out of luck$/],
    [
      'says-no-trace',
      ['trace', 'big-vector', 'big-answers'],
      /^expected an object, got an empty list; the line: \[\]$/,
    ],
    ['gives-negative-numbers', ['trace', 'big-vector', 'big-answers'], /^flushes\[0\]\.origin: expected an integer/],
    [
      'is-another-version',
      ['trace', 'big-vector', 'big-answers'],
      /^implementation: expected .* 1\.0\.0, got minimal 2/,
    ],
    ['names-another-block', ['origins'], /flushes\[0\]\.origin is 1$/],
    ['counts', ['repeated'], /^another one from character \d+ on/],
    ['says-goodbye', ['count'], /^9 lines, the last one bye$/],
    ['says-everything-twice', ['count'], /^16 lines, the last one \{"format":1,/],
    ['answers-backwards', ['pipelining'], /^in the place of the answer to .*on-block-5 stands that to .*on-block-6$/],
    ['answers-blank-lines', ['blank-lines'], /^[3-9] answers, then ended with code 0$/],
    ['refuses-carriage-returns', ['carriage-return'], /^another one from character 3 on: \{"error"/],
    ['wants-an-end-of-the-last-line', ['last-line'], /^0 answers, then ended with code 0$/],
    ['cuts-lines-as-unicode-does', ['characters'], /^\d+ answers, then ended with code 0$/],
    ['has-short-lines', ['big-vector'], /^ended with code 1; its last words: token too long$/],
    ['takes-unknown-fields', ['refuses/unknown-field', 'refuses/first-of-two'], /^a trace \(crash\)$/],
    ['runs-alone', ['side-by-side'], /^ended with code 1; its last words: is running already$/],
    ['claims-to-have-drained', ['examples'], /^channel-over-holocene: frames\[0\]: it hands on nothing where/],
  ])('%s: %j', { timeout: 180_000 }, async (fault, checks, seen) => {
    const report = await check(['python3', FAULTY, fault, path.join(root, fault)]);
    expect(failed(report)).toEqual(checks);
    expect(resultOf(report, checks[0]!)).toMatchObject({ seen: expect.stringMatching(seen) as string });
  });

  test.each<[fault: string, checks: string[], seen: RegExp, limits: typeof PATIENT]>([
    ['waits-for-a-vector', ['handshake'], /^nothing before the first vector was sent$/, HASTY],
    ['holds-answers', ['one-by-one'], /^nothing within 3 s, and 1 line when the input had ended$/, HASTY],
    ['stays', ['no-input', 'end'], /^did not end within 3 s$/, TO_AN_END],
  ])('%s: %j', { timeout: 180_000 }, async (fault, checks, seen, limits) => {
    const report = await check(['python3', FAULTY, fault], limits);
    expect(failed(report)).toEqual(checks);
    expect(resultOf(report, checks[0]!)).toMatchObject({ seen: expect.stringMatching(seen) as string });
  });

  test.each<[fault: string, but: string[], also: string[], seen: RegExp]>([
    // Where the fault is the document itself, there is no parent to tell.
    ['tells-the-parent', ['not-json', 'cut-off', 'not-an-object'], [], /^"path":"" \(/],
    ['refuses-without-a-word', [], [], /^error\.message: expected some text, got ""/],
    ['dies-of-a-bad-line', [], ['goes-on'], /^ended with code 4$/],
  ])('%s: every refusal', { timeout: 180_000 }, async (fault, but, also, seen) => {
    const report = await check(['python3', FAULTY, fault]);
    const expected = every(report).filter((id) => !but.includes(id.replace('refuses/', '')));
    expect(expected.length).toBeGreaterThan(15);
    expect(failed(report)).toEqual([...expected, ...also]);
    expect(resultOf(report, 'refuses/no-block')).toMatchObject({
      seen: expect.stringMatching(fault === 'tells-the-parent' ? /^"path":""/ : seen) as string,
    });
  });
});

describe('planted faults', () => {
  const mock = (fault: string) => [process.execPath, path.join(FIXTURES, 'mock.mjs'), 'mine', fault] as const;

  test.each<[fault: string, id: string, seen: RegExp]>([
    ['crash', 'one-by-one', /^ended with code 3/],
    ['garbage', 'trace', /^is not JSON; the line: this is no trace$/],
    ['truncated', 'one-by-one', /^ended with code 0 in the middle of a line/],
    ['surplus', 'count', /^16 lines/],
    ['wrong-batch', 'examples', /: batches\[0\]: it decodes a (single|span) batch/],
    ['missing-flush', 'examples', /: flushes\[0\]: it signals/],
    ['extra-flush', 'origins', /flushes\[\d+\]\.origin is 1$/],
  ])('%s: %s', { timeout: 180_000 }, async (fault, id, seen) => {
    const results = await checkUntil(id, mock(fault));
    expect(results.at(-1)).toMatchObject({ status: 'fail', seen: expect.stringMatching(seen) as string });
  });

  test('none', { timeout: 180_000 }, async () => {
    const results = await checkUntil('goes-on', mock('none'));
    expect(results.filter(({ status }) => status !== 'pass')).toEqual([]);
  });

  test('hang: one-by-one', { timeout: 180_000 }, async () => {
    const results = await checkUntil('one-by-one', mock('hang'), { ...PATIENT, answer: 3_000 });
    expect(results.at(-1)).toMatchObject({ status: 'fail', seen: 'nothing within 3 s' });
  });

  test('another name than it was called by', async () => {
    const report = await check(mock('none'), PATIENT, 'yours');
    expect(resultOf(report, 'handshake')).toMatchObject({ expected: '"name":"yours"', seen: '"name":"mine"' });
  });
});

describe('what is checked', () => {
  test('a name, a name of the configuration, NAME=COMMAND, a command in one word or in many', async () => {
    const find = (...given: string[]) => findAdapter(given, { mine: './a\\ b -x' }, () => {});
    expect(await find('typescript')).toEqual({
      words: [process.execPath, BIN, 'derive', '--implementation', 'typescript'],
      name: 'typescript',
    });
    expect(await find('mine')).toEqual({ words: ['./a b', '-x'], name: 'mine' });
    expect(await find('yours=./b --flag=1')).toEqual({ words: ['./b', '--flag=1'], name: 'yours' });
    expect(await find('./b --flag=1')).toEqual({ words: ['./b', '--flag=1'], name: undefined });
    expect(await find('./b', '--in', 'a c')).toEqual({ words: ['./b', '--in', 'a c'], name: undefined });
  });
});

describe('the real program', () => {
  async function holodiff(...args: string[]) {
    const { exitCode, stdout, stderr } = await execa(process.execPath, [BIN, 'check-adapter', ...args], {
      reject: false,
    });
    return { code: exitCode, out: stdout, err: stderr };
  }

  test.skipIf(!hasPython)('0 when it keeps the protocol', { timeout: 180_000 }, async () => {
    const { code, out, err } = await holodiff('--timeout', '60', `python3 ${EXAMPLE}`);
    expect(out.split('\n').at(-1)).toMatch(/^minimal 1\.0\.0: \d+ checks: \d+ passed, 0 failed, 2 notes$/);
    expect([code, err]).toEqual([0, '']);
  });

  test('1 when it does not, with what was expected and seen; as JSON, too', async () => {
    const { code, out } = await holodiff('echo hello');
    expect(out).toMatch(/✗ handshake .*\n {4}expected {2}\{"holodiff".*\n {4}seen {6}is not JSON; the line: hello/);
    expect(code).toBe(1);
    const json = await holodiff('echo hello', '--json');
    expect(JSON.parse(json.out)).toMatchObject({ format: 1, passed: false, command: ['echo', 'hello'] });
    expect(json.code).toBe(1);
  });

  test('2 when it cannot be started', async () => {
    expect(await holodiff('./no-such-adapter')).toEqual({
      code: 2,
      out: '',
      err: 'holodiff: cannot start ./no-such-adapter: there is no such program',
    });
  });
});
