/**
 * A campaign: vectors from a source through all implementations, differences named by their signatures, everything kept
 * in a folder that survives being killed.
 *
 * Vectors are generated and derived by the TypeScript pipeline in threads of their own; the references run as children
 * and are kept busy with vectors sent ahead. Only to name a difference is a vector derived again. Chunks are
 * journalled in order of position, so what a campaign finds does not depend on who answers when.
 */

import { availableParallelism } from 'node:os';
import path from 'node:path';
import { derive } from '../../src/derive.ts';
import { RuleBook, type Variant } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { VERSION } from '../../src/version.ts';
import { compare, type Difference, type Side } from '../compare/compare.ts';
import { formatSignature, signatureOf } from '../compare/signature.ts';
import { messageOf } from '../errors.ts';
import { type Answer, type Implementation, type IncidentKind, inOrder } from '../implementations/implementation.ts';
import { traceOfBody, traceToJson } from '../trace.ts';
import { vectorIn } from '../vector.ts';
import { Coverage, type Reached } from './coverage.ts';
import { type Finding, writeFinding } from './finding.ts';
import { Journal, type JournalChunk, type JournalStart, readJournal } from './journal.ts';
import { type Preparer, prepareHere, prepareInThreads, threadsFor } from './prepare.ts';
import { openSource, type Shard, type Source, type SourcedVector, type SourceSpec } from './source.ts';

/** Vectors between two lines of the journal: what is derived again after a kill is at most so many. */
const CHUNK = 256;

/** Milliseconds after which a line is written all the same: with a hanging reference a chunk takes hours. */
const CHUNK_TIME = 5_000;

/** A thread takes a second to start: fewer vectors than these are prepared without. */
const WORTH_A_THREAD = 1_000;

/** Who the pipeline is in its traces, whatever rules it follows. */
const OWN = { name: 'typescript', version: VERSION } as const;

/** What goes wrong besides answers; whatever else does is the answer to some vector. */
const LOOSE_INCIDENTS: ReadonlySet<IncidentKind> = new Set(['surplus', 'bad-end']);

export interface CampaignOptions {
  readonly folder: string;
  readonly source: SourceSpec;
  readonly shard: Shard;
  /** The references; the TypeScript pipeline takes part without being named. */
  readonly references: readonly Implementation[];
  readonly variant?: Variant | undefined;
  /** Signatures that are listed: counted, not kept as findings. */
  readonly known: ReadonlySet<string>;
  /** Stop after so many vectors of this shard, counted from its first. */
  readonly vectors?: number | undefined;
  /** Stop after so many milliseconds of this call. */
  readonly milliseconds?: number | undefined;
  /** Go on with the campaign that the folder holds. */
  readonly resume: boolean;
  readonly onProgress?: ((progress: CampaignProgress) => void) | undefined;
}

export interface Occurrences {
  readonly count: number;
  /** Index of the first vector that shows it. */
  readonly first: number;
}

/** Where a campaign stands. */
export interface CampaignProgress {
  /** Vectors done, earlier calls included. */
  readonly vectors: number;
  /** Vectors done by this call, and for how long it has been at it. */
  readonly fresh: number;
  readonly milliseconds: number;
  /** By signature. */
  readonly differences: ReadonlyMap<string, Occurrences>;
  readonly incidents: ReadonlyMap<string, number>;
  readonly coverage: Coverage;
}

/** A campaign that has run out of vectors, or of its allowance. */
export interface CampaignResult extends CampaignProgress {
  readonly start: JournalStart;
}

/** What one vector gave. */
interface Outcome {
  readonly index: number;
  readonly signature: string | undefined;
  readonly finding: Finding | undefined;
  readonly reached: Reached | undefined;
  /** Incidents in place of answers, by implementation and kind. */
  readonly incidents: readonly string[];
}

/** Who takes part, as it stands in the journal. */
export function participants(
  references: readonly Implementation[],
  variant: Variant | undefined,
): JournalStart['implementations'] {
  const version = variant === undefined ? VERSION : `${VERSION}+${variant.name}`;
  return [{ name: 'typescript', version }, ...references.map((one) => ({ name: one.name, version: one.version }))];
}

