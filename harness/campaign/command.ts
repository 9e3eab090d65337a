/** What `holodiff run` does: opens what takes part, runs the campaign, minimises what is new, and sums up. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { LEDGER_FILE, readLedger } from '../compare/ledger.ts';
import { UNREACHABLE } from '../curated/unreachable.ts';
import { HolodiffError } from '../errors.ts';
import { PACKAGE_ROOT, writeFile } from '../files.ts';
import { EXHAUSTIVE_SCOPES } from '../generate/exhaustive.ts';
import type { Implementation } from '../implementations/implementation.ts';
import { openReference } from '../implementations/open.ts';
import type { ProcessLimits } from '../implementations/process.ts';
import { isReferenceName, REFERENCE_NAMES } from '../references/build.ts';
import { formatCoverage, formatDifferences, formatDuration, formatProgress, formatTotals } from '../report/campaign.ts';
import { loadVariant } from '../variants.ts';
import { type CampaignResult, runCampaign } from './campaign.ts';
import { emptyCells } from './coverage.ts';
import { readJournal } from './journal.ts';
import { minimiseFindings } from './minimise-findings.ts';
import type { Shard, SourceSpec } from './source.ts';

/** Where a campaign ends that was given no end. */
const DEFAULT_VECTORS = 10_000;

/** A campaign of so many vectors has to fill its table. */
const VECTORS_FOR_FULL_TABLE = 20_000;

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
  const earlier = options.resume === undefined ? undefined : readJournal(options.resume).start;
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
  const endless = source.kind === 'generated' && options.for === undefined && options.vectors === undefined;
  const vectors = options.vectors ?? (endless ? DEFAULT_VECTORS : undefined);

  const names = options.implementation.length > 0 ? options.implementation : REFERENCE_NAMES;
  const references: Implementation[] = [];
  try {
    for (const name of new Set(names)) {
      if (!isReferenceName(name)) {
        throw new HolodiffError(
          'unknown-implementation',
          `--implementation ${name}: expected ${REFERENCE_NAMES.join(' or ')}`,
        );
      }
      references.push(await openReference(name, { report: note, limits: options.limits }));
    }
    checkVersions(earlier?.implementations, references, folder);
    note(`campaign ${folder}: ${references.map(({ name, version }) => `${name} ${version}`).join(', ')}`);

    let shown = 0;
    const result = await runCampaign({
      folder,
      source,
      shard,
      references,
      variant,
      known: new Set(known.keys()),
      vectors,
      milliseconds: options.for,
      resume: options.resume !== undefined,
      onProgress: (progress) => {
        const now = progress.milliseconds;
        const interval = process.stderr.isTTY ? 500 : 15_000;
        if (now - shown < interval) return;
        shown = now;
        const fresh = [...progress.differences.keys()].filter((signature) => !known.has(signature)).length;
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
    if (options.minimise) await minimiseFindings(folder, references, note);
    return summarise(result, folder, known, options.table, print);
  } finally {
    await Promise.all(references.map((reference) => reference.close()));
  }
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
function knownSignatures(known: string | boolean | undefined): Map<string, string> {
  if (known === false || (typeof known !== 'string' && !existsSync(LEDGER_FILE))) return new Map();
  const file = typeof known === 'string' ? known : LEDGER_FILE;
  return new Map(
    readLedger(file).flatMap(({ id, signatures }) => signatures.map((signature) => [signature, id] as const)),
  );
}

function checkVersions(
  earlier: readonly { readonly name: string; readonly version: string }[] | undefined,
  references: readonly Implementation[],
  folder: string,
): void {
  const text = (list: readonly { readonly name: string; readonly version: string }[]) =>
    list.map(({ name, version }) => `${name} ${version}`).join(', ');
  if (earlier !== undefined && text(earlier) !== text(references)) {
    throw new HolodiffError(
      'bad-option',
      `--resume ${folder}: was run with ${text(earlier)}, now there is ${text(references)}`,
    );
  }
}

function summarise(
  result: CampaignResult,
  folder: string,
  known: ReadonlyMap<string, string>,
  table: boolean,
  print: (line: string) => void,
): boolean {
  const coverageTable = formatCoverage(result.coverage);
  writeFile(path.join(folder, 'coverage.txt'), `${coverageTable}\n`);
  if (table) print(coverageTable);
  print(formatTotals(result));
  for (const line of formatDifferences(result, known)) print(line);
  const empty = emptyCells(result.coverage, new Set(Object.keys(UNREACHABLE)));
  const enough =
    result.start.source.kind === 'generated' && result.vectors * result.start.shard.count >= VECTORS_FOR_FULL_TABLE;
  if (empty.length > 0) print(`${enough ? 'EMPTY' : 'not reached'}: ${empty.join(', ')}`);
  const fresh = [...result.differences.keys()].filter((signature) => !known.has(signature)).length;
  print(
    `${result.vectors} vectors, ${result.fresh} of them in ${formatDuration(result.milliseconds)}: ${result.differences.size} signatures, ${fresh} new; findings in ${path.join(folder, 'findings')}`,
  );
  return fresh > 0 || (enough && empty.length > 0);
}
