/** The conformance table, for a terminal and as the page `docs/rules.md`; and one rule in full. */

import { eraOf, OPEN_POINTS, RULES, type RuleClock } from '../../src/rules/catalogue.ts';
import { CONSTANT_ENTRIES, CONSTANT_NAMES } from '../../src/rules/constants.ts';
import type { Agreement, Conformance, RecordedVersion, RuleRow, Shown } from '../rules/conformance.ts';
import { CONSTRUCTIVE } from '../rules/constructive.ts';

const CLOCKS: Readonly<Record<RuleClock, string>> = {
  none: '–',
  origin: 'L1 origin',
  epoch: 'batch’s L1 origin',
  timestamp: 'L2 block',
};

/** What stands in the column of a version that is told against the first one of its reference. */
const LEGEND =
  'the first version of each reference is told in full; another one +N: differs by the rule on N vectors on which the first does not, −N: the other way round, agrees: only the first differs';

const ERAS = { before: 'before Holocene', after: 'from Holocene on', both: 'both' } as const;

/**
 * One line a rule.
 *
 * @param width - of the terminal, which cuts the statements; none leaves them whole
 */
export function formatRules({ versions, rows, vectors, unexplained }: Conformance, width?: number): string[] {
  const head = ['rule', 'asked', 'fires', 'passes', ...versions.map(({ title }) => title), 'statement [specification]'];
  const cells = rows.map((row) => {
    const { statement, specification } = RULES[row.rule];
    return [
      row.rule,
      eraOf(row.rule),
      countOf(row.fires),
      countOf(row.passes),
      ...versions.map((version) => {
        const found = row.agreement[version.title]!;
        return isInFull(version) ? agreementOf(row, found) : partingOf(row, version, ({ length }) => String(length));
      }),
      `${statement} [${specification.join(', ') || '–'}]`,
    ];
  });
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => row[column]!.length)));
  const lines = [head, ...cells].map((row) => {
    const line = row
      .map((cell, column) => {
        if (column === row.length - 1) return cell;
        return column === 2 || column === 3 ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
      })
      .join('  ');
    return width === undefined || line.length <= width ? line : `${line.slice(0, width - 1)}…`;
  });
  return [
    ...lines,
    `${rows.length} rules over ${vectors} vectors: ${versions.map(({ title }) => `${title} differs by ${rulesOf(rows, title)}`).join(', ')}`,
    ...(versions.every(isInFull) ? [] : [LEGEND]),
    ...unexplained.map(({ version, vector }) => `no rule accounts for a difference of ${version}: ${vector}`),
  ];
}

function countOf({ count, reason }: Shown): string {
  return count > 0 ? String(count) : reason === undefined ? 'NONE' : '–';
}

function agreementOf({ fires, passes }: RuleRow, { compared, differs }: Agreement): string {
  if (differs.length > 0) return `differs (${differs.length})`;
  if (compared > 0) return 'agrees';
  return fires.reason !== undefined && passes.reason !== undefined ? 'out of reach' : 'UNKNOWN';
}

/** What is said of a version that was asked none of the vectors that show a rule. */
const NOT_ASKED = 'not asked';

function isInFull({ title, against }: RecordedVersion): boolean {
  return title === against;
}

/** By how many rules a version differs. */
function rulesOf(rows: readonly RuleRow[], title: string): number {
  return rows.filter((row) => row.agreement[title]!.differs.length > 0).length;
}

/**
 * Where a version parts from the one that is told in full; nothing where it does the same.
 *
 * @param name - what is said of the vectors on which only one of the two differs, the smallest first
 */
function partingOf(
  row: RuleRow,
  { title, against }: RecordedVersion,
  name: (vectors: readonly string[]) => string,
): string {
  const { compared, differs, more, less } = row.agreement[title]!;
  if (compared === 0 && row.agreement[against]!.compared > 0) return NOT_ASKED;
  if (less.length > 0 && differs.length === 0) return 'agrees';
  return [...(more.length > 0 ? [`+${name(more)}`] : []), ...(less.length > 0 ? [`−${name(less)}`] : [])].join(' ');
}

