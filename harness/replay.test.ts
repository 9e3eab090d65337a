/** Who is asked first is a matter of speed, and does not show. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writeFile } from './files.ts';
import type { Implementation } from './implementations/implementation.ts';
import { TypeScriptImplementation } from './implementations/typescript.ts';
import { replay } from './replay.ts';
import { sampleVector } from './testing.ts';
import { silentTrace } from './trace.ts';
import { vectorToJson } from './vector.ts';

/** Gives another trace than the pipeline of every vector. */
function other(name: string, inFlight: number): Implementation {
  const own = new TypeScriptImplementation();
  const who = { name, version: '1' };
  return {
    ...who,
    handshake: own.handshake,
    how: 'here',
    inFlight,
    incidents: [],
    submit: (_line, vector) =>
      Promise.resolve({ kind: 'trace', trace: silentTrace(who, 'crash', 'of no vector', vector!) }),
    refresh: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

test.each([
  [1, 64],
  [64, 1],
])('a difference names implementations in the order given, with %i and %i in flight', async (one, another) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holodiff-replay-'));
  const file = path.join(folder, 'one.vector.json');
  writeFile(file, vectorToJson(sampleVector('one', 10)));
  const result = await replay({
    files: [file],
    implementations: [new TypeScriptImplementation(), other('first', one), other('second', another)],
  });
  rmSync(folder, { recursive: true });
  const groups = result.differing.map(({ difference }) => difference.groups.map((group) => group.implementations));
  expect(groups).toEqual([[['first', 'second'], ['typescript']]]);
});

test('a damaged compressed file is a failure, and the others go on', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holodiff-replay-'));
  const files = ['cut.vector.json.gz', 'good.vector.json'].map((name) => path.join(folder, name));
  const text = vectorToJson(sampleVector('good', 10));
  writeFile(files[0]!, gzipSync(text).subarray(0, -10));
  writeFile(files[1]!, text);
  const result = await replay({ files, implementations: [new TypeScriptImplementation(), other('other', 1)] });
  rmSync(folder, { recursive: true });
  expect(result.failures).toEqual([
    { source: files[0], message: `${files[0]}: is cut short: the gzip data does not end` },
  ]);
  expect(result.differing.map(({ name }) => name)).toEqual(['good']);
});
