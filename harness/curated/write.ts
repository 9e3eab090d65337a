/** Curated scenarios as files: what stands below `vectors/curated/` and in `vectors/large/`. */

import path from 'node:path';
import { PACKAGE_ROOT } from '../places.ts';
import { vectorToJson, vectorToLine } from '../vector.ts';
import type { CuratedScenario } from './curated.ts';
import { LARGE_SCENARIOS } from './large.ts';

/** The folder of the curated vectors. */
export const CURATED_FOLDER = path.join(PACKAGE_ROOT, 'vectors', 'curated');

/** The folder of the large ones. */
export const LARGE_FOLDER = path.join(PACKAGE_ROOT, 'vectors', 'large');

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
  for (const [folder, entries] of indices) files.set(`${folder}/index.json`, indexOf(entries));
  return files;
}

/**
 * The files in {@link LARGE_FOLDER} with their text, which is stored compressed where the name ends in `.gz`: one after
 * the other, since one alone may have two hundred megabytes.
 */
export function* largeFiles(): Generator<readonly [file: string, text: string], void, undefined> {
  for (const { name, build } of LARGE_SCENARIOS) {
    // On one line: nobody reads so much, and indenting it takes longer than all else.
    yield [`${path.posix.basename(name)}.vector.json.gz`, `${vectorToLine({ ...build(), name })}\n`];
  }
  yield ['index.json', indexOf(LARGE_SCENARIOS.map(({ name, shows, rules }) => ({ name, shows, rules })))];
}

function indexOf(entries: readonly IndexEntry[]): string {
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `${JSON.stringify(sorted, null, 2)}\n`;
}