/** One rule in full. */
export function formatRule({ versions }: Conformance, row: RuleRow): string[] {
  const { rule, fires, passes, agreement } = row;
  const { statement, specification, clock, opNode, kona, openPoints } = RULES[rule];
  const side = (name: string, { count, smallest, reason }: Shown) =>
    count > 0
      ? [`${name} in ${count} vectors, the smallest: ${smallest.join(', ')}`]
      : [`${name} in no vector: ${reason ?? 'NO REASON GIVEN'}`];
  return [
    rule,
    `  ${statement}`,
    `specification: ${specification.join(', ') || 'does not speak of it'}`,
    `clock: ${CLOCKS[clock]}; asked: ${ERAS[eraOf(rule)]}`,
    `op-node: ${opNode}`,
    `kona: ${kona}`,
    ...CONSTANT_NAMES.filter((name) => CONSTANT_ENTRIES[name].rule === rule).map(
      (name) => `constant: ${name} = ${CONSTANT_ENTRIES[name].value}`,
    ),
    ...openPoints.flatMap((id) => {
      const { question, base, text } = OPEN_POINTS[id]!;
      return [`open point ${id}: ${question}`, `  base: ${base}`, ...(text === undefined ? [] : [`  text: ${text}`])];
    }),
    ...side('fires', fires),
    ...side('lets pass', passes),
    ...versions.map((version) => {
      const { title, against } = version;
      const { compared, differs, divergences } = agreement[title]!;
      const parting = isInFull(version) ? undefined : partingOf(row, version, () => 'N');
      if (parting === '') return `${title}: as ${against}`;
      if (parting === NOT_ASKED) return `${title}: ${NOT_ASKED}`;
      const ids = divergences.length === 0 ? '' : ` [${divergences.join(', ')}]`;
      const where = differs.length === 0 ? '' : `: ${differs.join(', ')}${ids}`;
      return `${title}: ${agreementOf(row, agreement[title]!)}, ${compared} vectors compared${where}`;
    }),
  ];
}

/** The whole table as a page. */
export function rulesPage(table: Conformance): string {
  const { versions, rows, vectors, unexplained } = table;
  const lines = [
    '# Rules and who follows them',
    '',
    'Written by `npm run docs`; a test fails when it is stale. `holodiff rules ID` shows one rule with all that is known of it.',
    '',
    `The ${rows.length} rules of \`src/rules/catalogue.ts\`, over the ${vectors} vectors of everyday size below \`vectors/\`. *Fires* and *passes* count the vectors in which the TypeScript pipeline`,
    'decides by the rule on that side, with the smallest one. A reference *agrees* if no difference on any vector comes from this rule; *differs* names the smallest',
    'vector on which it does, and the entry of `vectors/known-divergences.json`. A clock is the time that decides a fork question.',
    '',
    'Of each reference the pinned version is told in full. The column of another one says only where that parts from the pinned one: *+N* that it differs by the rule on N vectors on which the',
    'pinned one does not, *−N* the other way round, each with the smallest one, and *agrees* that only the pinned one differs. Where nothing stands it does as the pinned one.',
    '',
    'An entry of the list is taken for the cause in every version whose trace parts in the same place. Of any other difference the rule was found by experiment: the decision that, turned round, goes along',
    'with the reference for longest, which may be one that only follows from the cause. [versions.md](versions.md) says which release changed what, and why.',
    '',
    '| version | vectors | agrees | differs | by rules |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...versions.map(
      ({ title, compared, differs }) =>
        `| ${title} | ${compared} | ${compared - differs} | ${differs} | ${rulesOf(rows, title)} |`,
    ),
    '',
    `| rule | statement | specification | clock | asked | fires | passes | ${versions.map(({ title }) => title).join(' | ')} |`,
    `| --- | --- | --- | --- | --- | --- | --- | ${versions.map(() => '---').join(' | ')} |`,
    ...rows.map((row) => pageRow(row, versions)),
    '',
    ...(unexplained.length === 0 ? [] : ['## Differences that no rule accounts for', '']),
    ...unexplained.map(({ version, vector }) => `- ${version}: ${vector}`),
    ...(unexplained.length === 0 ? [] : ['']),
    '## Sides that none of these vectors shows',
    '',
    ...rows.flatMap(({ rule, fires, passes }) => {
      const constructive = CONSTRUCTIVE[rule];
      if (constructive !== undefined) return [`- \`${rule}\`: no decision of its own: ${constructive.reason}.`];
      const missing = [
        ['fires', fires],
        ['passes', passes],
      ] as const;
      return missing
        .filter(([, { count }]) => count === 0)
        .map(([name, { reason }]) => `- \`${rule}\` never ${name}: ${reason ?? 'NO REASON GIVEN'}.`);
    }),
    '',
    '## Open points',
    '',
    ...Object.entries(OPEN_POINTS).map(
      ([id, { question, base, text }]) =>
        `- **${id}** ${question}. Base: ${base}.${text === undefined ? '' : ` Text: ${text}`}`,
    ),
    '',
  ];
  return lines.join('\n');
}

function pageRow(row: RuleRow, versions: readonly RecordedVersion[]): string {
  const { rule, fires, passes, agreement } = row;
  const { statement, specification, clock } = RULES[rule];
  const cells = [
    `\`${rule}\``,
    statement,
    specification.join(', ') || '–',
    CLOCKS[clock],
    ERAS[eraOf(rule)],
    pageSide(fires),
    pageSide(passes),
    ...versions.map((version) => {
      if (!isInFull(version)) return partingOf(row, version, (vectors) => `${vectors.length}: ${vectors[0]!}`);
      const found = agreement[version.title]!;
      const ids = found.divergences.map((id) => ` [${id}]`).join('');
      return found.differs.length === 0 ? agreementOf(row, found) : `**differs**: ${found.differs[0]!}${ids}`;
    }),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function pageSide(shown: Shown): string {
  return shown.count === 0 ? countOf(shown) : `${shown.count}: ${shown.smallest[0]!}`;
}
