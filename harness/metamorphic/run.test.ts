/** Relations over vectors: what counts as a break, what the ledger accounts for, and the smallest pair of what is left. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Variant } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import type { KnownDivergence } from '../compare/ledger.ts';
import { generateVector } from '../generate/index.ts';
import type { Answer, Implementation } from '../implementations/implementation.ts';
import { TypeScriptImplementation } from '../implementations/typescript.ts';
import { formatRelationResult, formatUnexplained } from '../report/metamorphic.ts';
import { parseVector, vectorToLine } from '../vector.ts';
import { keepPair } from './keep.ts';
import { partingOf } from './parting.ts';
import type { Relation } from './relation.ts';
import { RELATIONS } from './relations.ts';
import { breakOn, explanationsOf, runRelations } from './run.ts';
import { unexplainedBreaks } from './smallest.ts';
import { Standings } from './standing.ts';

const generated = Array.from({ length: 30 }, (_, index) => generateVector(11, index).vector);
const cut = RELATIONS.find(({ id }) => id === 'cut')!;

/** Looks at the length of a transaction, which the frames in it do not depend on. */
const SHORT_ITEMS: Variant = {
  name: 'short items',
  extensions: { 'frame-queue/item': ({ item }) => (item.length > 300 ? 'drop' : undefined) },
};

