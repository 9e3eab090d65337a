/** Checks of lines that are no vectors. */

import type { BadLine } from './bad-lines.ts';
import type { Conversation } from './conversation.ts';
import type { Session } from './session.ts';
import { fail, pass, told, type Verdict } from './verdict.ts';

/** What came of the bad lines. */
export interface Refusals {
  /** One for each line. */
  readonly verdicts: readonly Verdict[];
  /** Ids of those after which the next vector was not answered as before. */
  readonly lost: readonly string[];
}

/** Sends each bad line by itself, and a good one after it: all in one conversation, as long as that goes on. */
export async function refusals(session: Session, bad: readonly BadLine[]): Promise<Refusals> {
  const verdicts: Verdict[] = [];
  const lost: string[] = [];
  let conversation = await session.open();
  for (const { id, line, path } of bad) {
    verdicts.push(await refusal(session, conversation, line, path));
    if ((await session.sameAnswer(conversation)) === undefined) continue;
    lost.push(id);
    await conversation.killed();
    conversation = await session.open();
  }
  return { verdicts, lost };
}

async function refusal(session: Session, conversation: Conversation, line: string, path: string): Promise<Verdict> {
  const expected = `{"error":{"path":${JSON.stringify(path)},"message":…}}`;
  conversation.say(`${line}\n`);
  const heard = await conversation.hear(session.limits.answer);
  if (heard.kind !== 'line') return fail(expected, session.said(conversation, heard));
  const read = session.read(heard.text);
  if (typeof read === 'string') return fail(expected, told(read, heard.text));
  if (read.kind === 'trace') return fail(expected, `a trace (${read.trace.outcome.kind})`);
  return read.path === path ? pass() : fail(expected, `"path":${JSON.stringify(read.path)} (${read.message})`);
}
