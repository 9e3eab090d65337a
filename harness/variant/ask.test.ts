/** The worked examples of `examples/variants/`, with the answers that its README tells, and what a bad variant says. */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import type { Extensions } from '../../src/rules/extensions.ts';
import type { Variant } from '../../src/rules/rule-book.ts';
import { VERSION } from '../../src/version.ts';
import { compare } from '../compare/compare.ts';
import { EVERYDAY_FOLDERS, loadCorpus } from '../corpus.ts';
import { corpusProblems } from '../corpus-files.ts';
import { findVectorFiles, type LoadedVector, loadVectors, VectorFileError } from '../files.ts';
import { generateVector } from '../generate/index.ts';
import type { Implementation } from '../implementations/implementation.ts';
import { openForFiles } from '../implementations/open.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { formatVariant, variantData } from '../report/variant.ts';
import { traceToJson } from '../trace.ts';
import { loadVariant } from '../variants.ts';
import { vectorToLine } from '../vector.ts';
import { askVariant, type VariantAnswer } from './ask.ts';
import { openRecordings } from './open.ts';
import { promoteChanges } from './promote.ts';

const example = (name: string) => path.join(PACKAGE_ROOT, 'examples', 'variants', `${name}.ts`);

let folder: string;
let corpus: readonly LoadedVector[];
let recorded: readonly Implementation[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holodiff-variant-'));
  // Vectors at a limit of megabytes take seconds, and none of these variants is about one.
  corpus = loadCorpus(EVERYDAY_FOLDERS, 'all').filter(({ vector }) => !vector.name.includes('limit'));
  recorded = openRecordings(corpus);
});

afterAll(() => rm(folder, { recursive: true }));

async function ask(name: string, options: { vectors?: number; minimise?: boolean } = {}): Promise<VariantAnswer> {
  const { vectors = 0, minimise = false } = options;
  const variant = await loadVariant(example(name));
  return askVariant({ variant, corpus, vectors, seed: '1', minimise, recorded, live: [], note: () => undefined });
}

const stances = ({ stances: found }: VariantAnswer) => Object.fromEntries(found);
const boundaries = ({ changes }: VariantAnswer) =>
  [...new Set(changes.map(({ signature }) => signature.boundary))].sort();
/** The stored vectors on which the variant differs from the base. */
async function flipped(name: string): Promise<string[]> {
  const variant = await loadVariant(example(name));
  const differs = ({ vector }: LoadedVector) =>
    compare([
      { implementation: 'base', trace: traceToJson(derive(vector)) },
      { implementation: 'variant', trace: traceToJson(derive(vector, { variant })) },
    ]) !== undefined;
  return corpus.filter(differs).map(({ vector }) => vector.name);
}

