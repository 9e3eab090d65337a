/** A program at the other end of the adapter protocol, with nothing smoothed over: lines, silence and ends as they come. */

import { setTimeout as delay } from 'node:timers/promises';
import { type Child, endOf, spawnChild } from '../child.ts';
import { HolodiffError } from '../errors.ts';
import { LineSplitter } from '../lines.ts';

/** How a program ended. */
export interface End {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** What stood behind the last line's end on standard output. */
  readonly rest: string;
  /** It was ended for writing without end. */
  readonly flooded: boolean;
}

/** What comes next from the program. */
export type Heard =
  | { readonly kind: 'line'; readonly text: string }
  /** Nothing within the time. */
  | { readonly kind: 'silence' }
  | { readonly kind: 'end'; readonly end: End };

/** What a program may write before it is not listened to any more: characters of a line, and lines that wait. */
const LONGEST_LINE = 256 * 1024 ** 2;
const MOST_LINES = 100_000;

/** Lines that nobody asked for, at the end. */
const MOST_EXTRA = 1_000;

/** Bytes of standard error kept for messages. */
const STDERR_TAIL = 2_000;

export class Conversation {
  readonly #child: Child;
  readonly #lines: string[] = [];
  readonly #gone: Promise<End>;
  #end: End | undefined;
  #stderr = '';
  #flooded = false;
  #wake: () => void = () => undefined;

  /** @param words - the program and its arguments */
  constructor([command, ...args]: readonly [string, ...string[]]) {
    const child = spawnChild(command, args);
    this.#child = child;
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-STDERR_TAIL);
    });
    const splitter = new LineSplitter();
    child.stdout.on('data', (chunk: Buffer) => {
      this.#lines.push(...splitter.push(chunk));
      if (splitter.pending > LONGEST_LINE || this.#lines.length > MOST_LINES) this.#flood();
      this.#wake();
    });
    this.#gone = (async () => {
      const { exitCode, signal, cause } = await endOf(child, () => this.#flooded);
      const { code } = (cause ?? {}) as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'EACCES') {
        const why = code === 'ENOENT' ? 'there is no such program' : 'it may not be executed';
        throw new HolodiffError('missing-binary', `cannot start ${command}: ${why}`, { cause });
      }
      this.#end = { exitCode, signal, rest: splitter.rest(), flooded: this.#flooded };
      return this.#end;
    })();
    // Whoever listens next hears of it.
    this.#gone.then(
      () => this.#wake(),
      () => this.#wake(),
    );
  }

  /** What it said last on standard error, as the end of a sentence. */
  get lastWords(): string {
    const words = this.#stderr.trim();
    return words === '' ? '' : `; its last words: ${words.split('\n').slice(-3).join(' ').slice(-300)}`;
  }

  /** The next line; silence after so many milliseconds without one. @throws HolodiffError if it cannot be started */
  async hear(milliseconds: number): Promise<Heard> {
    const until = performance.now() + milliseconds;
    for (;;) {
      const text = this.#lines.shift();
      if (text !== undefined) return { kind: 'line', text };
      if (this.#end !== undefined) return { kind: 'end', end: this.#end };
      const left = until - performance.now();
      if (left <= 0) return { kind: 'silence' };
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const timer = new AbortController();
      try {
        const passed = delay(left, undefined, { signal: timer.signal }).catch(() => undefined);
        await Promise.race([woken, this.#gone, passed]);
      } finally {
        timer.abort();
      }
    }
  }

  /** Sends text as it is; what a program does not read is lost. */
  say(text: string): void {
    this.#child.stdin.write(text);
  }

  /**
   * Ends the input, and gives the lines that still come and how the program ends.
   *
   * @param expected - how many lines it owes
   * @param each - milliseconds for each of these
   * @param after - milliseconds for what comes then; if it does not end within them, it is killed
   */
  async leave(
    expected: number,
    each: number,
    after: number,
  ): Promise<{ readonly lines: readonly string[]; readonly end: End | undefined }> {
    this.#child.stdin.end();
    const lines: string[] = [];
    let until = performance.now() + after;
    for (;;) {
      const heard = await this.hear(lines.length < expected ? each : Math.max(0, until - performance.now()));
      if (heard.kind === 'line') {
        lines.push(heard.text);
        if (lines.length > expected + MOST_EXTRA) this.#flood();
        if (lines.length === expected) until = performance.now() + after;
        continue;
      }
      if (heard.kind === 'silence') this.kill();
      return { lines, end: heard.kind === 'end' ? heard.end : undefined };
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #flood(): void {
    this.#flooded = true;
    this.kill();
  }

  /** Kills it and waits until it is gone. */
  async killed(): Promise<void> {
    this.kill();
    await this.#gone.catch(() => undefined);
  }
}

/** How a program ended, for people. */
export function wordsOf({ exitCode, signal, rest, flooded }: End): string {
  if (flooded) return 'wrote on and on';
  const how = signal === undefined ? `ended with code ${exitCode ?? 'unknown'}` : `was ended by ${signal}`;
  return rest === '' ? how : `${how} in the middle of a line`;
}
