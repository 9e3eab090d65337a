/** What is exported, without a toolchain: the sources and reports as text. `compiled.test.ts` compiles and runs them. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../src/encoding/bytes.ts';
import { FINDING_FILES, findingFolder, writeFinding } from '../campaign/finding.ts';
import { compare } from '../compare/compare.ts';
import { LEDGER_FILE, readLedgers } from '../compare/ledger.ts';
import { HolodiffError } from '../errors.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { parseVector, vectorToJson } from '../vector.ts';
import { entriesAt } from './entries.ts';
import { exportAs } from './export.ts';
import type { Expectation, ExportForm } from './forms.ts';
import { goNames } from './go/names.ts';
import { hexdump } from './hexdump.ts';
import { rustNames } from './rust/names.ts';
import { plainSentence, sectionLink } from './specification.ts';
import { loadSubject, type Subject } from './subject.ts';
import { testCaseOf } from './test-case.ts';

const known = readLedgers([LEDGER_FILE]);

/** A stored vector with its recorded traces. */
function stored(name: string): Promise<Subject> {
  const file = path.join(PACKAGE_ROOT, 'vectors', name.startsWith('finds/') ? '' : 'curated', `${name}.vector.json`);
  return load(file);
}

function load(given: string, recorded = true): Promise<Subject> {
  return loadSubject(given, { recorded, known, limits: {}, note: () => {} });
}

/** The whole text and what was said about it. */
function written(subject: Subject, form: ExportForm, expectation: Expectation = 'typescript') {
  const notes: string[] = [];
  return { text: exportAs(subject, form, expectation, (line) => notes.push(line)), notes };
}

let isLast2: Subject;

beforeAll(async () => {
  isLast2 = await stored('frame/is-last-2');
});

