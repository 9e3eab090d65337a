/** The relations hold for the TypeScript pipeline, and would not for one that looks where it must not. */

import { describe, expect, test } from 'vitest';
import { RULE_IDS } from '../../src/rules/catalogue.ts';
import type { Variant } from '../../src/rules/rule-book.ts';
import { EVERYDAY_FOLDERS, loadCorpus } from '../corpus.ts';
import { generateVector } from '../generate/index.ts';
import { TypeScriptImplementation } from '../implementations/typescript.ts';
import { parseVector, vectorToLine } from '../vector.ts';
import type { Relation } from './relation.ts';
import { RELATIONS } from './relations.ts';
import { runRelations } from './run.ts';

const generated = Array.from({ length: 200 }, (_, index) => generateVector(11, index).vector);
const typescript = () => new TypeScriptImplementation();

const relation = (id: string): Relation => RELATIONS.find((one) => one.id === id)!;

describe('the relations', { timeout: 300_000 }, () => {
  test('name rules of the catalogue as their grounds and exceptions', () => {
    const named = RELATIONS.flatMap(({ grounds, exceptions }) => [
      ...grounds,
      ...exceptions.map(({ side }) => side.slice(0, -1)),
    ]);
    expect(named.filter((rule) => !(RULE_IDS as readonly string[]).includes(rule))).toEqual([]);
  });

  test('change a vector into another one of the format', () => {
    for (const { id, change } of RELATIONS) {
      const changed = generated.slice(0, 60).map((vector, index) => [vector, change(vector, index)] as const);
      for (const [vector, other] of changed) {
        if (other === undefined) continue;
        expect([id, vectorToLine(other) === vectorToLine(vector)]).toEqual([id, false]);
        expect(() => parseVector(vectorToLine(other))).not.toThrow();
      }
    }
  });

  test.each(RELATIONS.map(({ id }) => id))('%s holds on generated vectors', async (id) => {
    const [result] = await runRelations([relation(id)], generated, [typescript()]);
    expect(result!.breaks.map(({ original }) => original.name)).toEqual([]);
    expect(result!.applied).toBeGreaterThan(10);
  });

  test('hold on the stored vectors', async () => {
    const stored = loadCorpus(EVERYDAY_FOLDERS, 'all').filter(({ vector }) => !vector.name.includes('limit'));
    const results = await runRelations(
      RELATIONS,
      stored.map(({ vector }) => vector),
      [typescript()],
    );
    const breaks = results.flatMap((result) =>
      result.breaks.map(({ relation: { id }, original }) => `${id}: ${original.name}`),
    );
    expect(breaks).toEqual([]);
  });

  const blind: readonly (readonly [id: string, variant: Variant])[] = [
    [
      'cut',
      {
        name: 'short items',
        extensions: { 'frame-queue/item': ({ item }) => (item.length > 300 ? 'drop' : undefined) },
      },
    ],
    [
      'compression',
      {
        name: 'light channels',
        extensions: { 'channel-reader/channel': ({ data }) => (data.length > 150 ? 'drop' : undefined) },
      },
    ],
    ['span', { name: 'no spans', extensions: { 'batch/span': () => 'drop' } }],
    [
      'time',
      {
        name: 'odd times',
        extensions: { 'batch/single': ({ batch }) => (batch.timestamp % 10n === 0n ? 'drop' : undefined) },
      },
    ],
  ];

  test.each(blind)('%s is broken by a pipeline that looks at what must not matter', async (id, variant) => {
    const [result] = await runRelations([relation(id)], generated, [new TypeScriptImplementation(variant)]);
    expect(result!.breaks.length).toBeGreaterThan(0);
  });
});
