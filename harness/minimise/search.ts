/**
 * The search for a smaller vector: asks of one candidate after the other whether it is still interesting, several at a
 * time, and always takes the first in order that is. So what comes out does not depend on how many are in flight.
 */

import { createHash } from 'node:crypto';
import type { Vector } from '../../src/vector.ts';
import { vectorIn, vectorToLine } from '../vector.ts';
import { type Cost, costOf, isCheaper } from './cost.ts';

/**
 * Whether a candidate still shows what the vector is kept for. Must say the same whenever it is asked.
 *
 * @param line - the candidate on one line
 */
export type Interesting = (candidate: Vector, line: string) => Promise<boolean>;

/** Where a pass goes on after a success; what the numbers mean is the pass's own affair. */
export type Cursor = readonly number[];

/** A candidate, and where its pass goes on if it is taken. */
export interface Proposal {
  readonly vector: Vector;
  readonly cursor?: Cursor;
}

/**
 * One way to make a vector simpler: candidates in order, those that gain most first. What a pass proposes depends on the
 * vector and the cursor alone; without a cursor it proposes everything it knows.
 */
export type Pass = (vector: Vector, cursor: Cursor | undefined) => Iterable<Proposal>;

export class Search {
  current: Vector;
  line: string;
  /** How many candidates were decided. */
  tests = 0;
  #cost: Cost;
  readonly #interesting: Interesting;
  readonly #maxTests: number;
  readonly #inFlight: number;
  /** Digests of candidates that are not interesting. */
  readonly #dull = new Set<string>();

  constructor(vector: Vector, interesting: Interesting, maxTests: number, inFlight: number) {
    this.current = vector;
    this.line = vectorToLine(vector);
    this.#cost = costOf(vector, this.line);
    this.#interesting = interesting;
    this.#maxTests = maxTests;
    this.#inFlight = inFlight;
  }

  /** Whether no more tests are allowed. */
  get exhausted(): boolean {
    return this.tests >= this.#maxTests;
  }

  /** Runs the pass until nothing that it proposes is taken. Says whether anything was. */
  async run(pass: Pass): Promise<boolean> {
    let taken = false;
    let cursor: Cursor | undefined;
    for (;;) {
      const found = await this.#first(pass(this.current, cursor));
      if (found === undefined) return taken;
      taken = true;
      cursor = found.cursor;
    }
  }

  /** The first proposal that is simpler and still interesting; it becomes the current vector. */
  async #first(proposals: Iterable<Proposal>): Promise<Proposal | undefined> {
    const pending: { candidate: Candidate; answer: Promise<boolean> }[] = [];
    // After a success another one is likely, and what was started beyond it is in vain; so few are started first.
    let window = 1;
    const decide = async (): Promise<Proposal | undefined> => {
      const { candidate, answer } = pending.shift()!;
      const interesting = await answer;
      this.tests += 1;
      window = Math.min(window * 2, this.#inFlight);
      if (!interesting) {
        this.#dull.add(candidate.digest);
        return undefined;
      }
      await Promise.allSettled(pending.map((later) => later.answer));
      this.current = candidate.proposal.vector;
      this.line = candidate.line;
      this.#cost = candidate.cost;
      return candidate.proposal;
    };

    const asked = new Set<string>();
    for (const proposal of proposals) {
      const candidate = this.#consider(proposal);
      if (candidate === undefined || asked.has(candidate.digest)) continue;
      asked.add(candidate.digest);
      if (this.tests + pending.length >= this.#maxTests) break;
      const answer = this.#interesting(proposal.vector, candidate.line);
      // It is awaited in its turn; until then a rejection is not an unhandled one.
      answer.catch(() => undefined);
      pending.push({ candidate, answer });
      if (pending.length < window) continue;
      const found = await decide();
      if (found !== undefined) return found;
    }
    while (pending.length > 0) {
      const found = await decide();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What is needed to test a proposal; `undefined` if there is no point: no gain, known to be dull, or no vector. */
  #consider(proposal: Proposal): Candidate | undefined {
    const { vector } = proposal;
    if (vector === this.current) return undefined;
    const line = vectorToLine(vector);
    const cost = costOf(vector, line);
    if (!isCheaper(cost, this.#cost)) return undefined;
    const digest = createHash('sha1').update(line).digest('base64');
    if (this.#dull.has(digest) || vectorIn(line) === undefined) return undefined;
    return { proposal, line, cost, digest };
  }
}

interface Candidate {
  readonly proposal: Proposal;
  readonly line: string;
  readonly cost: Cost;
  readonly digest: string;
}
