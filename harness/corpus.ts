/** The stored vectors as a whole: all of them, or the clean ones, on which all implementations agree. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Vector } from '../src/vector.ts';
import { type KnownDivergence, LEDGER_FILE, readLedger, withheldVectors } from './compare/ledger.ts';
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
export function loadCorpus(paths: readonly string[], which: CorpusName): LoadedVector[] {
  return found(paths, which).map(({ loaded }) => loaded);
}

/** Vectors of which something may be told. */
export interface Tellable {
  readonly vectors: readonly LoadedVector[];
  /** How many others are under embargo. */
  readonly withheld: number;
}

/**
 * The vectors below these paths but for those that one of these entries has under embargo. How many these are is noted.
 *
 * @throws FileError if one of the files holds no vector
 */
export function loadTellable(
  paths: readonly string[],
  which: CorpusName,
  entries: readonly KnownDivergence[],
  note: (line: string) => void,
): Tellable {
  const withheld = withheldVectors(entries);
  const all = found(paths, which);
  const tellable = all.filter(({ name }) => !withheld.has(name));
  const withheldCount = all.length - tellable.length;
  if (withheldCount > 0) note(`${withheldCount} vectors under embargo are left out`);
  return { vectors: tellable.map(({ loaded }) => loaded), withheld: withheldCount };
}

/** A vector with what need not be asked of it: of a compressed one that means to read the file. */
interface Found {
  readonly loaded: LoadedVector;
  readonly name: string;
  readonly size: number;
}

function found(paths: readonly string[], which: CorpusName): readonly Found[] {
  const listed = which === 'clean' && existsSync(LEDGER_FILE) ? readLedger(LEDGER_FILE) : [];
  const unclean = new Set(listed.flatMap(({ vectors }) => Object.keys(vectors)));
  const all: Found[] = [];
  const shelf: Shelf = {};
  for (const file of findVectorFiles(paths)) {
    for (const loaded of loadVectors(file)) {
      if (loaded instanceof VectorFileError) throw loaded;
      const { name } = loaded.vector;
      if (unclean.has(name)) continue;
      const kept = isCompressed(file) ? new CompressedVector(loaded, shelf) : loaded;
      all.push({ loaded: kept, name, size: loaded.line.length });
    }
  }
  return all.sort((a, b) => a.size - b.size || (a.name < b.name ? -1 : 1));
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
