/** What `holodiff run` does: opens what takes part, runs the campaign, minimises what is new, and sums up. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { HolodiffError } from '../errors.ts';
import { writeFile } from '../files.ts';
import type { Implementation } from '../implementations/implementation.ts';
import { titleOf } from '../implementations/named.ts';
import { openAllLive } from '../implementations/open.ts';
import type { ProcessLimits } from '../implementations/process.ts';
import { workFolder } from '../places.ts';
import { REFERENCE_NAMES } from '../references/build.ts';
import { spellingOf } from '../references/target.ts';
import {
  campaignReport,
  coverageTable,
  formatCampaign,
  formatDuration,
  formatProgress,
  freshOf,
} from '../report/campaign.ts';
import { type KnownOption, readKnownSignatures } from '../report/known.ts';
import type { CampaignReport } from '../report/result.ts';
import { loadVariant } from '../variants.ts';
import { count } from '../words.ts';
import { looseIncidents, participants, runCampaign } from './campaign.ts';
import { FINDING_FILES, findingFolder, findingName } from './finding.ts';
import { type JournalContent, type JournalStart, readJournal } from './journal.ts';
import { minimiseFindings } from './minimise-findings.ts';
import { type Shard, type SourceSpec, sourceOf } from './source.ts';

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
  /** Programs that a resumed campaign may have been begun with: how each is started, by its name. */
  readonly adapters?: Readonly<Record<string, string>>;
  readonly variant?: string;
  readonly out?: string;
  /** The folder below which a campaign goes that is not told where. */
  readonly findings?: string;
  readonly resume?: string;
  readonly minimise: boolean;
  readonly known?: KnownOption;
  readonly table: boolean;
  readonly limits: Partial<ProcessLimits>;
  /** Hears progress. */
  readonly note: (line: string) => void;
  /** Gets the summary. */
  readonly print: (line: string) => void;
}

/** Runs it. @returns what came of it, earlier calls included */
export async function runNamed(options: NamedRunOptions): Promise<CampaignReport> {
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
    options.resume ??
      options.out ??
      path.join(options.findings ?? path.join(workFolder(), 'findings'), nameOf(source, shard)),
  );
  const known = readKnownSignatures(options.known);
  const variant = options.variant === undefined ? undefined : await loadVariant(options.variant);
  const vectors = options.for === undefined ? (options.vectors ?? allowance(source, journal, folder)) : options.vectors;

  const names = namesOf(options, earlier?.implementations);
  const references: Implementation[] = [];
  try {
    references.push(...(await openAllLive(names, { report: note, limits: options.limits })));
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

    const findings = path.join(folder, 'findings');
    const report = campaignReport(
      {
        command: 'run',
        campaigns: [{ start: result.start, vectors: result.vectors }],
        differences: new Map(
          [...result.differences].map(([signature, { count, first: index }]) => [
            signature,
            { count, first: { campaign: 0, index } },
          ]),
        ),
        incidents: withEnds(result.incidents, references),
        coverage: result.coverage,
        findingOf: (signature) =>
          existsSync(path.join(findingFolder(findings, signature), FINDING_FILES.finding))
            ? findingName(signature)
            : undefined,
      },
      known,
    );
    const table = coverageTable(report);
    writeFile(path.join(folder, 'coverage.txt'), `${table}\n`);
    if (options.table) print(table);
    for (const line of formatCampaign(report)) print(line);
    print(
      `${count(result.vectors, 'vector')}${result.fresh === result.vectors ? '' : `, ${result.fresh} of them`} in ${formatDuration(result.milliseconds)}: ${count(report.differences.length, 'signature')}, ${freshOf(report).length} new; ${existsSync(findings) ? `findings in ${findings}` : `journal in ${folder}`}`,
    );
    return report;
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
  { implementation, adapters = {}, resume }: NamedRunOptions,
  earlier: JournalStart['implementations'] | undefined,
): readonly string[] {
  // The TypeScript pipeline takes part in any case.
  const others = (names: readonly string[]) => names.filter((name) => name !== 'typescript');
  if (implementation.length > 0) {
    if (others(implementation).length > 0) return others(implementation);
    throw new HolodiffError('bad-option', '--implementation typescript: a comparison needs another one besides it');
  }
  if (earlier === undefined) return REFERENCE_NAMES;
  return earlier
    .filter(({ name }) => name !== 'typescript')
    .map((one) => {
      const { name } = one;
      if (Object.hasOwn(adapters, name)) return `${name}=${adapters[name]!}`;
      const spelling = spellingOf(one);
      if (spelling !== undefined) return spelling;
      throw new HolodiffError('bad-option', `--resume ${resume}: say with --implementation how to start ${name}`);
    });
}

function nameOf(source: SourceSpec, { index, count }: Shard): string {
  const name = source.kind === 'generated' ? `seed-${source.seed}` : `exhaustive-${source.scope}`;
  return count === 1 ? name : `${name}-part-${index}-of-${count}`;
}

/** The incidents, with those that came when the references were ended: behind the last line of the journal. */
function withEnds(
  counted: ReadonlyMap<string, number>,
  references: readonly Implementation[],
): ReadonlyMap<string, number> {
  const all = new Map(counted);
  const loose = references.flatMap(looseIncidents);
  for (const name of new Set(loose)) {
    const here = loose.filter((one) => one === name).length;
    all.set(name, Math.max(all.get(name) ?? 0, here));
  }
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function textOf(list: JournalStart['implementations']): string {
  return list.map(titleOf).join(', ');
}
