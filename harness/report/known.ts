/** Which differences of an explanation or a report are known. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { type KnownDivergence, KnownSignatures, LEDGER_FILE, readLedgers, withheldVectors } from '../compare/ledger.ts';
import type { Explanation } from '../explain/model.ts';
import { workFolder } from '../places.ts';

/** What `--known` and `--no-known` say: files, `false` for none, and without either the usual ones. */
export type KnownOption = string | readonly string[] | boolean | undefined;

/** The ledgers that hold. The usual ones are that of the package and, where it is installed, one below the current folder. */
export function ledgerFiles(option: KnownOption): string[] {
  if (typeof option === 'string') return [option];
  if (typeof option === 'object') return [...option];
  if (option === false) return [];
  const own = path.join(workFolder(), 'vectors', path.basename(LEDGER_FILE));
  return [...new Set([LEDGER_FILE, own])].filter((file) => existsSync(file));
}

/** The known divergences. @throws FileError */
export function readKnown(option: KnownOption): KnownDivergence[] {
  return readLedgers(ledgerFiles(option));
}

/** The known divergences, by signature. @throws FileError */
export function readKnownSignatures(option: KnownOption): KnownSignatures {
  return new KnownSignatures(readKnown(option));
}

/** Looks differences up in the known divergences. */
export class KnownLookup {
  readonly #entries: readonly KnownDivergence[];
  readonly #signatures: KnownSignatures;
  /** Vectors of entries under embargo. */
  readonly #withheld: ReadonlySet<string>;

  constructor(entries: readonly KnownDivergence[]) {
    this.#entries = entries;
    this.#signatures = new KnownSignatures(entries);
    this.#withheld = withheldVectors(entries);
  }

  /** The entry that lists a signature. */
  bySignature(signature: string): KnownDivergence | undefined {
    return this.#signatures.entry(signature);
  }

  /** The entry that lists the difference of an explanation, by its signature or by the vector's name. */
  of({ name, difference }: Explanation): KnownDivergence | undefined {
    if (difference === undefined) return undefined;
    const { signature, boundary } = difference;
    return (
      this.bySignature(signature) ??
      this.#entries.find(({ vectors }) => Object.hasOwn(vectors, name) && vectors[name] === boundary)
    );
  }

  /** Whether no report may tell the signature. */
  withholds(signature: string): boolean {
    return this.#signatures.withholds(signature);
  }

  /** Whether no report may show the vector. */
  withholdsVector(name: string): boolean {
    return this.#withheld.has(name);
  }
}

/** The entry that lists the difference of one explanation. */
export function findKnown(known: readonly KnownDivergence[], explanation: Explanation): KnownDivergence | undefined {
  return new KnownLookup(known).of(explanation);
}
