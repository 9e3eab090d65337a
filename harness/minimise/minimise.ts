/**
 * The minimiser: the simplest vector that is still interesting, found by taking away and simplifying part after part
 * until nothing more can be.
 */

import type { Vector } from '../../src/vector.ts';
import { HolodiffError } from '../errors.ts';
import { vectorToLine } from '../vector.ts';
import { PASSES } from './passes/index.ts';
import { type Interesting, Search } from './search.ts';

export type { Interesting } from './search.ts';

export interface MinimiseOptions {
  /** Candidates that are tested at the most. Default: 4,000. */
  readonly maxTests?: number;
  /** Candidates that are tested at the same time. The result does not depend on it. Default: 8. */
  readonly inFlight?: number;
  /** Hears of each pass that made the vector simpler. */
  readonly onProgress?: (progress: Progress) => void;
}

interface Progress {
  readonly pass: string;
  /** Tests so far. */
  readonly tests: number;
  /** Characters of the vector on one line. */
  readonly size: number;
}

export interface Minimised {
  readonly vector: Vector;
  /** The vector on one line. */
  readonly line: string;
  /** Characters of the original on one line. */
  readonly sizeBefore: number;
  readonly tests: number;
  /** The tests did not suffice to show that nothing more can be taken away. */
  readonly exhausted: boolean;
}

/** There is nothing to keep: the vector does not show what it is minimised for. */
export class NotInterestingError extends HolodiffError {
  constructor({ name }: Vector) {
    super('not-interesting', `${name} is not interesting to begin with`);
  }
}

/**
 * Minimises a vector.
 *
 * Unless it is cut short by `maxTests`, minimising the result again changes nothing: the last round is one in which
 * every pass has proposed everything it knows in vain.
 *
 * @param interesting - must give the same answer whenever it is asked
 * @throws NotInterestingError if the vector itself is not interesting
 */
export async function minimise(
  vector: Vector,
  interesting: Interesting,
  options: MinimiseOptions = {},
): Promise<Minimised> {
  const { maxTests = 4_000, inFlight = 8, onProgress } = options;
  const sizeBefore = vectorToLine(vector).length;
  const search = new Search(vector, interesting, maxTests, inFlight);
  if (!(await interesting(vector, search.line))) throw new NotInterestingError(vector);
  let changed = true;
  while (changed && !search.exhausted) {
    changed = false;
    for (const [name, pass] of Object.entries(PASSES)) {
      if (!(await search.run(pass))) continue;
      changed = true;
      onProgress?.({ pass: name, tests: search.tests, size: search.line.length });
    }
  }
  return {
    vector: search.current,
    line: search.line,
    sizeBefore,
    tests: search.tests + 1,
    exhausted: search.exhausted,
  };
}
