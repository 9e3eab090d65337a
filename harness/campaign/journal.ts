/**
 * The journal of a campaign: one line a chunk of vectors, written only when everything about the chunk is on disk.
 *
 * A campaign may be killed at any moment. What its last whole line says is done is done; the rest of the file, if a
 * line was cut off, is forgotten, and those vectors are derived again. So nothing is lost and nothing is counted twice.
 */

import { isUtf8 } from 'node:buffer';
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { FileError } from '../errors.ts';
import { makeFolder, readBytes, writing } from '../files.ts';
import { parseJson } from '../json.ts';
import { firstIssue, list, object } from '../schema.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0, 'expected a number from 0'));
const version = object({ name: v.string(), version: v.string() });

const startSchema = object({
  kind: v.literal('start'),
  format: v.literal(1, 'expected format 1'),
  source: v.union([
    object({ kind: v.literal('generated'), seed: v.pipe(v.string(), v.regex(/^\d+$/, 'expected digits')) }),
    object({ kind: v.literal('exhaustive'), scope: v.string() }),
  ]),
  shard: v.pipe(
    object({ index: v.pipe(count, v.minValue(1)), count: v.pipe(count, v.minValue(1)) }),
    v.check(({ index, count: parts }) => index <= parts, 'expected an index up to the count'),
  ),
  /** All that take part, the TypeScript pipeline first; `+NAME` behind its version is a variant of its rules. */
  implementations: list(version),
  /** How many vectors this part was to have, if it was said. */
  vectors: v.exactOptional(count),
});

const occurrenceSchema = object({
  /** How many vectors of the chunk show it. */
  count,
  /** The index of the first of them. */
  first: count,
});

const chunkSchema = object({
  kind: v.literal('chunk'),
  /** Positions in the shard: from, up to but not including. */
  from: count,
  to: count,
  /** By signature. */
  differences: v.record(v.string(), occurrenceSchema),
  coverage: v.record(v.string(), count),
  /** Incidents (crash, hang, garbage …) by implementation and kind. */
  incidents: v.record(v.string(), count),
});

/** Stands behind the chunks when a campaign has reached what it was to reach; chunks behind it go on. */
const END = { kind: 'end' } as const;

const END_LINE = JSON.stringify(END);

/** What a campaign is of: the first line of its journal. */
export type JournalStart = v.InferOutput<typeof startSchema>;
/** What came of a stretch of vectors. */
export type JournalChunk = v.InferOutput<typeof chunkSchema>;

/** The journal's file in the folder of a campaign. */
export const JOURNAL_FILE = 'journal.ndjson';

export interface JournalContent {
  readonly start: JournalStart;
  readonly chunks: readonly JournalChunk[];
  /** Whether its last call came to its end; otherwise it was killed. */
  readonly ended: boolean;
  /** Bytes of the file up to the end of its last whole line. */
  readonly length: number;
  /** Bytes of the whole file. */
  readonly size: number;
}

/** Reads a journal. @throws FileError for anything but a cut-off last line */
export function readJournal(folder: string): JournalContent {
  const file = path.join(folder, JOURNAL_FILE);
  if (!existsSync(file)) throw new FileError('not-found', file, 'no such file: this folder holds no campaign');
  const bytes = readBytes(file);
  // What follows the last whole line may end within a character.
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  if (!isUtf8(whole)) throw new FileError('invalid-file', file, 'is not UTF-8 text');
  const [first, ...rest] = whole.toString('utf8').split('\n').slice(0, -1);
  if (first === undefined) throw new FileError('invalid-file', file, 'line 1: expected the start of a campaign');
  const start = parseLine(file, 1, first, startSchema);
  const chunks: JournalChunk[] = [];
  let ended = false;
  let position = 0;
  for (const [index, text] of rest.entries()) {
    ended = text === END_LINE;
    if (ended) continue;
    const line = parseLine(file, index + 2, text, chunkSchema);
    if (line.from !== position || line.to <= line.from) {
      throw new FileError('invalid-file', file, `line ${index + 2}: from: expected ${position}, and to above it`);
    }
    position = line.to;
    chunks.push(line);
  }
  return { start, chunks, ended, length: whole.length, size: bytes.length };
}

function parseLine<T extends v.GenericSchema>(file: string, line: number, text: string, schema: T): v.InferOutput<T> {
  let document: ReturnType<typeof parseJson>;
  try {
    document = parseJson(text);
  } catch (error) {
    throw new FileError('invalid-file', file, `line ${line}: expected JSON`, { cause: error });
  }
  const { value, duplicate } = document;
  if (duplicate !== undefined) {
    throw new FileError('invalid-file', file, `line ${line}: ${duplicate.path}: repeated field`);
  }
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const { path: where, reason } = firstIssue(result.issues);
  throw new FileError('invalid-file', file, `line ${line}: ${where === '' ? reason : `${where}: ${reason}`}`);
}

/** Whether the journal was cut off before its first line was whole: then nothing is lost by starting again. */
function isStillborn(file: string): boolean {
  return existsSync(file) && !readFileSync(file, 'utf8').includes('\n');
}

function inUse(file: string): FileError {
  return new FileError('not-written', file, 'another run is writing to this campaign: let one of them go on alone');
}

/** Appends to a journal. */
export class Journal {
  readonly #name: string;
  readonly #file: number;
  /** Bytes of the file, if nobody else writes to it. */
  #length: number;

  private constructor(name: string, file: number, length: number) {
    this.#name = name;
    this.#file = file;
    this.#length = length;
  }

  /** Starts a new journal. @throws FileError if the folder holds one already */
  static create(folder: string, start: JournalStart): Journal {
    makeFolder(folder);
    const name = path.join(folder, JOURNAL_FILE);
    const file = writing(name, () => {
      try {
        return openSync(name, isStillborn(name) ? 'w' : 'ax');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const message = `this campaign exists already: go on with --resume ${folder}, or keep another one with --out`;
        throw new FileError('invalid-file', name, message, { cause: error });
      }
    });
    const journal = new Journal(name, file, 0);
    journal.#append(start);
    return journal;
  }

  /** Goes on with a journal behind its last whole line. */
  static resume(folder: string, content: JournalContent): Journal {
    const name = path.join(folder, JOURNAL_FILE);
    return writing(name, () => {
      const file = openSync(name, 'r+');
      try {
        if (fstatSync(file).size !== content.size) throw inUse(name);
        ftruncateSync(file, content.length);
      } finally {
        closeSync(file);
      }
      return new Journal(name, openSync(name, 'a'), content.length);
    });
  }

  chunk(chunk: JournalChunk): void {
    this.#append(chunk);
  }

  end(): void {
    this.#append(END);
  }

  close(): void {
    closeSync(this.#file);
  }

  #append(line: JournalStart | JournalChunk | typeof END): void {
    writing(this.#name, () => {
      // Two that go on with the same campaign would count the same vectors twice, each behind the other's lines.
      if (fstatSync(this.#file).size !== this.#length) throw inUse(this.#name);
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      // A disk that is nearly full takes a part of it, and refuses the rest only then.
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
      this.#length += bytes.length;
      // A line that is not on disk would be counted again after a loss of power.
      fsyncSync(this.#file);
    });
  }
}
