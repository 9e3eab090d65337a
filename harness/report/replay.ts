/** A replay's result as lines for a terminal. */

import { describePlace, describeSides, describeVerdict } from '../compare/describe.ts';
import type { Comparison, ReplayResult } from '../replay.ts';

/** One difference on one line. */
export function formatComparison({ name, difference, known, unstable }: Comparison): string {
  const mark = known === undefined ? '' : ` [known: ${known.id}]`;
  const doubt = unstable.length === 0 ? '' : ` [not repeatable: ${unstable.join(', ')}]`;
  const parts = [name, describePlace(difference), describeVerdict(difference), describeSides(difference)];
  return oneLine(`${parts.join(': ')}${mark}${doubt}`);
}

/** What besides differences keeps a replay from success, a line each. */
export function formatProblems({ failures, incidents, ledgerProblems }: ReplayResult): string[] {
  return [
    ...failures.map(({ source, message }) =>
      message.startsWith(source) ? `failed: ${message}` : `failed: ${source}: ${message}`,
    ),
    ...incidents.map(
      ({ implementation, kind, message, vector }) =>
        `${implementation}: ${kind}${vector === undefined ? '' : ` at ${vector}`}: ${message}`,
    ),
    ...ledgerProblems.map(({ id, vector, message }) => `known divergence ${id}: ${vector} ${message}`),
  ].map(oneLine);
}

/** The last line. */
export function formatSummary(result: ReplayResult, milliseconds: number): string {
  const { vectors, compared, differing, failures, missing, incidents, ledgerProblems } = result;
  const known = differing.filter((comparison) => comparison.known !== undefined).length;
  const parts = [
    count(vectors, 'vector'),
    `${compared - differing.length} agree`,
    `${differing.length - known} differ`,
  ];
  if (known > 0) parts.push(`${known} differ as known`);
  for (const [name, number] of Object.entries(missing)) parts.push(`${number} without a recording of ${name}`);
  if (failures.length > 0) parts.push(count(failures.length, 'failure'));
  if (incidents.length > 0) parts.push(count(incidents.length, 'incident'));
  if (ledgerProblems.length > 0) parts.push(`${count(ledgerProblems.length, 'listed divergence')} to look at`);
  return `${parts.join(', ')} (${(milliseconds / 1000).toFixed(1)} s)`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' / ');
}
