/** What came of a campaign: its result as data, and in words; and a status line while it runs. */

import { RULE_IDS, type RuleId } from '../../src/rules/catalogue.ts';
import { VERSION } from '../../src/version.ts';
import type { CampaignProgress } from '../campaign/campaign.ts';
import { Coverage, ERAS, emptyCells, unreachableReason, type VectorEra } from '../campaign/coverage.ts';
import type { JournalStart } from '../campaign/journal.ts';
import type { Boundary } from '../compare/compare.ts';
import type { KnownDivergence, KnownSignatures } from '../compare/ledger.ts';
import type { IncidentKind } from '../implementations/implementation.ts';
import { type CampaignReport, RESULT_FORMAT } from './result.ts';
import { signatureParts } from './signature-parts.ts';

/** A campaign of so many vectors has to fill its table. */
const VECTORS_FOR_FULL_TABLE = 20_000;

/** One line of progress. `share` is how much of the allowance is used, from 0 to 1, where there is one. */
export function formatProgress(progress: CampaignProgress, fresh: number, share: number | undefined): string {
  const { vectors, fresh: done, milliseconds, differences, coverage } = progress;
  const rate = milliseconds > 0 ? Math.round((done / milliseconds) * 1000) : 0;
  const left =
    share === undefined || share <= 0 ? '' : `, ${formatDuration((milliseconds / share) * (1 - share))} left`;
  const sides = `${coverage.reachedSides} of ${RULE_IDS.length * 2} rule sides`;
  return `${vectors} vectors, ${rate}/s, ${sides}, ${differences.size} signatures (${fresh} new)${left}`;
}