/** Incidents that belong to no vector, by implementation and kind. */
export function looseIncidents({ name, incidents }: Implementation): string[] {
  return incidents.filter(({ kind }) => LOOSE_INCIDENTS.has(kind)).map(({ kind }) => `${name} ${kind}`);
}

/** Runs or resumes a campaign. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { folder, shard, references } = options;
  const source = openSource(options.source, shard);
  const start: JournalStart = {
    kind: 'start',
    format: 1,
    source: options.source,
    shard,
    implementations: participants(references, options.variant),
    ...(options.vectors === undefined ? {} : { vectors: options.vectors }),
  };
  const earlier = options.resume ? readJournal(folder) : undefined;
  const state = new Totals();
  for (const chunk of earlier?.chunks ?? []) state.add(chunk);
  const journal = earlier === undefined ? Journal.create(folder, start) : Journal.resume(folder, earlier);

  const rules = new RuleBook(options.variant);
  const first = state.vectors;
  const last = Math.min(source.count, options.vectors ?? Number.POSITIVE_INFINITY);
  const preparer =
    options.variant === undefined && last - first >= WORTH_A_THREAD
      ? prepareInThreads(options.source, shard, threadsFor(availableParallelism()))
      : prepareHere(options.source, shard, rules);
  const begun = performance.now();
  const progress = (): CampaignProgress => ({
    vectors: state.vectors,
    fresh: state.vectors - first,
    milliseconds: performance.now() - begun,
    differences: state.differences,
    incidents: state.incidents,
    coverage: state.coverage,
  });

  function* positions(): Generator<number> {
    for (let position = first; position < last; position++) {
      if (options.milliseconds !== undefined && performance.now() - begun >= options.milliseconds) return;
      yield position;
    }
  }

  try {
    const seen = new Set([...state.differences.keys(), ...options.known]);
    // As many are being prepared as a reference may have, so that a slow vector here or there keeps nobody waiting.
    const window = 2 * Math.max(1, ...references.map(({ inFlight }) => inFlight));
    const loose = new Map<Implementation, number>();
    let written = begun;
    let chunk: Outcome[] = [];
    const commit = () => {
      if (chunk.length === 0) return;
      for (const { signature, finding } of chunk) {
        if (signature === undefined || finding === undefined || seen.has(signature)) continue;
        seen.add(signature);
        writeFinding(path.join(folder, 'findings'), finding);
      }
      const fresh = references.flatMap((one) => {
        const all = looseIncidents(one);
        const before = loose.get(one) ?? 0;
        loose.set(one, all.length);
        return all.slice(before);
      });
      const line = toChunk(state.vectors, chunk, fresh);
      journal.chunk(line);
      state.add(line);
      chunk = [];
      written = performance.now();
      options.onProgress?.(progress());
    };
    const outcomes = inOrder(positions(), window, (position) =>
      explore(position, source, preparer, references, rules, seen),
    );
    for await (const outcome of outcomes) {
      chunk.push(outcome);
      if (chunk.length === CHUNK || performance.now() - written >= CHUNK_TIME) commit();
    }
    commit();
    // Nothing more was asked of a campaign that had ended: its journal stays as it is.
    if (earlier?.ended !== true || state.vectors > first) journal.end();
  } finally {
    journal.close();
    await preparer.close();
  }
  return { start: earlier?.start ?? start, ...progress() };
}

/** One vector through all implementations. */
async function explore(
  position: number,
  source: Source,
  preparer: Preparer,
  references: readonly Implementation[],
  rules: RuleBook,
  seen: ReadonlySet<string>,
): Promise<Outcome> {
  const { line, body, reached } = await preparer.prepare(position);
  const asked = references.map((one) =>
    body !== undefined && one.confirm !== undefined ? one.confirm(line, body) : one.submit(line),
  );
  const answers = await Promise.all(asked);
  const incidents = answers.flatMap((answer, index) =>
    answer?.kind === 'trace' && answer.incident !== undefined
      ? [`${references[index]!.name} ${answer.incident.kind}`]
      : [],
  );
  const agreed = { index: source.indexOf(position), signature: undefined, finding: undefined, reached, incidents };
  // Nearly always all say the same, and then the vector itself is not needed.
  if (body !== undefined && answers.every((answer) => answer === undefined)) return agreed;
  // Reading it back takes a fifth of what it takes to generate it again.
  const vector = vectorIn(line) ?? source.at(position).vector;
  const own =
    body === undefined ? ownSide(vector, rules) : { implementation: 'typescript', trace: traceOfBody(OWN, body) };
  const sides = [own, ...answers.map((answer, index) => sideOf(references[index]!, answer, own, vector))];
  const difference = compare(sides);
  if (difference === undefined) return agreed;
  const signature = formatSignature(signatureOf(vector, difference, sides));
  const finding = seen.has(signature) ? undefined : findingOf(source.at(position), signature, difference, sides);
  return { ...agreed, signature, finding };
}

