/** What `holodiff doctor` tells. */

import { type Paint, wrap } from '../decode/paint.ts';
import type { Examined } from '../doctor/examine.ts';
import { count } from '../words.ts';

const MARKS = { ok: '✓', note: '·', problem: '✗' } as const;
const STYLES = { ok: 'green', note: 'cyan', problem: 'red' } as const;

/** Columns of a line. */
const WIDTH = 120;

/** A line for each, with what to do below it, and a summary. */
export function formatExamination(examined: readonly Examined[], paint: Paint): string[] {
  const width = Math.max(...examined.map(({ id }) => id.length));
  const lines = examined.flatMap(({ id, health, text, advice }) => [
    `${paint(STYLES[health], MARKS[health])} ${paint('bold', id.padEnd(width))}  ${text}`,
    ...(advice === undefined
      ? []
      : wrap(advice, WIDTH - width - 6).map((line, at) => `${' '.repeat(width + 4)}${at === 0 ? '→' : ' '} ${line}`)),
  ]);
  const problems = examined.filter(({ health }) => health === 'problem').length;
  const end = problems === 0 ? paint('green', 'no problem') : paint('red', count(problems, 'problem'));
  return [...lines, '', end];
}
