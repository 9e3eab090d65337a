/** The stored vectors as a whole: all of them, or the clean ones, on which all implementations agree. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { LEDGER_FILE, readLedger } from './compare/ledger.ts';
import { findVectorFiles, type LoadedVector, loadVectors, VectorFileError } from './files.ts';
import { PACKAGE_ROOT } from './places.ts';

/** Where the stored vectors lie. */
export const VECTORS_FOLDER = path.join(PACKAGE_ROOT, 'vectors');

/** `clean`: those that no entry of the ledger names. */
export type CorpusName = 'clean' | 'all';

/**
 * The vectors below these paths, the smallest first, so that the first one that shows something is the one to read.
 *
 * @throws FileError if one of the files holds no vector
 */
export function loadCorpus(paths: readonly string[], which: CorpusName, ledgerFile = LEDGER_FILE): LoadedVector[] {
  const listed = which === 'clean' && existsSync(ledgerFile) ? readLedger(ledgerFile) : [];
  const unclean = new Set(listed.flatMap(({ vectors }) => Object.keys(vectors)));
  const found: LoadedVector[] = [];
  for (const file of findVectorFiles(paths)) {
    for (const loaded of loadVectors(file)) {
      if (loaded instanceof VectorFileError) throw loaded;
      if (!unclean.has(loaded.vector.name)) found.push(loaded);
    }
  }
  return found.sort((a, b) => a.line.length - b.line.length || (a.vector.name < b.vector.name ? -1 : 1));
}