describe('the worked examples', { timeout: 300_000 }, () => {
  test('no overlap check after Holocene: kona is there already, op-node is not', async () => {
    const answer = await ask('no-overlap-check-after-holocene');
    expect(answer.stored.flips).toBeGreaterThanOrEqual(7);
    const { 'kona@0.4.5': kona, 'op-node@1.19.6': opNode } = stances(answer);
    expect(opNode).toMatchObject({ new: 0, neither: 0 });
    expect(opNode!.old).toBeGreaterThanOrEqual(7);
    expect(kona!.old).toBe(0);
    expect(kona!.new).toBeGreaterThanOrEqual(7);
    expect(answer.changes.map(({ signature }) => signature.rule)).toEqual(
      answer.changes.map(() => 'span/overlap-content'),
    );
    // Before Holocene nothing changes.
    expect(
      (await flipped('no-overlap-check-after-holocene')).filter((name) => name.includes('before-holocene')),
    ).toEqual([]);
  });

  test('an undecided span batch kept: nobody does so, and a batch that stays undecided blocks what comes behind it', async () => {
    const answer = await ask('keep-undecided-span');
    expect(answer.stored.flips).toBeGreaterThanOrEqual(7);
    for (const counts of Object.values(stances(answer))) {
      expect(counts).toMatchObject({ new: 0, neither: 0 });
      expect(counts.old).toBeGreaterThanOrEqual(7);
    }
    expect(boundaries(answer)).toContain('singles');
    expect(await flipped('keep-undecided-span')).toEqual(
      expect.arrayContaining(['batch-validator/undecided-span-is-lost', 'span/parent-before-genesis-after-holocene']),
    );
    expect(answer.newlyReached).toEqual(['batch-validator/span-undecided-']);
    expect(answer.noLongerReached).toEqual(['batch-validator/span-undecided+']);
  });

  test('another Granite timeout: channels live on that are 51 to 100 L1 blocks old', async () => {
    const answer = await ask('granite-timeout-100');
    expect(await flipped('granite-timeout-100')).toEqual(
      expect.arrayContaining(['channel-assembler/timeout-one-block-later']),
    );
    expect(boundaries(answer)).toEqual(['channels']);
    expect(answer.noLongerReached).toEqual(['channel-assembler/timeout+']);
  });

  test('three batches a channel: only vectors of a fourth batch change, at the channel reader', async () => {
    const answer = await ask('three-batches-a-channel', { vectors: 60 });
    expect(answer.generated.flips).toBeGreaterThan(0);
    expect(boundaries(answer)).toEqual(['batches']);
    for (const { difference } of answer.changes) expect(difference.index).toBeGreaterThanOrEqual(3);
    const refused = answer.extended.get('channel-reader/batch') ?? 0;
    expect(refused).toBeGreaterThanOrEqual(answer.stored.flips + answer.generated.flips);
    expect(formatVariant(answer).join('\n')).toContain('its own rule at channel-reader/batch refused');
    expect(JSON.parse(JSON.stringify(variantData(answer)))).toMatchObject({
      format: 1,
      variant: { name: 'three-batches-a-channel' },
      generated: { vectors: 60, flips: answer.generated.flips, seed: '1' },
      changes: answer.changes.map(({ from, stored }) => ({ boundary: 'batches', stored, smallest: { name: from } })),
      extended: { 'channel-reader/batch': refused },
    });
    const hostile = { ...answer, variant: { ...answer.variant, name: 'a\u001b[31mb\nc' } };
    expect(formatVariant(hostile)[0]).toMatch(/^a\ufffd\[31mb \/ c/);
  });
});

describe('an answer', { timeout: 300_000 }, () => {
  test('shows each kind of change by a small vector that still shows it, and keeps it when asked', async () => {
    const variant = await loadVariant(example('three-batches-a-channel'));
    const vectors = [...Array(30).keys()];
    const flipping = vectors.map((index) => generateVector(1, index).vector);
    const answer = await askVariant({
      variant,
      corpus: [],
      vectors: flipping.length,
      seed: '1',
      minimise: true,
      recorded: [],
      live: [],
      note: () => undefined,
    });
    expect(answer.changes.length).toBeGreaterThan(0);
    for (const { vector } of answer.changes) expect(vector.l1.length).toBeLessThan(6);
    const sizes = answer.changes.map(({ vector }) => vectorToLine(vector).length);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(formatVariant(answer).join('\n')).toContain(
      `no stored vector shows ${answer.changes.map((_, index) => index + 1).join(', ')}: --promote keeps one`,
    );

    const vectorsFolder = path.join(folder, 'vectors');
    const target = path.join(vectorsFolder, 'finds', 'three-batches');
    promoteChanges(answer, target);
    expect(corpusProblems(vectorsFolder)).toEqual([]);
    expect(() => promoteChanges(answer, target)).toThrow(/three-batches: is not empty/);
    // Whoever implements the new rule compares with what was kept, without the variant's file.
    const kept = await openForFiles({
      names: [`typescript@${VERSION}+three-batches-a-channel`],
      recorded: false,
      files: findVectorFiles([target]),
      report: () => undefined,
    });
    for (const loaded of loadCorpus([target], 'all')) {
      const answer = await kept[0]!.submit(loaded.line, loaded.vector);
      const expected = traceToJson(derive(loaded.vector, { variant }));
      expect(answer).toMatchObject({ kind: 'trace', trace: { batches: expected.batches, singles: expected.singles } });
    }
    const files = (await readdir(target)).filter((file) => file.endsWith('.vector.json'));
    expect(files).toHaveLength(answer.changes.length);
    for (const file of files) {
      for (const loaded of loadVectors(path.join(target, file))) {
        if (loaded instanceof VectorFileError) throw loaded;
        const [base, changed] = [derive(loaded.vector), derive(loaded.vector, { variant })];
        expect(changed.batches).toHaveLength(3);
        expect(base.batches.length).toBeGreaterThan(3);
      }
    }
  });
});

describe('a variant module', () => {
  const cases: readonly (readonly [name: string, source: string, message: RegExp])[] = [
    ['no-default', 'export const variant = 1;', /no-default\.mjs: /],
    [
      'unknown-rule',
      "export default { name: 'x', rules: { 'single/nothing': 'never' } };",
      /rules.*no rule of the catalogue is called single\/nothing|no rule of the catalogue/,
    ],
    [
      'bad-override',
      "export default { name: 'x', rules: { 'single/too-early': 1 } };",
      /rules\.single\/too-early.*expected never, always or a function/,
    ],
    [
      'bad-constant',
      "export default { name: 'x', constants: { FRAME_OVERHEAD: 200 } };",
      /constants\.FRAME_OVERHEAD.*expected a bigint/,
    ],
    [
      'unknown-constant',
      "export default { name: 'x', constants: { CHANNEL_TIMEOUT: 40n } };",
      /constants\.CHANNEL_TIMEOUT: no constant is called "CHANNEL_TIMEOUT": there are .*CHANNEL_TIMEOUT_GRANITE[^"]*$/,
    ],
    [
      'bad-place',
      "export default { name: 'x', extensions: { 'engine/block': () => 'drop' } };",
      /there is no place called .?engine\/block/,
    ],
    [
      'bad-fork',
      "export default { name: 'x', activations: { cancun: () => true } };",
      /activations\.cancun: no fork is called "cancun": there are regolith, .*, karst$/,
    ],
  ];

  test.each(cases)('%s is refused with the file and the field', async (name, source, message) => {
    const file = path.join(folder, `${name}.mjs`);
    await writeFile(file, source);
    await expect(loadVariant(file)).rejects.toThrow(message);
    await expect(loadVariant(file)).rejects.toThrow(`${name}.mjs`);
  });

  test('that asks for a fork that there is not is told so', async () => {
    const file = path.join(folder, 'fork.mjs');
    const asks = "({ spec, origin }) => (spec.isActive('isthmuss', origin.timestamp) ? 'drop' : undefined)";
    await writeFile(file, `export default { name: 'x', extensions: { 'frame-queue/item': ${asks} } };`);
    const variant = await loadVariant(file);
    expect(() => derive(generateVector(1, 1).vector, { variant })).toThrow(
      /fork\.mjs: extensions\.frame-queue\/item: threw no fork is called isthmuss$/,
    );
  });

  test('that answers nonsense is named with the field when it does', async () => {
    const file = path.join(folder, 'nonsense.mjs');
    await writeFile(file, "export default { name: 'x', extensions: { 'frame-queue/item': () => 'maybe' } };");
    const variant = await loadVariant(file);
    expect(() => derive(generateVector(1, 1).vector, { variant })).toThrow(
      /nonsense\.mjs: extensions\.frame-queue\/item: gave maybe, expected undefined or 'drop'$/,
    );
  });
});

describe('an extension', () => {
  const { vector } = generateVector(1, 1);
  const answers = {
    'frame-queue/item': 'drop',
    'frame-queue/frame': 'drop',
    'channel-reader/channel': 'drop',
    'channel-reader/batch': 'end-channel',
    'batch/single': 'drop',
  } as const;

  test.each(Object.entries(answers))('at %s refuses what comes by', (place, answer) => {
    const posted = corpus.find((loaded) => loaded.vector.name === 'batch-validator/undecided-span-is-lost')!.vector;
    expect(derive(posted).singles).not.toEqual([]);
    const extensions: Extensions = { [place]: () => answer };
    expect(derive(posted, { variant: { name: place, extensions } }).singles).toEqual([]);
  });

  test('behind the checks of span batches refuses them before and after Holocene', () => {
    const spans = corpus.filter((loaded) => /^span\/overlap-one-block-/.test(loaded.vector.name));
    expect(spans).toHaveLength(2);
    for (const loaded of spans) {
      expect(derive(loaded.vector).singles).not.toEqual([]);
      const variant: Variant = { name: 'no spans', extensions: { 'batch/span': () => 'drop' } };
      expect(derive(loaded.vector, { variant }).singles).toEqual([]);
    }
  });

  test('that says nothing changes nothing', () => {
    const variant: Variant = { name: 'silent', extensions: { 'frame-queue/item': () => undefined } };
    expect(derive(vector, { variant })).toEqual(derive(vector));
  });
});

test('a variant can move a fork', () => {
  const { vector } = corpus.find((loaded) => loaded.vector.name === 'span/overlap-other-transaction-after-holocene')!;
  const never: Variant = { name: 'no Holocene', activations: { holocene: () => false } };
  const without = { ...vector, config: { ...vector.config, forks: { ...vector.config.forks, holocene: null } } };
  expect(derive(vector, { variant: never })).toEqual(derive(without));
  expect(derive(vector).flushes).not.toEqual(derive(without).flushes);
});
