/** What is exported: a vector, what each implementation makes of it, and what is known about where they part. */

import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import type { Vector } from '../../src/vector.ts';
import { FINDING_FILES } from '../campaign/finding.ts';
import { compare, type Difference, type Side } from '../compare/compare.ts';
import type { KnownDivergence } from '../compare/ledger.ts';
import { FileError, messageOf } from '../errors.ts';
import { askSides, loadForExplaining } from '../explain/ask.ts';
import { type Explanation, explain } from '../explain/model.ts';
import { type LoadedVector, loadVectors, readFile, VectorFileError } from '../files.ts';
import { openForFiles } from '../implementations/open.ts';
import type { ProcessLimits } from '../implementations/process.ts';
import { REFERENCE_NAMES } from '../references/build.ts';
import { storedSides } from '../report/collect.ts';
import { KnownLookup } from '../report/known.ts';

export interface Subject {
  readonly vector: Vector;
  /** Whether the vector was minimised; `undefined` where nothing says. */
  readonly minimised: boolean | undefined;
  readonly sides: readonly Side[];
  readonly explanation: Explanation;
  /** Where the traces part first; `undefined` if all agree. */
  readonly difference: Difference | undefined;
  /** The ledger's entry for the difference. */
  readonly known: KnownDivergence | undefined;
  /** What the vector is kept for, in the words of the index beside it. */
  readonly shows: string | undefined;
}

export interface SubjectOptions {
  /** Take recorded traces, those of a finding or those beside a vector, even where the references could be built. */
  readonly recorded: boolean;
  readonly known: readonly KnownDivergence[];
  readonly limits: Partial<ProcessLimits>;
  /** Hears about builds and about what is missing. */
  readonly note: (line: string) => void;
}

/**
 * Reads a vector's file or a finding's folder and asks everyone at hand. A finding is taken minimised if there is such
 * a vector and both references can be asked about it, and else as it was found, with its stored traces.
 *
 * @throws HolodiffError
 */
export async function loadSubject(given: string, options: SubjectOptions): Promise<Subject> {
  const loaded = loadForExplaining(given);
  const { known, recorded, note } = options;
  if (!isFolder(given)) return describe(loaded, await ask(loaded, options), { known });
  const minimised = path.basename(loaded.file) === FINDING_FILES.minimised;
  if (!recorded) {
    const sides = await ask(loaded, options);
    const asked = REFERENCE_NAMES.every((name) => sides.some(({ implementation }) => implementation === name));
    if (asked && compare(sides) !== undefined) return describe(loaded, sides, { known, minimised });
    note(`${given}: ${asked ? 'does not differ any more' : 'the references cannot be asked'}; as it was found`);
  }
  const traces = storedSides(path.join(given, FINDING_FILES.traces));
  const found = onlyVector(path.join(given, FINDING_FILES.vector));
  return describe(found, traces, { known, minimised: false, signature: signatureOf(given) });
}

function isFolder(given: string): boolean {
  return existsSync(given) && statSync(given).isDirectory();
}

async function ask(loaded: LoadedVector, { recorded, limits, note }: SubjectOptions): Promise<Side[]> {
  const implementations = await openForFiles({ names: [], recorded, files: [loaded.file], limits, report: note });
  try {
    return await askSides(implementations, loaded, note);
  } finally {
    await Promise.all(implementations.map((implementation) => implementation.close()));
  }
}

function onlyVector(file: string): LoadedVector {
  const [loaded] = loadVectors(file);
  if (loaded instanceof VectorFileError) throw loaded;
  return loaded!;
}

interface Circumstances {
  readonly known: readonly KnownDivergence[];
  readonly minimised?: boolean;
  /** The signature that a finding has. */
  readonly signature?: string;
}

function describe(
  { vector, file }: LoadedVector,
  sides: readonly Side[],
  { known, minimised, signature }: Circumstances,
): Subject {
  const explanation = explain(vector, sides);
  const lookup = new KnownLookup(known);
  return {
    vector,
    minimised,
    sides,
    explanation,
    difference: sides.length < 2 ? undefined : compare(sides),
    known: signature === undefined ? lookup.of(explanation) : lookup.bySignature(signature),
    shows: shownBy(file, vector.name),
  };
}

const summarySchema = v.object({ signature: v.string() });

function signatureOf(folder: string): string {
  const file = path.join(folder, FINDING_FILES.finding);
  return parse(file, summarySchema, 'the summary of a finding').signature;
}

const indexSchema = v.array(v.object({ name: v.string(), shows: v.string() }));

/** What the index beside a stored vector says of it. */
function shownBy(file: string, name: string): string | undefined {
  const index = path.join(path.dirname(file), 'index.json');
  if (!existsSync(index)) return undefined;
  return parse(index, indexSchema, 'an index of vectors').find((entry) => entry.name === name)?.shows;
}

function parse<const T extends v.GenericSchema>(file: string, schema: T, what: string): v.InferOutput<T> {
  try {
    return v.parse(schema, JSON.parse(readFile(file)));
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError('invalid-file', file, `expected ${what}: ${messageOf(error)}`, { cause: error });
  }
}
