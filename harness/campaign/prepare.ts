/**
 * What is done for every vector before anybody is asked: it is generated and derived, here or in a thread of its own,
 * beside the one that talks to the references.
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

// Compiled code lies elsewhere than the module that starts the thread from either.
const THREAD = ['thread.mjs', '../../../harness/campaign/thread.mjs']
  .map((file) => new URL(file, import.meta.url))
  .find((url) => existsSync(url))!;

/** In a thread of its own, under the base rules: a variant is code, and cannot be handed over. */
export function prepareInThread(spec: SourceSpec, shard: Shard): Preparer {
  const worker = new Worker(THREAD, { workerData: { spec, shard } satisfies ThreadData });
  worker.unref();
  const waiting: { resolve: (prepared: Prepared) => void; reject: (error: unknown) => void }[] = [];
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on('message', (prepared: Prepared) => waiting.shift()?.resolve(prepared));
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread that prepares vectors has ended')));
  return {
    prepare: (position) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) {
          reject(failure);
          return;
        }
        waiting.push({ resolve, reject });
        worker.postMessage(position);
      }),
    close: async () => {
      await worker.terminate();
    },
  };
}
