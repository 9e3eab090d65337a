/**
 * The conformance table: for each rule the stored vectors that show it, and whether each recorded version of a reference
 * agrees on them with the TypeScript pipeline. What a vector shows is found by running it, not taken from its claims.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { derive } from '../../src/derive.ts';
import { RULE_IDS, type RuleId } from '../../src/rules/catalogue.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import { compare, type Difference, type Side } from '../compare/compare.ts';
import { type KnownDivergence, readLedger } from '../compare/ledger.ts';
import { signatureOf } from '../compare/signature.ts';
import { loadTellable } from '../corpus.ts';
import { BEYOND_CAMPAIGNS, UNREACHABLE } from '../curated/unreachable.ts';
import { hashVector, readRecordings, recordingFile } from '../implementations/recorded.ts';
import { pinnedVersion, REFERENCE_NAMES } from '../references/names.ts';
import { type TraceJson, traceToJson } from '../trace.ts';
import { recordedVersions } from '../variant/open.ts';
import { CONSTRUCTIVE } from './constructive.ts';

/** The vectors that show one side of a rule. */
export interface Shown {
  readonly count: number;
  /** Names of the smallest ones. */
  readonly smallest: readonly string[];
  /** Why there are none. */
  readonly reason: string | undefined;
}

/** What a recorded reference does about one rule. */
export interface Agreement {
  /** How many vectors that show the rule were compared. */
  readonly compared: number;
  /** Vectors on which it differs by this rule. */
  readonly differs: readonly string[];
  /** The ledger's entries that say so. */
  readonly divergences: readonly string[];
  /** Of those on which it differs, the ones on which the version that it is told against does not by this rule. */
  readonly more: readonly string[];
  /** Vectors that it was asked too, on which only the version that it is told against differs by this rule. */
  readonly less: readonly string[];
}

/** A version of a reference of which traces were recorded. */
export interface RecordedVersion {
  /** `name@version`. */
  readonly title: string;
  /**
   * The title of the version of this reference that is told in full: the pinned one, or the newest if that was not
   * recorded. Its own title there.
   */
  readonly against: string;
  /** How many vectors were recorded. */
  readonly compared: number;
  /** On how many of them it differs from the TypeScript pipeline. */
  readonly differs: number;
}

export interface RuleRow {
  readonly rule: RuleId;
  readonly fires: Shown;
  readonly passes: Shown;
  /** By the title of the version. */
  readonly agreement: Readonly<Record<string, Agreement>>;
}

export interface Conformance {
  readonly vectors: number;
  /** By reference; of each the one that is told in full, then the others, the newest first. */
  readonly versions: readonly RecordedVersion[];
  readonly rows: readonly RuleRow[];
  readonly unexplained: readonly Unexplained[];
}

/** A difference that no rule accounts for. */
interface Unexplained {
  /** The title of the version. */
  readonly version: string;
  readonly vector: string;
}

/** How many vectors are named for each side. */
const NAMED = 3;

/** What one vector shows, by position in the catalogue. */
interface Run {
  readonly name: string;
  readonly fired: readonly boolean[];
  readonly passed: readonly boolean[];
}

