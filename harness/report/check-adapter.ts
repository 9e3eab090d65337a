/** What `holodiff check-adapter` tells. */

import type { AdapterReport, CheckResult } from '../check-adapter/check.ts';
import { type Paint, wrap } from '../decode/paint.ts';
import { count } from '../words.ts';

const MARKS = { pass: '✓', fail: '✗', note: '·', skip: '–' } as const;
const STYLES = { pass: 'green', fail: 'red', note: 'cyan', skip: 'dim' } as const;

/** Columns of a line. */
const WIDTH = 120;

/** The lines of one check. */
export function formatCheck(result: CheckResult, paint: Paint): string[] {
  const { id, title, status } = result;
  const detail = result.status === 'fail' || result.detail === undefined ? '' : `  (${result.detail})`;
  const head = `${paint(STYLES[status], MARKS[status])} ${paint('bold', id.padEnd(25))} ${title}${paint('dim', detail)}`;
  if (result.status !== 'fail') return [head];
  return [head, ...labelled('expected', result.expected), ...labelled('seen', result.seen)];
}

function labelled(label: string, text: string): string[] {
  return wrap(text.replaceAll('\n', ' '), WIDTH - 14).map(
    (line, at) => `    ${(at === 0 ? label : '').padEnd(10)}${line}`,
  );
}

/** The last line. */
export function formatVerdict({ handshake, checks }: AdapterReport, paint: Paint): string {
  const number = (status: CheckResult['status']) => checks.filter((check) => check.status === status).length;
  const who =
    handshake === undefined ? 'the program' : `${handshake.implementation.name} ${handshake.implementation.version}`;
  const [passed, failed, notes, skipped] = [number('pass'), number('fail'), number('note'), number('skip')];
  const words = [
    `${passed} passed`,
    `${failed} failed`,
    ...(notes === 0 ? [] : [count(notes, 'note')]),
    ...(skipped === 0 ? [] : [`${skipped} not run`]),
  ].join(', ');
  return paint(failed === 0 ? 'green' : 'red', `${who}: ${count(checks.length, 'check')}: ${words}`);
}
