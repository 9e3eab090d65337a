/** Who can be asked: references by their recorded traces, and those that are built. */

import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { LoadedVector } from '../files.ts';
import type { Implementation } from '../implementations/implementation.ts';
import { type OpenOptions, openAllLive } from '../implementations/open.ts';
import { RecordedImplementation } from '../implementations/recorded.ts';
import { isReferenceName, type ReferenceName } from '../references/build.ts';
import { byVersion } from '../references/version-order.ts';

const RECORDINGS = /^([^@]+)@(.+)\.traces\.ndjson$/;

/** Every version of a reference of which traces lie in these folders, the oldest of each reference first. */
export function recordedVersions(folders: Iterable<string>): (readonly [name: ReferenceName, version: string])[] {
  const versions = new Map<string, readonly [name: ReferenceName, version: string]>();
  for (const folder of new Set(folders)) {
    for (const file of readdirSync(folder)) {
      const [, name, version] = RECORDINGS.exec(file) ?? [];
      if (name === undefined || version === undefined || !isReferenceName(name)) continue;
      versions.set(`${name}@${version}`, [name, version]);
    }
  }
  return [...versions.values()].sort(([a, older], [b, newer]) => (a === b ? byVersion(older, newer) : a < b ? -1 : 1));
}

/** The recorded traces of every version that lie beside the vectors. */
export function openRecordings(corpus: readonly LoadedVector[]): Implementation[] {
  const folders = [...new Set(corpus.map(({ file }) => path.dirname(file)))];
  return recordedVersions(folders).flatMap(
    ([name, version]) => RecordedImplementation.load(name, version, folders) ?? [],
  );
}

/** Opens those of these names that can be asked besides the TypeScript pipeline, which answers anyway. */
export function openReferences(names: readonly string[], options: OpenOptions): Promise<Implementation[]> {
  return openAllLive(
    names.filter((name) => name !== 'typescript'),
    options,
  );
}
