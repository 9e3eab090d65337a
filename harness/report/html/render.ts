/**
 * The report as one page that needs nothing else: a list of findings with filters, and for each one the time line of its
 * explanation. What is not looked at is not built: a finding's details lie deflated in the page until it is opened, and
 * behind the script that shows the list, so that a large page can be used before it is read to its end.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { RULES, type RuleId } from '../../../src/rules/catalogue.ts';
import { hexLines } from '../../decode/hex.ts';
import { plain } from '../../decode/paint.ts';
import { decodedLines } from '../../decode/text.ts';
import { fold } from '../../explain/fold.ts';
import type { Explanation, Lane, Step } from '../../explain/model.ts';
import type { Content } from '../../explain/rows.ts';
import { explainWords, factsText, openPointsOf } from '../../explain/words.ts';
import { PACKAGE_ROOT } from '../../places.ts';

/** A difference, or a vector on which all agree. */
export interface ReportFinding {
  /** The signature on one line; empty if all agree. */
  readonly signature: string;
  /** The ledger's entry for it. */
  readonly known?: { readonly id: string; readonly title: string; readonly link?: string | undefined } | undefined;
  readonly rule: RuleId | undefined;
  /** Empty if all agree. */
  readonly boundary: string;
  /** Who stands alone; empty if all agree. */
  readonly outlier: string;
  /** How many vectors show it. */
  readonly count: number;
  /** Where it was found. */
  readonly source: string;
  readonly explanation: Explanation;
  /** The vector on one line. */
  readonly vector: string;
  /** The traces, each on one line. */
  readonly traces: readonly string[];
}

/** A table of counters by rule. */
export interface ReportCoverage {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly rule: string; readonly counts: readonly number[] }[];
}

export interface ReportInput {
  readonly title: string;
  readonly implementations: readonly { readonly name: string; readonly version: string }[];
  /** What was run, in a few lines. */
  readonly summary: readonly string[];
  readonly coverage?: ReportCoverage | undefined;
  readonly findings: readonly ReportFinding[];
}

const read = (name: string) => readFileSync(path.join(PACKAGE_ROOT, 'harness', 'report', 'html', name), 'utf8');
const STYLE = read('page.css');
const SCRIPT = read('page.mjs');

/** Characters; a page above this leaves vectors, traces and bytes out where they are largest. */
const MAX_DETAILS = 8_000_000;

