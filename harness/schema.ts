/** Pieces of the schemas of all that the harness reads, and how a failed one is told. */

import * as v from 'valibot';
import { formatPath } from './json.ts';

const NOT_HEX = /[^0-9a-f]/;

// One search for a character that does not belong: a pattern of repeated pairs would exhaust the stack on long strings.
function isHex(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('0x') && value.length % 2 === 0 && !NOT_HEX.test(value.slice(2));
}

/** Bytes as `0x` and lower-case hex, of this length or of any. */
export function hex(length?: number) {
  return v.custom<string>(
    (value) => isHex(value) && (length === undefined || value.length === 2 + 2 * length),
    `expected 0x and ${length === undefined ? 'an even number of' : 2 * length} lower-case hex digits`,
  );
}

/** An object with exactly these fields. */
export function object<const T extends v.ObjectEntries>(entries: T) {
  // A list passes for an object without fields otherwise, and its first missing field would be the complaint.
  return v.pipe(v.custom<object>(isRecord, 'expected an object'), v.strictObject(entries, 'expected an object'));
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function list<const T extends v.GenericSchema>(item: T) {
  return v.array(item, 'expected a list');
}

/** The steps to the value that an issue is about. */
function stepsOf(issue: v.BaseIssue<unknown>): (string | number)[] {
  return (issue.path ?? []).map(({ key }) => key as string | number);
}

/** What is wrong with a value, in the words of {@link describeIssue}. */
export interface Complaint {
  /** JSON path; empty for the document itself. */
  readonly path: string;
  readonly reason: string;
  /** The path of the object that lacks the field, for a missing one. */
  readonly missingFrom?: string;
}

/** One issue with its path, in few words. */
export function describeIssue(issue: v.BaseIssue<unknown>): Complaint {
  const steps = stepsOf(issue);
  const path = formatPath(steps);
  if (issue.type === 'strict_object' && issue.expected === 'never') return { path, reason: 'unknown field' };
  if (issue.type === 'strict_object' && issue.received === 'undefined') {
    return { path, reason: 'missing', missingFrom: formatPath(steps.slice(0, -1)) };
  }
  const got = shown(issue.input);
  // Quoted: a number may stand in a message by chance.
  const isSaid = got.startsWith('"') && issue.message.includes(got);
  return { path, reason: isSaid ? issue.message : `${issue.message}, got ${got}` };
}

/** The first issue on one line. */
export function firstIssue([issue]: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): Complaint {
  return describeIssue(issue);
}

/** A value in few characters. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 24)}…` : value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'symbol' ? value.description! : String(value);
  return text.length > 40 ? `${text.slice(0, 24)}…` : text;
}
