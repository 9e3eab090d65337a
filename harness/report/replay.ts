/** A replay's result as data, and as lines for a terminal. */

import { RULE_IDS } from '../../src/rules/catalogue.ts';
import { VERSION } from '../../src/version.ts';
import { describePlace, describeSides, describeVerdict } from '../compare/describe.ts';
import type { KnownSignatures, Participant } from '../compare/ledger.ts';
import { formatSignature, outlierOf } from '../compare/signature.ts';
import { type Comparison, hasDiffered, hasFailed, type ReplayResult } from '../replay.ts';
import { knownReport } from './campaign.ts';
import { onOneLine } from './printable.ts';
import { RESULT_FORMAT, type ReplayReport } from './result.ts';

/** The result as data. */
export function replayReport(result: ReplayResult, implementations: readonly Participant[]): ReplayReport {
  const { vectors, agreeing, failures, missing, incidents, ledgerProblems, embargo } = result;
  return {
    format: RESULT_FORMAT,
    holodiff: VERSION,
    command: 'replay',
    status: hasFailed(result) ? 'failed' : hasDiffered(result) ? 'differs' : 'ok',
    implementations: implementations.map(({ name, version }) => ({ name, version })),
    vectors,
    agreed: agreeing.map(({ name, source }) => ({ vector: name, source })),
    differences: result.differing.map((comparison) => {
      const { name, source, difference, known, signature, unstable } = comparison;
      const decided = known?.rule ?? signature?.rule;
      return {
        vector: name,
        source,
        boundary: difference.boundary,
        index: difference.index ?? null,
        outlier: outlierOf(difference),
        rule: RULE_IDS.find((rule) => rule === decided) ?? null,
        signature: signature === undefined ? null : formatSignature(signature),
        known: knownReport(known),
        description: onOneLine(describe(comparison)),
        unstable: [...unstable],
      };
    }),
    failures: failures.map(({ source, message }) => ({ source, message: onOneLine(message) })),
    missing: { ...missing },
    incidents: incidents.map(({ implementation, kind, vector, message }) => ({
      implementation,
      kind,
      vector: vector ?? null,
      message: onOneLine(message),
    })),
    ledger: ledgerProblems.map(({ id, vector, message }) => ({ id, vector, message })),
    underEmbargo: embargo.vectors,
    embargoBroken: embargo.unlisted + embargo.failed,
  };
}

function describe({ difference }: Comparison): string {
  return [describePlace(difference), describeVerdict(difference), describeSides(difference)].join(': ');
}

/** One difference on one line. */
export function formatComparison(comparison: Comparison, signatures: KnownSignatures): string {
  const { name, known, unstable } = comparison;
  const likely = known === undefined ? causeOf(comparison, signatures) : undefined;
  const mark =
    known !== undefined
      ? ` [known: ${known.id}]`
      : likely === undefined
        ? ''
        : ` [as ${likely}, which does not list this vector]`;
  const doubt = unstable.length === 0 ? '' : ` [not repeatable: ${unstable.join(', ')}]`;
  return onOneLine(`${name}: ${describe(comparison)}${mark}${doubt}`);
}

/** The entry that lists the signature of the difference, unless it is under embargo. */
function causeOf({ signature }: Comparison, signatures: KnownSignatures): string | undefined {
  if (signature === undefined) return undefined;
  const name = formatSignature(signature);
  return signatures.withholds(name) ? undefined : signatures.get(name);
}

/** What besides differences keeps a replay from success, a line each. */
export function formatProblems({ failures, incidents, ledgerProblems, embargo }: ReplayResult): string[] {
  const embargoed = (number: number, what: string) =>
    number === 0 ? [] : [`${number} under embargo ${what}: --no-known tells which`];
  return [
    ...failures.map(({ source, message }) =>
      message.startsWith(source) ? `failed: ${message}` : `failed: ${source}: ${message}`,
    ),
    ...incidents.map(
      ({ implementation, kind, message, vector }) =>
        `${implementation}: ${kind}${vector === undefined ? '' : ` at ${vector}`}: ${message}`,
    ),
    ...ledgerProblems.map(({ id, vector, message }) => `known divergence ${id}: ${vector} ${message}`),
    ...embargoed(embargo.unlisted, 'not as listed'),
    ...embargoed(embargo.failed, 'not compared'),
  ].map(onOneLine);
}

/** The last line. */
export function formatSummary(result: ReplayResult, milliseconds: number): string {
  const { vectors, compared, differing, failures, missing, incidents, ledgerProblems, embargo } = result;
  const known = differing.filter((comparison) => comparison.known !== undefined).length;
  const parts = [
    count(vectors, 'vector'),
    `${compared - differing.length} agree`,
    `${differing.length - known} differ`,
  ];
  if (known > 0) parts.push(`${known} differ as known`);
  if (embargo.vectors > 0) parts.push(`${embargo.vectors} under embargo`);
  for (const [name, number] of Object.entries(missing)) parts.push(`${number} without a recording of ${name}`);
  if (failures.length > 0) parts.push(count(failures.length, 'failure'));
  if (incidents.length > 0) parts.push(count(incidents.length, 'incident'));
  if (ledgerProblems.length > 0) parts.push(`${count(ledgerProblems.length, 'listed divergence')} to look at`);
  return `${parts.join(', ')} (${(milliseconds / 1000).toFixed(1)} s)`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
