/** A finding as a report that is ready to be pasted where upstream wants it. */

import { RULES, type RuleId } from '../../src/rules/catalogue.ts';
import { VERSION } from '../../src/version.ts';
import type { Difference, Side } from '../compare/compare.ts';
import { describePlace, describeSides } from '../compare/describe.ts';
import { plain } from '../decode/paint.ts';
import { HolodiffError } from '../errors.ts';
import { explanationLines } from '../explain/text.ts';
import { explainWords, openPointsOf } from '../explain/words.ts';
import { vectorToJson } from '../vector.ts';
import { disclosureNote } from './disclosure.ts';
import { entriesAt } from './entries.ts';
import { plainSentence, sectionLink } from './specification.ts';
import type { Subject } from './subject.ts';
import { titleOf, whoIsRight, wordsOf } from './test-case.ts';

/** The most characters that the text of an issue on GitHub may have. */
export const ISSUE_LIMIT = 65_536;

/** Columns of the decoded vector. */
const WIDTH = 110;

/** The report. @throws HolodiffError if all agree */
export function markdownReport(subject: Subject): string {
  const { vector, difference } = subject;
  if (difference === undefined) {
    throw new HolodiffError('not-interesting', `${vector.name}: all agree on it, so there is nothing to report`);
  }
  const sections = [
    `# ${inText(titleOf(subject))}`,
    `> **Before this is posted** (and then remove this paragraph): ${disclosureNote(subject)}`,
    summary(subject, difference),
    specification(subject),
    implementations(subject, difference),
    decoded(subject),
    reproduction(subject),
  ];
  return `${sections.join('\n\n')}\n`;
}

function summary({ sides, shows, known, explanation }: Subject, difference: Difference): string {
  const apart = standingApart(difference);
  const names = (some: readonly Side[]) => some.map(nameOf).join(', ');
  const rows: (readonly [name: string, value: string])[] = [
    ['differs', names(sides.filter(({ implementation }) => apart.includes(implementation)))],
    ['compared with', names(sides.filter(({ implementation }) => !apart.includes(implementation))) || 'each other'],
    ['where', `${BETWEEN[difference.boundary]}: \`${describePlace(difference)}\``],
    ['input', explanation.summary],
  ];
  if (known !== undefined) rows.push(['known as', `\`${known.id}\`; holds for ${ranges(known.versions)}`]);
  return `## Summary

${shows === undefined ? '' : `${inText(shows)} `}From the same L1 data ${inText(describeSides(difference))}.

| | |
| --- | --- |
${rows.map(([name, value]) => `| ${name} | ${cell(value)} |`).join('\n')}`;
}

/** Who stands against the others; all, if each says something else. */
function standingApart({ verdict, groups }: Difference): readonly string[] {
  switch (verdict.kind) {
    case 'outlier':
    case 'typescript':
      return [verdict.outlier];
    case 'all':
      return groups.flatMap(({ implementations: members }) => members);
    case 'pair':
      return groups.flatMap(({ implementations: members }) => members.filter((name) => name !== 'typescript'));
    default:
      return verdict satisfies never;
  }
}

/** Where in the pipeline an entry of each list passes. */
const BETWEEN: Readonly<Record<Difference['boundary'], string>> = {
  frames: 'between frame queue and channel stage',
  channels: 'between channel stage and channel reader',
  batches: 'between channel reader and batch stage',
  flushes: 'from the batch stage or the driver back to the channel stage',
  singles: 'between pipeline and engine',
  outcome: 'at the end of the run',
  safeHead: 'at the end of the run',
};

function ranges(versions: Readonly<Partial<Record<string, string>>>): string {
  return Object.entries(versions)
    .map(([name, range]) => `${name} ${range ?? ''}`)
    .join(', ');
}

function nameOf({ implementation, trace }: Side): string {
  const { version } = trace.implementation;
  return implementation === 'typescript' ? `holodiff's TypeScript pipeline ${version}` : `${implementation} ${version}`;
}

