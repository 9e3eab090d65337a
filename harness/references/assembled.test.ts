/**
 * Each reference's own assembled pipeline, without any recorder, emits the same single batches as the stages that the
 * adapter strings together with recorders between them.
 */

import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { EVERYDAY_FOLDERS } from '../corpus.ts';
import { findVectorFiles, loadVectors, VectorFileError } from '../files.ts';
import type { TraceJson } from '../trace.ts';
import { buildReference, REFERENCE_NAMES } from './build.ts';

const lines = findVectorFiles(EVERYDAY_FOLDERS)
  .flatMap((file) => [...loadVectors(file)])
  .map((loaded) => {
    if (loaded instanceof VectorFileError) throw loaded;
    return loaded;
  });

/** What the adapter answers to every stored vector, in order. */
async function answers(binary: string, flags: readonly string[]): Promise<TraceJson[]> {
  const input = lines.map(({ line }) => `${line}\n`).join('');
  const child = execa(binary, [...flags], { input, buffer: false, reject: false, stderr: 'ignore' });
  const traces: TraceJson[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as TraceJson | { holodiff: string };
    if (!('holodiff' in answer)) traces.push(answer);
  }
  expect((await child).exitCode).toBe(0);
  return traces;
}

test.each(REFERENCE_NAMES)('%s: assembled and recorded emit the same, on every stored vector', async (name) => {
  const { binary } = await buildReference(name, () => {});
  const recorded = await answers(binary, []);
  const assembled = await answers(binary, ['--assembled']);
  expect(recorded).toHaveLength(lines.length);
  expect(assembled).toHaveLength(lines.length);
  for (const [index, { vector }] of lines.entries()) {
    const pick = ({ singles, outcome, safeHead }: TraceJson) => ({ singles, outcome: outcome.kind, safeHead });
    expect(pick(assembled[index]!), vector.name).toEqual(pick(recorded[index]!));
  }
});
