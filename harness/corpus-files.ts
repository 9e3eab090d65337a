/**
 * What may lie below `vectors/`, strictly: a file that nobody expects is one that no check reads, and so is a vector in a
 * folder that no index lists.
 */

import { readdirSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { isCompressed, readFile } from './files.ts';
import { hashVector, readRecordings, recordingFile } from './implementations/recorded.ts';
import { pinnedVersion, REFERENCE_NAMES } from './references/names.ts';
import { parseVector, vectorToLine } from './vector.ts';

/** Folders whose folders hold vectors, with what stands before the names of the vectors in them. */
const COLLECTIONS: Readonly<Record<string, string>> = { curated: '', finds: 'finds/' };

/** A folder that holds vectors itself: those of many megabytes. */
const LARGE = 'large';

const VECTOR_FILE = /^([a-z0-9]+(?:-[a-z0-9]+)*)\.vector\.json(?:\.gz)?$/;
/** Of a version of a reference, or of a variant for which the vectors were kept. */
const RECORDING_FILE = new RegExp(
  `^(?:(?:${REFERENCE_NAMES.join('|')})@[0-9.]+(?:\\+checked)?|typescript@[0-9.]+\\+[a-z0-9-]+)\\.traces\\.ndjson$`,
);

const indexSchema = v.array(v.strictObject({ name: v.string(), shows: v.string(), rules: v.array(v.string()) }));

/** Everything below the folder of stored vectors that is not as it has to be, a line each. */
export function corpusProblems(root: string): string[] {
  const problems: string[] = [];
  for (const entry of entriesOf(root)) {
    const folder = path.join(root, entry.name);
    if (entry.isDirectory() && Object.hasOwn(COLLECTIONS, entry.name)) {
      problems.push(...collectionProblems(root, entry.name, COLLECTIONS[entry.name]!));
    } else if (entry.isDirectory() && entry.name === LARGE) {
      problems.push(...groupProblems(folder, LARGE).map((one) => `${LARGE}/${one}`));
    } else if (entry.isDirectory() && entry.name === 'real') {
      problems.push(...sourceProblems(folder));
    } else if (entry.isDirectory() || entry.name !== 'known-divergences.json') {
      problems.push(`${entry.name}: nothing of that name is expected here`);
    }
  }
  return problems;
}

function collectionProblems(root: string, name: string, prefix: string): string[] {
  const groups = entriesOf(path.join(root, name));
  if (groups.length === 0) return [`${name}: is empty`];
  return groups.flatMap((group) => {
    const place = `${name}/${group.name}`;
    return group.isDirectory()
      ? groupProblems(path.join(root, name, group.name), `${prefix}${group.name}`).map((one) => `${place}/${one}`)
      : [`${place}: expected a folder`];
  });
}

/**
 * One folder of vectors: the index, the recordings and the vectors name each other and nothing else. The pinned versions
 * are recorded for every vector, or else the variant for which the vectors were kept; another version may have been
 * asked before a vector came. A compressed one is taken for what its file is called, since looking at the content of all
 * takes ten seconds: whoever replays it with the recordings notices another one.
 */
function groupProblems(folder: string, prefix: string): string[] {
  const problems: string[] = [];
  /** By name; `undefined` of a vector at which nobody looked. */
  const hashes = new Map<string, string | undefined>();
  const recordings: string[] = [];
  let indexed: string[] = [];
  for (const entry of entriesOf(folder)) {
    const file = path.join(folder, entry.name);
    const name = VECTOR_FILE.exec(entry.name)?.[1];
    if (entry.isDirectory()) {
      problems.push(`${entry.name}: a folder of vectors holds no folder`);
    } else if (name !== undefined && isCompressed(file)) {
      hashes.set(`${prefix}/${name}`, undefined);
    } else if (name !== undefined) {
      const vector = parseVector(readFile(file));
      if (vector.name !== `${prefix}/${name}`) problems.push(`${entry.name}: calls itself ${vector.name}`);
      hashes.set(vector.name, hashVector(vectorToLine(vector)));
    } else if (RECORDING_FILE.test(entry.name)) {
      recordings.push(entry.name);
    } else if (entry.name === 'index.json') {
      indexed = v.parse(indexSchema, JSON.parse(readFile(file))).map((one) => one.name);
    } else {
      problems.push(`${entry.name}: nothing of that name is expected here`);
    }
  }
  if (hashes.size === 0) problems.push('*.vector.json: there is none');
  problems.push(...unlike('index.json', indexed, [...hashes.keys()], true));
  const pinned = REFERENCE_NAMES.map((name) => path.basename(recordingFile('', name, pinnedVersion(name))));
  const ofVariant = recordings.filter((file) => file.startsWith('typescript@'));
  if (ofVariant.length === 0) {
    problems.push(...pinned.filter((file) => !recordings.includes(file)).map((file) => `${file}: is missing`));
  }
  const complete = [...pinned, ...ofVariant];
  for (const file of recordings) {
    const stored = readRecordings(path.join(folder, file)).recordings;
    const names = stored.map(({ vector }) => vector);
    problems.push(
      ...unlike(file, names, [...hashes.keys()], complete.includes(file)),
      ...stored
        .filter(({ vector, sha256 }) => (hashes.get(vector) ?? sha256) !== sha256)
        .map(({ vector }) => `${file}: ${vector} was recorded with another content`),
    );
  }
  return problems;
}

/** What a list of names says too often or too much and, if it has to be complete, too little. */
function unlike(file: string, listed: readonly string[], present: readonly string[], complete: boolean): string[] {
  const names = new Set(listed);
  return [
    ...listed.filter((name, index) => listed.indexOf(name) !== index).map((name) => `${file}: ${name} is there twice`),
    ...[...names].filter((name) => !present.includes(name)).map((name) => `${file}: ${name} has no vector`),
    ...(complete ? present.filter((name) => !names.has(name)).map((name) => `${file}: ${name} is missing`) : []),
  ];
}

/** Data of real chains: each file with a word about where it is from. */
function sourceProblems(folder: string): string[] {
  const files = entriesOf(folder).map(({ name }) => name);
  if (!files.includes('SOURCES.md')) return ['real/SOURCES.md: is missing'];
  const sources = readFile(path.join(folder, 'SOURCES.md'));
  return files
    .filter((name) => name !== 'SOURCES.md' && !(name.endsWith('.hex') && sources.includes(name)))
    .map((name) => `real/${name}: SOURCES.md does not say where it is from`);
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
