import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sampleVector } from '../testing.ts';
import { traceBody } from '../trace.ts';
import { vectorToLine } from '../vector.ts';
import type { Answer } from './implementation.ts';
import { ProcessImplementation, type ProcessLimits, StartError } from './process.ts';

const CHILD = fileURLToPath(new URL('fixtures/child.mjs', import.meta.url));

function start(mode: string, limits: Partial<ProcessLimits> = {}, ...args: string[]): Promise<ProcessImplementation> {
  return ProcessImplementation.start({
    command: process.execPath,
    args: [CHILD, mode, ...args],
    label: 'fixture',
    limits,
  });
}

/** Nine good vectors and a bad one among them, told apart by their first L1 block. */
function submitTen(implementation: ProcessImplementation, bad = 4): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: 10 }, (_, i) => {
      const vector = sampleVector(`v/${i === bad ? 'bad' : i}`, 100 + i);
      return implementation.submit(vectorToLine(vector), vector);
    }),
  );
}

/** Each answer in short: the origin of its frame, or how it ended. */
function summary(answers: readonly Answer[]): unknown[] {
  return answers.map((answer) => {
    if (answer.kind !== 'trace') return answer.kind;
    return answer.trace.frames[0]?.origin ?? answer.trace.outcome.kind;
  });
}

const withBadAs = (kind: string) => [100, 101, 102, 103, kind, 105, 106, 107, 108, 109];

describe('a child that keeps the protocol', () => {
  test('answers in order, with its name and version from the handshake', async () => {
    const child = await start('good');
    expect([child.name, child.version, child.handshake.decompressors]).toEqual(['fixture', '1.0.0', { zlib: 'none' }]);
    expect(summary(await submitTen(child))).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109]);
    await child.close();
    expect(child.incidents).toEqual([]);
  });

  test('may be slow, as long as each vector keeps its own time limit', async () => {
    const child = await start('slow', { vectorTime: 400 }, '120');
    expect(summary(await submitTen(child))).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109]);
    await child.close();
    expect(child.incidents).toEqual([]);
  });

  test('an answer waits in the pipe while this process is busy: that is not a hang', async () => {
    const child = await start('good', { vectorTime: 200 });
    const answers = submitTen(child);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const until = performance.now() + 600;
    while (performance.now() < until);
    expect(summary(await answers)).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109]);
    await child.close();
    expect(child.incidents).toEqual([]);
  });

  test('an answer that was expected word for word is not read, and any other is', async () => {
    const child = await start('good');
    const vector = sampleVector('v/0', 100);
    const line = vectorToLine(vector);
    const said = await child.submit(line, vector);
    if (said.kind !== 'trace') throw new Error('the fixture gives a trace');
    const body = traceBody(said.trace);
    expect(await child.confirm(line, body)).toBeUndefined();
    expect(await child.confirm(line, body.replace('"origin":100', '"origin":101'))).toEqual(said);
    expect(await child.confirm(line, `${body} `)).toEqual(said);
    await child.close();
  });

  test('an error is an answer, and an integer above 2^53 keeps its digits', async () => {
    const refusing = await start('refuse');
    expect((await submitTen(refusing))[4]).toEqual({ kind: 'error', path: 'config.extra', message: 'unknown field' });
    await refusing.close();
    const huge = await start('huge');
    expect(summary(await submitTen(huge))[4]).toBe(18446744073709551615n);
    await huge.close();
  });

  test('close waits for what was submitted, and nothing is accepted after it', async () => {
    const child = await start('slow', {}, '10');
    const answers = submitTen(child);
    await child.close();
    expect(summary(await answers)).toHaveLength(10);
    await expect(child.submit('{}')).rejects.toMatchObject({ code: 'closed' });
  });

  test('a refreshed child has seen no other vector', async () => {
    const child = await start('stateful');
    const ask = async () => {
      const [answer] = summary([await child.submit(vectorToLine(sampleVector('v/0', 100)))]);
      return answer;
    };
    expect([await ask(), await ask()]).toEqual([100, 'drained']);
    await child.refresh();
    expect(await ask()).toBe(100);
    await child.close();
    expect(child.incidents).toEqual([]);
  });
});

