/** The stored vectors as a whole: all of them, or the clean ones, on which all implementations agree. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Vector } from '../src/vector.ts';
import { LEDGER_FILE, readLedger } from './compare/ledger.ts';
import { findVectorFiles, isCompressed, type LoadedVector, loadVectors, VectorFileError } from './files.ts';
import { PACKAGE_ROOT } from './places.ts';

/** Where the stored vectors lie. */
export const VECTORS_FOLDER = path.join(PACKAGE_ROOT, 'vectors');

/** Where those of everyday size lie: what runs each vector many times starts from these. */
export const EVERYDAY_FOLDERS: readonly string[] = ['curated', 'finds'].map((name) => path.join(VECTORS_FOLDER, name));

/** `clean`: those that no entry of the ledger names. */
export type CorpusName = 'clean' | 'all';

/**
 * The vectors below these paths, the smallest first, so that the first one that shows something is the one to read. Of
 * those in compressed files one is in memory at a time.
 *
 * @throws FileError if one of the files holds no vector
 */
export function loadCorpus(paths: readonly string[], which: CorpusName, ledgerFile = LEDGER_FILE): LoadedVector[] {
  const listed = which === 'clean' && existsSync(ledgerFile) ? readLedger(ledgerFile) : [];
  const unclean = new Set(listed.flatMap(({ vectors }) => Object.keys(vectors)));
  const found: { readonly loaded: LoadedVector; readonly name: string; readonly size: number }[] = [];
  const shelf: Shelf = {};
  for (const file of findVectorFiles(paths)) {
    for (const loaded of loadVectors(file)) {
      if (loaded instanceof VectorFileError) throw loaded;
      const { name } = loaded.vector;
      if (unclean.has(name)) continue;
      const kept = isCompressed(file) ? new CompressedVector(loaded, shelf) : loaded;
      found.push({ loaded: kept, name, size: loaded.line.length });
    }
  }
  found.sort((a, b) => a.size - b.size || (a.name < b.name ? -1 : 1));
  return found.map(({ loaded }) => loaded);
}

/** The vector of a compressed file that was read last. */
interface Shelf {
  last?: LoadedVector;
}

/** A vector that is read from its file again whenever another one was in between. */
class CompressedVector implements LoadedVector {
  readonly source: string;
  readonly file: string;
  readonly #shelf: Shelf;

  constructor(loaded: LoadedVector, shelf: Shelf) {
    this.source = loaded.source;
    this.file = loaded.file;
    this.#shelf = shelf;
    shelf.last = loaded;
  }

  get vector(): Vector {
    return this.#load().vector;
  }

  get line(): string {
    return this.#load().line;
  }

  #load(): LoadedVector {
    const { last } = this.#shelf;
    if (last?.file === this.file) return last;
    // The one before goes first, so that both are never there.
    delete this.#shelf.last;
    const [loaded] = loadVectors(this.file);
    if (loaded instanceof VectorFileError) throw loaded;
    // A compressed file gives exactly one vector.
    this.#shelf.last = loaded!;
    return loaded!;
  }
}
