/** A replay: stored vectors through several implementations, and what came of it as data. */

import { compare, type Difference, type Side } from './compare/compare.ts';
import type { KnownDivergence, LedgerCheck, LedgerProblem } from './compare/ledger.ts';
import { type Signature, signatureOf } from './compare/signature.ts';
import { HolodiffError } from './errors.ts';
import { type LoadedVector, loadVectors, VectorFileError } from './files.ts';
import { type Answer, type Implementation, type Incident, inOrder } from './implementations/implementation.ts';

/** What one vector gave. */
export interface Comparison {
  readonly source: string;
  readonly name: string;
  readonly difference: Difference;
  /** The ledger's entry for it. */
  readonly known: KnownDivergence | undefined;
  /** Of a difference that is not listed, if it was asked for. */
  readonly signature: Signature | undefined;
  /** Implementations that said something else when they were asked once more, by themselves. */
  readonly unstable: readonly string[];
}

/** Something that kept a vector from being compared in full. */
interface Failure {
  readonly source: string;
  readonly message: string;
}

/** An incident with the implementation that it happened to. */
interface ImplementationIncident extends Incident {
  readonly implementation: string;
}

/** A vector with the place that it was read from. */
interface VectorPlace {
  readonly source: string;
  readonly name: string;
}

export interface ReplayResult {
  readonly vectors: number;
  /** Vectors of which at least two implementations gave a trace; those under embargo are not among them. */
  readonly compared: number;
  /** Those of them on which all agree. */
  readonly agreeing: readonly VectorPlace[];
  /** The comparisons that differ. */
  readonly differing: readonly Comparison[];
  readonly failures: readonly Failure[];
  /** By implementation: the vectors of which it has no recorded trace. */
  readonly missing: Readonly<Record<string, number>>;
  readonly incidents: readonly ImplementationIncident[];
  readonly ledgerProblems: readonly LedgerProblem[];
  /** Vectors under embargo; they are in no other part of the result but the number of vectors. */
  readonly embargo: Embargo;
}

/** What is told of vectors under embargo: numbers. */
interface Embargo {
  readonly vectors: number;
  /** Those that do not differ as listed, or came with an incident. */
  readonly unlisted: number;
  /** Those that could not be compared. */
  readonly failed: number;
}

export interface ReplayOptions {
  readonly files: readonly string[];
  readonly implementations: readonly Implementation[];
  /** Without one, every difference counts. */
  readonly ledger?: LedgerCheck | undefined;
  /** Whether the files are all vectors that the ledger can name, or the ids of the entries for which they are. */
  readonly complete?: boolean | ReadonlySet<string>;
  /** Whether the ledger's entries must show: not with a changed rule set. */
  readonly entriesMustShow?: boolean;
  /** Whether differences that are not listed get their signatures, which costs some experiments each. */
  readonly signatures?: boolean;
  /** Hears of each vector that differs, as it comes. */
  readonly onDifference?: (comparison: Comparison) => void;
}

interface Answered {
  readonly loaded: LoadedVector | VectorFileError;
  readonly answers: readonly Answer[];
}

