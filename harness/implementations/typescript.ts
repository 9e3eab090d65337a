/** The TypeScript pipeline, in this process. */

import { setImmediate } from 'node:timers/promises';
import { derive } from '../../src/derive.ts';
import type { Variant } from '../../src/rules/rule-book.ts';
import type { Trace } from '../../src/trace.ts';
import type { Vector } from '../../src/vector.ts';
import { VERSION } from '../../src/version.ts';
import { messageOf } from '../errors.ts';
import { silentTrace, traceToJson } from '../trace.ts';
import { parseVector, VECTOR_FORMAT, VectorError } from '../vector.ts';
import type { Answer, Handshake, Implementation, Incident } from './implementation.ts';

const { zlib, brotli } = process.versions;

/** What the pipeline made of a vector; the answer to one that it does not take, or on which it broke. */
type Derived = Answer | { readonly kind: 'derived'; readonly trace: Trace };

/** Runs `derive` for each vector, with a changed rule set if one is given. */
export class TypeScriptImplementation implements Implementation {
  readonly name = 'typescript';
  readonly version = VERSION;
  readonly inFlight = 1;
  readonly incidents: Incident[] = [];
  readonly handshake: Handshake = {
    implementation: { name: this.name, version: this.version },
    formats: [VECTOR_FORMAT],
    decompressors: {
      zlib: `node:zlib zlib ${zlib}`,
      brotli: `node:zlib brotli ${brotli ?? 'unknown'}`,
    },
  };
  readonly #variant: Variant | undefined;

  constructor(variant?: Variant) {
    this.#variant = variant;
  }

  get how(): string {
    return this.#variant === undefined ? 'in process' : `in process, variant ${this.#variant.name}`;
  }

  async submit(line: string, vector?: Vector): Promise<Answer> {
    const answer = await this.derive(line, vector);
    return answer.kind === 'derived' ? { kind: 'trace', trace: traceToJson(answer.trace) } : answer;
  }

  /** As {@link submit}, with the trace as the pipeline gives it: as JSON a large one takes many times the room. */
  async derive(line: string, vector?: Vector): Promise<Derived> {
    // Between two vectors the answers of the children are read: they must not wait for a full window of this one's work.
    await setImmediate();
    try {
      return this.#derive(vector ?? parseVector(line));
    } catch (error) {
      if (error instanceof VectorError) return { kind: 'error', path: error.path, message: error.reason };
      throw error;
    }
  }

  async refresh(): Promise<void> {}

  async close(): Promise<void> {}

  #derive(vector: Vector): Derived {
    try {
      return { kind: 'derived', trace: derive(vector, this.#variant === undefined ? {} : { variant: this.#variant }) };
    } catch (error) {
      // The pipeline never throws by design: if it does, that is a result like a panic of a reference.
      const message = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
      const incident: Incident = { kind: 'exit', message: `threw ${message}`, vector: vector.name };
      this.incidents.push(incident);
      const trace = silentTrace(this.handshake.implementation, 'crash', incident.message, vector);
      return { kind: 'trace', trace, incident };
    }
  }
}
