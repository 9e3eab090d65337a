/** The text of the issue that stands for a signature. */

import { findingName } from '../../harness/campaign/finding.ts';
import { placeOfFirst } from '../../harness/report/checks.ts';
import { code, text } from '../../harness/report/github.ts';
import type { CampaignReport } from '../../harness/report/result.ts';
import { RULES } from '../../src/rules/catalogue.ts';

export type NewDifference = CampaignReport['differences'][number];

/** One night as the issues tell it. */
export interface Night {
  readonly report: CampaignReport;
  /** What is shown of it, such as its date. */
  readonly name: string;
  /** Where its artifacts are. */
  readonly link: string;
}

/** What is changed of an issue's text by the next night; whatever people write around it stays. */
const BEGIN = '<!-- holodiff: the nightly workflow writes from here -->';
const END = '<!-- holodiff: to here -->';

/** By which an issue is found again. */
const MARK = /<!-- holodiff signature ([0-9a-f]{12}) -->/;

/** Rows of nights besides the first. */
const MOST_NIGHTS = 10;

/** The finding's name of the signature that an issue stands for. */
export function nameIn(body: string): string | undefined {
  return MARK.exec(body)?.[1];
}

/** The title: the parts of the signature, so that a list of issues can be read. */
export function titleOf({ boundary, outlier, rule, decided, shape }: NewDifference): string {
  const by = rule === null ? 'no known rule' : `${rule}${decided}`;
  const title = text(`${outlier} at ${boundary}: ${by}, ${shape}`).replaceAll('\\', '');
  return title.length > 200 ? `${title.slice(0, 199)}…` : title;
}

/**
 * The text. It names the vector by seed and index, and does not hold it.
 *
 * @param before - the text as it stands, for an issue that is open already
 */
export function bodyOf(difference: NewDifference, night: Night, before = ''): string {
  const { signature, boundary, outlier, rule, decided, finding } = difference;
  const { report, name, link } = night;
  const row = `| [${name}](${link}) | ${placeOfFirst(report, difference)} | ${difference.count} |`;
  const versions = report.implementations.map((one) => `${one.name} ${one.version}`).join(', ');
  const decision = decided === '' ? '' : ` (the TypeScript pipeline: ${code(decided)})`;
  const own = [
    `<!-- holodiff signature ${findingName(signature)} -->`,
    `Signature: ${code(signature)}`,
    '',
    `- boundary: ${boundary}`,
    `- who stands alone: ${outlier}`,
    `- rule: ${rule === null ? 'none that is known' : `${code(rule)}${decision}: ${text(RULES[rule].statement)}`}`,
    `- versions: ${text(versions)}`,
    `- finding: ${finding === null ? 'none was kept' : `folder ${code(`findings/${finding}`)} of the night's artifact, and of the branch ${code('nightly')}`}`,
    '',
    '| night | first vector | vectors |',
    '| --- | --- | --- |',
    ...nightsOf(before, row, name),
    '',
    'The vector is not in this text. Before any of this is published, read SECURITY.md.',
  ];
  const fresh = `${BEGIN}\n${own.join('\n')}\n${END}`;
  const [start, end] = [before.indexOf(BEGIN), before.indexOf(END)];
  if (start < 0 || end < start) return fresh;
  return `${before.slice(0, start)}${fresh}${before.slice(end + END.length)}`;
}

/** The nights in which it showed: the first, and the last ones. A night that is run again replaces itself. */
function nightsOf(before: string, row: string, name: string): string[] {
  const rows = before.split(/\r?\n/).filter((line) => line.startsWith('| [') && !line.startsWith(`| [${name}](`));
  const all = [...rows, row];
  return all.length <= MOST_NIGHTS + 1 ? all : [all[0]!, ...all.slice(-MOST_NIGHTS)];
}
