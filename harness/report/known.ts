/** Which differences of an explanation or a report are known. */

import { existsSync } from 'node:fs';
import { type KnownDivergence, KnownSignatures, LEDGER_FILE, readLedger } from '../compare/ledger.ts';
import type { Explanation } from '../explain/model.ts';

/**
 * The known divergences.
 *
 * @param option - a ledger's file; `false` for none, nothing for the usual one if it is there
 */
export function readKnown(option: string | boolean | undefined): KnownDivergence[] {
  if (typeof option === 'string') return readLedger(option);
  return option === false || !existsSync(LEDGER_FILE) ? [] : readLedger(LEDGER_FILE);
}

/** The entry that lists a signature. */
export function knownBySignature(known: readonly KnownDivergence[], signature: string): KnownDivergence | undefined {
  const id = new KnownSignatures(known).get(signature);
  return known.find((entry) => entry.id === id);
}

/** The entry that lists the difference of an explanation, by its signature or by the vector's name. */
export function findKnown(
  known: readonly KnownDivergence[],
  { name, difference }: Explanation,
): KnownDivergence | undefined {
  if (difference === undefined) return undefined;
  const { signature, boundary } = difference;
  return (
    knownBySignature(known, signature) ??
    known.find(({ vectors }) => Object.hasOwn(vectors, name) && vectors[name] === boundary)
  );
}
