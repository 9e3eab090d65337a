/**
 * Joins campaigns: the parts of one, which have to be all of them and each once, and several with different seeds.
 *
 * What comes out depends on what the campaigns found and on nothing else, the order of the folders included.
 */

import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { KnownSignatures } from '../compare/ledger.ts';
import { FileError, HolodiffError } from '../errors.ts';
import { makeFolder, namesIn, readFile, writeFile, writing } from '../files.ts';
import { campaignReport } from '../report/campaign.ts';
import { type CampaignReport, parseResult, resultToJson } from '../report/result.ts';
import { Totals } from './campaign.ts';
import { FINDING_FILES, findingName, readFindingSummary } from './finding.ts';
import { JOURNAL_FILE, type JournalContent, readJournal } from './journal.ts';
import type { SourceSpec } from './source.ts';

/** The file that says what a merged folder is of: the result, as `--reporter json` prints it. */
export const MERGED_FILE = 'merged.json';

interface Part {
  readonly folder: string;
  readonly journal: JournalContent;
  /** What the part is of, without which part it is: parts that share it belong together. */
  readonly source: string;
}

/**
 * Joins the campaigns in these folders.
 *
 * @param known - marks what is listed, and keeps what is under embargo out of the folder
 * @throws HolodiffError if they are not whole, or not of the same versions
 */
export function merge(folders: readonly string[], out: string, known = new KnownSignatures([])): CampaignReport {
  const parts = folders
    .map((folder): Part => {
      const journal = readJournal(folder);
      return { folder, journal, source: nameOf(journal.start.source) };
    })
    .sort((a, b) => inNaturalOrder(a.source, b.source) || a.journal.start.shard.index - b.journal.start.shard.index);
  for (const part of parts) checkEnded(part);
  checkVersions(parts);
  for (const source of new Set(parts.map((part) => part.source))) {
    checkComplete(parts.filter((part) => part.source === source));
  }
  if (existsSync(out) && namesIn(out).length > 0 && !existsSync(path.join(out, MERGED_FILE))) {
    throw new FileError('bad-option', out, 'holds something else than merged campaigns, and is not overwritten');
  }

  const totals = new Totals();
  for (const { journal } of parts) for (const chunk of journal.chunks) totals.add(chunk);
  const findings = firstFindings(parts, known);
  const report = campaignReport(
    {
      command: 'merge',
      campaigns: parts.map((part) => ({ start: part.journal.start, vectors: lengthOf(part) })),
      differences: firstSeen(parts, totals),
      incidents: new Map([...totals.incidents].sort(([a], [b]) => (a < b ? -1 : 1))),
      coverage: totals.coverage,
      findingOf: (signature) => {
        const name = findingName(signature);
        return findings.has(name) ? name : undefined;
      },
    },
    known,
  );
  write(out, report, findings);
  return report;
}

/** Reads what {@link merge} wrote. @throws FileError */
export function readMerged(folder: string): CampaignReport {
  const file = path.join(folder, MERGED_FILE);
  const result = parseResult(readFile(file), file);
  if (result.command === 'merge') return result;
  throw new FileError('invalid-file', file, `command: expected merge, got ${result.command}`);
}

function nameOf(source: SourceSpec): string {
  return source.kind === 'generated' ? `seed ${source.seed}` : `exhaustive ${source.scope}`;
}

function inNaturalOrder(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function lengthOf({ journal }: Part): number {
  return journal.chunks.at(-1)?.to ?? 0;
}

function checkEnded({ folder, journal }: Part): void {
  if (journal.ended) return;
  throw new FileError(
    'invalid-file',
    path.join(folder, JOURNAL_FILE),
    'this campaign did not come to its end: let it, with holodiff run --resume',
  );
}

function checkVersions(parts: readonly Part[]): void {
  const text = ({ journal }: Part) =>
    journal.start.implementations
      .map(({ name, version }) => `${name} ${version}`)
      .sort()
      .join(', ');
  const [first] = parts;
  const other = parts.find((part) => text(part) !== text(first!));
  if (other === undefined) return;
  throw new HolodiffError(
    'bad-option',
    `${other.folder}: was run with ${text(other)}, but ${first!.folder} with ${text(first!)}`,
  );
}

/** The parts of one source: each exactly once. */
function checkComplete(parts: readonly Part[]): void {
  const [first] = parts;
  const { count } = first!.journal.start.shard;
  const byIndex = new Map<number, Part>();
  for (const part of parts) {
    const { shard } = part.journal.start;
    if (shard.count !== count) {
      throw new HolodiffError(
        'bad-option',
        `${part.folder}: is a part of ${shard.count} of ${part.source}, but ${first!.folder} is one of ${count}`,
      );
    }
    const same = byIndex.get(shard.index);
    if (same !== undefined) {
      throw new HolodiffError(
        'bad-option',
        `${part.folder}: is part ${shard.index} of ${count} of ${part.source}, and so is ${same.folder}`,
      );
    }
    byIndex.set(shard.index, part);
  }
  for (let index = 1; index <= count; index++) {
    if (!byIndex.has(index)) {
      throw new HolodiffError('bad-option', `part ${index} of ${count} of ${first!.source} is missing`);
    }
  }
}

/** By signature how often it shows, and where first: at the lowest index, of the first campaign that has it there. */
function firstSeen(parts: readonly Part[], totals: Totals): Parameters<typeof campaignReport>[0]['differences'] {
  const firsts = new Map<string, { campaign: number; index: number }>();
  for (const [campaign, { journal }] of parts.entries()) {
    for (const { differences } of journal.chunks) {
      for (const [signature, { first: index }] of Object.entries(differences)) {
        const before = firsts.get(signature);
        if (before === undefined || index < before.index) firsts.set(signature, { campaign, index });
      }
    }
  }
  return new Map(
    [...totals.differences].map(([signature, { count }]) => [signature, { count, first: firsts.get(signature)! }]),
  );
}

/** By name the folder of each finding that may be shown: of each signature the one with the lowest index, as above. */
function firstFindings(parts: readonly Part[], known: KnownSignatures): ReadonlyMap<string, string> {
  const found = new Map<string, { readonly folder: string; readonly index: number }>();
  for (const part of parts) {
    const below = path.join(part.folder, 'findings');
    for (const name of existsSync(below) ? namesIn(below) : []) {
      const folder = path.join(below, name);
      if (!existsSync(path.join(folder, FINDING_FILES.finding))) continue;
      const { signature, index } = readFindingSummary(folder);
      const before = found.get(name);
      if (known.withholds(signature) || (before !== undefined && before.index <= index)) continue;
      found.set(name, { folder, index });
    }
  }
  return new Map([...found].map(([name, { folder }]) => [name, folder]));
}

/** Appears whole: a reader meets the old folder or the new one. */
function write(out: string, report: CampaignReport, findings: ReadonlyMap<string, string>): void {
  const temporary = `${out}.${process.pid}.tmp`;
  makeFolder(path.dirname(temporary));
  rmSync(temporary, { recursive: true, force: true });
  try {
    makeFolder(path.join(temporary, 'findings'));
    for (const [name, folder] of findings) {
      cpSync(folder, path.join(temporary, 'findings', name), { recursive: true });
    }
    writeFile(path.join(temporary, MERGED_FILE), resultToJson(report));
    writing(out, () => {
      rmSync(out, { recursive: true, force: true });
      renameSync(temporary, out);
    });
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}
