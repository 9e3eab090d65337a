/** For GitHub Actions: annotations as lines of the log, and the summary of a job in Markdown. */

import path from 'node:path';
import { RULES } from '../../src/rules/catalogue.ts';
import { count } from '../words.ts';
import { type Check, checksOf, isBad, placeOfFirst, titleOf } from './checks.ts';
import { printable } from './printable.ts';
import type { CampaignReport, MutantsReport, ReplayReport, Result } from './result.ts';
import { fileAndLine } from './sarif.ts';

/** GitHub shows ten errors of a step and drops the rest without a word. */
const MOST_ANNOTATIONS = 10;

/** Rows of a table; GitHub refuses a summary of more than a mebibyte as a whole. */
const MOST_ROWS = 200;

/** Characters of a message in a cell. */
const MOST_CHARACTERS = 400;

/**
 * Workflow commands: an error for each check that is bad.
 *
 * @param base - the folder that paths are told relative to
 */
export function githubAnnotations(result: Result, base: string): string[] {
  const bad = checksOf(result).filter(isBad);
  const shown = bad.length > MOST_ANNOTATIONS ? bad.slice(0, MOST_ANNOTATIONS - 1) : bad;
  const lines = shown.map((check) => annotation(check, base));
  const rest = bad.length - shown.length;
  return rest === 0 ? lines : [...lines, `::error title=holodiff::and ${rest} more: see the summary of the job`];
}

function annotation({ name, message, kind, file }: Check, base: string): string {
  const properties = [`title=${property(`holodiff: ${kind}: ${name}`)}`];
  if (file !== undefined) {
    const { name: named, line } = fileAndLine(file);
    properties.unshift(`file=${property(path.relative(base, path.resolve(base, named)))}`, `line=${line}`);
  }
  return `::error ${properties.join(',')}::${data(message)}`;
}

function data(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The summary of a job. */
export function githubSummary(result: Result): string {
  const lines = [
    `### holodiff ${result.command}: ${{ ok: 'nothing new', differs: 'something differs', failed: 'failed' }[result.status]}`,
    '',
    text(titleOf(result)),
    '',
    ...bodyOf(result),
    ...others(result),
    ...(result.underEmbargo === 0 ? [] : [`${result.underEmbargo} under embargo`, '']),
  ];
  return `${lines.join('\n')}\n`;
}

function bodyOf(result: Result): string[] {
  switch (result.command) {
    case 'replay':
      return replayLines(result);
    case 'run':
    case 'merge':
      return campaignLines(result);
    case 'metamorphic':
      return table(
        ['relation', 'vectors', 'broken', 'as listed'],
        result.relations.map(({ id, vectors, broken, listed }) => [
          code(id),
          vectors.toLocaleString('en-GB'),
          String(broken),
          Object.entries(listed)
            .map(([entry, times]) => `${code(entry)} ${times}`)
            .join(', '),
        ]),
      );
    case 'mutants':
      return mutantLines(result);
    default:
      return result satisfies never;
  }
}

function mutantLines({ mutants, corpus, campaign }: MutantsReport): string[] {
  const of = (wanted: MutantsReport['mutants'][number]['verdict']) =>
    mutants.filter(({ verdict }) => verdict === wanted).length;
  const source = campaign?.source;
  const name = source === undefined ? '' : 'seed' in source ? `seed ${source.seed}` : `exhaustive ${source.scope}`;
  const more = campaign === null ? '' : ` and ${count(campaign.vectors, 'vector')} of a campaign (${name})`;
  return [
    `${count(mutants.length, 'mutant')} on ${count(corpus.vectors, 'stored vector')}${more}: ${of('killed')} killed, ${of('missed')} missed by the campaign, ${of('survives')} survive, ${of('refuted')} refute their argument; ${of('equivalent')} equivalent, ${of('divergent')} where a reference differs only.`,
    '',
  ];
}

function replayLines({ agreed, differences }: ReplayReport): string[] {
  const fresh = differences.filter(({ known }) => known === null);
  const old = differences.filter(({ known }) => known !== null);
  return [
    `${count(agreed.length, 'vector')} alike, ${fresh.length} differ, ${old.length} differ as listed.`,
    '',
    ...table(
      ['vector', 'what', 'rule'],
      fresh.map(({ vector, description, rule, unstable }) => [
        code(vector),
        text(unstable.length === 0 ? description : `${description} (not repeatable: ${unstable.join(', ')})`),
        rule === null ? '' : code(rule),
      ]),
    ),
    ...folded(
      `${old.length} as listed`,
      table(
        ['vector', 'what', 'known as'],
        old.map(({ vector, description, known }) => [code(vector), text(description), knownCell(known)]),
      ),
    ),
  ];
}

function campaignLines(result: CampaignReport): string[] {
  const { differences, campaigns, unreached, unreachedFails } = result;
  const fresh = differences.filter(({ known }) => known === null);
  const old = differences.filter(({ known }) => known !== null);
  const seeds = [...new Set(campaigns.map(({ source }) => ('seed' in source ? `seed ${source.seed}` : source.scope)))];
  const row = (one: CampaignReport['differences'][number]) => [
    code(one.signature),
    one.rule === null ? '' : text(RULES[one.rule].statement),
    one.count.toLocaleString('en-GB'),
    text(placeOfFirst(result, one)),
  ];
  return [
    `${text(seeds.join(', '))}: ${count(fresh.length, 'new signature')}, ${old.length} known.`,
    '',
    ...table(['new signature', 'rule', 'vectors', 'first'], fresh.map(row)),
    ...folded(
      `${old.length} known`,
      table(
        ['signature', 'rule', 'vectors', 'first', 'known as'],
        old.map((one) => [...row(one), knownCell(one.known)]),
      ),
    ),
    ...(unreached.length === 0
      ? []
      : [`${unreachedFails ? '**Never reached**' : 'Not reached'}: ${unreached.map(code).join(', ')}`, '']),
  ];
}

/** Whatever is bad and no difference. */
function others(result: Result): string[] {
  const bad = checksOf(result).filter(
    (check) => isBad(check) && check.kind !== 'difference' && check.kind !== 'coverage',
  );
  return table(
    ['problem', 'where', 'what'],
    bad.map(({ kind, name, message }) => [kind, code(name), text(message)]),
  );
}

function knownCell(known: CampaignReport['differences'][number]['known']): string {
  if (known === null) return '';
  return known.link === null ? code(known.id) : `[${text(known.id)}](${known.link})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  // A table ends a cell at a bar even inside of code.
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
  return [
    line(head),
    line(head.map(() => '---')),
    ...rows.slice(0, MOST_ROWS).map(line),
    ...(rows.length > MOST_ROWS ? [line([`… ${rows.length - MOST_ROWS} more`, ...head.slice(1).map(() => '')])] : []),
    '',
  ];
}

function folded(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['<details>', `<summary>${title}</summary>`, '', ...lines, '</details>', ''];
}

function cut(value: string): string {
  const line = printable(value).replace(/\s+/g, ' ');
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
}

/** Text in a cell: nothing in it is Markdown, HTML, a mention or an issue's number. */
export function text(value: string): string {
  return cut(value)
    .replace(/[\\`*_{}[\]<>|~#]/g, '\\$&')
    .replaceAll('@', '@\u200b');
}

/** Code on one line. */
export function code(value: string): string {
  const line = cut(value);
  const fence = line.includes('`') ? '``' : '`';
  return `${fence}${line}${fence}`;
}