describe('a test', () => {
  test.each<ExportForm>(['go', 'rust'])('in %s tells the rule, its section, who differs, and what happens', (form) => {
    const { text } = written(isLast2, form);
    const flowing = text.replace(/\s*\n\s*\/\/[/!]? ?/g, ' ');
    expect(flowing).toContain('kona reads every is_last byte other than 1 as "not the last frame"');
    expect(flowing).toContain(
      'Rule frame/is-last-values: "is_last is 0 or 1; any other byte makes the frame unparseable."',
    );
    expect(flowing).toContain('https://specs.optimism.io/protocol/derivation.html#frame-format');
    expect(flowing).toContain('By the specification op-node is right');
    expect(flowing).toContain('Public report: https://github.com/ethereum-optimism/optimism/issues/19335');
    expect(flowing).toMatch(
      /Expected is what holodiff's pipeline .* and op-node [\d.]+ make of it; kona [\d.]+ differs\./,
    );
    expect(text).toContain('// L1 block 12: time 1024, Holocene, 2 items');
    expect(text).toContain('-> item ignored, rule frame/is-last-values: at byte 1: is_last is 2');
    expect(text).toContain('frame 0 of channel #1, 180 bytes [kona only] <- the first difference');
    expect(text).toMatch(/02 {2,}is_last: 2/);
  });

  test.each<ExportForm>(['go', 'rust'])('in %s holds every byte of the L1 data', (form) => {
    const { text } = written(isLast2, form);
    const items = [...text.matchAll(/(?:c\.addItem\(`|chain\.add_item\(\s*")\n([^`"]*)[`"]/g)].map(([, dump]) =>
      bytesOf(dump!),
    );
    expect(items).toEqual(isLast2.vector.l1.flatMap(({ data }) => data.map(toHex)));
  });

  test('expects what the named implementation has at the first difference', () => {
    const frames = (expectation: Expectation) =>
      testCaseOf(isLast2, expectation).expected.flatMap(({ lines }) => lines);
    const own = 'L1 block 12: frame 0 of channel 0x000000000000000000000000000000ee, 180 bytes, last';
    expect(frames('typescript')).toEqual([own]);
    expect(frames('op-node')).toEqual([own]);
    expect(frames('kona')).toEqual([
      'L1 block 12: frame 0 of channel 0x00000000000000000000000000000001, 180 bytes',
      own,
    ]);
    expect(written(isLast2, 'rust', 'kona').text).toContain('channel 0x00000000000000000000000000000001, 180 bytes');
  });

  test('asserts the emitted batches where all agree', async () => {
    const subject = await stored('frame/empty-item-is-ignored');
    const testCase = testCaseOf(subject, 'typescript');
    expect(testCase.boundary).toBe('singles');
    expect(testCase.expected.length).toBeGreaterThan(0);
    expect(testCase.expected[0]!.comment).toMatch(/^L2 block \d+: time \d+/);
  });

  test('says with each channel and batch what it is', async () => {
    const { expected } = testCaseOf(await stored('single/parent-hash-unknown-after-holocene'), 'typescript');
    expect(expected.map(({ comment }) => comment)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(single|span) batch \d/)]),
    );
  });

  test('has whole safe blocks only where a span batch may ask for them', async () => {
    expect(written(isLast2, 'go').text).not.toContain('ExecutionPayload{');
    expect(written(isLast2, 'rust').text).not.toContain('TxDeposit');
    const span = await stored('engine/span-repeats-refused-block');
    expect(written(span, 'go').text).toContain('ExecutionPayload{');
    expect(written(span, 'rust').text).toContain('TxDeposit');
  });

  test('names the versions that the adapter is built with', () => {
    const { text } = written(isLast2, 'rust');
    expect(text).toMatch(/^\/\/! kona-derive = "=\d+\.\d+\.\d+"$/m);
    expect(text).toMatch(/^\/\/! op-alloy-consensus = "\d+\.\d+\.\d+"$/m);
  });

  test('cannot expect what gave no trace or does not end', () => {
    const without = { ...isLast2, sides: isLast2.sides.filter(({ implementation }) => implementation !== 'kona') };
    expect(() => testCaseOf(without, 'kona')).toThrow('--expect kona: it gave no trace of frame/is-last-2');
    const silent = isLast2.sides.map((side) => ({ ...side, silent: true }));
    expect(() => testCaseOf({ ...isLast2, sides: silent }, 'op-node')).toThrow('it gave no trace');
    const endless = isLast2.sides.map((side) => ({
      ...side,
      trace: { ...side.trace, outcome: { kind: 'timeout' as const } },
    }));
    expect(() => testCaseOf({ ...isLast2, sides: endless }, 'op-node')).toThrow('does not end');
  });
});

describe('names', () => {
  const names = (name: string) => {
    const testCase = testCaseOf({ ...isLast2, vector: { ...isLast2.vector, name } }, 'typescript');
    return [goNames(testCase).test, goNames(testCase).file, rustNames(testCase).file];
  };

  test.each([
    ['frame/is-last-2', 'TestFrameIsLast2', 'frame_is_last_2_test.go', 'frame_is_last_2.rs'],
    [
      'generated/5/89',
      'TestFrameIsLastValues5_89',
      'frame_is_last_values_5_89_test.go',
      'frame_is_last_values_5_89.rs',
    ],
    ['loop', 'TestLoopVector', 'loop_vector_test.go', 'loop_vector.rs'],
    ['', 'TestVectorVector', 'vector_vector_test.go', 'vector_vector.rs'],
    ['2 x', 'TestVector2X', 'vector_2_x_test.go', 'vector_2_x.rs'],
    ['Ünter "x"\n', 'TestNterX', 'nter_x_test.go', 'nter_x.rs'],
  ])('of %j', (name, ...expected) => {
    expect(names(name)).toEqual(expected);
  });

  test('that nobody would write do not get out of a comment', () => {
    const subject = { ...isLast2, known: undefined, vector: { ...isLast2.vector, name: 'a\nfunc main() {}\n*/ "b' } };
    for (const form of ['go', 'rust'] as const) expect(written(subject, form).text).not.toMatch(/^func main/m);
  });
});

