/**
 * Which known cause a difference comes of, found by trying: the TypeScript pipeline imitates the reference, and the cause
 * is the imitation without which it no longer goes along past the place where the two part.
 */

import type { Vector } from '../../src/vector.ts';
import { REFERENCE_NAMES } from '../references/build.ts';
import type { TraceJson } from '../trace.ts';
import type { Boundary, Difference, Side } from './compare.ts';
import { boundaryOf, Follower, type Reach } from './follow.ts';
import { type ImitatedRun, type Imitation, imitate } from './imitations/imitation.ts';
import { IMITATIONS } from './imitations/index.ts';

export interface Attribution {
  readonly cause: Imitation;
  /** Where the traces part although everything that is known is imitated; `undefined` if they do not. */
  readonly rest: Boundary | undefined;
}

/**
 * The cause of the difference; `undefined` if no set of known causes accounts for it. Where both references part from
 * the TypeScript pipeline each has to be accounted for, and op-node's cause is the one that is named.
 */
export function attribute(vector: Vector, difference: Difference, sides: readonly Side[]): Attribution | undefined {
  const own = difference.groups.find(({ implementations }) => implementations.includes('typescript'));
  if (own === undefined || own.silent) return undefined;
  const others = sides.filter(({ implementation }) => !own.implementations.includes(implementation));
  if (others.some(({ implementation, silent }) => silent === true || !isReference(implementation))) return undefined;
  const ours = sides.find(({ implementation }) => implementation === 'typescript')!.trace;
  let named: Attribution | undefined;
  for (const name of REFERENCE_NAMES) {
    const side = others.find(({ implementation }) => implementation === name);
    if (side === undefined) continue;
    const imitations = IMITATIONS.filter(({ reference }) => reference === name);
    named = causeOf(vector, ours, side.trace, imitations);
    if (named === undefined) return undefined;
  }
  return named;
}

function isReference(name: string): boolean {
  return (REFERENCE_NAMES as readonly string[]).includes(name);
}

function causeOf(
  vector: Vector,
  ours: TraceJson,
  theirs: TraceJson,
  imitations: readonly Imitation[],
): Attribution | undefined {
  const whole = imitate(vector, imitations, theirs);
  const [only, ...more] = whole.effective;
  // Where one cause is all there is, nothing is left to find out.
  if (only !== undefined && more.length === 0 && whole.reach === Number.POSITIVE_INFINITY) {
    return { cause: only, rest: undefined };
  }
  const needed = neededOf(vector, theirs, whole, Follower.reach(ours, theirs));
  if (needed === undefined) return undefined;
  const { effective, ended } = needed;
  // What ended the run is why it ended; otherwise all that follows comes of what was first.
  const cause = ended ? effective.at(-1) : effective[0];
  // Without any the reference does as the base rules say: it is a variant that departs.
  return cause && { cause, rest: boundaryOf(whole.reach!) };
}

/** The run under as few of the imitations as take it past the parting; `undefined` if not even all of them do. */
function neededOf(vector: Vector, theirs: TraceJson, whole: ImitatedRun, parting: Reach): ImitatedRun | undefined {
  const { effective, reach } = whole;
  const sufficient = (tried: readonly Imitation[]): ImitatedRun | undefined => {
    const run = imitate(vector, tried, theirs, parting);
    return run.reach === undefined ? undefined : run;
  };
  if (reach! <= parting) {
    // One that is wrong about this vector may spoil what another one alone explains.
    for (const imitation of effective) {
      const run = sufficient([imitation]);
      if (run !== undefined) return run;
    }
    return undefined;
  }
  let needed = effective;
  let last = whole;
  for (const imitation of [...effective].reverse()) {
    const rest = needed.filter((other) => other !== imitation);
    const run = rest.length === 0 ? undefined : sufficient(rest);
    if (run === undefined) continue;
    needed = rest;
    last = run;
  }
  return last;
}
