/** Files of the harness: found in a stable order, and appearing whole or not at all. */

import { constants, isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Vector } from '../src/vector.ts';
import { FileError, HolodiffError, messageOf } from './errors.ts';
import { isBlank } from './lines.ts';
import { parseVector, VectorError, vectorToLine } from './vector.ts';

/** Writes a file so that a reader meets the old content or the new one, never a part. @throws FileError */
export function writeFile(file: string, content: string | Uint8Array): void {
  makeFolder(path.dirname(file));
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  writing(file, () => {
    try {
      writeFileSync(temporary, content);
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

/**
 * Makes a folder and those above it that are missing. Node's own way never comes back where the system says that a
 * folder is not there and does not let one be made, as below `/proc`. @throws FileError
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const above = path.dirname(folder);
  if (above !== folder) makeFolder(above);
  writing(folder, () => {
    try {
      mkdirSync(folder);
    } catch (error) {
      // Another process may have been faster.
      if (!isFolder(folder)) throw error;
    }
  });
}

function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/** Does what writes the file or folder; what the system has against it is told by name. @throws FileError */
export function writing<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof HolodiffError || code === undefined) throw error;
    throw new FileError('not-written', file, `cannot be written: ${WRITE_ERRORS[code] ?? messageOf(error)}`, {
      cause: error,
    });
  }
}

const WRITE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'a file of that name is in the way',
  EISDIR: 'is a folder',
  ENOENT: 'no such folder',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'what stands above it is not a folder',
  EROFS: 'the file system is read-only',
};

/** The content of a file that must be there. @throws FileError */
export function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The names in a folder that must be there, in a stable order. @throws FileError */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** The text of a file that must be there. @throws FileError */
export function readFile(file: string): string {
  return textOf(file, readBytes(file));
}

function textOf(file: string, bytes: Buffer): string {
  // Decoding would put other characters in place of what is none.
  if (!isUtf8(bytes)) throw new FileError('invalid-file', file, 'is not UTF-8 text');
  return bytes.toString('utf8');
}

function unreadable(file: string, error: unknown): FileError {
  const { code } = error as NodeJS.ErrnoException;
  return new FileError('not-found', file, READ_ERRORS[code ?? ''] ?? messageOf(error), { cause: error });
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'is a folder',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'is not a folder, or what stands above it is none',
};

const COMPRESSED_SUFFIX = '.gz';

/** How a vector's file ends when it lies in a folder. */
const VECTOR_SUFFIXES = ['.vector.json', `.vector.json${COMPRESSED_SUFFIX}`] as const;

const EXPECTED = VECTOR_SUFFIXES.map((suffix) => `*${suffix}`).join(' or ');

/** Whether the file is compressed: the way in which vectors of many megabytes are stored. */
export function isCompressed(file: string): boolean {
  return file.endsWith(COMPRESSED_SUFFIX);
}

/**
 * The text of a file of vectors, unpacked if the name ends in `.gz`.
 *
 * @throws FileError if it is not there, is damaged, or unpacks to more than Node's longest string or to no UTF-8
 */
export function readVectorText(file: string): string {
  return isCompressed(file) ? textOf(file, unpacked(file)) : readFile(file);
}

/** Writes the text of a vector, compressed if the name ends in `.gz`. @throws FileError if it cannot be written */
export function writeVectorText(file: string, text: string): void {
  writeFile(file, isCompressed(file) ? gzipSync(text, { level: 9 }) : text);
}

function unpacked(file: string): Buffer {
  const bytes = readBytes(file);
  try {
    return gunzipSync(bytes, { maxOutputLength: constants.MAX_STRING_LENGTH });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ERR_BUFFER_TOO_LARGE'
        ? `unpacks to more than ${constants.MAX_STRING_LENGTH} bytes`
        : code === 'Z_BUF_ERROR'
          ? 'is cut short: the gzip data does not end'
          : `is not gzip data: ${messageOf(error)}`;
    throw new FileError('invalid-file', file, reason, { cause: error });
  }
}

/**
 * The vector files at these paths: a file stands for itself, a folder for every `*.vector.json` and `*.vector.json.gz`
 * below it, in the order of their names. A folder without any is an error, since nothing would be compared.
 */
export function findVectorFiles(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const given of paths) {
    let isFolder: boolean;
    try {
      isFolder = statSync(given).isDirectory();
    } catch (error) {
      throw unreadable(given, error);
    }
    const files = isFolder ? walk(given) : [given];
    if (files.length === 0) throw new FileError('no-vectors', given, `no ${EXPECTED} below this folder`);
    for (const file of files) found.add(path.normalize(file));
  }
  if (found.size === 0) throw new HolodiffError('no-vectors', 'no path given');
  return [...found];
}

function walk(folder: string): string[] {
  const files: string[] = [];
  const entries = readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) files.push(...walk(file));
    else if (VECTOR_SUFFIXES.some((suffix) => entry.name.endsWith(suffix))) files.push(file);
  }
  return files;
}

/** A vector with the place it was read from. */
export interface LoadedVector {
  /** The file, with the line's number where it holds one vector a line. */
  readonly source: string;
  readonly file: string;
  readonly vector: Vector;
  /** The vector on one line, canonical. */
  readonly line: string;
}

/** What a file gave: its vectors, or why one of them is none. */
export type LoadResult = LoadedVector | VectorFileError;

/** A file, or a line of one, that is not a vector. */
export class VectorFileError extends FileError {
  readonly path: string;
  readonly reason: string;

  constructor(source: string, error: VectorError) {
    super('invalid-file', source, error.message, { cause: error });
    this.path = error.path;
    this.reason = error.reason;
  }
}

/** Reads a file of one vector, which may be compressed, or of one a line if its name ends in `.ndjson`. */
export function* loadVectors(file: string): Generator<LoadResult, void, undefined> {
  let text: string;
  try {
    text = readVectorText(file);
  } catch (error) {
    // A damaged file is a result like a damaged vector: the others go on.
    if (!(error instanceof FileError) || error.code !== 'invalid-file') throw error;
    yield new VectorFileError(file, new VectorError('', error.message.slice(file.length + 2), { cause: error }));
    return;
  }
  if (!file.endsWith('.ndjson')) {
    yield load(file, file, text);
    return;
  }
  let number = 0;
  let empty = true;
  for (const line of text.split('\n')) {
    number += 1;
    if (isBlank(line)) continue;
    empty = false;
    yield load(`${file}:${number}`, file, line);
  }
  if (empty) throw new FileError('no-vectors', file, 'no vector in this file');
}

function load(source: string, file: string, text: string): LoadResult {
  try {
    const vector = parseVector(text);
    return { source, file, vector, line: vectorToLine(vector) };
  } catch (error) {
    if (error instanceof VectorError) return new VectorFileError(source, error);
    throw error;
  }
}
