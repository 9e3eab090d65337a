/** The vector that is to be explained, and what the implementations say of it. */

import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { FINDING_FILES } from '../campaign/finding.ts';
import type { Side } from '../compare/compare.ts';
import { FileError } from '../errors.ts';
import { type LoadedVector, loadVectors, VectorFileError } from '../files.ts';
import type { Implementation } from '../implementations/implementation.ts';

/** Reads the vector of a file, or of a finding's folder: the minimised one, if there is one. */
export function loadForExplaining(given: string): LoadedVector {
  const isFolder = existsSync(given) && statSync(given).isDirectory();
  const file = isFolder ? vectorOfFinding(given) : given;
  const [first, second] = loadVectors(file);
  if (first instanceof VectorFileError) throw first;
  if (first === undefined || second !== undefined) {
    throw new FileError('invalid-file', given, 'expected exactly one vector');
  }
  return first;
}

function vectorOfFinding(folder: string): string {
  const files = [FINDING_FILES.minimised, FINDING_FILES.vector].map((name) => path.join(folder, name));
  const found = files.find((file) => existsSync(file));
  if (found === undefined)
    throw new FileError('no-vectors', folder, `no ${FINDING_FILES.vector}: not the folder of a finding`);
  return found;
}

/**
 * Asks each implementation.
 *
 * @param report - hears of those that say nothing
 */
export async function askSides(
  implementations: readonly Implementation[],
  { line, vector, source }: LoadedVector,
  report: (line: string) => void,
): Promise<Side[]> {
  const answers = await Promise.all(implementations.map((implementation) => implementation.submit(line, vector)));
  const sides: Side[] = [];
  for (const [index, answer] of answers.entries()) {
    const { name } = implementations[index]!;
    switch (answer.kind) {
      case 'trace':
        sides.push({ implementation: name, trace: answer.trace, silent: answer.incident !== undefined });
        break;
      case 'error':
        report(`${source}: ${name} does not accept it: ${answer.path}: ${answer.message}`);
        break;
      case 'absent':
        report(`${source}: ${name} is left out: ${answer.reason}`);
        break;
      default:
        answer satisfies never;
    }
  }
  return sides;
}
