/**
 * A result as a list of checks: what each of them was of, and how it came out. JUnit, SARIF and GitHub's annotations show
 * nothing else.
 */

import { RULES, type RuleId } from '../../src/rules/catalogue.ts';
import { count } from '../words.ts';
import type { CampaignReport, MetamorphicReport, MutantsReport, ReplayReport, Result } from './result.ts';

/** How a check came out. */
type CheckState =
  | 'passed'
  /** Differs as the ledger says. */
  | 'known'
  /** There was nothing to check it on. */
  | 'skipped'
  /** Differs, or does not show as listed. */
  | 'differs'
  /** Could not be made. */
  | 'failed';

export interface Check {
  /** What it belongs to; checks of a suite follow each other. */
  readonly suite: string;
  readonly name: string;
  readonly state: CheckState;
  /** Why, on one line; empty if it passed. */
  readonly message: string;
  /** What it is, in a word: `difference`, `incident`, … */
  readonly kind:
    | 'difference'
    | 'failure'
    | 'incident'
    | 'ledger'
    | 'recording'
    | 'coverage'
    | 'embargo'
    | 'relation'
    | 'mutant';
  /** The file concerned, as it was named. */
  readonly file?: string;
  /** The rule that is at stake. */
  readonly rule?: RuleId;
  /** The same for the same cause in every run. */
  readonly fingerprint?: string;
}

/** The checks of a result. */
export function checksOf(result: Result): Check[] {
  switch (result.command) {
    case 'replay':
      return replayChecks(result);
    case 'run':
    case 'merge':
      return campaignChecks(result);
    case 'metamorphic':
      return metamorphicChecks(result);
    case 'mutants':
      return mutantChecks(result);
    default:
      return result satisfies never;
  }
}

/** Whether the check keeps the run from success. */
export function isBad({ state }: Check): boolean {
  return state === 'differs' || state === 'failed';
}

/** What was run, on one line. */
export function titleOf(result: Result): string {
  const versions = result.implementations.map(({ name, version }) => `${name} ${version}`).join(', ');
  return `${result.command}: ${count(result.vectors, 'vector')} through ${versions}`;
}

function replayChecks(result: ReplayReport): Check[] {
  const { agreed, differences, failures, missing, incidents, ledger, embargoBroken } = result;
  const vectors = [
    ...agreed.map(({ vector, source }): Check => {
      return { suite: folderOf(source), name: vector, state: 'passed', message: '', kind: 'difference', file: source };
    }),
    ...differences.map(({ vector, source, known, description, rule, signature, unstable }): Check => {
      const doubt = unstable.length === 0 ? '' : ` (not repeatable: ${unstable.join(', ')})`;
      return {
        suite: folderOf(source),
        name: vector,
        state: known === null ? 'differs' : 'known',
        message: `${description}${doubt}${known === null ? '' : ` [known: ${known.id}: ${known.title}]`}`,
        kind: 'difference',
        file: source,
        ...(rule === null ? {} : { rule }),
        fingerprint: `${vector} ${signature ?? known?.id ?? ''}`,
      };
    }),
  ];
  // As in the folders, whatever came of it.
  vectors.sort((a, b) => compareText(a.suite, b.suite) || compareText(a.name, b.name));
  return [
    ...vectors,
    ...failures.map(({ source, message }): Check => {
      return {
        suite: 'input',
        name: source,
        state: 'failed',
        message,
        kind: 'failure',
        file: source,
        fingerprint: message,
      };
    }),
    ...Object.entries(missing).map(([implementation, number]): Check => {
      const message = `${count(number, 'vector')} without a recorded trace`;
      return { suite: 'recordings', name: implementation, state: 'skipped', message, kind: 'recording' };
    }),
    ...incidents.map(({ implementation, kind, vector, message }): Check => {
      const name = `${implementation} ${kind}${vector === null ? '' : ` at ${vector}`}`;
      return { suite: 'incidents', name, state: 'differs', message, kind: 'incident', fingerprint: name };
    }),
    ...ledger.map(({ id, vector, message }): Check => {
      const name = `${id}: ${vector}`;
      return { suite: 'known divergences', name, state: 'differs', message, kind: 'ledger', fingerprint: name };
    }),
    ...embargoChecks(embargoBroken),
  ];
}

function embargoChecks(broken: number): Check[] {
  if (broken === 0) return [];
  const message = `${broken} not as listed, or not compared`;
  return [{ suite: 'known divergences', name: 'under embargo', state: 'differs', message, kind: 'embargo' }];
}

