import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FINDING_FILES } from '../campaign/finding.ts';
import { generateVector } from '../generate/index.ts';
import { parseVector, vectorToJson } from '../vector.ts';
import { promote } from './promote.ts';

const SIGNATURE = 'frames | kona | frame/version-byte- | less';
const { vector } = generateVector(1, 9);

let root: string;
let target: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'holodiff-'));
  target = path.join(root, 'finds');
});

afterEach(() => rm(root, { recursive: true }));

function finding(files: Readonly<Record<string, string>> = {}, signature = SIGNATURE): string {
  const folder = path.join(root, 'finding');
  mkdirSync(folder, { recursive: true });
  const implementations = ['typescript', 'kona', 'op-node'].map((name) => ({ name, version: '1.2.3' }));
  const all = {
    [FINDING_FILES.finding]: JSON.stringify({ signature, boundary: 'frames', index: 9, implementations }),
    [FINDING_FILES.vector]: vectorToJson(vector),
    ...files,
  };
  for (const [name, content] of Object.entries(all)) writeFileSync(path.join(folder, name), content);
  return folder;
}

test('the vector and its entry in the index, and what the ledger needs', () => {
  const { file, minimised, entry } = promote(finding(), { target });
  expect(path.relative(target, file)).toBe(path.join('frame', 'version-byte-kona-less.vector.json'));
  expect(minimised).toBe(false);
  const kept = parseVector(readFileSync(file, 'utf8'));
  expect(kept).toEqual({ ...vector, name: 'finds/frame/version-byte-kona-less' });
  expect(JSON.parse(readFileSync(path.join(target, 'frame', 'index.json'), 'utf8'))).toEqual([
    { name: kept.name, shows: SIGNATURE, rules: ['frame/version-byte-'] },
  ]);
  expect(entry).toEqual({
    id: 'frame-version-byte-kona-less',
    title: '',
    vectors: { [kept.name]: 'frames' },
    signatures: [SIGNATURE],
    outlier: 'kona',
    rule: 'frame/version-byte',
    versions: { kona: '1.2.3', 'op-node': '1.2.3' },
    specification: { right: [], section: '', sentence: '' },
    date: '',
  });
  expect(readdirSync(path.join(root, 'finding')).sort()).toEqual([FINDING_FILES.finding, FINDING_FILES.vector].sort());
});

test('the minimised vector is taken where there is one; entries are in order', () => {
  const small = { ...vector, l1: vector.l1.slice(0, 1) as unknown as typeof vector.l1 };
  const folder = finding({ [FINDING_FILES.minimised]: vectorToJson(small) });
  const options = { target, rules: [], shows: 'one block' };
  expect(promote(folder, { ...options, name: 'group/second' }).minimised).toBe(true);
  const { file } = promote(folder, { ...options, name: 'group/first' });
  expect(parseVector(readFileSync(file, 'utf8')).l1).toHaveLength(1);
  const index = JSON.parse(readFileSync(path.join(target, 'group', 'index.json'), 'utf8')) as { name: string }[];
  expect(index.map(({ name }) => name)).toEqual(['finds/group/first', 'finds/group/second']);
});

test('a decision that nobody knows gives a name by the boundary', () => {
  const { file, entry } = promote(finding({}, 'outcome | op-node | unknown~ | drained → crash'), { target });
  expect(path.relative(target, file)).toBe(path.join('outcome', 'op-node-drained-crash.vector.json'));
  expect(entry['rule']).toBe('unknown');
});

test('nothing is overwritten', () => {
  promote(finding(), { target });
  expect(() => promote(finding(), { target })).toThrow(/version-byte-kona-less\.vector\.json: is there already/);
});

test.each([
  [{ name: 'no-group' }, /--name no-group: expected GROUP\/NAME/],
  [{ name: '../up/here' }, /--name \.\.\/up\/here: expected/],
  [{ rules: ['no/rule+'] }, /--rules no\/rule\+: expected a rule of the catalogue/],
  [{ rules: ['frame/version-byte'] }, /--rules frame\/version-byte: expected a rule of the catalogue/],
  [{ rules: ['batch-decode/element-limits+'] }, /the vector does not reach it/],
])('what cannot be: %j', (options, message) => {
  expect(() => promote(finding(), { target, ...options })).toThrow(message);
});

test('a folder that is no finding', () => {
  expect(() => promote(root, { target })).toThrow(/no finding\.json: not the folder of a finding$/);
  expect(() => promote(finding({ [FINDING_FILES.finding]: '{}' }), { target })).toThrow(/finding\.json: signature: /);
});
