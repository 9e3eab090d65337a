/**
 * Does a program keep the adapter protocol (docs/protocol.md)? One check after the other, each with what was expected
 * and what was seen; whatever goes wrong is told, and what can be checked all the same is.
 */

import type { Handshake } from '../implementations/implementation.ts';
import * as answers from './answers.ts';
import { badLines } from './bad-lines.ts';
import * as beginning from './beginning.ts';
import * as ending from './ending.ts';
import * as lines from './lines.ts';
import { type Refusals, refusals } from './refusals.ts';
import { type CheckLimits, Session } from './session.ts';
import { fail, pass, type Verdict } from './verdict.ts';

export type CheckResult = { readonly id: string; readonly title: string } & Verdict;

export interface AdapterReport {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** `undefined` if it did not introduce itself. */
  readonly handshake: Handshake | undefined;
  readonly checks: readonly CheckResult[];
}

interface Check {
  readonly id: string;
  /** Checks without which this one says nothing. */
  readonly needs: readonly string[];
  readonly title: string;
  readonly run: (session: Session) => Promise<Verdict> | Verdict;
}

/** Checks that others need stand before them. */
function checksOf(session: Session, name: string | undefined): Check[] {
  const checks: Check[] = [];
  const add = (id: string, needs: readonly string[], title: string, run: Check['run']) =>
    checks.push({ id, needs, title, run });

  add('handshake', [], 'introduces itself before it is asked anything', () => beginning.introduction(session, name));
  add(
    'started-again',
    ['handshake'],
    'introduces itself in the same words when it is started again',
    beginning.startedAgain,
  );
  const begun = ['started-again'];
  add('no-input', begun, 'ends with code 0 when there is no input', ending.noInput);
  add('one-by-one', begun, 'answers each vector before the next is sent', answers.oneByOne);
  const heard = ['one-by-one'];
  add('trace', heard, 'answers with traces of format 1 in its own name', answers.traces);
  add('origins', ['trace'], "names the vector's L1 blocks, in their order", answers.origins);
  add('examples', ['trace'], 'derives the examples as all implementations do', answers.agreement);
  add('repeated', heard, 'gives the same trace for the same vector, whatever came before', answers.repeated);
  add('count', heard, 'gives one line for each vector, and no other', answers.oneLineEach);
  add('end', heard, 'ends with code 0 after the last answer', ending.atEnd);
  const steady = ['repeated', 'count'];
  add('pipelining', steady, 'answers many vectors that are sent at once, in order', answers.pipelining);
  add('blank-lines', steady, 'skips blank lines', lines.blankLines);
  add('carriage-return', steady, 'takes a line that ends in \\r\\n', lines.carriageReturn);
  add('last-line', steady, 'takes a last line without an end', lines.lastLine);
  add('characters', steady, 'takes any characters of a name, and cuts lines at \\n only', lines.characters);
  add('big-vector', steady, 'takes a line of 8 million characters', lines.longLine);
  add('big-answers', steady, 'gives answers larger than any pipe holds', lines.longAnswers);
  const bad = badLines(session.examples[0]!.line);
  let refused: Promise<Refusals> | undefined;
  const allRefusals = () => (refused ??= refusals(session, bad));
  for (const [index, { id, title }] of bad.entries()) {
    add(`refuses/${id}`, steady, `refuses ${title}`, async () => (await allRefusals()).verdicts[index]!);
  }
  add('goes-on', steady, 'goes on after a line that it refused', async () => {
    const { lost } = await allRefusals();
    return lost.length === 0 ? pass() : fail('the next vector answered as before', `not so after: ${lost.join(', ')}`);
  });
  add('killed', steady, 'is the same after it was killed with work to do', ending.killed);
  add('side-by-side', steady, 'runs twice at a time', ending.sideBySide);
  add('time', steady, 'time for a vector', answers.time);
  return checks;
}

/**
 * Checks a program.
 *
 * @param name - what it is to call itself, if that is known
 * @param onCheck - hears each result as it comes
 * @throws HolodiffError if the program cannot be started at all
 */
export async function checkAdapter(
  command: readonly [string, ...string[]],
  limits: CheckLimits,
  name: string | undefined,
  onCheck: (result: CheckResult) => void,
): Promise<AdapterReport> {
  const session = new Session(command, limits);
  const results: CheckResult[] = [];
  const hasPassed = (id: string) => results.find((one) => one.id === id)?.status === 'pass';
  try {
    for (const { id, needs, title, run } of checksOf(session, name)) {
      const missing = needs.find((need) => !hasPassed(need));
      const verdict: Verdict =
        missing === undefined ? await run(session) : { status: 'skip', detail: `needs ${missing}` };
      await session.stop();
      const result = { id, title, ...verdict };
      results.push(result);
      onCheck(result);
    }
    return { command, handshake: session.handshake, checks: results };
  } finally {
    await session.stop();
  }
}
