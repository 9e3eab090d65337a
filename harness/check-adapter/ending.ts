/** Checks of how a program ends, and of what is left when it was killed. */

import { count } from '../words.ts';
import { type Conversation, wordsOf } from './conversation.ts';
import type { Session } from './session.ts';
import { fail, pass, type Verdict } from './verdict.ts';

export async function noInput(session: Session): Promise<Verdict> {
  const conversation = await session.open();
  return ending(session, conversation, 0);
}

export async function atEnd(session: Session): Promise<Verdict> {
  const conversation = await session.open();
  conversation.say(session.examples.map(({ line }) => `${line}\n`).join(''));
  return ending(session, conversation, session.examples.length);
}

/** What is to be seen once the input has ended. */
async function ending(session: Session, conversation: Conversation, answers: number): Promise<Verdict> {
  const { lines, end } = await session.leave(conversation, answers);
  if (end?.exitCode === 0 && end.rest === '') return pass();
  const words = end === undefined ? `did not end within ${session.limits.end / 1000} s` : wordsOf(end);
  const fewer = lines.length < answers ? `, and ${count(lines.length, 'answer')}` : '';
  return fail('the end of the program with code 0', `${words}${fewer}${conversation.lastWords}`);
}

export async function killed(session: Session): Promise<Verdict> {
  const first = await session.open();
  const problem = await session.sameAnswer(first);
  if (problem !== undefined) return problem;
  first.say(session.examples.map(({ line }) => `${line}\n`).join(''));
  await first.killed();
  return alike(session, session.start());
}

export async function sideBySide(session: Session): Promise<Verdict> {
  const both = [session.start(), session.start()];
  const verdicts = await Promise.all(both.map((one) => alike(session, one)));
  return verdicts.find(({ status }) => status === 'fail') ?? pass();
}

/** Whether a program that was just started introduces itself and answers as the first one did. */
async function alike(session: Session, conversation: Conversation): Promise<Verdict> {
  const heard = await conversation.hear(session.limits.start);
  if (heard.kind !== 'line') return fail('a handshake', session.said(conversation, heard, session.limits.start));
  if (heard.text !== session.handshakeLine) return fail(`the same handshake: ${session.handshakeLine}`, heard.text);
  const problem = await session.sameAnswer(conversation);
  return problem ?? pass();
}
