/** A campaign in words: a status line while it runs, a summary when it ends. */

import { RULE_IDS } from '../../src/rules/catalogue.ts';
import type { CampaignProgress } from '../campaign/campaign.ts';
import { type Coverage, ERAS, emptyCells } from '../campaign/coverage.ts';
import type { KnownSignatures } from '../compare/ledger.ts';
import { UNREACHABLE } from '../curated/unreachable.ts';

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

/** Rules × side × era: in how many vectors each was decided. */
export function formatCoverage(coverage: Coverage): string {
  const head = ['rule', ...['+', '-'].flatMap((side) => ERAS.map((era) => `${side} ${era}`))];
  const rows = RULE_IDS.map((rule) => [
    rule,
    ...(['+', '-'] as const).flatMap((side) => ERAS.map((era) => String(coverage.side(rule, side, era)))),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  return [head, ...rows]
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
    )
    .join('\n');
}

/** What a campaign, or several of them, came to. */
type Sums = Pick<CampaignProgress, 'differences' | 'incidents' | 'coverage'>;

/** Verdicts, flush causes, outcomes and incidents, one line. */
function formatTotals({ coverage, incidents }: Sums): string {
  const others = Object.entries(coverage.toJson()).filter(([name]) => !name.includes('/'));
  return [...others, ...incidents].map(([name, count]) => `${name} ${count}`).join(', ');
}

/** Signatures with their counts, the most frequent first, listed ones marked. */
function formatDifferences({ differences }: Sums, known: KnownSignatures): string[] {
  return [...differences]
    .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
    .map(([signature, { count, first }]) => {
      const id = known.get(signature);
      return `${id === undefined ? 'NEW  ' : 'known'} ${String(count).padStart(7)} × ${signature}${id === undefined ? '' : ` [${id}]`} (first: ${first})`;
    });
}

export interface Summary {
  readonly lines: readonly string[];
  /** Signatures that are not listed. */
  readonly fresh: number;
  /** Whether something is new, or a cell stayed empty that has to be reached. */
  readonly failed: boolean;
}

/**
 * What came of it.
 *
 * @param generated - how many vectors were generated: enough of them have to fill the table
 */
export function summarise(sums: Sums, known: KnownSignatures, generated: number): Summary {
  const lines = [formatTotals(sums), ...formatDifferences(sums, known)];
  const empty = emptyCells(sums.coverage, new Set(Object.keys(UNREACHABLE)));
  const enough = generated >= VECTORS_FOR_FULL_TABLE;
  if (empty.length > 0) lines.push(`${enough ? 'EMPTY' : 'not reached'}: ${empty.join(', ')}`);
  const fresh = [...sums.differences.keys()].filter((signature) => known.get(signature) === undefined).length;
  return { lines, fresh, failed: fresh > 0 || (enough && empty.length > 0) };
}
