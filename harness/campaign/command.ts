/** What `holodiff run` does: opens what takes part, runs the campaign, minimises what is new, and sums up. */

import path from 'node:path';
import { KnownSignatures } from '../compare/ledger.ts';
import { HolodiffError } from '../errors.ts';
import { PACKAGE_ROOT, writeFile } from '../files.ts';
import { EXHAUSTIVE_SCOPES } from '../generate/exhaustive.ts';
import type { Implementation } from '../implementations/implementation.ts';
import { openProgram, openReference } from '../implementations/open.ts';
import type { ProcessLimits } from '../implementations/process.ts';
import { isReferenceName, REFERENCE_NAMES } from '../references/build.ts';
import { formatCoverage, formatDuration, formatProgress, summarise } from '../report/campaign.ts';
import { readKnown } from '../report/known.ts';
import { loadVariant } from '../variants.ts';
import { looseIncidents, participants, runCampaign } from './campaign.ts';
import { type JournalContent, type JournalStart, readJournal } from './journal.ts';
import { minimiseFindings } from './minimise-findings.ts';
import type { Shard, SourceSpec } from './source.ts';

/** Where a campaign ends that was given no end. */
const DEFAULT_VECTORS = 10_000;

export interface NamedRunOptions {
  readonly seed?: string;
  readonly exhaustive?: string;
  /** Milliseconds. */
  readonly for?: number;
  readonly vectors?: number;
  readonly shard: Shard;
  readonly implementation: readonly string[];
  readonly variant?: string;
  readonly out?: string;
  readonly resume?: string;
  readonly minimise: boolean;
  readonly known?: string | boolean;
  readonly table: boolean;
  readonly limits: Partial<ProcessLimits>;
  /** Hears progress. */
  readonly note: (line: string) => void;
  /** Gets the summary. */
  readonly print: (line: string) => void;
}

