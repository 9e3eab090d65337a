import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../harness/places.ts';
import { resultJsonSchema, resultPage } from './result-schema.ts';

const read = (name: string) => readFileSync(path.join(PACKAGE_ROOT, 'docs', name), 'utf8');

test('docs/result.schema.json is as the code says; else npm run docs', () => {
  expect(read('result.schema.json')).toBe(resultJsonSchema());
});

test('docs/json.md too, and it names every field and says something of most', () => {
  const page = resultPage();
  expect(read('json.md')).toBe(page);
  for (const field of [
    'differences[].first.index',
    'campaigns[].source.seed',
    'campaigns[].source.scope',
    'agreed[].source',
  ]) {
    expect(page).toContain(`| \`${field}\` |`);
  }
});
