/** What a check says, and the words for what it saw. */

import { writeJson } from '../json.ts';
import { parseLine, type TraceJson } from '../trace.ts';

/** What a check says. `note`: nothing that the protocol forbids, and worth knowing. */
export type Verdict =
  | { readonly status: 'pass' | 'note' | 'skip'; readonly detail?: string }
  | { readonly status: 'fail'; readonly expected: string; readonly seen: string };

export function pass(detail?: string): Verdict {
  return detail === undefined ? { status: 'pass' } : { status: 'pass', detail };
}

export function fail(expected: string, seen: string): Verdict {
  return { status: 'fail', expected, seen };
}

/** A line in few characters. */
export function excerpt(line: string): string {
  const cut = line.length > 80 ? `${line.slice(0, 80)}…` : line;
  return /[\p{Cc}\s]$|\p{Cc}|^$/u.test(cut) ? JSON.stringify(cut) : cut;
}

/** What is wrong with a line. */
export function told(problem: string, line: string): string {
  return `${problem}; the line: ${excerpt(line)}`;
}

/** An answer without what is free to change from run to run: the message of a trace's outcome. */
export function comparable(line: string): string {
  try {
    const trace = parseLine(line) as TraceJson;
    return writeJson({ ...trace, outcome: { kind: trace.outcome.kind } });
  } catch {
    return line;
  }
}

/** Where two texts part. */
export function differing(expected: string, seen: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === seen[at]) at += 1;
  return `another one from character ${at + 1} on: ${excerpt(seen.slice(Math.max(0, at - 8)))}`;
}