function specification({ explanation, known }: Subject): string {
  const rule = explanation.difference?.rule;
  const lines = ['## Specification', ''];
  if (rule === undefined) lines.push('No single rule could be made out that they disagree on.');
  else lines.push(...ruleParagraphs(rule, explanation.difference?.decided ?? ''));
  if (known !== undefined) {
    const { right, sentence, section } = known.specification;
    lines.push('', `${whoIsRight(right)}: ${inText(plainSentence(sentence))} (${sectionMark(section)}).`);
  }
  return lines.join('\n');
}

function ruleParagraphs(rule: RuleId, decided: string): string[] {
  const { statement, specification, opNode, kona } = RULES[rule];
  const words = explainWords([rule]);
  const open = openPointsOf(rule);
  return [
    `> ${inText(plainSentence(statement))}`,
    '',
    specification.length === 0 ? 'The specification does not speak of it.' : specification.map(sectionMark).join(', '),
    ...(words.length === 0 ? [] : ['', inText(words.join(' · '))]),
    '',
    `Rule \`${rule}\` of holodiff's catalogue; ${decided}. op-node decides it in \`${opNode}\`, kona in \`${kona}\`.`,
    ...open.flatMap((point) => ['', `Where the text is open: ${inText(point)}.`]),
  ];
}

function sectionMark(section: string): string {
  return `[${section}](${sectionLink(section)})`;
}

function implementations({ sides, explanation }: Subject, difference: Difference): string {
  const place = describePlace(difference);
  const rows = sides.map((side, index) => {
    const { outcome, message, safeHead, alone } = explanation.implementations[index]!;
    const name = alone ? `**${nameOf(side)}**` : nameOf(side);
    const end = side.silent === true ? outcome : `${outcome} at ${safeHead}`;
    return [name, entryOf(side, difference), `${end}${message === '' ? '' : `: ${message}`}`].map(cell).join(' | ');
  });
  return `## What each implementation does

| implementation | first difference: \`${place}\` | how its run ends |
| --- | --- | --- |
${rows.map((row) => `| ${row} |`).join('\n')}`;
}

/** What the side has in the place of the difference. */
function entryOf({ trace, silent }: Side, { boundary, index }: Difference): string {
  if (silent === true) return 'gives no trace';
  const entry = entriesAt(trace, boundary)[index ?? 0];
  return entry === undefined ? 'nothing' : entry.map((line) => `\`${line}\``).join('<br>');
}

function decoded({ explanation, minimised, known }: Subject): string {
  const options = { paint: plain, width: WIDTH, content: true, bytes: false, all: false, known };
  const state = { true: ' It is minimised.', false: ' It is not minimised.' };
  const more = minimised === undefined ? '' : state[`${minimised}`];
  return `## The vector, decoded

Step by step, with a lane for each implementation and the rule behind everything that was lost.${more}

\`\`\`text
${explanationLines(explanation, options).join('\n')}
\`\`\``;
}

function reproduction({ vector, explanation }: Subject): string {
  const file = `${wordsOf(vector.name, explanation.difference?.rule).join('-')}.vector.json`;
  return `## How to reproduce

With holodiff ${VERSION}: save the vector as \`${file}\`, then

\`\`\`sh
npx holodiff explain ${file}
npx holodiff export ${file} --as rust   # a test for kona's suite
npx holodiff export ${file} --as go     # a test for op-node's suite
\`\`\`

<details>
<summary>The vector</summary>

\`\`\`json
${vectorToJson(vector).trimEnd()}
\`\`\`

</details>`;
}

/** Text that Markdown would take for something else. */
function inText(text: string): string {
  return text.replace(/[\\`*<>[\]]/g, (character) => `\\${character}`).replace(/(^|\s)_|_(?=\s|$)/g, '$1\\_');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