describe('an item as text', () => {
  test('holds its bytes, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, versioned) => {
        const item = versioned ? Uint8Array.of(0, ...bytes) : bytes;
        const dump = hexdump(item).join('\n');
        expect(bytesOf(dump)).toBe(toHex(item));
        expect(dump).not.toMatch(/["'`\\]/);
      }),
    );
  });

  test('shows the fault of a frame in its field, and what a length runs past', () => {
    const header = `00${'11'.repeat(16)}0000`;
    const words = (hex: string) => hexdump(fromHex(`0x${hex}`)).map((line) => line.replace(/\s+/g, ' '));
    expect(words(`${header}00000001aa05`).slice(-2)).toEqual([
      expect.stringMatching(/^aa data: 1 bytes$/),
      expect.stringMatching(/^05 is_last: 5$/),
    ]);
    expect(words(`${header}000000ffaaaa`).slice(-2)).toEqual([
      '000000ff data length: 255',
      'aaaa what is left: 2 bytes',
    ]);
  });
});

function bytesOf(dump: string): string {
  const words = dump.split('\n').flatMap((line) => line.trim().split(/\s+/)[0] ?? []);
  return `0x${words.join('')}`;
}

describe('a report', () => {
  test('has all that upstream needs, and the vector to repeat it', () => {
    const { text, notes } = written(isLast2, 'markdown');
    expect(notes).toEqual([]);
    expect(text).toMatch(/^# kona reads every is_last byte other than 1 as "not the last frame"\n/);
    expect(text).toContain('| differs | kona 0.4.5 |');
    expect(text).toContain(
      '[derivation.md#frame-format](https://specs.optimism.io/protocol/derivation.html#frame-format)',
    );
    expect(text).toContain(
      'op-node decides it in `frame.go UnmarshalBinary`, kona in `kona-protocol: frame.rs decode`',
    );
    expect(text).toContain(
      '| **kona 0.4.5** | `L1 block 12: frame 0 of channel 0x00000000000000000000000000000001, 180 bytes` |',
    );
    expect(text).toContain('◀ FIRST DIFFERENCE');
    expect(text).toContain('npx holodiff explain frame-is-last-2.vector.json');
    expect(text).toContain('This one is public already: https://github.com/ethereum-optimism/optimism/issues/19335.');
    const json = /```json\n([^`]*)```/.exec(text)![1]!;
    expect(vectorToJson(parseVector(json))).toBe(vectorToJson(isLast2.vector));
  });

  test('says where a finding belongs, and what of that shows', async () => {
    const note = async (name: string) => written(await stored(name), 'markdown').text.split('\n')[2]!;
    const same = await note('frame/is-last-2');
    expect(same).toContain('https://github.com/ethereum-optimism/.github/blob/master/SECURITY.md');
    expect(same).toContain('https://github.com/ethereum-optimism/optimism/issues/22854');
    expect(same).toContain('Here the implementations end at the same L2 block.');
    const crash = await note('batch-decode/version-127');
    expect(crash).toContain('Here kona ends as `crash`. Here the implementations end at different L2 blocks.');
  });

  test('says that a finding is under embargo', () => {
    const entry = { ...isLast2.known!, embargo: true as const };
    expect(written({ ...isLast2, known: entry }, 'markdown').text).toContain('is not to be made public');
  });

  test('is refused where all agree', async () => {
    const subject = await stored('frame/empty-item-is-ignored');
    expect(() => written(subject, 'markdown')).toThrow(HolodiffError);
    expect(() => written(subject, 'markdown')).toThrow('all agree on it, so there is nothing to report');
  });

  test('that is longer than an issue may be says so', async () => {
    const { text, notes } = written(await stored('real/op-mainnet-march-2024'), 'markdown');
    expect(notes).toEqual([`${text.length} characters: more than an issue may have, so attach the vector`]);
  });
});

describe('a finding', () => {
  let root: string;
  let folder: string;

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holodiff-export-'));
    const difference = compare(isLast2.sides)!;
    const traces = isLast2.sides.map(({ trace }) => trace);
    const { signature } = isLast2.explanation.difference!;
    const vector = { ...isLast2.vector, name: 'generated/1/2' };
    writeFinding(root, { signature, index: 2, vector, plan: undefined, difference, traces });
    folder = findingFolder(root, signature);
  });

  afterAll(() => rm(root, { recursive: true }));

  test('is exported as it was found, with its stored traces', async () => {
    const subject = await load(folder);
    expect(subject.minimised).toBe(false);
    expect(subject.known?.id).toBe('frame-is-last');
    expect(written(subject, 'go').text).toContain('func TestFrameIsLastValues1_2(');
    expect(written(subject, 'markdown').text).toContain('It is not minimised.');
  });

  test('of which a file is broken is refused with the name of that file', async () => {
    const broken = path.join(root, 'broken');
    mkdirSync(broken);
    await expect(load(broken)).rejects.toThrow(`${broken}: no vector.vector.json: not the folder of a finding`);
    const file = path.join(broken, FINDING_FILES.vector);
    writeFileSync(file, vectorToJson(isLast2.vector));
    await expect(load(broken)).rejects.toThrow(`${path.join(broken, FINDING_FILES.traces)}: no such file or folder`);
    writeFileSync(path.join(broken, FINDING_FILES.traces), '{}\n');
    await expect(load(broken)).rejects.toThrow('line 1: expected a trace');
    writeFileSync(file, '{');
    await expect(load(broken)).rejects.toThrow(`${file}: not JSON`);
  });
});

describe('lines', () => {
  test('tell every field of an entry', () => {
    const trace = {
      ...isLast2.sides[0]!.trace,
      flushes: [
        { origin: 1, cause: 'batch' as const },
        { origin: 2, cause: 'execution' as const },
      ],
      singles: [{ origin: 3, parentHash: '0xaa', epochNum: 4, epochHash: '0xbb', timestamp: 5n, transactions: ['0x'] }],
      safeHead: { number: 6, hash: '0xcc' },
    };
    expect(entriesAt(trace, 'flushes').flat()).toEqual([
      'L1 block 1: flush for an invalid batch',
      'L1 block 2: flush for a refused payload',
    ]);
    expect(entriesAt(trace, 'singles').flat()).toEqual([
      'L1 block 3: batch for time 5',
      'on parent 0xaa',
      'in epoch 4 0xbb',
      'with transaction 0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    ]);
    expect(entriesAt(trace, 'safeHead').flat()).toEqual(['safe head: L2 block 6 0xcc']);
    expect(entriesAt(trace, 'outcome').flat()).toEqual(['the run ends: drained']);
  });
});

describe('the specification', () => {
  test('is linked where it stands for people', () => {
    expect(sectionLink('holocene/derivation.md#frame-queue')).toBe(
      'https://specs.optimism.io/protocol/holocene/derivation.html#frame-queue',
    );
    expect(sectionLink('interop/derivation.md#activation-block')).toBe(
      'https://specs.optimism.io/interop/derivation.html#activation-block',
    );
    expect(sectionLink('derivation.md')).toBe('https://specs.optimism.io/protocol/derivation.html');
  });

  test('is quoted without the marks of the catalogue', () => {
    expect(plainSentence('Unparseable (A4). Kept (A28, A41), and (so).')).toBe('Unparseable. Kept, and (so).');
    expect(plainSentence('the text is silent; the base follows op-node (A12)')).toBe(
      "the text is silent; holodiff's pipeline follows op-node",
    );
  });
});
