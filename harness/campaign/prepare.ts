/**
 * What is done for every vector before anybody is asked: it is generated and derived, here or in threads beside the one
 * that talks to the references.
 */

import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { derive } from '../../src/derive.ts';
import type { RuleBook } from '../../src/rules/rule-book.ts';
import { traceBody, traceToJson } from '../trace.ts';
import { vectorToLine } from '../vector.ts';
import { type Reached, reachedBy } from './coverage.ts';
import { openSource, type Shard, type Source, type SourceSpec } from './source.ts';

/** A vector as references are asked about it. */
export interface Prepared {
  readonly line: string;
  /** What `traceBody` gives for the TypeScript trace; `undefined` if the pipeline threw. */
  readonly body: string | undefined;
  readonly reached: Reached | undefined;
}

/** Prepares the vector at a position. */
export function prepareAt(source: Source, position: number, rules: RuleBook): Prepared {
  const { vector } = source.at(position);
  const line = vectorToLine(vector);
  rules.resetCounters();
  try {
    const trace = derive(vector, { rules });
    return { line, body: traceBody(traceToJson(trace)), reached: reachedBy(vector, rules, trace) };
  } catch {
    // Whoever compares derives again and meets what was thrown.
    return { line, body: undefined, reached: undefined };
  }
}

/** Prepares vectors, in the order in which they are asked for. */
export interface Preparer {
  prepare(position: number): Promise<Prepared>;
  close(): Promise<void>;
}

/** In this thread. */
export function prepareHere(spec: SourceSpec, shard: Shard, rules: RuleBook): Preparer {
  const source = openSource(spec, shard);
  return {
    prepare: (position) => Promise.resolve(prepareAt(source, position, rules)),
    close: () => Promise.resolve(),
  };
}

/** What the thread is started with. */
export interface ThreadData {
  readonly spec: SourceSpec;
  readonly shard: Shard;
}

// Compiled code lies elsewhere than the module that starts a thread from either.
const THREAD = ['thread.mjs', '../../../harness/campaign/thread.mjs']
  .map((file) => new URL(file, import.meta.url))
  .find((url) => existsSync(url))!;

/**
 * Preparing costs about as much as the slowest reference takes. With the references and the thread that talks to them
 * all processors of a small machine are taken; a larger one has room for a second thread, and then preparing is never
 * what a campaign waits for.
 */
export function threadsFor(processors: number): number {
  return processors < 4 ? 1 : 2;
}

/** In threads of its own, under the base rules: a variant is code, and cannot be handed over. */
export function prepareInThreads(spec: SourceSpec, shard: Shard, count: number): Preparer {
  const threads = Array.from({ length: count }, () => new PreparingThread({ spec, shard }));
  let asked = 0;
  return {
    prepare: (position) => threads[asked++ % count]!.prepare(position),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

class PreparingThread implements Preparer {
  readonly #worker: Worker;
  readonly #waiting: { resolve: (prepared: Prepared) => void; reject: (error: unknown) => void }[] = [];
  #failure: Error | undefined;

  constructor(data: ThreadData) {
    this.#worker = new Worker(THREAD, { workerData: data });
    this.#worker.unref();
    this.#worker.on('message', (prepared: Prepared) => this.#waiting.shift()?.resolve(prepared));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread that prepares vectors has ended')));
  }

  prepare(position: number): Promise<Prepared> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(position);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
