/**
 * Rules that no line of code decides by: they say what a form or a state of things is, and the code is built that way. A
 * variant cannot change them, and there are no mutants of them.
 */

import type { RuleId } from '../../src/rules/catalogue.ts';

export interface Constructive {
  readonly reason: string;
  /** Rules that are asked only where this one holds, so that their vectors show it. None: nothing here shows it. */
  readonly shownBy: readonly RuleId[];
}

export const CONSTRUCTIVE: Readonly<Partial<Record<RuleId, Constructive>>> = {
  'frame/layout': {
    reason: 'gives the form of a frame: whoever reads another one finds other frames in every item',
    shownBy: ['frame/exact-tiling', 'frame/is-last-values'],
  },
  'engine/deposits-only-refused': {
    reason:
      'speaks of a payload without user transactions that is refused: the simulated engine of the format refuses none',
    shownBy: [],
  },
  'engine/legacy-refusal': {
    reason: 'speaks of payloads refused before Holocene: the simulated engine of the format refuses none there',
    shownBy: [],
  },
  'activation/fork-order': {
    reason:
      'speaks of configurations: each fork is judged by its own time only, and a check of the order has no place in a pipeline',
    shownBy: ['activation/several-forks'],
  },
  'reset/catch-up': {
    reason: 'is the sum of two other rules, one for each side of Holocene, which decide what is read while catching up',
    shownBy: ['batch-queue/origin-behind', 'batch-validator/drain'],
  },
};
