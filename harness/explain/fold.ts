/** Leaves out of a time line what only repeats: runs of empty L1 blocks, and long runs of like steps. */

import { count } from '../words.ts';
import type { Step } from './model.ts';

/** A run of like steps is shown with so many at its start, and one at its end. */
const SHOWN = 4;

/** A step, or what stands in the place of several. */
export interface FoldedStep extends Step {
  /** How many steps it stands for. */
  readonly folded: number;
}

/** Folds the steps of an explanation. */
export function fold(steps: readonly Step[]): FoldedStep[] {
  return foldRuns(foldBlocks(steps));
}

/** L1 blocks at which nothing happens become one. */
function foldBlocks(steps: readonly Step[]): FoldedStep[] {
  const out: FoldedStep[] = [];
  for (let index = 0; index < steps.length; ) {
    let end = index;
    while (isIdle(steps, end)) end += 1;
    const first = steps[index]!;
    if (end - index < 2) {
      out.push({ ...first, folded: 1 });
      index += 1;
      continue;
    }
    const last = steps[end - 1]!;
    const title = `${first.title.replace('block', 'blocks')} to ${lastNumber(last.title)}`;
    out.push({ ...first, title, detail: 'nothing happens', folded: end - index });
    index = end;
  }
  return out;
}

function lastNumber(title: string): string {
  return /\d+$/.exec(title)?.[0] ?? title;
}

function isIdle(steps: readonly Step[], index: number): boolean {
  const step = steps[index];
  const next = steps[index + 1];
  const alone = next === undefined || next.kind === 'block';
  return step?.kind === 'block' && alone && !step.first && !step.detail.includes('activates');
}

/** In a long run of like steps those in the middle become one. */
function foldRuns(steps: readonly FoldedStep[]): FoldedStep[] {
  const out: FoldedStep[] = [];
  for (let index = 0; index < steps.length; ) {
    const first = steps[index]!;
    let end = index + 1;
    while (end < steps.length && isAlike(first, steps[end]!)) end += 1;
    const run = steps.slice(index, end);
    index = end;
    if (run.length <= SHOWN + 2) {
      out.push(...run);
      continue;
    }
    const hidden = run.slice(SHOWN, -1);
    const from = hidden[0]!.title;
    const to = lastNumber(hidden[hidden.length - 1]!.title);
    const { kind, depth, lanes } = hidden[0]!;
    const detail = `${count(hidden.length, 'step')} like these: ${from} to ${to}`;
    out.push(
      ...run.slice(0, SHOWN),
      { kind, depth, lanes, first: false, title: '…', detail, reasons: [], folded: hidden.length },
      run[run.length - 1]!,
    );
  }
  return out;
}

function isAlike(a: Step, b: Step): boolean {
  if (a.kind !== b.kind || a.kind === 'block' || a.first || b.first) return false;
  if (a.reasons.length !== b.reasons.length || a.reasons.some(({ rule }, i) => rule !== b.reasons[i]!.rule))
    return false;
  return a.lanes.every((lane, index) => lane === b.lanes[index]);
}
