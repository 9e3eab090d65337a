/** Vectors for a rule that is not the base's: written as files, with the traces that the variant gives. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '../../src/version.ts';
import type { IndexEntry } from '../curated/write.ts';
import { FileError } from '../errors.ts';
import { namesIn, writeFile } from '../files.ts';
import { hashVector, type Recording, recordingFile, writeRecordings } from '../implementations/recorded.ts';
import { TypeScriptImplementation } from '../implementations/typescript.ts';
import { vectorToJson, vectorToLine } from '../vector.ts';
import type { VariantAnswer } from './ask.ts';

/** Refuses a folder in which something lies already: what is promoted is kept, and an index is of one variant. */
export function checkTarget(folder: string): void {
  if (existsSync(folder) && namesIn(folder).length > 0) {
    throw new FileError(
      'invalid-file',
      folder,
      'is not empty, and nothing in it is overwritten: --promote another folder',
    );
  }
}

/** Writes one vector for each kind of change into the folder, an index, and the variant's traces. @returns the files */
export function promoteChanges({ variant, changes }: VariantAnswer, folder: string): string[] {
  checkTarget(folder);
  const files: string[] = [];
  const entries: IndexEntry[] = [];
  const recordings: Recording[] = [];
  const slugs = new Map<string, number>();
  for (const change of changes) {
    const { boundary, rule, side, shape } = change.signature;
    const slug = slugOf(`${boundary} ${rule} ${shape}`);
    const times = (slugs.get(slug) ?? 0) + 1;
    slugs.set(slug, times);
    const name = `${prefixOf(folder)}/${times === 1 ? slug : `${slug}-${times}`}`;
    const vector = { ...change.vector, name };
    const file = path.join(folder, `${path.basename(name)}.vector.json`);
    writeFile(file, vectorToJson(vector));
    files.push(file);
    entries.push({
      name,
      shows: `${variant.name}: ${boundary} ${shape}`,
      rules: /^[+-]$/.test(side) ? [`${rule}${side}`] : [],
    });
    recordings.push({ vector: name, sha256: hashVector(vectorToLine(vector)), trace: change.trace });
  }
  const index = path.join(folder, 'index.json');
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  writeFile(index, `${JSON.stringify(sorted, null, 2)}\n`);
  const { handshake } = new TypeScriptImplementation();
  const version = `${VERSION}+${slugOf(variant.name)}`;
  const traces = recordingFile(folder, 'typescript', version);
  writeRecordings(traces, { ...handshake, implementation: { name: 'typescript', version } }, recordings);
  return [...files, index, traces];
}

/** What stands before the vectors' names: in the folder of finds they are called as finds are. */
function prefixOf(folder: string): string {
  const { base, dir } = path.parse(path.resolve(folder));
  return path.basename(dir) === 'finds' ? `finds/${base}` : base;
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
