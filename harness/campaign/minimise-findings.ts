/** Minimises the findings of a campaign that are not minimised yet. */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readFile, writeFile } from '../files.ts';
import type { Implementation } from '../implementations/implementation.ts';
import { TypeScriptImplementation } from '../implementations/typescript.ts';
import { interestingBySignature, minimise, NotInterestingError } from '../minimise/index.ts';
import { parseVector, vectorToJson } from '../vector.ts';
import { FINDING_FILES } from './finding.ts';

/** Writes `minimised.vector.json` into each finding of the campaign's folder that lacks one. */
export async function minimiseFindings(
  folder: string,
  references: readonly Implementation[],
  note: (line: string) => void,
): Promise<void> {
  const findings = path.join(folder, 'findings');
  if (!existsSync(findings)) return;
  const names = readdirSync(findings).sort();
  const waiting = names
    .map((name) => path.join(findings, name))
    .filter((one) => existsSync(path.join(one, FINDING_FILES.finding)))
    .filter((one) => !existsSync(path.join(one, FINDING_FILES.minimised)));
  const implementations = [new TypeScriptImplementation(), ...references];
  for (const [index, one] of waiting.entries()) {
    const { signature } = JSON.parse(readFile(path.join(one, FINDING_FILES.finding))) as { signature: string };
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