/** Builds the table from the vectors and recordings below these paths. */
export function conformance(paths: readonly string[], ledgerFile: string): Conformance {
  const entries = existsSync(ledgerFile) ? readLedger(ledgerFile) : [];
  const ledger = entries.filter(({ embargo }) => embargo !== true);
  // The table is published.
  const { vectors: corpus } = loadTellable(paths, 'all', entries, () => undefined);
  const recordings = readAllRecordings(corpus.map(({ file }) => path.dirname(file)));
  const titles = [...recordings.keys()];
  const runs: Run[] = [];
  const differences = new Map<string, Map<RuleId, { vectors: string[]; ids: Set<string> }>>();
  const compared = new Map<string, Set<string>>(titles.map((title) => [title, new Set()]));
  const differing = new Map<string, number>(titles.map((title) => [title, 0]));
  const unexplained: Unexplained[] = [];

  for (const { vector, line } of corpus) {
    const rules = new RuleBook();
    const own: Side = { implementation: 'typescript', trace: traceToJson(derive(vector, { rules })) };
    runs.push({
      name: vector.name,
      fired: Array.from(rules.fired, (count) => count > 0),
      passed: Array.from(rules.passed, (count) => count > 0),
    });
    const sha256 = hashVector(line);
    for (const title of titles) {
      const trace = recordings.get(title)!.get(sha256);
      if (trace === undefined) continue;
      compared.get(title)!.add(vector.name);
      const sides = [own, { implementation: title.split('@')[0]!, trace }];
      const difference = compare(sides);
      if (difference === undefined) continue;
      differing.set(title, differing.get(title)! + 1);
      const { rule, id } = attribute(vector.name, title, difference, ledger) ?? {
        rule: signatureOf(vector, difference, sides).rule,
        id: undefined,
      };
      if (rule === 'unknown') {
        unexplained.push({ version: title, vector: vector.name });
        continue;
      }
      const ofVersion = differences.get(title) ?? new Map<RuleId, { vectors: string[]; ids: Set<string> }>();
      const found = ofVersion.get(rule) ?? { vectors: [], ids: new Set() };
      found.vectors.push(vector.name);
      if (id !== undefined) found.ids.add(id);
      differences.set(title, ofVersion.set(rule, found));
    }
  }

  const versions = inFull(titles).map(
    ({ title, against }): RecordedVersion => ({
      title,
      against,
      compared: compared.get(title)!.size,
      differs: differing.get(title)!,
    }),
  );
  const rows = RULE_IDS.map((rule, index): RuleRow => {
    const shows = runs.filter(({ fired, passed }) => fired[index] || passed[index]).map(({ name }) => name);
    const shownBy = CONSTRUCTIVE[rule]?.shownBy ?? [];
    const positions = shownBy.map((other) => RULE_IDS.indexOf(other));
    const standsIn = runs
      .filter((run) => positions.some((at) => run.fired[at] || run.passed[at]))
      .map(({ name }) => name);
    return {
      rule,
      fires: shown(
        runs.filter(({ fired }) => fired[index]),
        rule,
        '+',
      ),
      passes: shown(
        runs.filter(({ passed }) => passed[index]),
        rule,
        '-',
      ),
      agreement: Object.fromEntries(
        versions.map(({ title, against }) => {
          const found = differences.get(title)?.get(rule);
          const names = compared.get(title)!;
          const differs = found?.vectors ?? [];
          const differsInFull = differences.get(against)?.get(rule)?.vectors ?? [];
          const agreement: Agreement = {
            compared: [...shows, ...standsIn].filter((name) => names.has(name)).length,
            differs,
            divergences: [...(found?.ids ?? [])].sort(),
            more: differs.filter((name) => !differsInFull.includes(name)),
            less: differsInFull.filter((name) => names.has(name) && !differs.includes(name)),
          };
          return [title, agreement];
        }),
      ),
    };
  });
  return { vectors: corpus.length, versions, rows, unexplained };
}

/**
 * Puts versions in the order of the table.
 *
 * @param titles - by reference, there the oldest first
 */
function inFull(titles: readonly string[]): Pick<RecordedVersion, 'title' | 'against'>[] {
  return REFERENCE_NAMES.flatMap((name) => {
    const newestFirst = titles.filter((title) => title.startsWith(`${name}@`)).toReversed();
    const pinned = `${name}@${pinnedVersion(name)}`;
    const against = newestFirst.includes(pinned) ? pinned : newestFirst[0];
    if (against === undefined) return [];
    return [against, ...newestFirst.filter((title) => title !== against)].map((title) => ({ title, against }));
  });
}

/** The corpus comes smallest first. */
function shown(runs: readonly Run[], rule: RuleId, side: '+' | '-'): Shown {
  return {
    count: runs.length,
    smallest: runs.slice(0, NAMED).map(({ name }) => name),
    reason: CONSTRUCTIVE[rule]?.reason ?? UNREACHABLE[`${rule}${side}`] ?? BEYOND_CAMPAIGNS[`${rule}${side}`],
  };
}

/** The ledger's entry for a difference: of what it names, the version does not matter, since the vector and the boundary do. */
function attribute(
  vector: string,
  version: string,
  { boundary }: Difference,
  ledger: readonly KnownDivergence[],
): { readonly rule: RuleId; readonly id: string } | undefined {
  const [name] = version.split('@');
  const entry = ledger.find(
    ({ vectors, outlier }) =>
      vectors[vector] === boundary && (outlier === name || outlier === 'typescript' || outlier === 'all'),
  );
  return entry && { rule: entry.rule, id: entry.id };
}

/** By version, by reference the oldest first, the traces by their vector's hash. */
function readAllRecordings(folders: readonly string[]): Map<string, Map<string, TraceJson>> {
  const found = new Map<string, Map<string, TraceJson>>();
  for (const [name, version] of recordedVersions(folders)) {
    const traces = new Map<string, TraceJson>();
    for (const folder of new Set(folders)) {
      const file = recordingFile(folder, name, version);
      if (!existsSync(file)) continue;
      for (const { sha256, trace } of readRecordings(file).recordings) traces.set(sha256, trace);
    }
    found.set(`${name}@${version}`, traces);
  }
  return found;
}