/** A reference that derives by these rules. */
function reference(variant: Variant): Implementation {
  const own = new TypeScriptImplementation(variant);
  return {
    name: 'kona',
    version: '0.4.5',
    handshake: own.handshake,
    how: 'in process',
    inFlight: 4,
    incidents: [],
    submit: (line, vector) => own.submit(line, vector),
    refresh: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

function saying(answer: (vector: Vector) => Answer): Implementation {
  return { ...reference({ name: 'none' }), submit: (_, vector) => Promise.resolve(answer(vector!)) };
}

function entry(edit: Partial<KnownDivergence>): KnownDivergence {
  return {
    id: 'short-items',
    title: 'looks at the length of a transaction',
    vectors: { 'no/such-vector': 'frames' },
    signatures: ['no | such | signature'],
    outlier: 'kona',
    rule: 'frame-queue/one-item',
    versions: { kona: '0.4.5' },
    specification: { right: ['typescript'], section: 'x', sentence: 'y' },
    date: '2026-11-30',
    ...edit,
  };
}

const kona = reference(SHORT_ITEMS);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holodiff-metamorphic-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('a break', { timeout: 300_000 }, () => {
  test('is unexplained without an entry of the ledger, and says where the two traces part', async () => {
    const [result] = await runRelations([cut], generated, [kona, new TypeScriptImplementation()]);
    expect(result!.breaks.length).toBeGreaterThan(0);
    for (const one of result!.breaks) {
      expect(one.implementation.name).toBe('kona');
      expect(explanationsOf(one)).toEqual([]);
      expect(one.parting.path).toMatch(/^frames\[\d+\]/);
      expect([one.originalStanding.kind, one.changedStanding.kind]).toContain('differs');
    }
    expect(formatRelationResult(result!)[0]).toBe(
      `cut: ${result!.applied} vectors${result!.excepted === 0 ? '' : `, ${result!.excepted} excepted`}: broken ${result!.breaks.length} times, ${result!.breaks.length} NOT LISTED`,
    );
  });

  test('is explained by an entry for the signature of either trace, or for the vector by name', async () => {
    const { breaks } = (await runRelations([cut], generated, [kona]))[0]!;
    const bySignature = new Standings([entry({ signatures: ['* | kona | * | *'] })]);
    const [result] = await runRelations([cut], generated, [kona], bySignature);
    expect(result!.breaks.map((one) => [...explanationsOf(one)])).toEqual(breaks.map(() => ['short-items']));
    expect(formatRelationResult(result!)).toEqual([
      expect.stringMatching(/: broken \d+ times, all as listed$/),
      `  kona@0.4.5, as listed: short-items ${breaks.length}`,
    ]);
    expect(await unexplainedBreaks([result!], bySignature, { minimise: false, note: () => undefined })).toEqual([]);

    const one = breaks.find(({ originalStanding }) => originalStanding.kind === 'differs')!;
    const byName = (name: string) => new Standings([entry({ vectors: { [name]: 'frames' } })]);
    const again = (standings: Standings) => breakOn(cut, kona, one.original, one.choice, standings);
    expect(explanationsOf((await again(byName(one.original.name)))!)).toEqual(['short-items']);
    expect(explanationsOf((await again(byName('another/vector')))!)).toEqual([]);
  });

  test('that an entry under embargo accounts for is counted, and its entry is not named', async () => {
    const standings = new Standings([entry({ signatures: ['* | kona | * | *'], embargo: true })]);
    const [result] = await runRelations([cut], generated, [kona], standings);
    expect(formatRelationResult(result!)).toEqual([
      expect.stringMatching(/, all as listed$/),
      `  kona@0.4.5, as listed: under embargo ${result!.breaks.length}`,
    ]);
  });

  test('of another implementation is not explained by an entry for this one', async () => {
    const other = { ...kona, name: 'op-node' };
    const standings = new Standings([entry({ signatures: ['* | kona | * | *'] })]);
    const [result] = await runRelations([cut], generated, [other], standings);
    expect(result!.breaks.flatMap(explanationsOf)).toEqual([]);
    expect(result!.breaks.length).toBeGreaterThan(0);
  });

  test('is what an implementation without a trace gives, also if both traces are missing', async () => {
    const { trace } = (await new TypeScriptImplementation().submit('', generated[0])) as Answer & { kind: 'trace' };
    const hanging = saying(() => ({ kind: 'trace', trace, incident: { kind: 'timeout', message: 'no answer' } }));
    const refusing = saying(() => ({ kind: 'error', path: 'l1', message: 'expected more' }));
    const ignored = RELATIONS.find(({ id }) => id === 'ignored')!;
    const [result] = await runRelations([ignored], generated.slice(0, 3), [hanging, refusing]);
    expect(result!.breaks).toHaveLength(6);
    expect(result!.breaks.map(({ parting }) => parting.original)).toEqual(
      expect.arrayContaining(['no trace: no answer', 'refuses the vector: l1: expected more']),
    );
  });

  test('is not claimed where an exception holds', async () => {
    const excepted: Relation = {
      ...cut,
      exceptions: [{ side: 'frame-queue/one-item+', why: 'every vector with data shows it' }],
    };
    const [result] = await runRelations([excepted], generated, [kona]);
    expect(result).toMatchObject({ applied: 0, breaks: [] });
    expect(result!.excepted).toBeGreaterThan(0);
  });

  test('that nothing explains is kept as the smallest pair, the same every time', async () => {
    const [result] = await runRelations([cut], generated, [kona]);
    const one = [{ ...result!, breaks: result!.breaks.slice(0, 1) }];
    const find = () => unexplainedBreaks(one, new Standings([]), { minimise: true, note: () => undefined });
    const [first, second] = [await find(), await find()];
    expect(first.length).toBeGreaterThan(0);
    const lines = (found: typeof first) => found.map(({ smallest }) => vectorToLine(smallest.original));
    expect(lines(second)).toEqual(lines(first));
    const { smallest, from } = first[0]!;
    const before = generated.find(({ name }) => name === from)!;
    expect(vectorToLine(smallest.original).length).toBeLessThan(vectorToLine(before).length);

    const target = keepPair(smallest, folder, 1);
    const [original, changed] = await Promise.all(
      ['original', 'changed'].map(async (name) =>
        parseVector(await readFile(path.join(target, `${name}.vector.json`), 'utf8')),
      ),
    );
    const frames = async (vector: Vector) => {
      const answer = await kona.submit(vectorToLine(vector), vector);
      return answer.kind === 'trace' ? answer.trace.frames : undefined;
    };
    expect(await frames(original!)).not.toEqual(await frames(changed!));
    expect(formatUnexplained(first[0]!, target).join('\n')).toMatch(
      /^NOT LISTED: kona@0\.4\.5 breaks cut (?:once|\d+ times)\n {2}smallest: generated\/11\/\d+, \d+ and \d+ characters/,
    );
  });
});

describe('where two values part', () => {
  const cases: readonly (readonly [a: unknown, b: unknown, path: string | undefined])[] = [
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, undefined],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, 'a[1].b'],
    [{ a: [1] }, { a: [1, 2] }, 'a[1]'],
    [{ a: [[1]] }, { a: [[2]] }, 'a[0][0]'],
    [{ a: 1 }, { a: 1, b: 2 }, 'b'],
    [{ a: [] }, { a: 1 }, 'a'],
    [1, 2, ''],
  ];

  test.each(cases)('%j and %j', (a, b, expected) => {
    expect(partingOf(a, b)?.path).toBe(expected);
  });
});
