/**
 * Does a program keep the adapter protocol (docs/protocol.md)? One check after the other, each with what was expected
 * and what was seen; whatever goes wrong is told, and what can be checked all the same is.
 */

import { compare } from '../compare/compare.ts';
import { describePlace, describeSides } from '../compare/describe.ts';
import type { Handshake } from '../implementations/implementation.ts';
import type { TraceJson } from '../trace.ts';
import { vectorToLine } from '../vector.ts';
import { count } from '../words.ts';
import { type AnswerLine, readAnswer, readHandshake } from './answer.ts';
import { badLines } from './bad-lines.ts';
import { Conversation, type Heard, wordsOf } from './conversation.ts';
import { bigAnswer, bigVector, distinctVectors, type Example, loadExamples, namedOddly } from './vectors.ts';

export interface CheckLimits {
  /** Milliseconds for one answer. */
  readonly answer: number;
  /** Milliseconds from the start to the handshake. */
  readonly start: number;
  /** Milliseconds from the end of the input to the end of the program. */
  readonly end: number;
}

/** What a check says. `note`: nothing that the protocol forbids, and worth knowing. */
export type Verdict =
  | { readonly status: 'pass' | 'note' | 'skip'; readonly detail?: string }
  | { readonly status: 'fail'; readonly expected: string; readonly seen: string };

export type CheckResult = { readonly id: string; readonly title: string } & Verdict;

export interface AdapterReport {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** `undefined` if it did not introduce itself. */
  readonly handshake: Handshake | undefined;
  readonly checks: readonly CheckResult[];
}

/** Times that all examples are sent at once. */
const ROUNDS = 3;

/** Vectors with large answers that are sent at once: more than any pipe holds. */
const LARGE_ANSWERS = 8;

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
  const checker = new Checker(command, limits, onCheck);
  try {
    return await checker.run(name);
  } finally {
    await checker.stop();
  }
}

function fail(expected: string, seen: string): Verdict {
  return { status: 'fail', expected, seen };
}

function pass(detail?: string): Verdict {
  return detail === undefined ? { status: 'pass' } : { status: 'pass', detail };
}

class Checker {
  readonly #command: readonly [string, ...string[]];
  readonly #limits: CheckLimits;
  readonly #onCheck: (result: CheckResult) => void;
  readonly #results: CheckResult[] = [];
  readonly #examples = loadExamples();
  readonly #started: Conversation[] = [];
  #handshakeLine = '';
  #handshake: Handshake | undefined;
  /** The line that answered each example when it was asked about alone. */
  #answers: readonly string[] = [];

  constructor(command: readonly [string, ...string[]], limits: CheckLimits, onCheck: (result: CheckResult) => void) {
    this.#command = command;
    this.#limits = limits;
    this.#onCheck = onCheck;
  }

