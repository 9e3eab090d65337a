/** What changed between versions of the references: as lines for a terminal, as a page, and as data. */

import { describePlace, describeSides } from '../compare/describe.ts';
import type { ReferenceHistory, Step, VersionAnswer, VersionsAnswer } from '../versions/ask.ts';
import type { ChangeGroup } from '../versions/history.ts';
import { onOneLine } from './printable.ts';

/** The answer as lines for a terminal. */
export function formatVersions({ vectors, histories }: VersionsAnswer): string[] {
  const lines = histories.flatMap((history) => [
    `${history.reference}: ${count(vectors, 'vector')} through ${count(history.versions.length, 'version')}`,
    ...history.versions.map((version) => `  ${version.title}: ${tallyOf(version)}${madeOf(version)}`),
    ...history.failures.map((message) => `  not asked: ${message}`),
    ...history.versions.flatMap(({ title, incidents }) =>
      incidents.map(
        ({ kind, vector, message }) => `  ${title}: ${kind}${vector === undefined ? '' : ` at ${vector}`}: ${message}`,
      ),
    ),
    ...history.steps.flatMap((step) => [
      `${step.from} → ${step.to}: ${changedOf(step)}`,
      ...step.groups.flatMap((group) => {
        const { name, size, difference } = group.vectors[0]!;
        return [
          `  ${group.boundary} (${group.shape}), ${ruleOf(group)}: ${count(group.vectors.length, 'vector')} ${verdictOf(group)}`,
          `    smallest: ${name}, ${size} characters: ${describePlace(difference)}: ${describeSides(difference)}`,
        ];
      }),
    ]),
  ]);
  return lines.map(onOneLine);
}

/** The answer as Markdown: a table of versions and a table of changes for each reference. */
export function versionsPage({ vectors, histories }: VersionsAnswer): string {
  const lines = histories.flatMap((history) => [
    `## ${history.reference}`,
    '',
    `${count(vectors, 'vector')} through ${count(history.versions.length, 'version')}, compared with the TypeScript pipeline.`,
    '',
    ...row(['version', 'agrees', 'differs', 'no trace', 'made of']),
    ...row(['---', '---:', '---:', '---:', '---']),
    ...history.versions.flatMap((version) =>
      row([version.title, version.agree, version.differ, version.absent, dependenciesOf(version) || '–']),
    ),
    '',
    ...history.failures.map((message) => `- not asked: ${message}`),
    ...(history.failures.length > 0 ? [''] : []),
    ...changesTable(history),
  ]);
  return `${lines.join('\n').trimEnd()}\n`;
}

function changesTable({ steps }: ReferenceHistory): string[] {
  if (steps.length === 0) return [];
  return [
    ...row(['from → to', 'first boundary', 'rule', 'vectors', 'what that did', 'smallest vector', 'what it shows']),
    ...row(['---', '---', '---', '---:', '---', '---', '---']),
    ...steps.flatMap((step) =>
      step.groups.length === 0
        ? row([`${step.from} → ${step.to}`, 'no change', '', 0, '', '', ''])
        : step.groups.flatMap((group) => {
            const { name, difference } = group.vectors[0]!;
            return row([
              `${step.from} → ${step.to}`,
              `${group.boundary} (${group.shape})`,
              ruleOf(group),
              group.vectors.length,
              verdictOf(group),
              name,
              describeSides(difference),
            ]);
          }),
    ),
    '',
  ];
}

function row(cells: readonly (string | number)[]): string[] {
  return [
    `| ${cells
      .map((cell) =>
        String(cell)
          .replaceAll('|', '\\|')
          .replace(/\s*\n\s*/g, ' '),
      )
      .join(' | ')} |`,
  ];
}

/** The answer as plain data for JSON. */
export function versionsData({ vectors, histories }: VersionsAnswer): unknown {
  return {
    format: 1,
    vectors,
    references: histories.map(({ reference, versions, steps, failures }) => ({
      reference,
      versions: versions.map(({ title, how, handshake, agree, differ, absent, incidents }) => ({
        version: title,
        how,
        decompressors: handshake.decompressors,
        dependencies: handshake.dependencies ?? {},
        agree,
        differ,
        absent,
        incidents,
      })),
      failures,
      steps: steps.map(({ from, to, compared, groups }) => ({
        from,
        to,
        compared,
        changed: changedIn(groups),
        groups: groups.map((group) => ({
          boundary: group.boundary,
          shape: group.shape,
          rule: group.rule,
          before: group.before,
          after: group.after,
          vectors: group.vectors.map(({ name }) => name),
          smallest: {
            name: group.vectors[0]!.name,
            size: group.vectors[0]!.size,
            place: describePlace(group.vectors[0]!.difference),
            difference: describeSides(group.vectors[0]!.difference),
          },
        })),
      })),
    })),
  };
}

function tallyOf({ agree, differ, absent }: VersionAnswer): string {
  const parts = [`${agree} agree with typescript`, `${differ} differ`];
  if (absent > 0) parts.push(`${absent} without a trace`);
  return parts.join(', ');
}

function dependenciesOf({ handshake: { dependencies = {}, decompressors } }: VersionAnswer): string {
  const made = Object.entries(dependencies).map(([role, what]) => (/^v?\d/.test(what) ? `${role} ${what}` : what));
  return [...made, ...Object.values(decompressors)].join(', ');
}

function madeOf(version: VersionAnswer): string {
  const made = dependenciesOf(version);
  return made === '' ? '' : ` (${made})`;
}

function changedIn(groups: readonly ChangeGroup[]): number {
  return groups.reduce((sum, { vectors }) => sum + vectors.length, 0);
}

function changedOf({ groups, compared }: Step): string {
  const changed = changedIn(groups);
  return changed === 0
    ? `no change on ${count(compared, 'vector')}`
    : `${changed} of ${count(compared, 'vector')} changed`;
}

function ruleOf({ rule }: ChangeGroup): string {
  return rule === 'unknown' ? 'no rule found' : rule;
}

/** What the change did to the agreement with the TypeScript pipeline. */
function verdictOf({ before, after }: ChangeGroup): string {
  if (before === after)
    return `${before === 'differs' ? 'differing from' : 'agreeing with'} typescript before and after`;
  return after === 'agrees' ? 'came to agree with typescript' : 'came to differ from typescript';
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