function ownSide(vector: Vector, rules: RuleBook): Side {
  try {
    return { implementation: 'typescript', trace: traceToJson(derive(vector, { rules })) };
  } catch (error) {
    // A throw is a fault of the pipeline, kept like any other crash.
    return crashed('typescript', messageOf(error), vector);
  }
}

/** @param answer - `undefined` where the reference says what the TypeScript pipeline says */
function sideOf(
  { name: implementation, version }: Implementation,
  answer: Answer | undefined,
  own: Side,
  vector: Vector,
): Side {
  if (answer === undefined) {
    return { implementation, trace: { ...own.trace, implementation: { name: implementation, version } } };
  }
  switch (answer.kind) {
    case 'trace':
      return { implementation, trace: answer.trace, silent: answer.incident !== undefined };
    case 'error':
      return crashed(implementation, `refuses the vector: ${answer.path}: ${answer.message}`, vector);
    case 'absent':
      return crashed(implementation, answer.reason, vector);
    default:
      return answer satisfies never;
  }
}

function crashed(implementation: string, message: string, { l2 }: Vector): Side {
  const { number, hash } = l2[l2.length - 1]!;
  const trace = traceToJson({
    implementation: { name: implementation, version: '' },
    frames: [],
    channels: [],
    batches: [],
    flushes: [],
    singles: [],
    outcome: { kind: 'crash', message },
    safeHead: { number, hash },
  });
  return { implementation, trace, silent: true };
}

function findingOf(
  { index, vector, plan }: SourcedVector,
  signature: string,
  difference: Difference,
  sides: readonly Side[],
): Finding {
  return { signature, index, vector, plan, difference, traces: sides.map(({ trace }) => trace) };
}

function toChunk(from: number, outcomes: readonly Outcome[], loose: readonly string[]): JournalChunk {
  const differences: Record<string, { count: number; first: number }> = {};
  const incidents: Record<string, number> = {};
  const coverage = new Coverage();
  for (const name of [...outcomes.flatMap((outcome) => outcome.incidents), ...loose]) {
    incidents[name] = (incidents[name] ?? 0) + 1;
  }
  for (const { index, signature, reached } of outcomes) {
    if (reached !== undefined) coverage.add(reached);
    if (signature === undefined) continue;
    const before = differences[signature];
    differences[signature] = { count: (before?.count ?? 0) + 1, first: before?.first ?? index };
  }
  return {
    kind: 'chunk',
    from,
    to: from + outcomes.length,
    differences,
    coverage: { ...coverage.toJson() },
    incidents,
  };
}

/** The sum of journals' chunks. */
export class Totals {
  vectors = 0;
  readonly differences = new Map<string, Occurrences>();
  readonly incidents = new Map<string, number>();
  readonly coverage = new Coverage();

  add(chunk: JournalChunk): void {
    this.vectors += chunk.to - chunk.from;
    for (const [signature, { count, first }] of Object.entries(chunk.differences)) {
      const before = this.differences.get(signature);
      this.differences.set(signature, {
        count: (before?.count ?? 0) + count,
        first: Math.min(before?.first ?? first, first),
      });
    }
    for (const [name, count] of Object.entries(chunk.incidents)) {
      this.incidents.set(name, (this.incidents.get(name) ?? 0) + count);
    }
    this.coverage.merge(chunk.coverage);
  }
}
