/** The commands of holodiff that stand in workflows, manifests and container files exist, with every option they are given. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../harness/places.ts';

const BIN = fileURLToPath(new URL('../harness/cli/bin.mjs', import.meta.url));

const FOLDERS = ['.github', 'scripts/k8s'];

/** Commands as they stand in the files: their words. */
const found = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(PACKAGE_ROOT, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .flatMap((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      // A command may go on in the next line.
      const text = readFileSync(file, 'utf8').replaceAll(/\s*\\?\n\s+(?=--|-i )/g, ' ');
      return [
        ...text.matchAll(/node (?:--import tsx )?(harness\/cli\/bin\.mjs|scripts\/[\w/-]+\.(?:ts|mjs))(.*)/g),
      ].map(([, program = '', rest = '']) => ({
        file: path.relative(PACKAGE_ROOT, file),
        program,
        words: rest
          .split(/&&|\|\|/)[0]!
          .trim()
          .split(/\s+/),
      }));
    }),
);

const ours = found.filter(({ program }) => program.endsWith('bin.mjs'));
const help = new Map<string, string>();

beforeAll(async () => {
  for (const command of new Set(ours.map(({ words }) => words[0]!))) {
    const { stdout } = await execa(process.execPath, [BIN, command, '--help'], { reject: false });
    help.set(command, stdout);
  }
});

test('there are some of each', () => {
  expect(new Set(ours.map(({ words }) => words[0]))).toEqual(
    new Set(['build', 'replay', 'mutants', 'metamorphic', 'run', 'merge', 'report']),
  );
  expect(found.length - ours.length).toBeGreaterThan(3);
});

test.each(found)('$file: $program $words.0 is there', ({ program }) => {
  expect(existsSync(path.join(PACKAGE_ROOT, program))).toBe(true);
});

test.each(ours)('$file: holodiff $words has its options', ({ words: [command, ...rest] }) => {
  const text = help.get(command!)!;
  expect(text).toContain(`Usage: holodiff ${command!} `);
  const options = rest.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0]!);
  for (const option of options) expect(text).toMatch(new RegExp(`(^|[ ,])${option}[ ,]`, 'm'));
});
