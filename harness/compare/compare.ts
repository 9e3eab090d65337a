/**
 * Where traces of the same vector part: the first boundary at which they are not all the same, who stands alone there,
 * and what each side has in that place.
 */

import { LIST_NAMES, type ListName } from '../../src/derive.ts';
import type { TraceInteger, TraceJson } from '../trace.ts';

/** What is compared, in the order of the pipeline, so that the first difference names the stage that differs. */
export const BOUNDARIES = [...LIST_NAMES, 'outcome', 'safeHead'] as const;

export type Boundary = (typeof BOUNDARIES)[number];

/** One implementation's trace. */
export interface Side {
  readonly implementation: string;
  readonly trace: TraceJson;
  /** The implementation gave no trace: its lists and its safe head say nothing and are not compared. */
  readonly silent?: boolean;
}

/** Who is on which side. */
export type Verdict =
  /** One stands against all others, which agree. */
  | { readonly kind: 'outlier'; readonly outlier: string }
  /** The same, and the one is this project's own pipeline: the references agree, so it is most likely wrong. */
  | { readonly kind: 'typescript'; readonly outlier: 'typescript' }
  /** Each of three or more says something else, or no single one stands alone. */
  | { readonly kind: 'all' }
  /** Only two were compared. */
  | { readonly kind: 'pair' };

/** The implementations that have the same in the place of the difference. */
export interface Group {
  readonly implementations: readonly string[];
  /** What they have there: an entry of a list, an outcome, a block; `undefined` where a list has ended. */
  readonly value: unknown;
  /** How the run of the group's first member ended. */
  readonly outcome: TraceJson['outcome'];
  readonly silent: boolean;
}

export interface Difference {
  readonly boundary: Boundary;
  /** Position in the boundary's list; absent for the outcome and the safe head. */
  readonly index?: number;
  /** The L1 origin of the first entry that differs; absent for the outcome and the safe head. */
  readonly origin?: TraceInteger;
  readonly verdict: Verdict;
  /** The largest group first; groups of the same size in the order in which the sides were given. */
  readonly groups: readonly Group[];
}

/** The first difference between the traces, or `undefined` if all agree. The order of the sides does not matter. */
export function compare(sides: readonly Side[]): Difference | undefined {
  const heard = sides.filter(({ silent }) => silent !== true);
  for (const boundary of LIST_NAMES) {
    const index = firstDifference(boundary, heard);
    if (index === undefined) continue;
    const groups = group(sides, ({ trace }) => trace[boundary][index]);
    const origin = originOf(groups);
    return { boundary, index, ...(origin === undefined ? {} : { origin }), verdict: judge(sides, groups), groups };
  }
  const outcomes = group(sides, ({ trace }) => trace.outcome.kind);
  if (outcomes.length > 1) return { boundary: 'outcome', verdict: judge(sides, outcomes), groups: outcomes };
  const heads = group(heard, ({ trace }) => trace.safeHead);
  if (heads.length > 1) return { boundary: 'safeHead', verdict: judge(heard, heads), groups: heads };
  return undefined;
}

/** Entries that an implementation hands on later than another at the same place: the earlier one is where they part. */
function originOf(groups: readonly Group[]): TraceInteger | undefined {
  let first: TraceInteger | undefined;
  for (const { value } of groups) {
    const origin = (value as { origin?: TraceInteger } | undefined)?.origin;
    if (origin !== undefined && (first === undefined || origin < first)) first = origin;
  }
  return first;
}

function firstDifference(boundary: ListName, sides: readonly Side[]): number | undefined {
  const lists = sides.map(({ trace }): readonly unknown[] => trace[boundary]);
  const [first, ...others] = lists;
  if (first === undefined) return undefined;
  const length = Math.max(...lists.map((list) => list.length));
  for (let i = 0; i < length; i++) {
    for (const other of others) if (!same(first[i], other[i])) return i;
  }
  return undefined;
}

/** Whether two values of traces are the same. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => same(left[key], right[key]));
}

function group(sides: readonly Side[], pick: (side: Side) => unknown): Group[] {
  const groups: { implementations: string[]; value: unknown; outcome: TraceJson['outcome']; silent: boolean }[] = [];
  for (const side of sides) {
    const silent = side.silent === true;
    // What a silent side would have had is not known, so it is with nobody; how it ended is known.
    const value = silent ? side.trace.outcome.kind : pick(side);
    const found = groups.find((other) => other.silent === silent && same(other.value, value));
    if (found !== undefined) found.implementations.push(side.implementation);
    else groups.push({ implementations: [side.implementation], value, outcome: side.trace.outcome, silent });
  }
  return groups.sort((a, b) => b.implementations.length - a.implementations.length);
}

function judge(sides: readonly Side[], groups: readonly Group[]): Verdict {
  if (sides.length === 2) return { kind: 'pair' };
  const [, second] = groups;
  const alone = groups.length === 2 && second!.implementations.length === 1 ? second!.implementations[0] : undefined;
  if (alone === undefined) return { kind: 'all' };
  return alone === 'typescript' ? { kind: 'typescript', outlier: alone } : { kind: 'outlier', outlier: alone };
}
