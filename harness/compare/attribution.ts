/**
 * Which known cause a difference comes of, found by trying: the TypeScript pipeline imitates the reference, and the cause
 * is the imitation without which it no longer goes along past the place where the two part.
 */

import { RuleBook } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { REFERENCE_NAMES } from '../references/build.ts';
import type { TraceJson } from '../trace.ts';
import type { Boundary, Difference, Side } from './compare.ts';
import { boundaryOf, follow, type Reach } from './follow.ts';
import { type Imitation, imitate } from './imitations/imitation.ts';
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
  let named: Attribution | undefined;
  for (const name of REFERENCE_NAMES) {
    const side = others.find(({ implementation }) => implementation === name);
    if (side === undefined) continue;
    const imitations = IMITATIONS.filter(({ reference }) => reference === name);
    named = causeOf(vector, side.trace, imitations);
    if (named === undefined) return undefined;
  }
  return named;
}

function isReference(name: string): boolean {
  return (REFERENCE_NAMES as readonly string[]).includes(name);
}

function causeOf(vector: Vector, theirs: TraceJson, imitations: readonly Imitation[]): Attribution | undefined {
  const whole = imitate(vector, imitations, theirs);
  const [only, ...more] = whole.effective;
  // Nearly always one cause is all there is, and then nothing is left to find out.
  if (only !== undefined && more.length === 0 && whole.reach === Number.POSITIVE_INFINITY) {
    return { cause: only, rest: undefined };
  }
  const parting = follow(vector, new RuleBook(), theirs, Number.NEGATIVE_INFINITY)!;
  const needed = neededOf(vector, theirs, whole.effective, whole.reach!, parting);
  if (needed === undefined) return undefined;
  const { effective, ended } = imitate(vector, needed, theirs, parting);
  // What ended the run is why it ended; otherwise all that follows comes of what was first.
  const cause = (ended ? effective.at(-1) : effective[0])!;
  return { cause, rest: boundaryOf(whole.reach!) };
}

/** As few of the imitations as take the pipeline past the parting; `undefined` if not even all of them do. */
function neededOf(
  vector: Vector,
  theirs: TraceJson,
  effective: readonly Imitation[],
  reach: Reach,
  parting: Reach,
): readonly Imitation[] | undefined {
  const suffice = (tried: readonly Imitation[]) => imitate(vector, tried, theirs, parting).reach !== undefined;
  if (reach <= parting) {
    // One that is wrong about this vector may spoil what another one alone explains.
    const alone = effective.find((imitation) => suffice([imitation]));
    return alone && [alone];
  }
  let needed = effective;
  for (const imitation of [...effective].reverse()) {
    const rest = needed.filter((other) => other !== imitation);
    if (rest.length > 0 && suffice(rest)) needed = rest;
  }
  return needed;
}
