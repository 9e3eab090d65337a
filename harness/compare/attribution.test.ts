import { expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import { RuleBook, type Variant } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { EVERYDAY_FOLDERS } from '../corpus.ts';
import { findVectorFiles, loadVectors, VectorFileError } from '../files.ts';
import { generateVector } from '../generate/index.ts';
import { openForFiles } from '../implementations/open.ts';
import { traceToJson } from '../trace.ts';
import { boundedBook, decisionsOf, deriveBounded } from '../variant/bounded.ts';
import { compare, type Side } from './compare.ts';
import { ImitatedEnd, type Imitation, likeness } from './imitations/imitation.ts';
import { IMITATIONS } from './imitations/index.ts';
import { LEDGER_FILE, readLedger } from './ledger.ts';
import { formatSignature, isAttributed, signatureOf } from './signature.ts';

const LEDGER = readLedger(LEDGER_FILE);
const KONA = IMITATIONS.filter(({ reference }) => reference === 'kona');

test.each(IMITATIONS)('$id is listed, with the signature by which it is known', (imitation) => {
  const { id, reference, rule, side, boundary } = imitation;
  expect(LEDGER.find((entry) => entry.id === id)).toMatchObject({
    outlier: reference,
    rule,
    signatures: [`${boundary} | ${reference} | ${rule}${side} | as ${id}`],
  });
});

test('each vector of the ledger has the signature of its cause, to its end', async () => {
  const causes = new Map(
    LEDGER.flatMap(({ vectors, signatures }) => Object.keys(vectors).map((name) => [name, signatures[0]])),
  );
  const files = findVectorFiles(EVERYDAY_FOLDERS);
  const implementations = await openForFiles({ names: [], recorded: true, files, report: () => {} });
  const wrong: string[] = [];
  let seen = 0;
  for (const loaded of files.flatMap((file) => [...loadVectors(file)])) {
    if (loaded instanceof VectorFileError) throw loaded;
    const { vector, line } = loaded;
    const cause = causes.get(vector.name);
    if (cause === undefined) continue;
    const sides: Side[] = [];
    for (const implementation of implementations) {
      const answer = await implementation.submit(line, vector);
      if (answer.kind === 'trace') sides.push({ implementation: implementation.name, trace: answer.trace });
    }
    const signature = formatSignature(signatureOf(vector, compare(sides)!, sides));
    if (signature !== cause) wrong.push(`${vector.name}: ${signature}`);
    seen += 1;
  }
  expect(wrong).toEqual([]);
  expect(seen).toBe(causes.size);
});

const VECTORS = Array.from({ length: 120 }, (_, index) => generateVector(5, index).vector);

/** The signatures of a kona that is like this over the generated vectors. */
function signaturesOf(like: (vector: Vector) => Variant): { readonly attributed: number; readonly fresh: string[] } {
  const fresh: string[] = [];
  let attributed = 0;
  for (const vector of VECTORS) {
    const rules = new RuleBook();
    const base = traceToJson(derive(vector, { rules }));
    let trace: typeof base;
    try {
      trace = deriveBounded(vector, boundedBook(like(vector), decisionsOf(rules)));
    } catch (error) {
      // Panics are for the tests above: their traces cannot be had so.
      if (error instanceof ImitatedEnd) continue;
      throw error;
    }
    const sides = ['typescript', 'op-node', 'kona'].map((implementation) => ({
      implementation,
      trace: implementation === 'kona' ? trace : base,
    }));
    const difference = compare(sides);
    if (difference === undefined) continue;
    const signature = formatSignature(signatureOf(vector, difference, sides));
    const id = signature.split(' | as ')[1];
    if (isAttributed(signature) && LEDGER.some((entry) => entry.id === id)) attributed += 1;
    else fresh.push(signature);
  }
  return { attributed, fresh };
}

test('all that the imitations do together is attributed to them', () => {
  const { attributed, fresh } = signaturesOf((vector) => likeness(vector, KONA, () => {}));
  expect(fresh).toEqual([]);
  expect(attributed).toBeGreaterThan(10);
});

const PLANTED: Readonly<Record<string, NonNullable<Variant['rules']>>> = {
  'every item ignored': { 'frame/all-or-nothing': 'always' },
  'no batch kept accepted': { 'batch-queue/first-accepted': 'never' },
  'old batches accepted': { 'single/too-late': 'never' },
  'no flush behind an invalid single batch': { 'batch-validator/single-drop': 'never' },
  'a flush behind a span batch that is past': { 'batch-validator/span-past': 'never' },
  'no empty batches': { 'empty/window-over': 'never' },
  'channels kept at the activation': { 'activation/channels-dropped': 'never' },
};

// By itself, and in a kona that does all that is known of it besides.
test.each(Object.entries(PLANTED))('%s: a planted fault is new', (id, rules) => {
  const planted: Imitation = { ...KONA[0]!, id, change: () => ({ rules }) };
  const alone = signaturesOf(() => ({ name: id, rules }));
  expect(alone.fresh.length).toBeGreaterThan(0);
  expect(alone.attributed).toBeLessThan(alone.fresh.length);
  expect(signaturesOf((vector) => likeness(vector, [...KONA, planted], () => {})).fresh.length).toBeGreaterThan(0);
});

test('where a variant departs, and the reference does as the base rules say, no known cause is named', () => {
  const variant: Variant = { name: 'deaf', rules: { 'frame/version-byte': 'always' } };
  let seen = 0;
  for (const vector of VECTORS.slice(0, 30)) {
    const base = traceToJson(derive(vector));
    const sides: Side[] = [
      { implementation: 'typescript', trace: traceToJson(derive(vector, { variant })) },
      { implementation: 'op-node', trace: { ...base, implementation: { name: 'op-node', version: '1.19.6' } } },
    ];
    const difference = compare(sides);
    if (difference === undefined) continue;
    seen += 1;
    expect(isAttributed(formatSignature(signatureOf(vector, difference, sides)))).toBe(false);
  }
  expect(seen).toBeGreaterThan(10);
});
