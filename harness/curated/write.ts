/** Curated scenarios as files: what stands below `vectors/curated/`. */

import path from 'node:path';
import { PACKAGE_ROOT } from '../places.ts';
import { vectorToJson } from '../vector.ts';
import type { CuratedScenario } from './curated.ts';

/** The folder of the curated vectors. */
export const CURATED_FOLDER = path.join(PACKAGE_ROOT, 'vectors', 'curated');

/** What `index.json` beside the vectors says of each of them. */
export interface IndexEntry {
  readonly name: string;
  readonly shows: string;
  readonly rules: readonly string[];
}

/**
 * The files of the scenarios by path below {@link CURATED_FOLDER}: a vector each, and one index a folder.
 *
 * @throws RangeError if two scenarios have the same name
 */
export function curatedFiles(scenarios: readonly CuratedScenario[]): Map<string, string> {
  const files = new Map<string, string>();
  const indices = new Map<string, IndexEntry[]>();
  for (const { name, shows, rules, build } of scenarios) {
    const file = `${name}.vector.json`;
    if (files.has(file)) throw new RangeError(`two curated scenarios are called ${name}`);
    files.set(file, vectorToJson({ ...build(), name }));
    const folder = path.posix.dirname(name);
    indices.set(folder, [...(indices.get(folder) ?? []), { name, shows, rules }]);
  }
  for (const [folder, entries] of indices) {
    const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    files.set(`${folder}/index.json`, `${JSON.stringify(sorted, null, 2)}\n`);
  }
  return files;
}
