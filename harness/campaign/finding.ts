/** A finding as it lies on disk: a folder with the vector, what everyone said of it, and where it came from. */

import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Vector } from '../../src/vector.ts';
import type { Difference } from '../compare/compare.ts';
import { FileError } from '../errors.ts';
import { readFile, writeFile } from '../files.ts';
import type { VectorPlan } from '../generate/plan.ts';
import { type TraceJson, traceToLine } from '../trace.ts';
import { vectorToJson } from '../vector.ts';

export interface Finding {
  /** The signature on one line. */
  readonly signature: string;
  /** The number that, with the campaign's seed or scope, names the vector. */
  readonly index: number;
  readonly vector: Vector;
  /** What the vector was generated from, if it was. */
  readonly plan: VectorPlan | undefined;
  readonly difference: Difference;
  readonly traces: readonly TraceJson[];
}

/** The names of a finding's files. */
export const FINDING_FILES = {
  vector: 'vector.vector.json',
  minimised: 'minimised.vector.json',
  traces: 'traces.ndjson',
  plan: 'plan.json',
  finding: 'finding.json',
} as const;

/** What names the finding of this signature: the same for the same signature, in every campaign. */
export function findingName(signature: string): string {
  return createHash('sha256').update(signature).digest('hex').slice(0, 12);
}

/** The folder of the finding with this signature. */
export function findingFolder(folder: string, signature: string): string {
  return path.join(folder, findingName(signature));
}

/** What a finding's folder says of itself, as far as others ask for it. @throws FileError */
export function readFindingSummary(folder: string): { readonly signature: string; readonly index: number } {
  const file = path.join(folder, FINDING_FILES.finding);
  let value: unknown;
  try {
    value = JSON.parse(readFile(file));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const { signature, index } = (value ?? {}) as { signature?: unknown; index?: unknown };
  if (typeof signature === 'string' && typeof index === 'number') return { signature, index };
  throw new FileError('invalid-file', file, 'expected the summary of a finding, with a signature and an index');
}

/** Writes a finding; `finding.json` appears last, so a folder that has it is whole. */
export function writeFinding(folder: string, finding: Finding): void {
  const target = findingFolder(folder, finding.signature);
  const { boundary, index: position } = finding.difference;
  writeFile(path.join(target, FINDING_FILES.vector), vectorToJson(finding.vector));
  writeFile(path.join(target, FINDING_FILES.traces), finding.traces.map((trace) => `${traceToLine(trace)}\n`).join(''));
  if (finding.plan !== undefined) {
    writeFile(path.join(target, FINDING_FILES.plan), `${JSON.stringify(finding.plan, bigintAsText, 1)}\n`);
  }
  const summary = {
    signature: finding.signature,
    vector: finding.vector.name,
    index: finding.index,
    boundary,
    position: position ?? null,
    implementations: finding.traces.map(({ implementation }) => implementation),
  };
  writeFile(path.join(target, FINDING_FILES.finding), `${JSON.stringify(summary, null, 2)}\n`);
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
