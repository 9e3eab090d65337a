/** Stores the references' traces beside the vectors, for machines that cannot build the references. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { HolodiffError } from './errors.ts';
import { type LoadedVector, loadVectors, VectorFileError } from './files.ts';
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
  const answers = inOrder(loadAll(files), implementation.inFlight, async (loaded) => ({
    loaded,
    answer: await implementation.submit(loaded.line, loaded.vector),
  }));
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

function* loadAll(files: readonly string[]): Generator<LoadedVector, void, undefined> {
  for (const file of files) {
    for (const loaded of loadVectors(file)) {
      if (loaded instanceof VectorFileError) throw loaded;
      yield loaded;
    }
  }
}
