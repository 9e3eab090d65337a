/** Stores the references' traces beside the vectors, for machines that cannot build the references. */

import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { HolodiffError } from './errors.ts';
import { findVectorFiles, type LoadedVector, loadVectors, VectorFileError } from './files.ts';
import { type Implementation, inOrder } from './implementations/implementation.ts';
import {
  hashVector,
  type Recording,
  readRecordings,
  recordingFile,
  writeRecordings,
} from './implementations/recorded.ts';

/** A file of recordings that was written. */
export interface RecordedFile {
  readonly file: string;
  readonly traces: number;
}

/**
 * Records the traces of one reference. A recording whose vector is not among the files and whose folder was not given as
 * a whole stays.
 *
 * @param wholeFolders - whether each folder's vectors are all among the files
 */
export async function record(
  files: readonly string[],
  implementation: Implementation,
  wholeFolders: (folder: string) => boolean,
): Promise<RecordedFile[]> {
  const folders = new Map<string, Recording[]>();
  const ask = async (loaded: LoadedVector) => ({
    loaded,
    answer: await implementation.submit(loaded.line, loaded.vector),
  });
  const answers = inOrder(loadAll(files), implementation.inFlight, ask, ({ line }) => line.length);
  for await (const { loaded, answer } of answers) {
    const { vector, line, source } = loaded;
    // What the harness wrote for a program that died says nothing of the reference: it must not be kept as its trace.
    if (answer.kind !== 'trace' || answer.incident !== undefined) {
      const why =
        answer.kind === 'trace'
          ? `${answer.incident?.kind}: ${answer.incident?.message}`
          : answer.kind === 'error'
            ? `${answer.path}: ${answer.message}`
            : answer.reason;
      throw new HolodiffError('invalid-trace', `${source}: ${implementation.name} gave no trace: ${why}`);
    }
    const folder = path.dirname(loaded.file);
    const recordings = folders.get(folder) ?? [];
    folders.set(folder, recordings);
    recordings.push({ vector: vector.name, sha256: hashVector(line), trace: answer.trace });
  }

  const written: RecordedFile[] = [];
  for (const [folder, recordings] of folders) {
    const file = recordingFile(folder, implementation.name, implementation.version);
    const kept = wholeFolders(folder) || !existsSync(file) ? [] : readRecordings(file).recordings;
    const names = new Set(recordings.map(({ vector }) => vector));
    const all = [...recordings, ...kept.filter(({ vector }) => !names.has(vector))];
    writeRecordings(file, implementation.handshake, all);
    written.push({ file, traces: all.length });
  }
  return written;
}

/** A file from which recordings were taken out. */
export interface PrunedFile {
  readonly file: string;
  readonly taken: number;
  /** What is left; a file without any is removed. */
  readonly left: number;
}

/**
 * Takes out of the recordings below a folder what is of a vector that is gone or has another content now: nothing reads
 * it any more, and the checks of the stored vectors fail on it. What still fits stays, so that an earlier version need not
 * be built again for a change of a few vectors.
 */
export function pruneRecordings(root: string): PrunedFile[] {
  const fitting = new Set<string>();
  for (const { file, vector, line } of loadAll(findVectorFiles([root]))) {
    fitting.add(keyOf(path.dirname(file), vector.name, hashVector(line)));
  }
  const pruned: PrunedFile[] = [];
  for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!entry.endsWith('.traces.ndjson')) continue;
    const file = path.join(root, entry);
    const folder = path.dirname(file);
    const { handshake, recordings } = readRecordings(file);
    const kept = recordings.filter(({ vector, sha256 }) => fitting.has(keyOf(folder, vector, sha256)));
    if (kept.length === recordings.length) continue;
    if (kept.length > 0) writeRecordings(file, handshake, kept);
    else rmSync(file);
    pruned.push({ file, taken: recordings.length - kept.length, left: kept.length });
  }
  return pruned;
}

function keyOf(folder: string, vector: string, sha256: string): string {
  return [folder, vector, sha256].join('\0');
}

function* loadAll(files: readonly string[]): Generator<LoadedVector, void, undefined> {
  for (const file of files) {
    for (const loaded of loadVectors(file)) {
      if (loaded instanceof VectorFileError) throw loaded;
      yield loaded;
    }
  }
}
