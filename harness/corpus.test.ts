/** The corpus as it is held: what is stored compressed is in memory one at a time. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadCorpus } from './corpus.ts';
import { sampleVector } from './testing.ts';
import { vectorToJson, vectorToLine } from './vector.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holodiff-corpus-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const [small, middle, large] = [sampleVector('c'), sampleVector('a-name'), sampleVector('the-longest-name')];

test('has the smallest first, compressed or not', () => {
  writeFileSync(path.join(folder, '1.vector.json.gz'), gzipSync(vectorToJson(large)));
  writeFileSync(path.join(folder, '2.vector.json.gz'), gzipSync(vectorToJson(small)));
  writeFileSync(path.join(folder, '3.vector.json'), vectorToJson(middle));
  const corpus = loadCorpus([folder], 'all');
  expect(corpus.map(({ file }) => path.basename(file)[0])).toEqual(['2', '3', '1']);
  expect(corpus.map(({ vector }) => vector)).toEqual([small, middle, large]);
  expect(corpus.map(({ line }) => line)).toEqual([small, middle, large].map(vectorToLine));
});

test('reads a compressed one again when another one was in between', () => {
  for (const vector of [small, large]) {
    writeFileSync(path.join(folder, `${vector.name}.vector.json.gz`), gzipSync(vectorToJson(vector)));
  }
  const [first, second] = loadCorpus([folder], 'all');
  const held = first!.vector;
  expect(first!.vector).toBe(held);
  expect(second!.vector).toEqual(large);
  expect(first!.vector).toEqual(held);
  expect(first!.vector === held).toBe(false);
});
