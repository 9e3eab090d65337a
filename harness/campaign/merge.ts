/**
 * Joins campaigns: the parts of one, which have to be all of them and each once, and several with different seeds.
 *
 * What comes out depends on what the campaigns found and on nothing else, the order of the folders included.
 */

import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { FileError, HolodiffError } from '../errors.ts';
import { readFile, writeFile } from '../files.ts';
import { Totals } from './campaign.ts';
import { FINDING_FILES } from './finding.ts';
import { JOURNAL_FILE, type JournalContent, readJournal } from './journal.ts';
import type { SourceSpec } from './source.ts';

/** The file that says what a merged folder is of. */
export const MERGED_FILE = 'merged.json';

interface Part {
  readonly folder: string;
  readonly journal: JournalContent;
  /** What the part is of, without which part it is: parts that share it belong together. */
  readonly source: string;
}

interface FoundBy {
  readonly part: Part;
  readonly folder: string;
  readonly index: number;
}

export interface Merged {
  readonly totals: Totals;
  /** Vectors that were generated, not taken from a scope. */
  readonly generated: number;
}

/** Joins the campaigns in these folders. @throws HolodiffError if they are not whole, or not of the same versions */
export function merge(folders: readonly string[], out: string): Merged {
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
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(path.join(out, MERGED_FILE))) {
    throw new FileError('bad-option', out, 'holds something else than merged campaigns, and is not overwritten');
  }

  const totals = new Totals();
  for (const { journal } of parts) for (const chunk of journal.chunks) totals.add(chunk);
  const found = firstFindings(parts);
  write(out, parts, totals, found);
  const generated = parts.filter(({ journal }) => journal.start.source.kind === 'generated').map(lengthOf);
  return { totals, generated: generated.reduce((sum, count) => sum + count, 0) };
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

/** Of each signature the finding with the lowest index; of equal ones that of the first source. */
function firstFindings(parts: readonly Part[]): Map<string, FoundBy> {
  const found = new Map<string, FoundBy>();
  for (const part of parts) {
    const folder = path.join(part.folder, 'findings');
    for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
      const file = path.join(folder, name, FINDING_FILES.finding);
      if (!existsSync(file)) continue;
      const { index } = JSON.parse(readFile(file)) as { index: number };
      const before = found.get(name);
      if (before === undefined || index < before.index)
        found.set(name, { part, folder: path.join(folder, name), index });
    }
  }
  return found;
}

/** Appears whole: a reader meets the old folder or the new one. */
function write(out: string, parts: readonly Part[], totals: Totals, found: ReadonlyMap<string, FoundBy>): void {
  const temporary = `${out}.${process.pid}.tmp`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(path.join(temporary, 'findings'), { recursive: true });
  const sorted = <T>(map: Iterable<readonly [string, T]>) =>
    Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
  try {
    for (const [name, { folder }] of found) {
      cpSync(folder, path.join(temporary, 'findings', name), { recursive: true });
    }
    const merged = {
      format: 1,
      implementations: parts[0]!.journal.start.implementations,
      campaigns: parts.map((part) => ({
        ...part.journal.start.source,
        shard: part.journal.start.shard,
        vectors: lengthOf(part),
      })),
      vectors: totals.vectors,
      differences: sorted(totals.differences),
      findings: sorted([...found].map(([name, { part, index }]) => [name, { source: part.source, index }] as const)),
      incidents: sorted(totals.incidents),
      coverage: totals.coverage.toJson(),
    };
    writeFile(path.join(temporary, MERGED_FILE), `${JSON.stringify(merged, null, 2)}\n`);
    rmSync(out, { recursive: true, force: true });
    mkdirSync(path.dirname(out), { recursive: true });
    renameSync(temporary, out);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}
