/** Minimises the findings of a campaign that are not minimised yet. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { KnownSignatures } from '../compare/ledger.ts';
import { loadVectors, namesIn, VectorFileError, writeFile } from '../files.ts';
import type { Implementation } from '../implementations/implementation.ts';
import { TypeScriptImplementation } from '../implementations/typescript.ts';
import { interestingBySignature, minimise, NotInterestingError } from '../minimise/index.ts';
import { vectorToJson } from '../vector.ts';
import { FINDING_FILES, readFindingSummary } from './finding.ts';

/** Writes `minimised.vector.json` into each finding of the campaign's folder that lacks one and is not listed. */
export async function minimiseFindings(
  folder: string,
  references: readonly Implementation[],
  known: KnownSignatures,
  note: (line: string) => void,
): Promise<void> {
  const findings = path.join(folder, 'findings');
  if (!existsSync(findings)) return;
  const waiting = namesIn(findings)
    .map((name) => path.join(findings, name))
    .filter((one) => existsSync(path.join(one, FINDING_FILES.finding)))
    .filter((one) => !existsSync(path.join(one, FINDING_FILES.minimised)))
    .map((one) => ({ one, signature: readFindingSummary(one).signature }))
    .filter(({ signature }) => known.get(signature) === undefined);
  const implementations = [new TypeScriptImplementation(), ...references];
  for (const [index, { one, signature }] of waiting.entries()) {
    note(`minimising ${index + 1} of ${waiting.length}: ${signature}`);
    const [loaded] = loadVectors(path.join(one, FINDING_FILES.vector));
    if (loaded instanceof VectorFileError) throw loaded;
    try {
      const { vector: smallest } = await minimise(loaded!.vector, interestingBySignature(signature, implementations));
      writeFile(path.join(one, FINDING_FILES.minimised), vectorToJson(smallest));
    } catch (error) {
      if (!(error instanceof NotInterestingError)) throw error;
      note(`${one}: does not show its signature again by itself, and stays as it was found`);
    }
  }
}