/** Replays the files. Rejects only if the harness itself fails; bad input is part of the result. */
export async function replay(options: ReplayOptions): Promise<ReplayResult> {
  const { implementations, ledger } = options;
  // Those that run elsewhere are asked first, so that they work while this process does.
  const asked = [...implementations].sort((a, b) => b.inFlight - a.inFlight);
  const window = Math.max(...asked.map(({ inFlight }) => inFlight));
  const ask = async (loaded: LoadedVector | VectorFileError): Promise<Answered> => {
    if (loaded instanceof VectorFileError) return { loaded, answers: [] };
    return { loaded, answers: await Promise.all(asked.map((one) => one.submit(loaded.line, loaded.vector))) };
  };
  const sizeOf = (loaded: LoadedVector | VectorFileError) =>
    loaded instanceof VectorFileError ? 0 : loaded.line.length;
  const answered = inOrder(loadAll(options.files), window, ask, sizeOf);

  let vectors = 0;
  let compared = 0;
  const agreeing: VectorPlace[] = [];
  const differing: Comparison[] = [];
  const failures: Failure[] = [];
  const missing: Record<string, number> = {};
  const embargoed = { vectors: 0, unlisted: new Set<string>(), failed: new Set<string>() };
  const unconfirmed: { comparison: Comparison; loaded: LoadedVector; sides: Side[] }[] = [];
  const settle = (comparison: Comparison) => {
    differing.push(comparison);
    options.onDifference?.(comparison);
  };

  for await (const { loaded, answers } of answered) {
    if (loaded instanceof VectorFileError) {
      failures.push({ source: loaded.file, message: loaded.message });
      continue;
    }
    vectors += 1;
    const { name } = loaded.vector;
    const withheld = ledger?.withholds(name) === true;
    if (withheld) embargoed.vectors += 1;
    const fail = (message: string) => {
      if (withheld) embargoed.failed.add(name);
      else failures.push({ source: loaded.source, message });
    };
    const sides: Side[] = [];
    for (const one of implementations) {
      const answer = answers[asked.indexOf(one)]!;
      const { name: implementation } = one;
      if (answer.kind === 'trace') {
        sides.push({ implementation, trace: answer.trace, silent: answer.incident !== undefined });
      } else if (answer.kind === 'error') {
        const at = answer.path === '' ? '' : `${answer.path}: `;
        fail(`${implementation} does not accept it: ${at}${answer.message}`);
      } else if (answer.stale) {
        fail(`${implementation}: ${answer.reason}; record it again`);
      } else {
        missing[implementation] = (missing[implementation] ?? 0) + 1;
      }
    }
    if (sides.length < 2) {
      fail('fewer than two implementations gave a trace');
      continue;
    }
    const difference = compare(sides);
    const known = ledger?.see(
      name,
      sides.map(({ implementation }) => implementation),
      difference,
    );
    if (withheld) {
      if (difference !== undefined && known === undefined) embargoed.unlisted.add(name);
      continue;
    }
    compared += 1;
    if (difference === undefined) {
      agreeing.push({ source: loaded.source, name });
      continue;
    }
    const signature =
      known === undefined && options.signatures === true ? signatureOf(loaded.vector, difference, sides) : undefined;
    const comparison = { source: loaded.source, name, difference, known, signature, unstable: [] };
    if (known !== undefined || sides.some(({ silent }) => silent === true)) settle(comparison);
    else unconfirmed.push({ comparison, loaded, sides });
  }

  // An answer out of step, or a state that one vector left for the next, looks like a difference; asked once more of
  // a program that has seen nothing else, it looks different.
  for (const { comparison, loaded, sides } of unconfirmed) {
    settle({ ...comparison, unstable: await askAgain(asked, loaded, sides) });
  }

  await Promise.all(asked.map((implementation) => implementation.close()));
  const told = <T extends { readonly vector?: string }>(all: readonly T[]): T[] =>
    all.filter(({ vector }) => {
      const withheld = vector !== undefined && ledger?.withholds(vector) === true;
      if (withheld) embargoed.unlisted.add(vector);
      return !withheld;
    });
  const incidents = told(
    asked.flatMap(({ name, incidents: all }) => all.map((one) => ({ ...one, implementation: name }))),
  );
  const ledgerProblems = told(
    options.entriesMustShow === false ? [] : (ledger?.problems(options.complete ?? false) ?? []),
  );
  const embargo = { ...embargoed, unlisted: embargoed.unlisted.size, failed: embargoed.failed.size };
  return { vectors, compared, agreeing, differing, failures, missing, incidents, ledgerProblems, embargo };
}

function* loadAll(files: readonly string[]): Generator<LoadedVector | VectorFileError, void, undefined> {
  for (const file of files) yield* loadVectors(file);
}

/** Who gives another trace when asked by itself. */
async function askAgain(
  implementations: readonly Implementation[],
  { line, vector }: LoadedVector,
  sides: readonly Side[],
): Promise<string[]> {
  const unstable: string[] = [];
  for (const implementation of implementations) {
    const before = sides.find((side) => side.implementation === implementation.name);
    if (before === undefined) continue;
    await implementation.refresh();
    const answer = await implementation.submit(line, vector);
    if (answer.kind !== 'trace') continue;
    const now: Side = { implementation: 'now', trace: answer.trace, silent: answer.incident !== undefined };
    if (compare([before, now]) !== undefined) unstable.push(implementation.name);
  }
  return unstable;
}

/** Whether anything keeps a replay from success that is not a difference. */
export function hasFailed({ failures, vectors, embargo }: ReplayResult): boolean {
  return failures.length > 0 || vectors === 0 || embargo.failed > 0;
}

/** Whether a difference, or the list of known ones, keeps a replay from success. */
export function hasDiffered({ differing, incidents, ledgerProblems, embargo }: ReplayResult): boolean {
  const unlisted = differing.some(({ known }) => known === undefined);
  return unlisted || incidents.length > 0 || ledgerProblems.length > 0 || embargo.unlisted > 0;
}

/** There is nothing to compare. */
export function requireTwo(implementations: readonly Implementation[]): void {
  if (implementations.length >= 2) return;
  const [only] = implementations;
  const what = only === undefined ? 'no implementation is at hand' : `only ${only.name} is at hand`;
  throw new HolodiffError('unknown-implementation', `${what}: a comparison needs two`);
}
