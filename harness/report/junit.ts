/** JUnit's XML: a suite for each folder of vectors or kind of check, a known difference as a skipped test. */

import { type Check, checksOf, isBad, titleOf } from './checks.ts';
import { printable } from './printable.ts';
import type { Result } from './result.ts';

/** The document. No times: the same result gives the same bytes. */
export function junit(result: Result): string {
  const suites = new Map<string, Check[]>();
  for (const check of checksOf(result)) {
    const suite = suites.get(check.suite);
    if (suite === undefined) suites.set(check.suite, [check]);
    else suite.push(check);
  }
  const all = [...suites.values()].flat();
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(`holodiff ${titleOf(result)}`)}" ${counters(all)}>`,
    ...[...suites].flatMap(([name, checks]) => [
      `  <testsuite name="${xml(name)}" ${counters(checks)}>`,
      ...(name === [...suites.keys()][0] ? properties(result) : []),
      ...checks.flatMap(testcase),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function counters(checks: readonly Check[]): string {
  const of = (...states: Check['state'][]) => checks.filter(({ state }) => states.includes(state)).length;
  return `tests="${checks.length}" failures="${of('differs')}" errors="${of('failed')}" skipped="${of('known', 'skipped')}"`;
}

/** The schema has them in a suite only, so they stand in the first. */
function properties({ holodiff, implementations, underEmbargo }: Result): string[] {
  const all = [
    ['holodiff', holodiff],
    ...implementations.map(({ name, version }) => [name, version]),
    ['under embargo', String(underEmbargo)],
  ] as const;
  return [
    '    <properties>',
    ...all.map(([name = '', value = '']) => `      <property name="${xml(name)}" value="${xml(value)}"/>`),
    '    </properties>',
  ];
}

function testcase(check: Check): string[] {
  const { suite, name, state, message, kind, file, rule } = check;
  const attributes = [
    `name="${xml(name)}"`,
    `classname="${xml(suite)}"`,
    ...(file === undefined ? [] : [`file="${xml(file)}"`]),
  ].join(' ');
  if (state === 'passed') return [`    <testcase ${attributes}/>`];
  const element = state === 'failed' ? 'error' : 'failure';
  const body = isBad(check)
    ? `<${element} type="${kind}" message="${xml(message)}">${xml(rule ?? '')}</${element}>`
    : `<skipped message="${xml(message)}"/>`;
  return [`    <testcase ${attributes}>`, `      ${body}`, '    </testcase>'];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function xml(text: string): string {
  return printable(text).replace(/[&<>"\t\n\r]/g, (char) => ENTITIES[char]!);
}
