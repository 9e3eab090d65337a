import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Difference, Verdict } from './compare.ts';
import { type KnownDivergence, KnownSignatures, LedgerCheck, readLedger, readLedgers } from './ledger.ts';

const ENTRY: KnownDivergence = {
  id: 'kona-drops-channel',
  title: 'kona drops the channel',
  vectors: { 'a/one': 'batches', 'a/two': 'batches' },
  signatures: [],
  outlier: 'kona',
  rule: 'frame/version-byte',
  versions: { kona: '0.4.5' },
  specification: { right: ['op-node', 'typescript'], section: 'derivation.md#x', sentence: 'It says so.' },
  date: '2026-11-30',
};

const RUN = [
  { name: 'kona', version: '0.4.5' },
  { name: 'op-node', version: '1.19.6' },
  { name: 'typescript', version: '0.1.0' },
];
const ALL = RUN.map(({ name }) => name);
const TODAY = '2026-12-01';

function difference(verdict: Verdict, boundary: Difference['boundary'] = 'batches', names: string[] = []): Difference {
  const groups = names.map((name) => ({
    implementations: [name],
    value: undefined,
    outcome: { kind: 'drained' } as const,
    silent: false,
  }));
  return { boundary, verdict, groups };
}

const KONA = difference({ kind: 'outlier', outlier: 'kona' });

describe('checking a run', () => {
  const check = (entry: Partial<KnownDivergence> = {}, run = RUN) =>
    new LedgerCheck([{ ...ENTRY, ...entry }], run, TODAY);

  test('a listed difference is known, by vector, boundary and outlier', () => {
    const ledger = check();
    expect(ledger.see('a/one', ALL, KONA)?.id).toBe(ENTRY.id);
    expect(ledger.see('a/two', ALL, KONA)?.id).toBe(ENTRY.id);
    expect(ledger.problems(true)).toEqual([]);
  });

  test.each([
    ['another vector', 'a/three', KONA],
    ['another boundary', 'a/one', difference({ kind: 'outlier', outlier: 'kona' }, 'singles')],
    ['another outlier', 'a/one', difference({ kind: 'outlier', outlier: 'op-node' })],
    ['all differ', 'a/one', difference({ kind: 'all' })],
  ])('%s is not', (_, vector, seen) => {
    expect(check().see(vector, ALL, seen)).toBeUndefined();
  });

  test('an entry that does not show any more is a problem, for each vector', () => {
    const ledger = check();
    ledger.see('a/one', ALL, undefined);
    ledger.see('a/two', ALL, KONA);
    expect(ledger.problems(true)).toMatchObject([{ id: ENTRY.id, vector: 'a/one' }]);
  });

  test('one that shows elsewhere is a problem too', () => {
    const ledger = check();
    ledger.see('a/one', ALL, difference({ kind: 'outlier', outlier: 'kona' }, 'singles'));
    expect(ledger.problems(false)).toMatchObject([{ vector: 'a/one' }]);
  });

  test('a vector that was not replayed counts only if all were', () => {
    const ledger = check();
    ledger.see('a/one', ALL, KONA);
    expect(ledger.problems(false)).toEqual([]);
    expect(ledger.problems(true)).toMatchObject([
      { vector: 'a/two', message: expect.stringContaining('no such') as string },
    ]);
  });

  test('or only entries of which all were', () => {
    const ledger = new LedgerCheck([ENTRY, { ...ENTRY, id: 'other', vectors: { c: 'frames' } }], RUN, TODAY);
    expect(ledger.problems(new Set(['other']))).toMatchObject([{ id: 'other', vector: 'c' }]);
    expect(ledger.problems(new Set())).toEqual([]);
  });

  test('an entry of another version, or of an implementation that did not run, has nothing to show', () => {
    const newer = [{ name: 'kona', version: '0.5.0' }, ...RUN.slice(1)];
    const other = check({}, newer);
    expect(other.see('a/one', ALL, KONA)).toBeUndefined();
    expect(other.problems(false)).toEqual([]);
    const absent = check();
    expect(absent.see('a/one', ['op-node', 'typescript'], undefined)).toBeUndefined();
    expect(absent.problems(false)).toEqual([]);
  });

  test('between two, the outlier must be one of them', () => {
    const pair = difference({ kind: 'pair' }, 'batches', ['kona', 'typescript']);
    expect(check().see('a/one', ['kona', 'typescript'], pair)?.id).toBe(ENTRY.id);
    const others = difference({ kind: 'pair' }, 'batches', ['op-node', 'typescript']);
    expect(check().see('a/one', ['op-node', 'typescript'], others)).toBeUndefined();
  });

  test('an entry expires on its day', () => {
    const expired = check({ expiry: TODAY });
    expect(expired.see('a/one', ALL, KONA)).toBeUndefined();
    expect(expired.problems(false)).toMatchObject([{ message: 'was accepted until 2026-12-01' }]);
    expect(check({ expiry: '2026-12-02' }).see('a/one', ALL, KONA)?.id).toBe(ENTRY.id);
  });
});

