/** What the system has against writing is told by the file's name; nothing half-written stays behind. */

import { constants } from 'node:buffer';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EXIT, FileError } from './errors.ts';
import {
  findVectorFiles,
  isCompressed,
  loadVectors,
  makeFolder,
  readBytes,
  readFile,
  writeFile,
  writeVectorText,
} from './files.ts';
import { sampleVector } from './testing.ts';
import { parseVector, vectorToJson, vectorToLine } from './vector.ts';

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

describe('a compressed file', () => {
  const text = vectorToJson(sampleVector('packed', 100));
  const name = 'some.vector.json.gz';

  test('is found in a folder, and holds the vector that its text is', () => {
    const file = path.join(folder, name);
    writeVectorText(file, text);
    expect(isCompressed(file) && readBytes(file)[0]).toBe(0x1f);
    expect(findVectorFiles([folder])).toEqual([file]);
    const line = vectorToLine(parseVector(text));
    expect([...loadVectors(file)]).toEqual([{ source: file, file, vector: parseVector(text), line }]);
  });

  test.each<[string, () => Buffer, string]>([
    ['that is not compressed', () => Buffer.from(text), 'is not gzip data: incorrect header check'],
    ['that is cut off', () => gzipSync(text).subarray(0, -10), 'is cut short: the gzip data does not end'],
    ['with another checksum', () => otherChecksum(gzipSync(text)), 'is not gzip data: incorrect data check'],
    ['of bytes that are no text', () => gzipSync(Buffer.from('{"name":"caf\xe9"}', 'latin1')), 'is not UTF-8 text'],
    [
      'that unpacks to more than a string holds',
      // Parts one behind the other are one file.
      () => Buffer.concat(new Array<Buffer>(65).fill(gzipSync(Buffer.alloc(2 ** 23)))),
      `unpacks to more than ${constants.MAX_STRING_LENGTH} bytes`,
    ],
    ['without a vector', () => gzipSync('{}'), 'format: missing'],
  ])('%s is told by name', (_, content, reason) => {
    const file = path.join(folder, name);
    writeFileSync(file, content());
    const read = () => {
      for (const loaded of loadVectors(file)) if (loaded instanceof FileError) throw loaded;
    };
    expect(read).toThrow(expect.objectContaining({ code: 'invalid-file', message: `${file}: ${reason}` }));
  });

  test('is found beside others, in the order of the names', () => {
    for (const one of ['b.vector.json', 'a.vector.json.gz', 'c.json.gz', 'd.vector.gz']) {
      writeFileSync(path.join(folder, one), '');
    }
    expect(findVectorFiles([folder]).map((file) => path.basename(file))).toEqual(['a.vector.json.gz', 'b.vector.json']);
  });

  function otherChecksum(bytes: Buffer): Buffer {
    bytes[bytes.length - 8]! ^= 1;
    return bytes;
  }
});

test('a report where a folder is: one line and exit 2', async () => {
  const args = [BIN, 'report', 'examples/vectors', '-i', 'typescript', '-o', folder];
  const { exitCode, stderr } = await execa(process.execPath, args, { reject: false });
  expect(stderr).toBe(`holodiff: ${folder}: cannot be written: is a folder`);
  expect(exitCode).toBe(EXIT.failed);
});
