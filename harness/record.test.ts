/** Recordings beside vectors that come, change and go, of the version that is asked and of others. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Vector } from '../src/vector.ts';
import { findVectorFiles } from './files.ts';
import type { Implementation } from './implementations/implementation.ts';
import { type Recording, readRecordings, recordingFile } from './implementations/recorded.ts';
import { TypeScriptImplementation } from './implementations/typescript.ts';
import { pruneRecordings, record } from './record.ts';
import { sampleVector } from './testing.ts';
import { vectorToJson } from './vector.ts';

let root: string;
let group: string;

/** The TypeScript pipeline under the name of a version of kona. */
function kona(version: string): Implementation {
  const own = new TypeScriptImplementation();
  const implementation = { name: 'kona', version };
  return {
    ...implementation,
    how: own.how,
    inFlight: own.inFlight,
    incidents: own.incidents,
    handshake: { ...own.handshake, implementation },
    submit: (line, vector) => own.submit(line, vector),
    refresh: () => own.refresh(),
    close: () => own.close(),
  };
}

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-record-'));
  group = path.join(root, 'group');
  await mkdir(group);
  for (const name of ['one', 'two']) store(sampleVector(name));
  for (const version of ['0.4.4', '0.4.5']) await recordAll(version);
});

afterEach(() => rm(root, { recursive: true }));

function store(vector: Vector): void {
  writeFileSync(path.join(group, `${vector.name}.vector.json`), vectorToJson(vector));
}

function recordAll(version: string) {
  return record(findVectorFiles([root]), kona(version), () => true);
}

function recorded(version: string): Recording[] {
  return readRecordings(recordingFile(group, 'kona', version)).recordings;
}

test('recording one version again leaves those of another as they are', async () => {
  const before = readFileSync(recordingFile(group, 'kona', '0.4.4'), 'utf8');
  store(sampleVector('three'));
  await recordAll('0.4.5');
  expect(recorded('0.4.5').map(({ vector }) => vector)).toEqual(['one', 'three', 'two']);
  expect(readFileSync(recordingFile(group, 'kona', '0.4.4'), 'utf8')).toBe(before);
});

describe('what no longer fits', () => {
  test('is taken out where a vector has changed, and what still fits keeps its bytes', async () => {
    const [handshake, , two] = readFileSync(recordingFile(group, 'kona', '0.4.4'), 'utf8').split('\n');
    store(sampleVector('one', 300));
    await recordAll('0.4.5');
    const file = recordingFile(group, 'kona', '0.4.4');
    expect(pruneRecordings(root)).toEqual([{ file, taken: 1, left: 1 }]);
    expect(readFileSync(file, 'utf8')).toBe(`${handshake}\n${two}\n`);
    expect(recorded('0.4.5')).toHaveLength(2);
  });

  test('is taken out where a vector is gone, and a file that would be empty goes too', () => {
    for (const name of ['one', 'two']) rmSync(path.join(group, `${name}.vector.json`));
    store(sampleVector('three'));
    const files = ['0.4.4', '0.4.5'].map((version) => recordingFile(group, 'kona', version));
    expect(pruneRecordings(root)).toEqual(files.map((file) => ({ file, taken: 2, left: 0 })));
    expect(files.filter((file) => existsSync(file))).toEqual([]);
  });

  test('is nothing beside vectors that only came', () => {
    store(sampleVector('three'));
    expect(pruneRecordings(root)).toEqual([]);
    expect(recorded('0.4.4')).toHaveLength(2);
  });
});
