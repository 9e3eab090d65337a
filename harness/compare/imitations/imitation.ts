/**
 * Imitations: what is known of how a reference departs from the rules, as something that can be tried. Each is a change
 * of the TypeScript pipeline after which it does what the reference does, and stands for one cause: one entry of the
 * ledger.
 */

import { blockHash } from '../../../src/chain/engine.ts';
import { drive } from '../../../src/derive.ts';
import type { RuleId } from '../../../src/rules/catalogue.ts';
import type { ExtensionPoint, Extensions } from '../../../src/rules/extensions.ts';
import { RuleBook, type RuleOverride, type Variant, type VerdictOverride } from '../../../src/rules/rule-book.ts';
import type { OutcomeKind } from '../../../src/trace.ts';
import type { Vector } from '../../../src/vector.ts';
import type { ReferenceName } from '../../references/build.ts';
import type { TraceJson } from '../../trace.ts';
import type { Boundary } from '../compare.ts';
import { Follower, GivenUp, type Reach } from '../follow.ts';

/** What an imitation changes of the rules. */
type Change = Pick<Variant, 'rules' | 'verdicts' | 'activations' | 'extensions'>;

export interface Imitation {
  /** The id of its entry in the ledger. */
  readonly id: string;
  readonly reference: ReferenceName;
  /** The rule from which the reference departs. */
  readonly rule: RuleId;
  /** Whether it departs where the rule fires, or where it lets pass. */
  readonly side: '+' | '-';
  /** The boundary at which the departure shows by itself. */
  readonly boundary: Boundary;
  readonly change: (vector: Vector) => Change;
}

/** Thrown by a change where the reference's run ends. */
export class ImitatedEnd extends Error {
  readonly kind: OutcomeKind;
  /** What the reference's message holds, the place in its source for a crash. */
  readonly says: string;

  constructor(kind: OutcomeKind, says: string) {
    super(`${kind}: ${says}`);
    this.kind = kind;
    this.says = says;
  }
}

/** A run of the pipeline under some imitations, held against the reference's trace. */
export interface ImitatedRun {
  /** How far it goes along with the trace; `undefined` if it is not above the floor. */
  readonly reach: Reach | undefined;
  /** Those that changed anything, in the order in which they first did. */
  readonly effective: readonly Imitation[];
  /** Whether an imitation ended the run. */
  readonly ended: boolean;
}

/**
 * Derives the vector under all the imitations at once.
 *
 * @param theirs - the reference's trace
 * @param floor - a run that goes no further along with it is given up
 */
export function imitate(
  vector: Vector,
  imitations: readonly Imitation[],
  theirs: TraceJson,
  floor: Reach = Number.NEGATIVE_INFINITY,
): ImitatedRun {
  const effective = new Set<Imitation>();
  const rules = new RuleBook(likeness(vector, imitations, (imitation) => effective.add(imitation)));
  const follower = new Follower(theirs, floor);
  let reach: Reach | undefined;
  let ended = false;
  try {
    const { outcome, safeHead } = drive(vector, rules, follower, blockHash);
    reach = follower.end(outcome, safeHead);
  } catch (error) {
    if (error instanceof ImitatedEnd) {
      ended = true;
      // An end of the right kind for another reason is not the reference's. Recorded traces have lost the reason.
      const { message } = theirs.outcome;
      const same = message === undefined || message.includes(error.says);
      reach = follower.cut(same ? error.kind : 'drained');
    } else if (!(error instanceof GivenUp)) throw error;
  }
  const above = reach !== undefined && reach > floor;
  return { reach: above ? reach : undefined, effective: [...effective], ended };
}

type Hear = (imitation: Imitation) => void;

/** One variant that does what all of them do; `hear` is told of each that makes a difference. */
export function likeness(vector: Vector, imitations: readonly Imitation[], hear: Hear): Variant {
  const changes = imitations.map((imitation) => ({ imitation, change: imitation.change(vector) }));
  const rules: Partial<Record<RuleId, RuleOverride>> = {};
  const verdicts: Partial<Record<RuleId, VerdictOverride>> = {};
  const activations: NonNullable<Variant['activations']> = {};
  const extensions: Extensions = {};
  for (const { imitation, change } of changes) {
    for (const [rule, override] of entries(change.rules)) {
      rules[rule] = behind(rules[rule], override, () => hear(imitation));
    }
    for (const [rule, override] of entries(change.verdicts)) {
      const first = verdicts[rule];
      verdicts[rule] = (base, context) => {
        const before = first?.(base, context) ?? base;
        const said = override(before, context);
        if (said !== before) hear(imitation);
        return said;
      };
    }
    for (const [fork, override] of entries(change.activations)) {
      Object.assign(activations, {
        [fork]: (base: boolean, time: bigint, activation: bigint | null) => {
          const said = override(base, time, activation);
          if (said !== base) hear(imitation);
          return said;
        },
      });
    }
    for (const [point, extension] of entries(change.extensions)) {
      Object.assign(extensions, { [point]: firstOf(extensions, point, extension, () => hear(imitation)) });
    }
  }
  return { name: 'imitation', rules, verdicts, activations, extensions };
}

function entries<K extends string, V>(record: Readonly<Partial<Record<K, V>>> | undefined): [K, V][] {
  return Object.entries(record ?? {}) as [K, V][];
}

/** Two overrides of one rule, one after the other. */
function behind(first: RuleOverride | undefined, second: RuleOverride, hear: () => void): RuleOverride {
  return (base, context) => {
    const before = first === undefined ? base : (first as Exclude<RuleOverride, string>)(base, context);
    let said: boolean;
    try {
      said = typeof second === 'string' ? second === 'always' : second(before, context);
    } catch (error) {
      hear();
      throw error;
    }
    if (said !== before) hear();
    return said;
  };
}

/** Two extensions of one place: the first that says anything has said it. */
function firstOf<P extends ExtensionPoint>(
  extensions: Extensions,
  point: P,
  second: NonNullable<Extensions[P]>,
  hear: () => void,
): NonNullable<Extensions[P]> {
  type Ask = (moment: unknown) => unknown;
  const first = extensions[point] as Ask | undefined;
  return ((moment: unknown) => {
    const before = first?.(moment);
    if (before !== undefined) return before;
    let said: unknown;
    try {
      said = (second as Ask)(moment);
    } catch (error) {
      hear();
      throw error;
    }
    if (said !== undefined) hear();
    return said;
  }) as NonNullable<Extensions[P]>;
}
