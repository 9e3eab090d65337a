/** Vectors for a rule that is not the base's: written as files, with the traces that the variant gives. */

import path from 'node:path';
import { VERSION } from '../../src/version.ts';
import type { IndexEntry } from '../curated/write.ts';
import { writeFile } from '../files.ts';
import { hashVector, type Recording, recordingFile, writeRecordings } from '../implementations/recorded.ts';
import { TypeScriptImplementation } from '../implementations/typescript.ts';
import { vectorToJson, vectorToLine } from '../vector.ts';
import type { Change, VariantAnswer } from './ask.ts';

/** Writes one vector for each kind of change into the folder, an index, and the variant's traces. @returns the files */
export function promoteChanges({ variant, changes }: VariantAnswer, folder: string): string[] {
  const files: string[] = [];
  const entries: IndexEntry[] = [];
  const recordings: Recording[] = [];
  const slugs = new Map<string, number>();
  for (const change of changes) {
    const slug = slugOf(change);
    const times = (slugs.get(slug) ?? 0) + 1;
    slugs.set(slug, times);
    const name = `${path.basename(folder)}/${times === 1 ? slug : `${slug}-${times}`}`;
    const vector = { ...change.vector, name };
    const file = path.join(folder, `${path.basename(name)}.vector.json`);
    writeFile(file, vectorToJson(vector));
    files.push(file);
    const { boundary, rule, side, shape } = change.signature;
    entries.push({
      name,
      shows: `${variant.name}: ${boundary} ${shape}`,
      rules: rule === 'unknown' ? [] : [`${rule}${side}`],
    });
    recordings.push({ vector: name, sha256: hashVector(vectorToLine(vector)), trace: change.trace });
  }
  const index = path.join(folder, 'index.json');
  writeFile(index, `${JSON.stringify(entries, null, 2)}\n`);
  const { handshake } = new TypeScriptImplementation();
  const version = `${VERSION}+${variant.name}`;
  const traces = recordingFile(folder, 'typescript', version);
  writeRecordings(traces, { ...handshake, implementation: { name: 'typescript', version } }, recordings);
  return [...files, index, traces];
}

function slugOf({ signature }: Change): string {
  return `${signature.boundary}-${signature.rule}-${signature.shape}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
