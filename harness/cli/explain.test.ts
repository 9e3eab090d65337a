import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CURATED } from '../curated/index.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { vectorToJson } from '../vector.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'holodiff-explain-'));
afterAll(() => rmSync(folder, { recursive: true }));

const VECTOR = path.join(folder, 'some.vector.json');
const built = CURATED.find(({ name }) => name === 'channel-assembler/early-close-does-not-close')!.build();
writeFileSync(VECTOR, vectorToJson({ ...built, name: 'channel-assembler/early-close-does-not-close' }));

/** Runs the real program. */
function holodiff(args: readonly string[], input = ''): { code: number; out: string; errors: string } {
  try {
    const options = { cwd: folder, input, encoding: 'utf8', stdio: 'pipe' } as const;
    const out = execFileSync(process.execPath, [path.join(PACKAGE_ROOT, 'harness/cli/bin.mjs'), ...args], options);
    return { code: 0, out, errors: '' };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status, out: stdout, errors: stderr };
  }
}

/** A version byte and one frame of two bytes, not the last one. */
const ITEM = `00${'00'.repeat(15)}01000000000002070800`;

describe('holodiff decode', () => {
  test('prints a tree, or JSON with offsets', () => {
    const tree = holodiff(['decode', ITEM]);
    expect(tree.code).toBe(0);
    expect(tree.out).toContain('frame 0  channel 0x00000000000000000000000000000001, 2 bytes');
    const json = holodiff(['decode', '--json', '-'], `0x${ITEM}\n`);
    const { format, inputs } = JSON.parse(json.out) as { format: number; inputs: { frames: unknown[] }[] };
    expect(format).toBe(1);
    expect(inputs[0]?.frames).toMatchObject([{ start: 1, end: 26, number: 0, last: false }]);
  });

  test('ends with 1 where something is malformed, with the rule', () => {
    const { code, out } = holodiff(['decode', `${ITEM}ff`]);
    expect(code).toBe(1);
    expect(out).toContain('valid up to byte 26');
    expect(out).toContain('frame/exact-tiling');
    expect(out).toContain('specs: derivation.md#batcher-transaction-format');
  });

  test.each([
    [['decode', 'nonsense'], 'nonsense: no such file, and not hex'],
    [['decode', ITEM, '--as', 'block'], 'block'],
    [['decode', ITEM, '--block-time', 'x'], '--block-time'],
  ])('%j is one line and exit code 2', (args, words) => {
    const { code, out, errors } = holodiff(args);
    expect([code, out]).toEqual([2, '']);
    expect(errors).toContain(words);
    expect(errors.trim()).not.toContain('\n');
  });
});

describe('holodiff explain', () => {
  test('explains with the TypeScript pipeline alone', () => {
    const { code, out } = holodiff(['explain', VECTOR, '-i', 'typescript']);
    expect(code).toBe(0);
    expect(out).toContain('only typescript');
    expect(out).toContain('↳ frame dropped: channel-assembler/in-order (number 2, expected 1)');
    expect(out).toContain('specs: holocene/derivation.md#channel-bank');
    // Piped output has no colours.
    expect(out).not.toContain('\u001b[');
  });

  test('says which traces are recorded ones', () => {
    const stored = path.join(PACKAGE_ROOT, 'vectors/curated/frame/is-last-2-on-an-open-frame.vector.json');
    const { code, out } = holodiff(['explain', stored, '--recorded']);
    expect(out).toMatch(/^ {2}compared: typescript [\d.]+, kona [\d.]+ \(recorded\), op-node [\d.]+ \(recorded\)$/m);
    expect(code).toBe(1);
  });

  test('a missing file, a folder without a finding, a broken vector', () => {
    const broken = path.join(folder, 'broken.json');
    writeFileSync(broken, '{"format":1}');
    for (const [given, words] of [
      ['gone.vector.json', 'gone.vector.json: no such file or folder'],
      [folder, 'not the folder of a finding'],
      [broken, 'broken.json: '],
    ] as const) {
      const { code, out, errors } = holodiff(['explain', given, '-i', 'typescript']);
      expect([code, out], given).toEqual([2, '']);
      expect(errors).toContain(words);
      expect(errors.trim()).not.toContain('\n');
    }
  });
});

describe('holodiff report', () => {
  test('writes one page, with what agrees on request', () => {
    const page = path.join(folder, 'report.html');
    const { code, out } = holodiff(['report', VECTOR, '-i', 'typescript', '--all', '-o', page]);
    expect([code, out]).toEqual([0, expect.stringContaining('1 finding,')]);
    expect(readFileSync(page, 'utf8')).toContain('channel-assembler/early-close-does-not-close');
  });

  test.each([
    [['report', VECTOR], "required option '-o, --out <file>'"],
    [['report', 'gone', '-o', 'x.html'], 'gone: no such file or folder'],
    [['report', VECTOR, '--stored', '-o', 'x.html'], '--stored: '],
  ])('%j is one line and exit code 2', (args, words) => {
    const { code, errors } = holodiff(args);
    expect(code).toBe(2);
    expect(errors).toContain(words);
    expect(errors.trim()).not.toContain('\n');
  });
});
