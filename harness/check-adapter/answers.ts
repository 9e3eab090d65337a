/** Checks of what a program answers to vectors, and when. */

import { compare } from '../compare/compare.ts';
import { describePlace, describeSides } from '../compare/describe.ts';
import type { TraceJson } from '../trace.ts';
import { vectorToLine } from '../vector.ts';
import { count } from '../words.ts';
import { wordsOf } from './conversation.ts';
import type { Session } from './session.ts';
import { distinctVectors, type Example } from './vectors.ts';
import { comparable, differing, excerpt, fail, pass, told, type Verdict } from './verdict.ts';

/** Times that all vectors are sent at once. */
const ROUNDS = 3;

export async function oneByOne(session: Session): Promise<Verdict> {
  const conversation = await session.open();
  const answers: string[] = [];
  for (const { line, name } of session.examples) {
    conversation.say(`${line}\n`);
    const heard = await conversation.hear(session.limits.answer);
    if (heard.kind === 'line') {
      answers.push(heard.text);
      continue;
    }
    const expected = `an answer to ${name} while the input is open`;
    if (heard.kind === 'end') return fail(expected, session.said(conversation, heard));
    const { lines } = await session.leave(conversation, 0);
    const seen = `nothing within ${session.limits.answer / 1000} s`;
    return fail(
      expected,
      lines.length === 0 ? seen : `${seen}, and ${count(lines.length, 'line')} when the input had ended`,
    );
  }
  session.answers = answers;
  return pass(count(answers.length, 'vector'));
}

export function traces(session: Session): Verdict {
  for (const [index, { name }] of session.examples.entries()) {
    const read = session.read(session.answers[index]!);
    if (typeof read === 'string') return fail(`a trace of ${name}`, told(read, session.answers[index]!));
    if (read.kind === 'error') return fail(`a trace of ${name}`, `a refusal at "${read.path}": ${read.message}`);
  }
  return pass();
}

function traceOf(session: Session, index: number): TraceJson {
  const read = session.read(session.answers[index]!);
  if (typeof read === 'string' || read.kind === 'error') throw new Error('an answer that was a trace before is none');
  return read.trace;
}

export function origins(session: Session): Verdict {
  for (const [index, { name, vector }] of session.examples.entries()) {
    const numbers = vector.l1.map(({ number }) => number);
    const trace = traceOf(session, index);
    for (const list of ['frames', 'channels', 'batches', 'flushes', 'singles'] as const) {
      let last = numbers[0]!;
      for (const [at, entry] of trace[list].entries()) {
        const origin = BigInt(entry.origin);
        if (origin >= last && origin <= numbers.at(-1)!) {
          last = origin;
          continue;
        }
        return fail(`a number from ${last} to ${numbers.at(-1)!}`, `${name}: ${list}[${at}].origin is ${origin}`);
      }
    }
  }
  return pass();
}

export async function repeated(session: Session): Promise<Verdict> {
  const conversation = await session.open();
  // Each twice, the last one first.
  const asked = session.examples
    .map((_, index) => session.examples.length - 1 - index)
    .flatMap((index) => [index, index]);
  for (const index of asked) {
    const problem = await session.sameAnswer(conversation, index);
    if (problem !== undefined) return problem;
  }
  return pass();
}

export async function oneLineEach(session: Session): Promise<Verdict> {
  const conversation = await session.open();
  conversation.say(session.examples.map(({ line }) => `${line}\n`).join(''));
  const expected = session.examples.length;
  const { lines, end } = await session.leave(conversation, expected);
  if (lines.length === expected) return pass();
  const words = end === undefined ? '' : `; ${wordsOf(end)}`;
  const extra =
    lines.length > expected ? `, the last one ${excerpt(lines.at(-1)!)}` : `${words}${conversation.lastWords}`;
  return fail(count(expected, 'line'), `${count(lines.length, 'line')}${extra}`);
}

export async function pipelining(session: Session): Promise<Verdict> {
  const vectors = distinctVectors().map((vector) => ({ name: vector.name, line: vectorToLine(vector) }));
  const alone = await session.open();
  const answers: string[] = [];
  for (const { name, line } of vectors) {
    alone.say(`${line}\n`);
    const heard = await alone.hear(session.limits.answer);
    if (heard.kind !== 'line') return fail(`an answer to ${name}`, session.said(alone, heard));
    answers.push(comparable(heard.text));
  }
  await alone.killed();
  const conversation = await session.open();
  const asked = rounds(vectors.length, ROUNDS);
  conversation.say(asked.map((index) => `${vectors[index]!.line}\n`).join(''));
  const expected = `${asked.length} answers in the order of the vectors`;
  for (const [at, index] of asked.entries()) {
    const heard = await conversation.hear(session.limits.answer);
    if (heard.kind !== 'line')
      return fail(expected, `${count(at, 'answer')}, then ${session.said(conversation, heard)}`);
    const answer = comparable(heard.text);
    if (answer === answers[index]) continue;
    // Which vector an answer belongs to shows where it is another's word for word.
    const other = vectors[answers.indexOf(answer)];
    if (other === undefined)
      return fail(expected, `the answer to ${vectors[index]!.name} is ${differing(answers[index]!, answer)}`);
    return fail(expected, `in the place of the answer to ${vectors[index]!.name} stands that to ${other.name}`);
  }
  return pass(count(asked.length, 'vector'));
}

export function agreement(session: Session): Verdict {
  const refused: string[] = [];
  let first: Verdict | undefined;
  for (const [index, example] of session.examples.entries()) {
    const trace = traceOf(session, index);
    const seen = differenceFrom(example, trace);
    if (seen === undefined) continue;
    // Who says that it broke does not claim to have derived anything.
    if (trace.outcome.kind === 'crash' || trace.outcome.kind === 'timeout') refused.push(trace.outcome.kind);
    else first ??= fail(`the trace of examples/vectors/${example.name}.trace.json`, seen);
  }
  if (first !== undefined) return first;
  const all = session.examples.length;
  if (refused.length === 0) return pass(`${all} of ${all}`);
  return {
    status: 'note',
    detail: `${all - refused.length} of ${all}; ${refused.length} end as ${[...new Set(refused)].join(' or ')}`,
  };
}

export async function time(session: Session): Promise<Verdict> {
  const conversation = await session.open();
  const times: number[] = [];
  for (const index of rounds(session.examples.length, ROUNDS)) {
    const began = performance.now();
    const problem = await session.sameAnswer(conversation, index);
    if (problem !== undefined) return problem;
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return {
    status: 'note',
    detail: `median ${times[times.length >> 1]!.toFixed(1)} ms, at most ${times.at(-1)!.toFixed(1)} ms, of ${count(times.length, 'small vector')}`,
  };
}

/** The numbers below `length` so many times, each time beginning with another one. */
function rounds(length: number, times: number): number[] {
  return Array.from({ length: length * times }, (_, at) => (at + Math.floor(at / length)) % length);
}

/** Where a trace parts from the one that is expected, if it does. */
function differenceFrom({ name, trace }: Example, seen: TraceJson): string | undefined {
  const difference = compare([
    { implementation: 'everyone else', trace },
    { implementation: 'it', trace: seen },
  ]);
  return difference && `${name}: ${describePlace(difference)}: ${describeSides(difference)}`;
}
