/** The vectors that an adapter is asked about. */

import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Vector } from '../../src/vector.ts';
import { readFile } from '../files.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { Scenario } from '../scenario/scenario.ts';
import { transaction } from '../scenario/transactions.ts';
import { checkTrace, parseLine, type TraceJson } from '../trace.ts';
import { parseVector, vectorToLine } from '../vector.ts';

/** A small vector with the trace that every implementation gives of it. */
export interface Example {
  readonly name: string;
  readonly vector: Vector;
  readonly line: string;
  readonly trace: TraceJson;
}

/** The stored examples, in the order of their names. */
export function loadExamples(folder = path.join(PACKAGE_ROOT, 'examples', 'vectors')): Example[] {
  const names = readdirSync(folder).flatMap((file) => /^(.*)\.vector\.json$/.exec(file)?.[1] ?? []);
  return names.sort().map((name) => {
    const vector = parseVector(readFile(path.join(folder, `${name}.vector.json`)));
    const trace = checkTrace(parseLine(readFile(path.join(folder, `${name}.trace.json`))));
    return { name, vector, line: vectorToLine(vector), trace };
  });
}

/** Vectors of which no two have the same safe head to begin with, so that no two traces are the same. */
export function distinctVectors(): Vector[] {
  return Array.from({ length: 8 }, (_, index) => {
    const scenario = new Scenario({ safeStart: 3 + index });
    scenario.postBatches(12, [scenario.single(scenario.block(scenario.nextNumber))]);
    return scenario.vector(`check-adapter/on-block-${scenario.nextNumber - 1}`);
  });
}

/** Bytes of the item of {@link bigVector}: its line has twice as many characters. */
const BIG_ITEM = 4 * 1024 ** 2;

/** A vector on a line of more than 8 million characters, of which nothing is derived: its item's version byte is unknown. */
export function bigVector(): Vector {
  const scenario = new Scenario();
  scenario.post(12, new Uint8Array(BIG_ITEM).fill(0xff));
  return scenario.vector('check-adapter/big-vector');
}

/** A small vector whose trace has a transaction of a million bytes. */
export function bigAnswer(): Vector {
  const first = 6;
  const data = (number: number) => new Uint8Array(number < first ? 0 : 1_000_000);
  const scenario = new Scenario({
    transactions: (number) => [transaction(number, 'dynamic-fee', { data: data(number) })],
  });
  scenario.postBatches(12, [scenario.single(scenario.block(first))]);
  return scenario.vector('check-adapter/big-answer');
}

/** A name with characters that cut lines in the wrong hands, and with some beyond the basic plane. */
export function namedOddly(vector: Vector): Vector {
  return { ...vector, name: 'check-adapter/\u00fc-\u0085-\u2028-\u2029-\u{1f600}-"\\' };
}
