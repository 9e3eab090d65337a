/** Minimises the findings of a campaign that are not minimised yet. */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { KnownSignatures } from '../compare/ledger.ts';
import { readFile, writeFile } from '../files.ts';
import type { Implementation } from '../implementations/implementation.ts';
import { TypeScriptImplementation } from '../implementations/typescript.ts';
import { interestingBySignature, minimise, NotInterestingError } from '../minimise/index.ts';
import { parseVector, vectorToJson } from '../vector.ts';
import { FINDING_FILES } from './finding.ts';

/** Writes `minimised.vector.json` into each finding of the campaign's folder that lacks one and is not listed. */
export async function minimiseFindings(
  folder: string,
  references: readonly Implementation[],
  known: KnownSignatures,
  note: (line: string) => void,
): Promise<void> {
  const findings = path.join(folder, 'findings');
  if (!existsSync(findings)) return;
  const names = readdirSync(findings).sort();
  const waiting = names
    .map((name) => path.join(findings, name))
    .filter((one) => existsSync(path.join(one, FINDING_FILES.finding)))
    .filter((one) => !existsSync(path.join(one, FINDING_FILES.minimised)))
    .map((one) => ({ one, signature: signatureIn(one) }))
    .filter(({ signature }) => known.get(signature) === undefined);
  const implementations = [new TypeScriptImplementation(), ...references];
  for (const [index, { one, signature }] of waiting.entries()) {
    note(`minimising ${index + 1} of ${waiting.length}: ${signature}`);
    const vector = parseVector(readFile(path.join(one, FINDING_FILES.vector)));
    try {
      const { vector: smallest } = await minimise(vector, interestingBySignature(signature, implementations));
      writeFile(path.join(one, FINDING_FILES.minimised), vectorToJson(smallest));
    } catch (error) {
      if (!(error instanceof NotInterestingError)) throw error;
      note(`${one}: does not show its signature again by itself, and stays as it was found`);
    }
  }
}

function signatureIn(finding: string): string {
  const { signature } = JSON.parse(readFile(path.join(finding, FINDING_FILES.finding))) as { signature: string };
  return signature;
}
