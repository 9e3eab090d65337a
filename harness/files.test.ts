/** What the system has against writing is told by the file's name; nothing half-written stays behind. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EXIT, FileError } from './errors.ts';
import { makeFolder, readFile, writeFile } from './files.ts';

const BIN = fileURLToPath(new URL('cli/bin.mjs', import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holodiff-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function messageOfWriting(file: string): string {
  try {
    writeFile(file, 'new');
  } catch (error) {
    expect(error).toBeInstanceOf(FileError);
    expect((error as FileError).code).toBe('not-written');
    return (error as FileError).message;
  }
  throw new Error('it was written');
}

describe('writing a file', () => {
  test('makes the folders above it', () => {
    const file = path.join(folder, 'a', 'b', 'c');
    writeFile(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readdirSync(path.dirname(file))).toEqual(['c']);
  });

  test('where a folder of that name is', () => {
    const file = path.join(folder, 'taken');
    mkdirSync(file);
    expect(messageOfWriting(file)).toBe(`${file}: cannot be written: is a folder`);
    expect(readdirSync(folder)).toEqual(['taken']);
  });

  test('below what is a file', () => {
    writeFileSync(path.join(folder, 'file'), '');
    const file = path.join(folder, 'file', 'a');
    expect(messageOfWriting(file)).toBe(
      `${path.join(folder, 'file')}: cannot be written: a file of that name is in the way`,
    );
  });

  test.runIf(process.platform === 'linux')('where no folder can be made', () => {
    expect(() => makeFolder('/proc/none/below')).toThrow('/proc/none: cannot be written: ');
  });
});

test('bytes that are no text are not read as some', () => {
  const file = path.join(folder, 'latin-1.vector.json');
  writeFileSync(file, Buffer.from('{"name":"caf\xe9"}', 'latin1'));
  expect(() => readFile(file)).toThrow(new FileError('invalid-file', file, 'is not UTF-8 text'));
});

test('a report where a folder is: one line and exit 2', async () => {
  const args = [BIN, 'report', 'examples/vectors', '-i', 'typescript', '-o', folder];
  const { exitCode, stderr } = await execa(process.execPath, args, { reject: false });
  expect(stderr).toBe(`holodiff: ${folder}: cannot be written: is a folder`);
  expect(exitCode).toBe(EXIT.failed);
});
