/** SARIF 2.1.0: what differs as results, by the rule of the catalogue that is at stake. */

import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Log, ReportingDescriptor, Result as SarifResult } from 'sarif';
import { RULES, type RuleId } from '../../src/rules/catalogue.ts';
import { type Check, checksOf, isBad } from './checks.ts';
import type { Result } from './result.ts';

const REPOSITORY = 'https://github.com/ethereum-optimism/specs';

/** Where a result stands that concerns no file: readers of SARIF want a place for each. */
const CATALOGUE = 'src/rules/catalogue.ts';

/** Results that no rule of the catalogue accounts for. */
const OTHERS: Readonly<Record<Check['kind'], string>> = {
  difference: 'implementations differ, by no rule that is known',
  failure: 'a vector could not be compared',
  incident: 'an implementation did something besides answering',
  ledger: 'a known divergence does not show as listed',
  recording: 'an implementation has no recorded trace',
  coverage: 'a campaign did not reach all that it can reach',
  embargo: 'something under embargo does not show as listed',
  relation: 'a change that must not matter matters',
  mutant: 'no vector tells a changed rule from the right one',
};

/**
 * The document.
 *
 * @param base - the folder that paths are told relative to, where they lie in it
 */
export function sarif(result: Result, base: string): string {
  const checks = checksOf(result).filter(
    (check) => isBad(check) || (check.state === 'known' && check.kind === 'difference'),
  );
  const ids = [...new Set(checks.map(ruleId))].sort();
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'holodiff', semanticVersion: result.holodiff, rules: ids.map(describeRule) } },
        invocations: [{ executionSuccessful: result.status !== 'failed' }],
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { SRCROOT: { description: { text: 'the root of the repository' } } },
        results: checks.map((check) => toResult(check, ids, base)),
        properties: { implementations: result.implementations, underEmbargo: result.underEmbargo },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function ruleId({ rule, kind }: Check): string {
  return rule ?? `holodiff/${kind}`;
}

function describeRule(id: string): ReportingDescriptor {
  const kind = id.startsWith('holodiff/') ? (id.slice('holodiff/'.length) as Check['kind']) : undefined;
  if (kind !== undefined) return { id, shortDescription: { text: OTHERS[kind] } };
  const { statement, specification } = RULES[id as RuleId];
  return {
    id,
    shortDescription: { text: statement },
    ...(specification.length === 0
      ? {}
      : { help: { text: `Specification: ${specification.join(', ')} (${REPOSITORY})` } }),
  };
}

function toResult(check: Check, ids: readonly string[], base: string): SarifResult {
  const { name, message, file, fingerprint, state } = check;
  const id = ruleId(check);
  return {
    ruleId: id,
    ruleIndex: ids.indexOf(id),
    level: isBad(check) ? 'error' : 'note',
    message: { text: `${name}: ${message}` },
    locations: [locationOf(file ?? CATALOGUE, base)],
    ...(fingerprint === undefined ? {} : { partialFingerprints: { 'holodiff/v1': digest(`${id}\n${fingerprint}`) } }),
    ...(state === 'known' ? { suppressions: [{ kind: 'external', justification: 'a known divergence' }] } : {}),
  };
}

function locationOf(file: string, base: string): NonNullable<SarifResult['locations']>[number] {
  const { name, line } = fileAndLine(file);
  const absolute = path.resolve(base, name);
  const relative = path.relative(base, absolute);
  const inside = !relative.startsWith('..') && !path.isAbsolute(relative);
  const uri = (inside ? relative : absolute).split(path.sep).map(encodeURIComponent).join('/');
  return {
    physicalLocation: {
      artifactLocation: inside ? { uri, uriBaseId: 'SRCROOT' } : { uri: `file://${uri}` },
      region: { startLine: line },
    },
  };
}

/** A source's file and the line in it, from 1. */
export function fileAndLine(source: string): { readonly name: string; readonly line: number } {
  const match = /^(.*\.ndjson):(\d+)$/.exec(source);
  return match === null ? { name: source, line: 1 } : { name: match[1]!, line: Number(match[2]) };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