  /** Ends what still runs, so that no check meets what another left behind. */
  async stop(): Promise<void> {
    await Promise.all(this.#started.splice(0).map((conversation) => conversation.killed()));
  }

  async run(name: string | undefined): Promise<AdapterReport> {
    await this.#check('handshake', [], 'introduces itself before it is asked anything', () => this.#introduction(name));
    await this.#check(
      'started-again',
      ['handshake'],
      'introduces itself in the same words when it is started again',
      () => this.#startedAgain(),
    );
    const begun = ['started-again'];
    await this.#check('no-input', begun, 'ends with code 0 when there is no input', () => this.#noInput());
    await this.#check('one-by-one', begun, 'answers each vector before the next is sent', () => this.#oneByOne());
    const heard = ['one-by-one'];
    await this.#check('trace', heard, 'answers with traces of format 1 in its own name', () => this.#traces());
    await this.#check('origins', ['trace'], "names the vector's L1 blocks, in their order", () => this.#origins());
    await this.#check('repeated', heard, 'gives the same trace for the same vector, whatever came before', () =>
      this.#repeated(),
    );
    await this.#check('count', heard, 'gives one line for each vector, and no other', () => this.#count());
    await this.#check('end', heard, 'ends with code 0 after the last answer', () => this.#atEnd());
    const steady = ['repeated', 'count'];
    await this.#check('pipelining', steady, 'answers many vectors that are sent at once, in order', () =>
      this.#pipelining(),
    );
    await this.#check('blank-lines', steady, 'skips blank lines', () => this.#blankLines());
    await this.#check('carriage-return', steady, 'takes a line that ends in \\r\\n', () => this.#carriageReturn());
    await this.#check('last-line', steady, 'takes a last line without an end', () => this.#lastLine());
    await this.#check('characters', steady, 'takes any characters of a name, and cuts lines at \\n only', () =>
      this.#characters(),
    );
    await this.#check('big-vector', steady, 'takes a line of 8 million characters', () => this.#bigVector());
    await this.#check('big-answers', steady, 'gives answers larger than any pipe holds', () => this.#bigAnswers());
    await this.#refusals(steady);
    await this.#check('killed', steady, 'is the same after it was killed with work to do', () => this.#killed());
    await this.#check('side-by-side', steady, 'runs twice at a time', () => this.#sideBySide());
    await this.#check('examples', ['trace'], 'derives the examples as all implementations do', () => this.#agreement());
    await this.#check('time', steady, 'time for a vector', () => this.#time());
    return { command: this.#command, handshake: this.#handshake, checks: this.#results };
  }

  /** Runs one check, unless one that it needs has failed. */
  async #check(
    id: string,
    needs: readonly string[],
    title: string,
    run: () => Promise<Verdict> | Verdict,
  ): Promise<void> {
    const missing = this.#missing(needs);
    const verdict: Verdict = missing === undefined ? await run() : { status: 'skip', detail: `needs ${missing}` };
    await this.stop();
    const result = { id, title, ...verdict };
    this.#results.push(result);
    this.#onCheck(result);
  }

  /** The first of these checks that has not passed. */
  #missing(needs: readonly string[]): string | undefined {
    return needs.find((need) => this.#results.find((one) => one.id === need)?.status !== 'pass');
  }

  #start(): Conversation {
    const conversation = new Conversation(this.#command);
    this.#started.push(conversation);
    return conversation;
  }

  /** Starts it and hears its first line. */
  async #open(): Promise<Conversation> {
    const conversation = this.#start();
    await conversation.hear(this.#limits.start);
    return conversation;
  }

  #leave(conversation: Conversation, owed: number) {
    return conversation.leave(owed, this.#limits.answer, this.#limits.end);
  }

  async #introduction(name: string | undefined): Promise<Verdict> {
    const expected =
      '{"holodiff":"handshake","implementation":{"name":…,"version":…},"formats":[1],"decompressors":{…}}';
    const began = performance.now();
    const conversation = this.#start();
    const heard = await conversation.hear(this.#limits.start);
    if (heard.kind !== 'line') {
      // It may speak when it is spoken to.
      if (heard.kind === 'silence') conversation.say(`${this.#examples[0]!.line}\n`);
      const late = heard.kind === 'silence' && (await conversation.hear(this.#limits.answer)).kind === 'line';
      return fail(
        expected,
        late ? 'nothing before the first vector was sent' : this.#said(conversation, heard, this.#limits.start),
      );
    }
    const took = performance.now() - began;
    const read = readHandshake(heard.text);
    if ('problem' in read) return fail(expected, told(read.problem, heard.text));
    const { implementation } = read.value;
    if (name !== undefined && implementation.name !== name)
      return fail(`"name":"${name}"`, `"name":"${implementation.name}"`);
    this.#handshakeLine = heard.text;
    this.#handshake = read.value;
    return pass(`${Math.round(took)} ms`);
  }

  async #startedAgain(): Promise<Verdict> {
    const conversation = this.#start();
    const heard = await conversation.hear(this.#limits.start);
    if (heard.kind === 'line' && heard.text === this.#handshakeLine) return pass();
    return fail(this.#handshakeLine, this.#said(conversation, heard, this.#limits.start));
  }

  async #noInput(): Promise<Verdict> {
    const conversation = await this.#open();
    return this.#ending(conversation, 0);
  }

  /** What is to be seen once the input has ended. */
  async #ending(conversation: Conversation, answers: number): Promise<Verdict> {
    const { lines, end } = await this.#leave(conversation, answers);
    if (end?.exitCode === 0 && end.rest === '') return pass();
    const words = end === undefined ? `did not end within ${this.#limits.end / 1000} s` : wordsOf(end);
    const fewer = lines.length < answers ? `, and ${count(lines.length, 'answer')}` : '';
    return fail('the end of the program with code 0', `${words}${fewer}${conversation.lastWords}`);
  }

  async #oneByOne(): Promise<Verdict> {
    const conversation = await this.#open();
    const answers: string[] = [];
    for (const { line, name } of this.#examples) {
      conversation.say(`${line}\n`);
      const heard = await conversation.hear(this.#limits.answer);
      if (heard.kind === 'line') {
        answers.push(heard.text);
        continue;
      }
      const expected = `an answer to ${name} while the input is open`;
      if (heard.kind === 'end') return fail(expected, this.#said(conversation, heard));
      const { lines } = await this.#leave(conversation, 0);
      const seen = `nothing within ${this.#limits.answer / 1000} s`;
      return fail(
        expected,
        lines.length === 0 ? seen : `${seen}, and ${count(lines.length, 'line')} when the input had ended`,
      );
    }
    this.#answers = answers;
    return pass(count(answers.length, 'vector'));
  }

  #traces(): Verdict {
    for (const [index, { name }] of this.#examples.entries()) {
      const read = this.#read(this.#answers[index]!);
      if (typeof read === 'string') return fail(`a trace of ${name}`, told(read, this.#answers[index]!));
      if (read.kind === 'error') return fail(`a trace of ${name}`, `a refusal at "${read.path}": ${read.message}`);
    }
    return pass();
  }

  /** An answer, or what is wrong with it. */
  #read(line: string): AnswerLine | string {
    const read = readAnswer(line, this.#handshake!);
    return 'problem' in read ? read.problem : read.value;
  }

  #trace(index: number): TraceJson {
    const read = this.#read(this.#answers[index]!);
    if (typeof read === 'string' || read.kind === 'error') throw new Error('an answer that was a trace before is none');
    return read.trace;
  }

  #origins(): Verdict {
    for (const [index, { name, vector }] of this.#examples.entries()) {
      const numbers = vector.l1.map(({ number }) => number);
      const trace = this.#trace(index);
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

  async #count(): Promise<Verdict> {
    const conversation = await this.#open();
    conversation.say(this.#examples.map(({ line }) => `${line}\n`).join(''));
    const expected = this.#examples.length;
    const { lines, end } = await this.#leave(conversation, expected);
    if (lines.length === expected) return pass();
    const words = end === undefined ? '' : `; ${wordsOf(end)}`;
    const extra =
      lines.length > expected ? `, the last one ${excerpt(lines.at(-1)!)}` : `${words}${conversation.lastWords}`;
    return fail(count(expected, 'line'), `${count(lines.length, 'line')}${extra}`);
  }

  async #pipelining(): Promise<Verdict> {
    const vectors = distinctVectors().map((vector) => ({ name: vector.name, line: vectorToLine(vector) }));
    const alone = await this.#open();
    const answers: string[] = [];
    for (const { name, line } of vectors) {
      alone.say(`${line}\n`);
      const heard = await alone.hear(this.#limits.answer);
      if (heard.kind !== 'line') return fail(`an answer to ${name}`, this.#said(alone, heard));
      answers.push(comparable(heard.text));
    }
    await alone.killed();
    const conversation = await this.#open();
    const asked = rounds(vectors.length, ROUNDS);
    conversation.say(asked.map((index) => `${vectors[index]!.line}\n`).join(''));
    const expected = `${asked.length} answers in the order of the vectors`;
    for (const [at, index] of asked.entries()) {
      const heard = await conversation.hear(this.#limits.answer);
      if (heard.kind !== 'line')
        return fail(expected, `${count(at, 'answer')}, then ${this.#said(conversation, heard)}`);
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

  async #repeated(): Promise<Verdict> {
    const conversation = await this.#open();
    // Each twice, the last one first.
    const asked = this.#examples
      .map((_, index) => this.#examples.length - 1 - index)
      .flatMap((index) => [index, index]);
    for (const index of asked) {
      const problem = await this.#sameAnswer(conversation, index);
      if (problem !== undefined) return problem;
    }
    return pass();
  }

  /** Asks about an example, and is content with the answer that it had when it was asked about first. */
  async #sameAnswer(
    conversation: Conversation,
    index = 0,
    line = `${this.#examples[index]!.line}\n`,
  ): Promise<Verdict | undefined> {
    conversation.say(line);
    const heard = await conversation.hear(this.#limits.answer);
    const expected = comparable(this.#answers[index]!);
    if (heard.kind === 'line' && comparable(heard.text) === expected) return undefined;
    const where = this.#examples[index]!.name;
    if (heard.kind !== 'line') return fail(`the answer to ${where}`, this.#said(conversation, heard));
    return fail(`the answer to ${where} as before: ${excerpt(expected)}`, differing(expected, comparable(heard.text)));
  }

  async #atEnd(): Promise<Verdict> {
    const conversation = await this.#open();
    conversation.say(this.#examples.map(({ line }) => `${line}\n`).join(''));
    return this.#ending(conversation, this.#examples.length);
  }

  /** Sends a text at once and is content with so many answers, each as example 0 has it. */
  async #answeredAs(text: string, answers: number, expected: string): Promise<Verdict> {
    const conversation = await this.#open();
    conversation.say(text);
    const { lines, end } = await this.#leave(conversation, answers);
    if (lines.length !== answers) {
      const words = end === undefined ? 'nothing more' : wordsOf(end);
      return fail(expected, `${count(lines.length, 'answer')}, then ${words}${conversation.lastWords}`);
    }
    const own = comparable(this.#answers[0]!);
    const other = lines.map(comparable).find((line) => line !== own);
    return other === undefined ? pass() : fail(expected, differing(own, other));
  }

  #blankLines(): Promise<Verdict> {
    const { line } = this.#examples[0]!;
    return this.#answeredAs(`\n${line}\n\n  \n\t\n\r\n${line}\n\n`, 2, 'one answer to each of two vectors');
  }

  #carriageReturn(): Promise<Verdict> {
    return this.#answeredAs(`${this.#examples[0]!.line}\r\n`, 1, 'the same answer as without');
  }

  #lastLine(): Promise<Verdict> {
    return this.#answeredAs(this.#examples[0]!.line, 1, 'the same answer as with an end');
  }

  #characters(): Promise<Verdict> {
    const line = vectorToLine(namedOddly(this.#examples[0]!.vector));
    return this.#answeredAs(`${line}\n${line}\n`, 2, 'the answers that the vector has under its own name');
  }

  async #bigVector(): Promise<Verdict> {
    const conversation = await this.#open();
    conversation.say(`${vectorToLine(bigVector())}\n`);
    const heard = await conversation.hear(this.#limits.answer);
    if (heard.kind !== 'line') return fail('a trace', this.#said(conversation, heard));
    const read = this.#read(heard.text);
    if (typeof read === 'string') return fail('a trace', told(read, heard.text));
    if (read.kind === 'error') return fail('a trace', `a refusal at "${read.path}": ${read.message}`);
    return (await this.#sameAnswer(conversation)) ?? pass();
  }

  async #bigAnswers(): Promise<Verdict> {
    const conversation = await this.#open();
    conversation.say(`${vectorToLine(bigAnswer())}\n`.repeat(LARGE_ANSWERS));
    let length = 0;
    for (let number = 0; number < LARGE_ANSWERS; number++) {
      const heard = await conversation.hear(this.#limits.answer);
      const expected = `${LARGE_ANSWERS} traces`;
      if (heard.kind !== 'line')
        return fail(expected, `${count(number, 'trace')}, then ${this.#said(conversation, heard)}`);
      const read = this.#read(heard.text);
      if (typeof read === 'string') return fail(expected, told(read, heard.text));
      if (read.kind === 'error') return fail(expected, `a refusal at "${read.path}": ${read.message}`);
      length = Math.max(length, heard.text.length);
    }
    return (await this.#sameAnswer(conversation)) ?? pass(count(length, 'character'));
  }

  /** Each bad line by itself, and a good one after it: all in one conversation, as long as that goes on. */
  async #refusals(needs: readonly string[]): Promise<void> {
    const bad = badLines(this.#examples[0]!.line);
    const verdicts: Verdict[] = [];
    const lost: string[] = [];
    if (this.#missing(needs) === undefined) {
      let conversation = await this.#open();
      for (const { id, line, path } of bad) {
        verdicts.push(await this.#refusal(conversation, line, path));
        if ((await this.#sameAnswer(conversation)) === undefined) continue;
        lost.push(id);
        await conversation.killed();
        conversation = await this.#open();
      }
    }
    for (const [index, { id, title }] of bad.entries()) {
      await this.#check(`refuses/${id}`, needs, `refuses ${title}`, () => verdicts[index]!);
    }
    await this.#check('goes-on', needs, 'goes on after a line that it refused', () =>
      lost.length === 0 ? pass() : fail('the next vector answered as before', `not so after: ${lost.join(', ')}`),
    );
  }

  async #refusal(conversation: Conversation, line: string, path: string): Promise<Verdict> {
    const expected = `{"error":{"path":${JSON.stringify(path)},"message":…}}`;
    conversation.say(`${line}\n`);
    const heard = await conversation.hear(this.#limits.answer);
    if (heard.kind !== 'line') return fail(expected, this.#said(conversation, heard));
    const read = this.#read(heard.text);
    if (typeof read === 'string') return fail(expected, told(read, heard.text));
    if (read.kind === 'trace') return fail(expected, `a trace (${read.trace.outcome.kind})`);
    return read.path === path ? pass() : fail(expected, `"path":${JSON.stringify(read.path)} (${read.message})`);
  }

  async #killed(): Promise<Verdict> {
    const first = await this.#open();
    const problem = await this.#sameAnswer(first);
    if (problem !== undefined) return problem;
    first.say(this.#examples.map(({ line }) => `${line}\n`).join(''));
    await first.killed();
    return this.#alike(this.#start());
  }

  async #sideBySide(): Promise<Verdict> {
    const both = [this.#start(), this.#start()];
    const verdicts = await Promise.all(both.map((one) => this.#alike(one)));
    return verdicts.find(({ status }) => status === 'fail') ?? pass();
  }

  /** Whether a program that was just started introduces itself and answers as the first one did. */
  async #alike(conversation: Conversation): Promise<Verdict> {
    const heard = await conversation.hear(this.#limits.start);
    if (heard.kind !== 'line') return fail('a handshake', this.#said(conversation, heard, this.#limits.start));
    if (heard.text !== this.#handshakeLine) return fail(`the same handshake: ${this.#handshakeLine}`, heard.text);
    const problem = await this.#sameAnswer(conversation);
    return problem ?? pass();
  }

  #agreement(): Verdict {
    const refused: string[] = [];
    let first: Verdict | undefined;
    for (const [index, example] of this.#examples.entries()) {
      const trace = this.#trace(index);
      const seen = differenceFrom(example, trace);
      if (seen === undefined) continue;
      // Who says that it broke does not claim to have derived anything.
      if (trace.outcome.kind === 'crash' || trace.outcome.kind === 'timeout') refused.push(trace.outcome.kind);
      else first ??= fail(`the trace of examples/vectors/${example.name}.trace.json`, seen);
    }
    if (first !== undefined) return first;
    const all = this.#examples.length;
    if (refused.length === 0) return pass(`${all} of ${all}`);
    return {
      status: 'note',
      detail: `${all - refused.length} of ${all}; ${refused.length} end as ${[...new Set(refused)].join(' or ')}`,
    };
  }

  async #time(): Promise<Verdict> {
    const conversation = await this.#open();
    const times: number[] = [];
    for (const index of rounds(this.#examples.length, ROUNDS)) {
      const began = performance.now();
      const problem = await this.#sameAnswer(conversation, index);
      if (problem !== undefined) return problem;
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    return {
      status: 'note',
      detail: `median ${times[times.length >> 1]!.toFixed(1)} ms, at most ${times.at(-1)!.toFixed(1)} ms, of ${count(times.length, 'small vector')}`,
    };
  }

  /** What came in place of a line. */
  #said(conversation: Conversation, heard: Heard, within = this.#limits.answer): string {
    if (heard.kind === 'end') return `${wordsOf(heard.end)}${conversation.lastWords}`;
    return heard.kind === 'silence'
      ? `nothing within ${within / 1000} s${conversation.lastWords}`
      : excerpt(heard.text);
  }
}

/** The numbers below `length` so many times, each time beginning with another one. */
function rounds(length: number, times: number): number[] {
  return Array.from({ length: length * times }, (_, at) => (at + Math.floor(at / length)) % length);
}

/** A line in few characters. */
function excerpt(line: string): string {
  const cut = line.length > 80 ? `${line.slice(0, 80)}…` : line;
  return /[\p{Cc}\s]$|\p{Cc}|^$/u.test(cut) ? JSON.stringify(cut) : cut;
}

/** What is wrong with a line. */
function told(problem: string, line: string): string {
  return `${problem}; the line: ${excerpt(line)}`;
}

/** An answer without what is free to change from run to run: the message of a trace's outcome. */
function comparable(line: string): string {
  return line.replace(/("outcome":\{"kind":"[a-z]+"),"message":"(?:[^"\\]|\\.)*"\}/, '$1}');
}

/** Where two texts part. */
function differing(expected: string, seen: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === seen[at]) at += 1;
  return `another one from character ${at + 1} on: ${excerpt(seen.slice(Math.max(0, at - 8)))}`;
}

/** Where a trace parts from the one that is expected, if it does. */
function differenceFrom({ name, trace }: Example, seen: TraceJson): string | undefined {
  const difference = compare([
    { implementation: 'everyone else', trace },
    { implementation: 'it', trace: seen },
  ]);
  return difference && `${name}: ${describePlace(difference)}: ${describeSides(difference)}`;
}
