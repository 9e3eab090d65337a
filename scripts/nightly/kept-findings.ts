/** The findings that are kept from one night to the next: those that nobody has listed yet. */

import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { FINDING_FILES, readFindingSummary } from '../../harness/campaign/finding.ts';
import type { KnownSignatures } from '../../harness/compare/ledger.ts';
import type { CampaignReport, ReplayReport } from '../../harness/report/result.ts';

/** The names of the findings below a folder, with their signatures. */
function findingsBelow(folder: string): ReadonlyMap<string, string> {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return new Map(
    names
      .filter((name) => existsSync(path.join(folder, name, FINDING_FILES.finding)))
      .map((name) => [name, readFindingSummary(path.join(folder, name)).signature] as const),
  );
}

/**
 * The names of findings on which all agree now, as found and as minimised.
 *
 * @param report - a replay of the folder in which they are kept
 */
export function goneFindings({ agreed, differences, failures }: ReplayReport): ReadonlySet<string> {
  const nameOf = (source: string) => path.basename(path.dirname(source));
  const others = new Set([...differences, ...failures].map(({ source }) => nameOf(source)));
  return new Set(agreed.map(({ source }) => nameOf(source)).filter((name) => !others.has(name)));
}

export interface KeptChanges {
  readonly added: readonly string[];
  readonly gone: readonly string[];
  readonly listed: readonly string[];
}

/** Brings what is kept up to date: without those that are gone or listed, and with the new ones of the night. */
export function updateKept(
  kept: string,
  night: { readonly folder: string; readonly report: CampaignReport },
  gone: ReadonlySet<string>,
  known: KnownSignatures,
): KeptChanges {
  const changes = { added: [] as string[], gone: [] as string[], listed: [] as string[] };
  for (const [name, signature] of findingsBelow(kept)) {
    const why = known.get(signature) !== undefined ? changes.listed : gone.has(name) ? changes.gone : undefined;
    if (why === undefined) continue;
    why.push(name);
    rmSync(path.join(kept, name), { recursive: true });
  }
  const there = findingsBelow(kept);
  for (const { finding, signature, known: entry } of night.report.differences) {
    const listed = entry !== null || known.get(signature) !== undefined;
    if (finding === null || listed || there.has(finding)) continue;
    changes.added.push(finding);
    cpSync(path.join(night.folder, 'findings', finding), path.join(kept, finding), { recursive: true });
  }
  return changes;
}
