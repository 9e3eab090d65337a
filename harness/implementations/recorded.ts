/**
 * A reference of which only stored traces are at hand, so that a machine with Node alone can compare.
 *
 * Beside the vectors of a folder lies one file for each reference version. Its first line is the reference's handshake;
 * each other line is a trace with the vector's name and the hash of the vector's canonical form, so that a recording of
 * another content is noticed.
 */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import type { Vector } from '../../src/vector.ts';
import { FileError, messageOf } from '../errors.ts';
import { readFile, writeFile } from '../files.ts';
import { writeJson } from '../json.ts';
import { isBlank } from '../lines.ts';
import { object } from '../schema.ts';
import { checkTrace, parseLine, TRACE_FORMAT, type TraceJson } from '../trace.ts';
import { parseVector, VectorError, vectorToLine } from '../vector.ts';
import type { Answer, Handshake, Implementation, Incident } from './implementation.ts';

/** One stored trace. */
export interface Recording {
  /** Name of the vector. */
  readonly vector: string;
  /** Hash of the vector's canonical line. */
  readonly sha256: string;
  readonly trace: TraceJson;
}

const handshakeSchema = object({
  holodiff: v.literal('handshake'),
  implementation: object({ name: v.string(), version: v.string() }),
  formats: v.array(v.number()),
  decompressors: v.record(v.string(), v.string()),
  dependencies: v.exactOptional(v.record(v.string(), v.string())),
});

const recordingSchema = object({ vector: v.string(), sha256: v.string(), trace: v.looseObject({}) });

/** The hash by which a recording knows its vector. */
export function hashVector(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

/** The file of recordings beside a folder's vectors. */
export function recordingFile(folder: string, name: string, version: string): string {
  return path.join(folder, `${name}@${version}.traces.ndjson`);
}

/** Writes the recordings of one folder: the same bytes for the same traces. */
export function writeRecordings(file: string, handshake: Handshake, recordings: readonly Recording[]): void {
  const sorted = [...recordings].sort((a, b) =>
    a.vector === b.vector ? (a.sha256 < b.sha256 ? -1 : 1) : a.vector < b.vector ? -1 : 1,
  );
  const { implementation, formats, decompressors, dependencies } = handshake;
  const made = dependencies === undefined ? {} : { dependencies };
  const lines = [writeJson({ holodiff: 'handshake', implementation, formats, decompressors, ...made })];
  for (const { vector, sha256, trace } of sorted) {
    const { frames, channels, batches, flushes, singles, outcome, safeHead } = trace;
    // The message is free text that differs from run to run.
    const kept = { frames, channels, batches, flushes, singles, outcome: { kind: outcome.kind }, safeHead };
    lines.push(writeJson({ vector, sha256, trace: kept }));
  }
  writeFile(file, `${lines.join('\n')}\n`);
}

/** Reads a file of recordings. @throws FileError */
export function readRecordings(file: string): { handshake: Handshake; recordings: Recording[] } {
  const [first = '', ...lines] = readFile(file).split('\n');
  const read = <T>(number: number, action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw new FileError('invalid-file', `${file}:${number}`, messageOf(error), { cause: error });
    }
  };
  const handshake = read(1, () => {
    const { implementation, formats, decompressors, dependencies } = v.parse(handshakeSchema, JSON.parse(first));
    return { implementation, formats, decompressors, dependencies };
  });
  const recordings: Recording[] = [];
  for (const [i, line] of lines.entries()) {
    if (isBlank(line)) continue;
    recordings.push(
      read(i + 2, () => {
        const { vector, sha256, trace } = v.parse(recordingSchema, parseLine(line));
        const { implementation } = handshake;
        return { vector, sha256, trace: checkTrace({ format: TRACE_FORMAT, implementation, ...trace }) };
      }),
    );
  }
  return { handshake, recordings };
}

/** Answers with stored traces. */
export class RecordedImplementation implements Implementation {
  readonly inFlight = 1;
  readonly how = 'recorded';
  readonly incidents: readonly Incident[] = [];
  readonly handshake: Handshake;
  readonly #byHash: ReadonlyMap<string, TraceJson>;
  readonly #names: ReadonlySet<string>;

  /**
   * Reads what was recorded beside the vectors of these folders.
   *
   * @returns `undefined` if nothing was
   */
  static load(name: string, version: string, folders: Iterable<string>): RecordedImplementation | undefined {
    let handshake: Handshake | undefined;
    const byHash = new Map<string, TraceJson>();
    const names = new Set<string>();
    for (const folder of new Set(folders)) {
      const file = recordingFile(folder, name, version);
      if (!existsSync(file)) continue;
      const read = readRecordings(file);
      handshake ??= read.handshake;
      for (const { vector, sha256, trace } of read.recordings) {
        byHash.set(sha256, trace);
        names.add(vector);
      }
    }
    return handshake && new RecordedImplementation(handshake, byHash, names);
  }

  private constructor(handshake: Handshake, byHash: ReadonlyMap<string, TraceJson>, names: ReadonlySet<string>) {
    this.handshake = handshake;
    this.#byHash = byHash;
    this.#names = names;
  }

  get name(): string {
    return this.handshake.implementation.name;
  }

  get version(): string {
    return this.handshake.implementation.version;
  }

  submit(line: string, vector?: Vector): Promise<Answer> {
    return Promise.resolve(this.#answer(line, vector));
  }

  async refresh(): Promise<void> {}

  async close(): Promise<void> {}

  #answer(line: string, vector: Vector | undefined): Answer {
    try {
      const asked = vector ?? parseVector(line);
      const trace = this.#byHash.get(hashVector(vectorToLine(asked)));
      if (trace !== undefined) return { kind: 'trace', trace };
      const stale = this.#names.has(asked.name);
      return { kind: 'absent', reason: stale ? 'its recording is of another content' : 'no recording', stale };
    } catch (error) {
      if (error instanceof VectorError) return { kind: 'error', path: error.path, message: error.reason };
      throw error;
    }
  }
}