/** Runs it. @returns whether something is new, or a cell that has to be reached stayed empty */
export async function runNamed(options: NamedRunOptions): Promise<boolean> {
  const { note, print } = options;
  const journal = options.resume === undefined ? undefined : readJournal(options.resume);
  const earlier = journal?.start;
  if (earlier !== undefined && (options.seed ?? options.exhaustive) !== undefined) {
    throw new HolodiffError(
      'bad-option',
      '--resume: goes on with its own seed or scope; leave --seed and --exhaustive out',
    );
  }
  const source = earlier?.source ?? sourceOf(options);
  const shard = earlier?.shard ?? options.shard;
  const folder = path.resolve(
    options.resume ?? options.out ?? path.join(PACKAGE_ROOT, 'findings', nameOf(source, shard)),
  );
  const known = knownSignatures(options.known);
  const variant = options.variant === undefined ? undefined : await loadVariant(options.variant);
  const vectors = options.for === undefined ? (options.vectors ?? allowance(source, journal, folder)) : options.vectors;

  const names = namesOf(options, earlier?.implementations);
  const references: Implementation[] = [];
  try {
    for (const name of new Set(names)) references.push(await open(name, options));
    const taking = textOf(participants(references, variant));
    if (earlier !== undefined && textOf(earlier.implementations) !== taking) {
      const before = textOf(earlier.implementations);
      throw new HolodiffError('bad-option', `--resume ${folder}: was run with ${before}, now there is ${taking}`);
    }
    note(`campaign ${folder}: ${taking}`);

    let shown = 0;
    const result = await runCampaign({
      folder,
      source,
      shard,
      references,
      variant,
      known: known.exact,
      vectors,
      milliseconds: options.for,
      resume: options.resume !== undefined,
      onProgress: (progress) => {
        const now = progress.milliseconds;
        const interval = process.stderr.isTTY ? 500 : 15_000;
        if (now - shown < interval) return;
        shown = now;
        const fresh = [...progress.differences.keys()].filter((signature) => known.get(signature) === undefined).length;
        const share =
          options.for !== undefined
            ? now / options.for
            : vectors !== undefined
              ? progress.vectors / vectors
              : undefined;
        const line = formatProgress(progress, fresh, share);
        if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line}`);
        else note(line);
      },
    });
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
    if (options.minimise) await minimiseFindings(folder, references, known, note);
    await Promise.all(references.map((reference) => reference.close()));

    const table = formatCoverage(result.coverage);
    writeFile(path.join(folder, 'coverage.txt'), `${table}\n`);
    if (options.table) print(table);
    const { lines, fresh, failed } = summarise(result, known, source.kind === 'generated' ? result.vectors : 0);
    for (const line of lines) print(line);
    const loose = references.flatMap(looseIncidents);
    if (loose.length > 0) print(`BROKEN: ${loose.join(', ')}`);
    print(
      `${result.vectors} vectors, ${result.fresh} of them in ${formatDuration(result.milliseconds)}: ${result.differences.size} signatures, ${fresh} new; findings in ${path.join(folder, 'findings')}`,
    );
    return failed || loose.length > 0;
  } finally {
    await Promise.all(references.map((reference) => reference.close()));
  }
}

/** How many vectors a campaign has of which nothing else is said. */
function allowance(source: SourceSpec, journal: JournalContent | undefined, folder: string): number | undefined {
  if (journal === undefined) return source.kind === 'generated' ? DEFAULT_VECTORS : undefined;
  if (journal.start.vectors !== undefined || source.kind === 'exhaustive') return journal.start.vectors;
  if (journal.ended) return journal.chunks.at(-1)?.to ?? 0;
  throw new HolodiffError('bad-option', `--resume ${folder}: was run for some time; say for how long with --for`);
}

function namesOf(
  { implementation, resume }: NamedRunOptions,
  earlier: JournalStart['implementations'] | undefined,
): readonly string[] {
  if (implementation.length > 0) return implementation;
  if (earlier === undefined) return REFERENCE_NAMES;
  const names = earlier.map(({ name }) => name).filter((name) => name !== 'typescript');
  const stranger = names.find((name) => !isReferenceName(name));
  if (stranger === undefined) return names;
  throw new HolodiffError('bad-option', `--resume ${resume}: say with --implementation how to start ${stranger}`);
}

function open(name: string, { note: report, limits }: NamedRunOptions): Promise<Implementation> {
  if (name.includes('=')) return openProgram(name, { report, limits });
  if (isReferenceName(name)) return openReference(name, { report, limits });
  const known = `${REFERENCE_NAMES.join(', ')}, or NAME=COMMAND`;
  throw new HolodiffError('unknown-implementation', `--implementation ${name}: expected ${known}`);
}

function sourceOf({ seed, exhaustive }: NamedRunOptions): SourceSpec {
  if (exhaustive === undefined) return { kind: 'generated', seed: seed ?? '1' };
  if (seed !== undefined)
    throw new HolodiffError('bad-option', '--exhaustive: takes every vector of its scope, so leave --seed out');
  if (!Object.hasOwn(EXHAUSTIVE_SCOPES, exhaustive)) {
    throw new HolodiffError(
      'bad-option',
      `--exhaustive ${exhaustive}: expected one of ${Object.keys(EXHAUSTIVE_SCOPES).join(', ')}`,
    );
  }
  return { kind: 'exhaustive', scope: exhaustive };
}

function nameOf(source: SourceSpec, { index, count }: Shard): string {
  const name = source.kind === 'generated' ? `seed-${source.seed}` : `exhaustive-${source.scope}`;
  return count === 1 ? name : `${name}-part-${index}-of-${count}`;
}

/** Listed signatures with the ids of their entries. */
export function knownSignatures(known: string | boolean | undefined): KnownSignatures {
  return new KnownSignatures(readKnown(known));
}

function textOf(list: JournalStart['implementations']): string {
  return list.map(({ name, version }) => `${name} ${version}`).join(', ');
}
