/** Relations and what became of them, as data and as lines for a terminal. */

import { RULES } from '../../src/rules/catalogue.ts';
import { VERSION } from '../../src/version.ts';
import type { Participant } from '../compare/ledger.ts';
import type { Relation } from '../metamorphic/relation.ts';
import { type Break, explanationsOf, nameOf, type RelationResult } from '../metamorphic/run.ts';
import type { UnexplainedBreak } from '../metamorphic/smallest.ts';
import type { Standing } from '../metamorphic/standing.ts';
import { vectorToLine } from '../vector.ts';
import { type MetamorphicReport, RESULT_FORMAT } from './result.ts';

export interface MetamorphicRun {
  readonly implementations: readonly Participant[];
  readonly vectors: number;
  readonly seed: string;
  readonly results: readonly RelationResult[];
  readonly unexplained: readonly UnexplainedBreak[];
  readonly underEmbargo: number;
}

/** The result as data. */
export function metamorphicReport(run: MetamorphicRun): MetamorphicReport {
  const { implementations, vectors, seed, results, unexplained, underEmbargo } = run;
  return {
    format: RESULT_FORMAT,
    holodiff: VERSION,
    command: 'metamorphic',
    status: unexplained.length > 0 ? 'differs' : 'ok',
    implementations: implementations.map(({ name, version }) => ({ name, version })),
    vectors,
    seed,
    relations: results.map((result) => ({
      id: result.relation.id,
      statement: result.relation.statement,
      vectors: result.applied,
      excepted: result.excepted,
      broken: result.breaks.length,
      listed: Object.fromEntries(listedCounts(result.breaks)),
    })),
    breaks: unexplained.map(({ smallest, count, from }) => ({
      relation: smallest.relation.id,
      implementation: nameOf(smallest.implementation),
      count,
      vector: from,
      path: smallest.parting.path,
      original: standingText(smallest.originalStanding),
      changed: standingText(smallest.changedStanding),
    })),
    underEmbargo,
  };
}

/** How many of the breaks each entry of the ledger accounts for, the most frequent first. */
function listedCounts(breaks: readonly Break[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const one of breaks) {
    const [id] = explanationsOf(one);
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** One relation with its grounds and exceptions. */
export function formatRelation({ id, statement, grounds, exceptions }: Relation): string[] {
  return [
    `${id}: ${statement}`,
    ...grounds.map((rule) => `  by ${rule}: ${RULES[rule].statement}`),
    ...exceptions.map(({ side, why }) => `  unless ${side}: ${why}`),
  ];
}

/** What one relation gave; one line, and for each implementation that breaks it one with the ledger's entries. */
export function formatRelationResult({ relation, applied, excepted, breaks }: RelationResult): string[] {
  const explained = breaks.filter((one) => explanationsOf(one).length > 0);
  const left = breaks.length - explained.length;
  const said =
    breaks.length === 0
      ? 'holds'
      : left === 0
        ? `broken ${times(breaks.length)}, all as listed`
        : `broken ${times(breaks.length)}, ${left} NOT LISTED`;
  const lines = [`${relation.id}: ${applied} vectors${excepted === 0 ? '' : `, ${excepted} excepted`}: ${said}`];
  for (const name of new Set(explained.map(({ implementation }) => nameOf(implementation)))) {
    const sorted = listedCounts(explained.filter(({ implementation }) => nameOf(implementation) === name));
    lines.push(`  ${name}, as listed: ${sorted.map(([id, count]) => `${id} ${count}`).join(', ')}`);
  }
  return lines;
}

/** A kind of break that nothing explains, with the smallest pair of vectors. */
export function formatUnexplained({ smallest, count, from }: UnexplainedBreak, folder: string): string[] {
  const { relation, implementation, original, changed, parting } = smallest;
  return [
    `NOT LISTED: ${nameOf(implementation)} breaks ${relation.id} ${times(count)}`,
    `  smallest: ${from}, ${vectorToLine(original).length} and ${vectorToLine(changed).length} characters, in ${folder}`,
    `  ${parting.path}: ${shown(parting.original)} and with the change ${shown(parting.changed)}`,
    `  the original: ${standingText(smallest.originalStanding)}`,
    `  with the change: ${standingText(smallest.changedStanding)}`,
  ];
}

const MAX_SHOWN = 120;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function standingText(standing: Standing): string {
  switch (standing.kind) {
    case 'same':
      return 'as the TypeScript pipeline';
    case 'differs':
      return standing.signature;
    case 'refuses':
      return standing.why;
    default:
      return standing satisfies never;
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
