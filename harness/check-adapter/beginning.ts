/** Checks of how a program begins. */

import { readHandshake } from './answer.ts';
import type { Session } from './session.ts';
import { fail, pass, told, type Verdict } from './verdict.ts';

export async function introduction(session: Session, name: string | undefined): Promise<Verdict> {
  const expected = '{"holodiff":"handshake","implementation":{"name":…,"version":…},"formats":[1],"decompressors":{…}}';
  const began = performance.now();
  const conversation = session.start();
  const heard = await conversation.hear(session.limits.start);
  if (heard.kind !== 'line') {
    // It may speak when it is spoken to.
    if (heard.kind === 'silence') conversation.say(`${session.examples[0]!.line}\n`);
    const late = heard.kind === 'silence' && (await conversation.hear(session.limits.answer)).kind === 'line';
    return fail(
      expected,
      late ? 'nothing before the first vector was sent' : session.said(conversation, heard, session.limits.start),
    );
  }
  const took = performance.now() - began;
  const read = readHandshake(heard.text);
  if ('problem' in read) return fail(expected, told(read.problem, heard.text));
  const { implementation } = read.value;
  if (name !== undefined && implementation.name !== name)
    return fail(`"name":"${name}"`, `"name":"${implementation.name}"`);
  session.handshakeLine = heard.text;
  session.handshake = read.value;
  return pass(`${Math.round(took)} ms`);
}

export async function startedAgain(session: Session): Promise<Verdict> {
  const conversation = session.start();
  const heard = await conversation.hear(session.limits.start);
  if (heard.kind === 'line' && heard.text === session.handshakeLine) return pass();
  return fail(session.handshakeLine, session.said(conversation, heard, session.limits.start));
}
