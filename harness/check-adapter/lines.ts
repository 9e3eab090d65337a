/** Checks of lines: what ends one, what stands in one, and how long it may be. */

import { vectorToLine } from '../vector.ts';
import { count } from '../words.ts';
import { wordsOf } from './conversation.ts';
import type { Session } from './session.ts';
import { bigAnswer, bigVector, namedOddly } from './vectors.ts';
import { comparable, differing, fail, pass, told, type Verdict } from './verdict.ts';

/** Vectors with large answers that are sent at once: more than any pipe holds. */
const LARGE_ANSWERS = 8;

export function blankLines(session: Session): Promise<Verdict> {
  const { line } = session.examples[0]!;
  return answeredAs(session, `\n${line}\n\n  \n\t\n\r\n${line}\n\n`, 2, 'one answer to each of two vectors');
}

export function carriageReturn(session: Session): Promise<Verdict> {
  return answeredAs(session, `${session.examples[0]!.line}\r\n`, 1, 'the same answer as without');
}

export function lastLine(session: Session): Promise<Verdict> {
  return answeredAs(session, session.examples[0]!.line, 1, 'the same answer as with an end');
}

export function characters(session: Session): Promise<Verdict> {
  const line = vectorToLine(namedOddly(session.examples[0]!.vector));
  return answeredAs(session, `${line}\n${line}\n`, 2, 'the answers that the vector has under its own name');
}

/** Sends a text at once and is content with so many answers, each as example 0 has it. */
async function answeredAs(session: Session, text: string, answers: number, expected: string): Promise<Verdict> {
  const conversation = await session.open();
  conversation.say(text);
  const { lines, end } = await session.leave(conversation, answers);
  if (lines.length !== answers) {
    const words = end === undefined ? 'nothing more' : wordsOf(end);
    return fail(expected, `${count(lines.length, 'answer')}, then ${words}${conversation.lastWords}`);
  }
  const own = comparable(session.answers[0]!);
  const other = lines.map(comparable).find((line) => line !== own);
  return other === undefined ? pass() : fail(expected, differing(own, other));
}

export async function longLine(session: Session): Promise<Verdict> {
  const conversation = await session.open();
  conversation.say(`${vectorToLine(bigVector())}\n`);
  const heard = await conversation.hear(session.limits.answer);
  if (heard.kind !== 'line') return fail('a trace', session.said(conversation, heard));
  const read = session.read(heard.text);
  if (typeof read === 'string') return fail('a trace', told(read, heard.text));
  if (read.kind === 'error') return fail('a trace', `a refusal at "${read.path}": ${read.message}`);
  return (await session.sameAnswer(conversation)) ?? pass();
}

export async function longAnswers(session: Session): Promise<Verdict> {
  const conversation = await session.open();
  conversation.say(`${vectorToLine(bigAnswer())}\n`.repeat(LARGE_ANSWERS));
  let length = 0;
  for (let number = 0; number < LARGE_ANSWERS; number++) {
    const heard = await conversation.hear(session.limits.answer);
    const expected = `${LARGE_ANSWERS} traces`;
    if (heard.kind !== 'line')
      return fail(expected, `${count(number, 'trace')}, then ${session.said(conversation, heard)}`);
    const read = session.read(heard.text);
    if (typeof read === 'string') return fail(expected, told(read, heard.text));
    if (read.kind === 'error') return fail(expected, `a refusal at "${read.path}": ${read.message}`);
    length = Math.max(length, heard.text.length);
  }
  return (await session.sameAnswer(conversation)) ?? pass(count(length, 'character'));
}