describe('a child that breaks the protocol: told apart, restarted, nothing lost', () => {
  test.each([
    ['crash', 'exit', 'crash', /ended with code 3 and owed \d+ answers; its last words: thread main panicked/],
    ['leave', 'exit', 'crash', /ended with code 0 and owed \d+ answers/],
    ['signal', 'signal', 'crash', /was ended by SIGKILL/],
    ['hang', 'timeout', 'timeout', /no answer within 500 ms/],
    ['garbage', 'garbage', 'crash', /JSON.*"\{\\"format\\":1,"/],
    ['shape', 'garbage', 'crash', /frames\[0\]\.origin/],
    ['impostor', 'garbage', 'crash', /an answer by other 1\.0\.0 from fixture 1\.0\.0/],
    ['truncate', 'truncated', 'crash', /in the middle of a line/],
    ['flood', 'flood', 'crash', /a line of more than 50000 characters/],
    ['memory', 'memory', 'crash', /MiB resident, over the limit of 300 MiB/],
  ])('%s is noticed as %s', async (mode, kind, outcome, message) => {
    const vectorTime = mode === 'hang' ? 500 : 20_000;
    const child = await start(mode, { vectorTime, line: 50_000, memory: 300 * 1024 ** 2 });
    const answers = await submitTen(child);
    expect(summary(answers)).toEqual(withBadAs(outcome));
    expect(child.incidents).toEqual([{ kind, vector: 'v/bad', message: expect.stringMatching(message) as string }]);
    const [bad] = answers.slice(4);
    // What is known of a vector without an answer: where it started.
    expect(bad).toMatchObject({
      trace: { implementation: { name: 'fixture', version: '1.0.0' }, safeHead: { number: 5 }, frames: [] },
      incident: { kind },
    });
    await child.close();
    expect(child.incidents).toHaveLength(1);
  });

  test.runIf(process.platform !== 'win32')(
    'what it started and left holds its pipes: nobody waits for that',
    async () => {
      const begun = performance.now();
      const child = await start('bequeath');
      expect(summary(await submitTen(child))).toEqual(withBadAs('crash'));
      await child.close();
      expect(child.incidents).toMatchObject([{ kind: 'exit', vector: 'v/bad' }]);
      expect(performance.now() - begun).toBeLessThan(15_000);
    },
  );

  test('every vector may be bad', async () => {
    const child = await start('crash', { inFlight: 3 });
    const vectors = Array.from({ length: 5 }, (_, i) => sampleVector('v/bad', 100 + i));
    const answers = await Promise.all(vectors.map((vector) => child.submit(vectorToLine(vector))));
    expect(summary(answers)).toEqual(Array(5).fill('crash'));
    expect(child.incidents).toHaveLength(5);
    await child.close();
  });

  test('more answers than questions', async () => {
    const child = await start('surplus');
    expect(summary(await submitTen(child, 9))).toHaveLength(10);
    await child.close();
    expect(child.incidents).toEqual([
      { kind: 'surplus', vector: 'v/bad', message: expect.stringContaining('nobody asked for') as string },
    ]);
  });

  test.each([
    ['never-ends', /did not end within/],
    ['ends-badly', /ended with code 5 at the end/],
  ])('%s', async (mode, message) => {
    const child = await start(mode);
    await submitTen(child);
    await child.close();
    expect(child.incidents).toMatchObject([{ kind: 'bad-end', message: expect.stringMatching(message) as string }]);
  });
});

describe('a child that cannot be started is the fault of the harness', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holodiff-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  test.each([
    ['start-silent', /no handshake within 600 ms/],
    ['start-exit', /ended with code 4 before its handshake; its last words: no configuration/],
    ['start-garbage', /its first line is not JSON: "hello"/],
    ['start-other', /its first line is not a handshake/],
    ['start-name', /its first line is not a handshake: ".*a\\\\nb/],
    ['start-version', /its first line is not a handshake: ".*1 2/],
    ['start-hidden', /its first line is not JSON: "\\u\{202e\}"$/],
    ['start-words', /ended with code 4 before its handshake; its last words: \[31mno configuration$/],
    ['start-format', /does not read format 1, only: 7/],
  ])('%s', async (mode, message) => {
    const error: unknown = await start(mode, { startTime: mode === 'start-silent' ? 600 : 10_000 }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StartError);
    expect(error).toMatchObject({ code: 'bad-handshake', message: expect.stringMatching(message) as string });
  });

  test('a binary that is missing, or not a program', async () => {
    const missing = path.join(folder, 'none');
    const none = ProcessImplementation.start({ command: missing, label: 'kona' });
    await expect(none).rejects.toMatchObject({ code: 'missing-binary', implementation: 'kona', command: missing });
    const text = path.join(folder, 'text');
    writeFileSync(text, 'not a program', { mode: 0o644 });
    await expect(ProcessImplementation.start({ command: text, label: 'kona' })).rejects.toMatchObject({
      code: 'missing-binary',
      message: expect.stringContaining('may not be executed') as string,
    });
  });
});