function campaignChecks(result: CampaignReport): Check[] {
  const { differences, incidents, unreached, unreachedFails, campaigns } = result;
  const reach = {
    suite: 'coverage',
    name: 'every side of every rule that can be reached',
    kind: 'coverage',
    fingerprint: 'coverage',
  } as const;
  return [
    ...differences.map((one): Check => {
      const { signature, count: times, known, rule } = one;
      const first = `first: ${placeOfFirst(result, one)}`;
      const listed = known === null ? '' : ` [known: ${known.id}: ${known.title}]`;
      const statement = rule === null ? '' : `; the rule: ${RULES[rule].statement}`;
      return {
        suite: 'differences',
        name: signature,
        state: known === null ? 'differs' : 'known',
        message: `${count(times, 'vector')}, ${first}${listed}${known === null ? statement : ''}`,
        kind: 'difference',
        ...(rule === null ? {} : { rule }),
        fingerprint: signature,
      };
    }),
    ...incidents.map(({ implementation, kind, count: times, fails }): Check => {
      const name = `${implementation} ${kind}`;
      const message = count(times, 'time');
      // The difference that it came with says so too, and is listed or not.
      return {
        suite: 'incidents',
        name,
        state: fails ? 'differs' : 'known',
        message,
        kind: 'incident',
        fingerprint: name,
      };
    }),
    unreached.length === 0
      ? { ...reach, state: 'passed', message: '' }
      : {
          ...reach,
          state: unreachedFails ? 'differs' : 'skipped',
          message: `${unreachedFails ? '' : `too few vectors to tell; `}not reached: ${unreached.join(', ')}`,
        },
    ...campaigns.map(({ source, part, vectors }): Check => {
      const name = 'seed' in source ? `seed ${source.seed}` : `exhaustive ${source.scope}`;
      const state = vectors > 0 ? 'passed' : 'skipped';
      const message = vectors > 0 ? '' : 'no vector was run';
      return {
        suite: 'campaigns',
        name: `${name}, part ${part.index} of ${part.count}`,
        state,
        message,
        kind: 'failure',
      };
    }),
  ];
}

function metamorphicChecks({ relations, breaks }: MetamorphicReport): Check[] {
  return [
    ...relations.map(({ id, vectors, broken, listed, statement }): Check => {
      const own = breaks.filter(({ relation }) => relation === id).reduce((sum, one) => sum + one.count, 0);
      const base = { suite: 'relations', name: id, kind: 'relation', fingerprint: id } as const;
      if (own > 0)
        return { ...base, state: 'differs', message: `broken ${own} times otherwise than listed: ${statement}` };
      if (broken > 0) {
        return {
          ...base,
          state: 'known',
          message: `broken ${broken} times, as listed: ${Object.keys(listed).join(', ')}`,
        };
      }
      if (vectors > 0) return { ...base, state: 'passed', message: '' };
      return { ...base, state: 'skipped', message: 'claims nothing of any of the vectors' };
    }),
    ...breaks.map(({ relation, implementation, count: times, vector, path, original, changed }): Check => {
      const name = `${implementation} breaks ${relation} at ${path}`;
      return {
        suite: 'breaks',
        name,
        state: 'differs',
        message: `${times} times, first ${vector}; the original: ${original}; with the change: ${changed}`,
        kind: 'relation',
        fingerprint: `${name}\n${original}\n${changed}`,
      };
    }),
  ];
}

function mutantChecks({ mutants }: MutantsReport): Check[] {
  return mutants.map(({ id, verdict, argument, corpus, campaign }): Check => {
    const base = { suite: 'mutants', name: id, kind: 'mutant', fingerprint: id } as const;
    switch (verdict) {
      case 'killed':
        return { ...base, state: 'passed', message: '' };
      case 'missed':
        return { ...base, state: 'differs', message: `no vector of the campaign tells it from the base` };
      case 'survives':
        return { ...base, state: 'differs', message: 'no vector tells it from the base' };
      case 'refuted': {
        const vector = (corpus ?? campaign)?.vector ?? '';
        return { ...base, state: 'differs', message: `${vector} tells it from the base, although ${argument}` };
      }
      case 'equivalent':
      case 'divergent':
        return { ...base, state: 'skipped', message: `${verdict}: ${argument ?? ''}` };
      default:
        return verdict satisfies never;
    }
  });
}

/** Seed or scope, and index, of the first vector that shows a difference. */
export function placeOfFirst(
  { campaigns }: CampaignReport,
  { first }: Pick<CampaignReport['differences'][number], 'first'>,
): string {
  const source = campaigns[first.campaign]?.source;
  const of = source === undefined ? '' : 'seed' in source ? `seed ${source.seed}, ` : `exhaustive ${source.scope}, `;
  return `${of}index ${first.index}`;
}

/** The folder of a source, as suites are named. */
function folderOf(source: string): string {
  const end = source.lastIndexOf('/');
  return end < 0 ? '.' : source.slice(0, end);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