/** The page. The same input gives the same page. */
export function renderReport(input: ReportInput): string {
  const { title, findings, implementations, summary, coverage } = input;
  const rules: Record<string, readonly [string, readonly string[]]> = {};
  // Also fills in the rules.
  const details = fitDetails(findings, rules);
  const json = JSON.stringify({ findings: findings.map(indexEntry), rules }).replaceAll('<', '\\u003c');
  const versions = implementations.map(({ name, version }) => `${name} ${version}`).join(', ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>
${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(versions)}</p>
<p>${escapeHtml(summary.join(' · '))}</p>
${coverage === undefined ? '' : renderCoverage(coverage)}
<div class="filters" role="search">
<input id="text" type="text" autocomplete="off" spellcheck="false" placeholder="filter by signature or name" aria-label="filter by signature or name">
<select id="state" aria-label="new or known"></select>
<select id="alone" aria-label="who stands alone"></select>
<select id="boundary" aria-label="boundary"></select>
<select id="rule" aria-label="rule"></select>
<output id="shown" role="status"></output>
<span class="keys muted"><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>/</kbd> filter · <kbd>d</kbd> first difference · <kbd>Esc</kbd> back</span>
</div>
</header>
<main>
<nav aria-label="findings"><ul id="list"></ul></nav>
<article id="finding" aria-live="polite"><noscript>This report needs JavaScript, which is inside this file.</noscript></article>
</main>
<script type="application/json" id="data">${json}</script>
<script>
(() => {
${SCRIPT}})();
</script>
${details.map((text, index) => `<script type="text/plain" id="finding-${index}">${text}</script>`).join('\n')}
</body>
</html>
`;
}

function renderCoverage({ columns, rows }: ReportCoverage): string {
  const head = ['rule', ...columns].map(
    (name, i) => `<th scope="col"${i > 0 ? ' class="number"' : ''}>${escapeHtml(name)}</th>`,
  );
  const body = rows.map(({ rule, counts }) => {
    const cells = counts.map((count) => `<td class="number">${count.toLocaleString('en-GB')}</td>`).join('');
    return `<tr><th scope="row" class="code">${escapeHtml(rule)}</th>${cells}</tr>`;
  });
  return `<details><summary>Coverage: in how many vectors each side of each rule was decided</summary>
<div class="coverage"><table><thead><tr>${head.join('')}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></div></details>`;
}

function indexEntry({ signature, known, rule, boundary, outlier, count, source, explanation }: ReportFinding) {
  return {
    name: explanation.name,
    signature,
    rule: rule ?? '',
    boundary,
    alone: outlier,
    count,
    source,
    state: signature === '' ? 'agree' : known === undefined ? 'new' : 'known',
    ...(known === undefined ? {} : { id: known.id, title: known.title, link: known.link }),
  };
}

/** What of a finding's details is left out to save room; each level leaves out what the one before does. */
const LEVELS = [
  { left: '', raw: true, content: true },
  { left: 'vector and traces are left out of this page for their size', raw: false, content: true },
  { left: 'vector, traces and bytes are left out of this page for their size', raw: false, content: false },
] as const;

/** Deflated details of all findings, the largest with less in them if they are too much together. */
function fitDetails(
  findings: readonly ReportFinding[],
  rules: Record<string, readonly [string, readonly string[]]>,
): string[] {
  const packed = findings.map((finding) => pack(finding, 0, rules));
  let total = packed.reduce((sum, { length }) => sum + length, 0);
  for (let level = 1; level < LEVELS.length && total > MAX_DETAILS; level++) {
    const largestFirst = packed.map((text, index) => ({ size: text.length, index })).sort((a, b) => b.size - a.size);
    for (const { size, index } of largestFirst) {
      if (total <= MAX_DETAILS) break;
      packed[index] = pack(findings[index]!, level, rules);
      total += packed[index].length - size;
    }
  }
  return packed;
}

function pack(
  { explanation, vector, traces }: ReportFinding,
  level: number,
  rules: Record<string, readonly [string, readonly string[]]>,
): string {
  const { left, raw, content } = LEVELS[level]!;
  const { name, summary, implementations, difference, differsAtEnd } = explanation;
  const steps = fold(explanation.steps);
  const told = new Set(steps.flatMap(({ reasons }) => reasons.map(({ rule }) => rule)));
  if (difference?.rule !== undefined) told.add(difference.rule);
  for (const rule of told) rules[rule] = [RULES[rule].statement, RULES[rule].specification];
  const detail = {
    name,
    summary,
    lanes: implementations,
    difference: difference === undefined ? null : packDifference(difference),
    differsAtEnd,
    steps: steps.map((step) => packStep(step, content)),
    words: explainWords(told),
    vector: raw ? vector : null,
    traces: raw ? traces : null,
    left,
  };
  return deflateRawSync(JSON.stringify(detail), { level: 9 }).toString('base64');
}

function packDifference(difference: NonNullable<Explanation['difference']>) {
  const { place, origin, verdict, sides, rule, decided } = difference;
  const points = rule === undefined ? [] : openPointsOf(rule);
  return { place, origin: origin ?? null, verdict, sides, rule: rule ?? null, decided, points };
}

const LANES: Readonly<Record<Lane, string>> = { has: '+', lacks: '-', none: '.' };

function packStep({ kind, depth, title, detail, lanes, first, reasons, content }: Step, withContent: boolean) {
  const why = reasons.map(({ rule, effect, verdict, facts }) => [rule, effect, verdict ?? '', factsText(facts)]);
  const marks = lanes.map((lane) => LANES[lane]).join('');
  const packed = withContent && content !== undefined ? packContent(kind, content) : 0;
  return [kind, depth, title, detail, marks, first ? 1 : 0, why, packed];
}

/** Lines that are shown of one content. */
const MOST_LINES = 250;

function packContent(kind: Step['kind'], { bytes, parts, decoded }: Content) {
  // An item's frames stand in the time line already.
  const lines = decoded === undefined || kind === 'item' ? [] : decodedLines(decoded, plain);
  const hex = hexLines(bytes, parts).map(({ offset, part, hex: text, label }) => [offset, part, text, label]);
  return [
    cut(lines, `… ${lines.length - MOST_LINES} more lines`),
    cut(hex, [0, 0, `… ${hex.length - MOST_LINES} more lines`, '']),
  ];
}

function cut<T>(lines: readonly T[], rest: T): T[] {
  return lines.length <= MOST_LINES ? [...lines] : [...lines.slice(0, MOST_LINES), rest];
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (char) => entities[char]!);
}
