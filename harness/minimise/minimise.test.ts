import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { Variant } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { CURATED } from '../curated/index.ts';
import { generateVector } from '../generate/index.ts';
import type { Implementation } from '../implementations/implementation.ts';
import { ProcessImplementation } from '../implementations/process.ts';
import { TypeScriptImplementation } from '../implementations/typescript.ts';
import { sampleVector } from '../testing.ts';
import { parseVector, vectorToLine } from '../vector.ts';
import { interestingBySignature, presentSignature } from './interesting.ts';
import { minimise, NotInterestingError } from './minimise.ts';

/** The TypeScript pipeline under another name. */
function pipeline(name: string, variant?: Variant): Implementation {
  const inner = new TypeScriptImplementation(variant);
  return {
    name,
    version: '1',
    handshake: inner.handshake,
    how: inner.how,
    inFlight: 1,
    incidents: [],
    submit: (line, vector) => inner.submit(line, vector),
    refresh: () => inner.refresh(),
    close: () => inner.close(),
  };
}

/** Three of which one decides otherwise by the first rule that the scenario is there for. */
function scenario(name: string): { readonly vector: Vector; readonly implementations: Implementation[] } {
  const { build, rules } = CURATED.find((one) => one.name === name)!;
  const [side = ''] = rules;
  const variant: Variant = { name: 'turned', rules: { [side.slice(0, -1)]: side.endsWith('+') ? 'never' : 'always' } };
  const implementations = [pipeline('typescript'), pipeline('op-node'), pipeline('kona', variant)];
  return { vector: { ...build(), name }, implementations };
}

describe('differences of curated scenarios', () => {
  // What is left of each, in characters on one line: two kilobytes at the most.
  test.each([
    'frame/version-1-is-ignored',
    'frame/length-one-too-short',
    'frame/is-last-2',
    'frame-queue/reverse-order',
    'frame-queue/gap-closed-later',
    'frame-queue/new-channel-drops-the-open-one',
    'channel-bank/duplicate-number',
    'channel-bank/before-canyon-only-the-head',
    'channel-bank/timed-out-head-frees-the-second-channel',
    'channel-assembler/new-channel-discards-the-open-one',
    'channel-assembler/foreign-frame-leaves-the-channel',
    'channel-assembler/timeout-equality-lives',
    'channel-reader/brotli-before-fjord',
    'channel-reader/rlp-list-second',
    'channel-reader/low-nibble-15',
  ])('%s', async (name) => {
    const { vector, implementations } = scenario(name);
    const signature = await presentSignature(vector, implementations);
    expect(signature).toBeDefined();
    const interesting = interestingBySignature(signature!, implementations);

    const { vector: smallest, line, sizeBefore, exhausted } = await minimise(vector, interesting);
    expect(exhausted).toBe(false);
    expect(line.length).toBeLessThan(sizeBefore);
    expect(line.length).toBeLessThanOrEqual(2048);
    expect(vectorToLine(parseVector(line))).toBe(line);
    expect(smallest.name).toBe(name);
    expect(await presentSignature(parseVector(line), implementations)).toBe(signature);
    // Read anew, so that nothing is remembered from the first time.
    expect((await minimise(parseVector(line), interesting)).line).toBe(line);
  });
});

describe('generated vectors', () => {
  const implementations = [
    pipeline('typescript'),
    pipeline('op-node'),
    pipeline('kona', { name: 'lax', rules: { 'channel-reader/rlp-strings': 'never', 'single/parent-hash': 'never' } }),
  ];

  async function firstThatDiffers(): Promise<{ readonly vector: Vector; readonly signature: string }> {
    for (let index = 0; ; index++) {
      const { vector } = generateVector(7, index);
      const signature = await presentSignature(vector, implementations);
      if (signature !== undefined) return { vector, signature };
    }
  }

  test('the result does not depend on how many are in flight, nor does the number of tests', async () => {
    const { vector, signature } = await firstThatDiffers();
    const interesting = interestingBySignature(signature, implementations);
    const results = [];
    for (const inFlight of [1, 8]) {
      const { line, tests } = await minimise(vector, interesting, { inFlight });
      results.push({ line, tests });
    }
    expect(results[0]!.line.length).toBeLessThanOrEqual(2048);
    expect(results).toEqual([results[0], results[0]]);
  });

  test('few tests give a part of the way, and say so', async () => {
    const { vector, signature } = await firstThatDiffers();
    const interesting = interestingBySignature(signature, implementations);
    const { line, sizeBefore, tests, exhausted } = await minimise(vector, interesting, { maxTests: 10 });
    expect({ tests, exhausted }).toEqual({ tests: 11, exhausted: true });
    expect(line.length).toBeLessThan(sizeBefore);
  });
});

test('any question will do: the smallest vector of all', async () => {
  const { vector } = generateVector(3, 14);
  const { line, tests } = await minimise(vector, () => Promise.resolve(true));
  const { l1, l2, invalidBlocks } = parseVector(line);
  expect({ l1: l1.length, data: l1[0].data, l2: l2.length, transactions: l2[0].transactions, invalidBlocks }).toEqual({
    l1: 1,
    data: [],
    l2: 1,
    transactions: [],
    invalidBlocks: [],
  });
  expect(tests).toBeLessThan(100);
});

test('candidates are vectors, each asked about once', async () => {
  const { vector } = generateVector(1, 9);
  const asked: string[] = [];
  await minimise(vector, (candidate, line) => {
    expect(vectorToLine(candidate)).toBe(line);
    expect(vectorToLine(parseVector(line))).toBe(line);
    asked.push(line);
    return Promise.resolve(candidate.l1.length > 2);
  });
  expect(new Set(asked).size).toBe(asked.length);
});

test('a vector that is not interesting is refused', async () => {
  await expect(minimise(sampleVector('dull'), () => Promise.resolve(false))).rejects.toThrow(NotInterestingError);
});

describe('a child that dies of a vector', () => {
  const child = fileURLToPath(new URL('../implementations/fixtures/child.mjs', import.meta.url));
  let dying: ProcessImplementation | undefined;
  afterEach(() => dying?.close());

  test('is started again for each candidate, and dying is what is kept', async () => {
    dying = await ProcessImplementation.start({ command: process.execPath, args: [child, 'crash'], label: 'fixture' });
    const implementations = [pipeline('typescript'), pipeline('op-node'), dying];
    const vector = sampleVector('one/bad');
    const signature = await presentSignature(vector, implementations);
    expect(signature).toMatch(/^outcome \| fixture \| .* \| no trace: crash$/);
    const interesting = interestingBySignature(signature!, implementations);
    const { line, sizeBefore } = await minimise(vector, interesting, { maxTests: 8 });
    expect(line.length).toBeLessThan(sizeBefore);
    expect(await presentSignature(parseVector(line), implementations)).toBe(signature);
  });
});
