/** What every implementation under comparison looks like to the harness, wherever it runs. */

import type { Vector } from '../../src/vector.ts';
import type { TraceJson } from '../trace.ts';

/** The first thing that an implementation says. */
export interface Handshake {
  readonly implementation: { readonly name: string; readonly version: string };
  /** The vector formats that it reads. */
  readonly formats: readonly number[];
  /** What inflates a channel, with its version; informative. */
  readonly decompressors: Readonly<Record<string, string>>;
  /** Whatever else it is made of, with versions; informative. */
  readonly dependencies?: Readonly<Record<string, string>> | undefined;
}

/** A way in which a program can break the conversation; each is told apart. */
export type IncidentKind =
  /** It ended while it owed answers. */
  | 'exit'
  /** It was ended by a signal that the harness did not send. */
  | 'signal'
  /** It did not answer within the time limit. */
  | 'timeout'
  /** It passed the memory limit. */
  | 'memory'
  /** A line that is neither a trace nor an error. */
  | 'garbage'
  /** Its output ended in the middle of a line. */
  | 'truncated'
  /** A line longer than any trace. */
  | 'flood'
  /** More answers than questions: which answer belongs to which vector is not certain any more. */
  | 'surplus'
  /** It did not end by itself after the last vector, or not with code 0. */
  | 'bad-end';

/** Something that an implementation did besides answering. */
export interface Incident {
  readonly kind: IncidentKind;
  readonly message: string;
  /** Name of the vector concerned, where there is one. */
  readonly vector?: string;
}

/** What an implementation says of one vector. */
export type Answer =
  | {
      readonly kind: 'trace';
      readonly trace: TraceJson;
      /** Set if the harness wrote the trace itself, for an implementation that gave none: its lists say nothing. */
      readonly incident?: Incident;
    }
  /** It does not accept the vector. */
  | { readonly kind: 'error'; readonly path: string; readonly message: string }
  /** It has nothing to say of this vector: a reference of which only recorded traces are at hand. */
  | {
      readonly kind: 'absent';
      readonly reason: string;
      /** Whether there is a recording that the vector has outlived. */
      readonly stale: boolean;
    };

export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly handshake: Handshake;
  /** How it runs, in a few words for a headline. */
  readonly how: string;
  /** How many vectors it is worth submitting before the first answer. */
  readonly inFlight: number;
  /** Everything that went wrong so far. */
  readonly incidents: readonly Incident[];
  /**
   * Derives one vector. Answers come in the order of the questions.
   *
   * @param line - the vector on one line
   * @param vector - the same vector, if the caller has it at hand: saves reading the line again
   */
  submit(line: string, vector?: Vector): Promise<Answer>;
  /**
   * As `submit`, where the answer is likely to be known: `undefined` stands for a trace with exactly this body, which
   * then need not be read. Who cannot compare texts leaves it out.
   *
   * @param body - what `traceBody` gives for the expected trace
   */
  confirm?(line: string, body: string): Promise<Answer | undefined>;
  /** Makes sure that the next vector meets a program that has seen no other; only when none is in flight. */
  refresh(): Promise<void>;
  /** Ends it; what was submitted is answered before. */
  close(): Promise<void>;
}

/** Characters of vectors that are held while their answers are awaited; a single vector may be larger. */
const HELD_SIZE = 64 * 1024 ** 2;

/**
 * Submits a stream of vectors and gives the answers in order, with as many in flight as the implementation can use. The
 * next one is read only when there is room: vectors of a hundred megabytes are in memory one at a time.
 *
 * @param submit - starts one and promises its answer
 * @param sizeOf - characters of an item; left out where none is large
 */
export async function* inOrder<T, A>(
  items: AsyncIterable<T> | Iterable<T>,
  inFlight: number,
  submit: (item: T) => Promise<A>,
  sizeOf: (item: T) => number = () => 0,
): AsyncGenerator<A, void, undefined> {
  const pending: { readonly answer: Promise<A>; readonly size: number }[] = [];
  let held = 0;
  for await (const item of items) {
    const answer = submit(item);
    // It is awaited later, in order: until then a rejection is not an unhandled one.
    answer.catch(() => undefined);
    const size = sizeOf(item);
    pending.push({ answer, size });
    held += size;
    while (pending.length > 0 && (pending.length >= inFlight || held > HELD_SIZE)) {
      const first = pending.shift()!;
      yield await first.answer;
      held -= first.size;
    }
  }
  for (const { answer } of pending) yield await answer;
}
