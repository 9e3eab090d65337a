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
import { type KnownDivergence, readLedger, withheldVectors } from '../compare/ledger.ts';
import { signatureOf } from '../compare/signature.ts';
import { loadCorpus } from '../corpus.ts';
import { UNREACHABLE } from '../curated/unreachable.ts';
import { hashVector, readRecordings, recordingFile } from '../implementations/recorded.ts';
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
}

export interface RuleRow {
  readonly rule: RuleId;
  readonly fires: Shown;
  readonly passes: Shown;
  /** By `name@version`. */
  readonly agreement: Readonly<Record<string, Agreement>>;
}

export interface Conformance {
  readonly vectors: number;
  /** `name@version`, sorted. */
  readonly implementations: readonly string[];
  readonly rows: readonly RuleRow[];
  /** Differences that no rule accounts for: the implementation and the vector. */
  readonly unexplained: readonly string[];
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
  const withheld = withheldVectors(entries);
  const corpus = loadCorpus(paths, 'all', ledgerFile).filter(({ vector }) => !withheld.has(vector.name));
  const recordings = readAllRecordings(corpus.map(({ file }) => path.dirname(file)));
  const implementations = [...recordings.keys()].sort();
  const runs: Run[] = [];
  const differences = new Map<string, Map<RuleId, { vectors: string[]; ids: Set<string> }>>();
  const compared = new Map<string, Set<string>>(implementations.map((name) => [name, new Set()]));
  const unexplained: string[] = [];

  for (const { vector, line } of corpus) {
    const rules = new RuleBook();
    const own: Side = { implementation: 'typescript', trace: traceToJson(derive(vector, { rules })) };
    runs.push({
      name: vector.name,
      fired: Array.from(rules.fired, (count) => count > 0),
      passed: Array.from(rules.passed, (count) => count > 0),
    });
    const sha256 = hashVector(line);
    for (const implementation of implementations) {
      const trace = recordings.get(implementation)!.get(sha256);
      if (trace === undefined) continue;
      compared.get(implementation)!.add(vector.name);
      const sides = [own, { implementation: implementation.split('@')[0]!, trace }];
      const difference = compare(sides);
      if (difference === undefined) continue;
      const { rule, id } = attribute(vector.name, implementation, difference, ledger) ?? {
        rule: signatureOf(vector, difference, sides).rule,
        id: undefined,
      };
      if (rule === 'unknown') {
        unexplained.push(`${implementation}: ${vector.name}`);
        continue;
      }
      const ofImplementation =
        differences.get(implementation) ?? new Map<RuleId, { vectors: string[]; ids: Set<string> }>();
      const found = ofImplementation.get(rule) ?? { vectors: [], ids: new Set() };
      found.vectors.push(vector.name);
      if (id !== undefined) found.ids.add(id);
      differences.set(implementation, ofImplementation.set(rule, found));
    }
  }

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
        implementations.map((implementation) => {
          const found = differences.get(implementation)?.get(rule);
          const names = compared.get(implementation)!;
          const agreement: Agreement = {
            compared: [...shows, ...standsIn].filter((name) => names.has(name)).length,
            differs: found?.vectors ?? [],
            divergences: [...(found?.ids ?? [])].sort(),
          };
          return [implementation, agreement];
        }),
      ),
    };
  });
  return { vectors: corpus.length, implementations, rows, unexplained };
}

/** The corpus comes smallest first. */
function shown(runs: readonly Run[], rule: RuleId, side: '+' | '-'): Shown {
  return {
    count: runs.length,
    smallest: runs.slice(0, NAMED).map(({ name }) => name),
    reason: CONSTRUCTIVE[rule]?.reason ?? UNREACHABLE[`${rule}${side}`],
  };
}

/** The ledger's entry for a difference: of what it names, the version does not matter, since the vector and the boundary do. */
function attribute(
  vector: string,
  implementation: string,
  { boundary }: Difference,
  ledger: readonly KnownDivergence[],
): { readonly rule: RuleId; readonly id: string } | undefined {
  const [name] = implementation.split('@');
  const entry = ledger.find(
    ({ vectors, outlier }) =>
      vectors[vector] === boundary && (outlier === name || outlier === 'typescript' || outlier === 'all'),
  );
  return entry && { rule: entry.rule, id: entry.id };
}

/** By implementation, the traces by their vector's hash. */
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