describe('an embargo', () => {
  const run = () => {
    const open = { ...ENTRY, id: 'open', vectors: { 'b/one': 'batches' as const } };
    return new LedgerCheck([{ ...ENTRY, embargo: true }, open], RUN, TODAY);
  };

  test('withholds its vectors, listed as before and checked as before', () => {
    const ledger = run();
    expect(['a/one', 'a/two', 'b/one', 'c'].filter((name) => ledger.withholds(name))).toEqual(['a/one', 'a/two']);
    expect(ledger.see('a/one', ALL, KONA)?.id).toBe(ENTRY.id);
    ledger.see('a/two', ALL, undefined);
    expect(ledger.problems(false)).toMatchObject([{ id: ENTRY.id, vector: 'a/two' }]);
  });

  test('withholds its signatures, whoever else lists them', () => {
    const one = 'batches | kona | single/parent-hash+ | less';
    const known = new KnownSignatures([
      { ...ENTRY, id: 'open', signatures: [one, '* | kona | single/parent-hash+ | *'] },
      { ...ENTRY, id: 'closed', embargo: true, signatures: ['batches | kona | single/parent-hash+ | *'] },
    ]);
    expect(known.withholds(one)).toBe(true);
    expect(known.withholds('frames | kona | single/parent-hash+ | less')).toBe(false);
    expect(known.get(one)).toBe('open');
  });
});

describe('reading', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holodiff-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const read = (content: unknown) => {
    const file = path.join(folder, 'known.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return readLedger(file);
  };

  test('a ledger', () => {
    const full = { ...ENTRY, link: 'https://example.org/1', expiry: '2027-01-01' };
    expect(read({ format: 1, divergences: [full] })).toEqual([full]);
  });

  test('several, of which each entry is in one', () => {
    const write = (name: string, ids: readonly string[]) => {
      const file = path.join(folder, name);
      writeFileSync(file, JSON.stringify({ format: 1, divergences: ids.map((id) => ({ ...ENTRY, id })) }));
      return file;
    };
    const [first, second] = [write('first.json', ['a', 'b']), write('second.json', ['c'])];
    expect(readLedgers([first, second, first]).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(() => readLedgers([first, write('third.json', ['b'])])).toThrow(
      /third\.json: b is listed in .*first\.json too/,
    );
  });

  test.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /known\.json: not JSON/],
    ['another format', { format: 2, divergences: [] }, /format: expected format 1/],
    ['an extra field', { format: 1, divergences: [{ ...ENTRY, note: '' }] }, /divergences\[0\]\.note: unknown field/],
    ['a missing field', { format: 1, divergences: [{ ...ENTRY, date: undefined }] }, /divergences\[0\]\.date: missing/],
    ['an unknown rule', { format: 1, divergences: [{ ...ENTRY, rule: 'x' }] }, /rule: no rule of the catalogue/],
    ['no vectors', { format: 1, divergences: [{ ...ENTRY, vectors: {} }] }, /vectors: expected at least one vector/],
    [
      'an embargo of no',
      { format: 1, divergences: [{ ...ENTRY, embargo: false }] },
      /embargo: expected true, got false/,
    ],
    ['no date', { format: 1, divergences: [{ ...ENTRY, date: 'today' }] }, /date: expected a date/],
    [
      'an id twice',
      { format: 1, divergences: [ENTRY, ENTRY] },
      /divergences\[1\]\.id: kona-drops-channel is listed twice/,
    ],
    ['a field twice', '{"format":1,"format":1,"divergences":[]}', /format: repeated field/],
  ])('%s is refused', (_, content, message) => {
    expect(() => read(content)).toThrow(message);
  });
});

describe('signatures of a ledger', () => {
  const known = new KnownSignatures([
    { ...ENTRY, id: 'exact', signatures: ['batches | kona | single/parent-hash+ | less'] },
    {
      ...ENTRY,
      id: 'any',
      signatures: ['* | kona | single/parent-hash+ | *', 'outcome | kona | * | * → crash at a.rs:1'],
    },
  ]);

  test.each([
    ['batches | kona | single/parent-hash+ | less', 'exact'],
    ['flushes | kona | single/parent-hash+ | later', 'any'],
    ['outcome | kona | unknown | drained → crash at a.rs:1', 'any'],
    ['outcome | kona | unknown | drained → crash at a.rs:12', undefined],
    ['flushes | op-node | single/parent-hash+ | later', undefined],
  ])('%s', (signature, id) => {
    expect(known.get(signature)).toBe(id);
  });
});
