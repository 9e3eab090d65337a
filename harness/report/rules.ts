/** The conformance table, for a terminal and as the page `docs/rules.md`; and one rule in full. */

import { eraOf, OPEN_POINTS, RULES, type RuleClock } from '../../src/rules/catalogue.ts';
import { CONSTANT_ENTRIES, CONSTANT_NAMES } from '../../src/rules/constants.ts';
import type { Agreement, Conformance, RuleRow, Shown } from '../rules/conformance.ts';
import { CONSTRUCTIVE } from '../rules/constructive.ts';

const CLOCKS: Readonly<Record<RuleClock, string>> = {
  none: '–',
  origin: 'L1 origin',
  epoch: 'batch’s L1 origin',
  timestamp: 'L2 block',
};

const ERAS = { before: 'before Holocene', after: 'from Holocene on', both: 'both' } as const;

/**
 * One line a rule.
 *
 * @param width - of the terminal, which cuts the statements; none leaves them whole
 */
export function formatRules({ implementations, rows, vectors, unexplained }: Conformance, width?: number): string[] {
  const head = ['rule', 'asked', 'fires', 'passes', ...implementations, 'statement [specification]'];
  const cells = rows.map((row) => {
    const { statement, specification } = RULES[row.rule];
    return [
      row.rule,
      eraOf(row.rule),
      countOf(row.fires),
      countOf(row.passes),
      ...implementations.map((name) => agreementOf(row, row.agreement[name]!)),
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
    `${rows.length} rules over ${vectors} vectors: ${implementations.map((name) => `${name} differs by ${rows.filter((row) => row.agreement[name]!.differs.length > 0).length}`).join(', ')}`,
    ...unexplained.map((text) => `no rule accounts for a difference of ${text}`),
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

/** One rule in full. */
export function formatRule(row: RuleRow): string[] {
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
    ...Object.entries(agreement).map(
      ([name, found]) =>
        `${name}: ${agreementOf(row, found)}, ${found.compared} vectors compared${found.differs.length === 0 ? '' : `: ${found.differs.join(', ')}${found.divergences.length === 0 ? '' : ` [${found.divergences.join(', ')}]`}`}`,
    ),
  ];
}

/** The whole table as a page. */
export function rulesPage(table: Conformance): string {
  const { implementations, rows, vectors } = table;
  const lines = [
    '# Rules and who follows them',
    '',
    'Written by `npm run docs`; a test fails when it is stale. `holodiff rules ID` shows one rule with all that is known of it.',
    '',
    `The ${rows.length} rules of \`src/rules/catalogue.ts\`, over the ${vectors} vectors below \`vectors/\`. *Fires* and *passes* count the vectors in which the TypeScript pipeline`,
    'decides by the rule on that side, with the smallest one. A reference *agrees* if no difference on any vector comes from this rule; *differs* names the smallest',
    'vector on which it does, and the entry of `vectors/known-divergences.json`. A clock is the time that decides a fork question.',
    '',
    `| rule | statement | specification | clock | asked | fires | passes | ${implementations.join(' | ')} |`,
    `| --- | --- | --- | --- | --- | --- | --- | ${implementations.map(() => '---').join(' | ')} |`,
    ...rows.map((row) => pageRow(row, implementations)),
    '',
    '## Sides that no vector shows',
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

function pageRow(row: RuleRow, implementations: readonly string[]): string {
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
    ...implementations.map((name) => {
      const found = agreement[name]!;
      const ids = found.divergences.map((id) => ` [${id}]`).join('');
      return found.differs.length === 0 ? agreementOf(row, found) : `**differs**: ${found.differs[0]!}${ids}`;
    }),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function pageSide(shown: Shown): string {
  return shown.count === 0 ? countOf(shown) : `${shown.count}: ${shown.smallest[0]!}`;
}