/** `1 h 2 min`, `3 min 4 s` or `5 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return seconds >= 60 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${seconds} s`;
}

/** Rules × side × era: in how many vectors each was decided; a dash where none can be. */
export function formatCoverage(coverage: Coverage): string {
  const cell = (rule: RuleId, side: '+' | '-', era: VectorEra) => {
    const count = coverage.side(rule, side, era);
    return count === 0 && unreachableReason(rule, side, era) !== undefined ? '–' : String(count);
  };
  const head = ['rule', ...['+', '-'].flatMap((side) => ERAS.map((era) => `${side} ${era}`))];
  const rows = RULE_IDS.map((rule) => [
    rule,
    ...(['+', '-'] as const).flatMap((side) => ERAS.map((era) => cell(rule, side, era))),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  return [head, ...rows]
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
    )
    .join('\n');
}

/** What a campaign, or several of them, came to. */
export interface CampaignSums {
  readonly command: CampaignReport['command'];
  readonly campaigns: readonly { readonly start: JournalStart; readonly vectors: number }[];
  /** By signature. */
  readonly differences: ReadonlyMap<string, { readonly count: number; readonly first: FirstSeen }>;
  /** By implementation and kind, with a space between them. */
  readonly incidents: ReadonlyMap<string, number>;
  readonly coverage: Coverage;
  /** The folder of a signature's finding, where one is kept. */
  readonly findingOf: (signature: string) => string | undefined;
}

type FirstSeen = CampaignReport['differences'][number]['first'];

/** Incidents that no difference tells of, since they belong to no vector. */
const LOOSE: ReadonlySet<string> = new Set<IncidentKind>(['surplus', 'bad-end']);

/** The result as data. Signatures under embargo are counted and in no other way part of it. */
export function campaignReport(sums: CampaignSums, known: KnownSignatures): CampaignReport {
  const { command, campaigns, coverage } = sums;
  const differences = [...sums.differences]
    .filter(([signature]) => !known.withholds(signature))
    .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
    .map(([signature, { count, first }]) => {
      const { boundary, outlier, rule, decided, shape } = signatureParts(signature);
      return {
        signature,
        boundary: boundary as Boundary,
        outlier,
        rule: rule ?? null,
        decided,
        shape,
        count,
        first,
        known: knownReport(known.entry(signature)),
        finding: sums.findingOf(signature) ?? null,
      };
    });
  const incidents = [...sums.incidents].map(([name, count]) => {
    const space = name.lastIndexOf(' ');
    const kind = name.slice(space + 1);
    return { implementation: name.slice(0, space), kind, count, fails: LOOSE.has(kind) };
  });
  const unreached = emptyCells(coverage);
  const generated = campaigns.filter(({ start }) => start.source.kind === 'generated');
  const unreachedFails =
    unreached.length > 0 && generated.reduce((sum, { vectors }) => sum + vectors, 0) >= VECTORS_FOR_FULL_TABLE;
  const failed =
    unreachedFails || differences.some((one) => one.known === null) || incidents.some(({ fails }) => fails);
  return {
    format: RESULT_FORMAT,
    holodiff: VERSION,
    command,
    status: failed ? 'differs' : 'ok',
    implementations: [...(campaigns[0]?.start.implementations ?? [])],
    campaigns: campaigns.map(({ start: { source, shard }, vectors }) => ({
      source: source.kind === 'generated' ? { seed: source.seed } : { scope: source.scope },
      part: shard,
      vectors,
    })),
    vectors: campaigns.reduce((sum, { vectors }) => sum + vectors, 0),
    differences,
    causes: causesOf(differences, known, campaigns[0]?.start.implementations ?? []),
    incidents,
    coverage: coverage.toJson(),
    unreached,
    unreachedFails,
    underEmbargo: sums.differences.size - differences.length,
  };
}

/** How many vectors show each listed cause that these implementations can show. */
function causesOf(
  differences: CampaignReport['differences'],
  known: KnownSignatures,
  implementations: JournalStart['implementations'],
): CampaignReport['causes'] {
  const counts: Record<string, number> = {};
  for (const { id, outlier, embargo } of known.entries) {
    const takesPart = outlier === 'all' || implementations.some(({ name }) => name === outlier);
    if (embargo === true || !takesPart) continue;
    const showing = differences.filter((one) => one.known?.id === id);
    counts[id] = showing.reduce((sum, { count }) => sum + count, 0);
  }
  return counts;
}

/** What a result tells of an entry of the ledger. */
export function knownReport(
  entry: Pick<KnownDivergence, 'id' | 'title' | 'link'> | undefined,
): CampaignReport['differences'][number]['known'] {
  return entry === undefined ? null : { id: entry.id, title: entry.title, link: entry.link ?? null };
}

/** The signatures that are not listed. */
export function freshOf({ differences }: CampaignReport): CampaignReport['differences'] {
  return differences.filter(({ known }) => known === null);
}

/** The result as lines: totals, signatures with the listed ones marked, and what was not reached. */
export function formatCampaign(report: CampaignReport): string[] {
  const { differences, causes, incidents, coverage, unreached, unreachedFails, underEmbargo } = report;
  const totals = [
    ...Object.entries(coverage).filter(([name]) => !name.includes('/')),
    ...incidents.map(({ implementation, kind, count }) => [`${implementation} ${kind}`, count] as const),
  ];
  const lines = [totals.map(([name, count]) => `${name} ${count}`).join(', ')];
  for (const { signature, count, known, first } of differences) {
    const listed = known === null ? '' : ` [${known.id}]`;
    lines.push(
      `${known === null ? 'NEW  ' : 'known'} ${String(count).padStart(7)} × ${signature}${listed} (first: ${first.index})`,
    );
  }
  const unmet = Object.keys(causes).filter((id) => causes[id] === 0);
  const listed = Object.keys(causes).length;
  if (listed > 0) {
    const rest = unmet.length === 0 ? '' : `; not met: ${unmet.join(', ')}`;
    lines.push(`${listed - unmet.length} of ${listed} listed causes met${rest}`);
  }
  if (underEmbargo > 0) lines.push(`${underEmbargo} under embargo`);
  if (unreached.length > 0) lines.push(`${unreachedFails ? 'EMPTY' : 'not reached'}: ${unreached.join(', ')}`);
  const broken = incidents.filter(({ fails }) => fails);
  if (broken.length > 0) {
    lines.push(
      `BROKEN: ${broken.map(({ implementation, kind, count }) => `${implementation} ${kind} ${count}`).join(', ')}`,
    );
  }
  return lines;
}

/** Its table of coverage. */
export function coverageTable({ coverage }: CampaignReport): string {
  const all = new Coverage();
  all.merge(coverage);
  return formatCoverage(all);
}
