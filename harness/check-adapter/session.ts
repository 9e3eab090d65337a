/** What the checks of a program share: how it is started, what it is asked, and what it said first. */

import type { Handshake } from '../implementations/implementation.ts';
import { type AnswerLine, readAnswer } from './answer.ts';
import { Conversation, type Heard, wordsOf } from './conversation.ts';
import { loadExamples } from './vectors.ts';
import { comparable, differing, excerpt, fail, type Verdict } from './verdict.ts';

export interface CheckLimits {
  /** Milliseconds for one answer. */
  readonly answer: number;
  /** Milliseconds from the start to the handshake. */
  readonly start: number;
  /** Milliseconds from the end of the input to the end of the program. */
  readonly end: number;
}

export class Session {
  readonly command: readonly [string, ...string[]];
  readonly limits: CheckLimits;
  readonly examples = loadExamples();
  /** Its handshake, once it was heard. */
  handshake: Handshake | undefined;
  handshakeLine = '';
  /** The line that answered each example when it was asked about alone. */
  answers: readonly string[] = [];
  readonly #started: Conversation[] = [];

  constructor(command: readonly [string, ...string[]], limits: CheckLimits) {
    this.command = command;
    this.limits = limits;
  }

  /** Ends what still runs, so that no check meets what another left behind. */
  async stop(): Promise<void> {
    await Promise.all(this.#started.splice(0).map((conversation) => conversation.killed()));
  }

  start(): Conversation {
    const conversation = new Conversation(this.command);
    this.#started.push(conversation);
    return conversation;
  }

  /** Starts it and hears its first line. */
  async open(): Promise<Conversation> {
    const conversation = this.start();
    await conversation.hear(this.limits.start);
    return conversation;
  }

  leave(conversation: Conversation, owed: number) {
    return conversation.leave(owed, this.limits.answer, this.limits.end);
  }

  /** An answer, or what is wrong with it. */
  read(line: string): AnswerLine | string {
    const read = readAnswer(line, this.handshake!);
    return 'problem' in read ? read.problem : read.value;
  }

  /** Asks about an example, and is content with the answer that it had when it was asked about first. */
  async sameAnswer(conversation: Conversation, index = 0): Promise<Verdict | undefined> {
    conversation.say(`${this.examples[index]!.line}\n`);
    const heard = await conversation.hear(this.limits.answer);
    const expected = comparable(this.answers[index]!);
    if (heard.kind === 'line' && comparable(heard.text) === expected) return undefined;
    const where = this.examples[index]!.name;
    if (heard.kind !== 'line') return fail(`the answer to ${where}`, this.said(conversation, heard));
    return fail(`the answer to ${where} as before: ${excerpt(expected)}`, differing(expected, comparable(heard.text)));
  }

  /** What came in place of a line. */
  said(conversation: Conversation, heard: Heard, within = this.limits.answer): string {
    if (heard.kind === 'end') return `${wordsOf(heard.end)}${conversation.lastWords}`;
    return heard.kind === 'silence'
      ? `nothing within ${within / 1000} s${conversation.lastWords}`
      : excerpt(heard.text);
  }
}
