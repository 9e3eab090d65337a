/**
 * Mutants that the clean corpus does not have to kill, each with the argument. `mutants.test.ts` holds them against
 * vectors: an equivalent mutant must survive all of them, and every vector of the scope in which its argument is tried;
 * and one that a reference behaves like must be killed by the vectors on which that reference is known to differ.
 */

import type { RuleSide } from '../curated/curated.ts';
import { UNREACHABLE } from '../curated/unreachable.ts';
import type { Mutant, MutantId } from './mutants.ts';

/** Scopes by what is tried there. */
type ScopeName = 'frames-timeout' | 'item-bytes' | 'channel-bytes' | 'batch-bytes' | 'span-overlap';

export interface Exemption {
  /**
   * `equivalent`: no vector can tell. `divergent`: a reference does what the mutant does, so that no vector on which all
   * agree can tell.
   */
  readonly kind: 'equivalent' | 'divergent';
  readonly argument: string;
  /** The exhaustive scope on every vector of which the argument is tried. */
  readonly scope?: ScopeName;
}

const equivalent = (argument: string, scope?: ScopeName): Exemption => ({
  kind: 'equivalent',
  argument,
  ...(scope === undefined ? {} : { scope }),
});
/** @param id - the entry of the ledger */
const divergent = (id: string): Exemption => ({ kind: 'divergent', argument: id });

const NO_RULE = equivalent('nothing in derivation from batcher data asks for this fork');

const LISTED: Readonly<Partial<Record<MutantId, Exemption>>> = {
  'never frame/exact-tiling': equivalent(
    'data that is not there cannot be handed on: the item is unparseable all the same',
    'item-bytes',
  ),
  'never frame-queue/one-item': equivalent(
    'an empty queue has nothing to give: an item is loaded all the same',
    'frames-timeout',
  ),
  'never channel-bank/open': equivalent(
    'there is no channel to which the frame could go: one is opened all the same',
    'frames-timeout',
  ),
  'never channel-reader/detect': equivalent(
    'bytes of neither format are taken for zlib, whose header names another method: channel-reader/zlib-stream drops them',
    'channel-bytes',
  ),
  'never channel-reader/brotli-stream': equivalent(
    'what came out before the fault counts either way, and that it is the last is decided by channel-reader/partial-output',
    'channel-bytes',
  ),
  'never channel-reader/end': equivalent(
    'there is no further batch: the channel is done all the same',
    'channel-bytes',
  ),
  'always batch-decode/tail-ignored': equivalent('ignoring no bytes is no change', 'batch-bytes'),
  'always span/timestamps': equivalent('taken modulo 2^64, a time below 2^64 is itself', 'batch-bytes'),
  'never span/parent-known': equivalent(
    'without a parent no further check can be made: undecided all the same',
    'span-overlap',
  ),
  'never span/new-block-origin': equivalent(
    'such an epoch is that of the first new block already, and its single batch is dropped for it with the same flush',
    'span-overlap',
  ),
  'always batch-queue/window': equivalent('nothing has left the window: it stays as it is', 'span-overlap'),
  'never frame/is-last-values': divergent('frame-is-last'),
  'never channel-assembler/in-order': divergent('assembler-order'),
  'never batch-decode/version': divergent('batch-version-panic'),
  'never batch-decode/underivable-span-skipped': divergent('underivable-span-ends-channel'),
  'never span/full-epoch': divergent('span-epoch-behind-safe-head'),
  'never batch-validator/lazy-span': divergent('wrapped-span-rest'),
  'never batch-validator/span-extraction': divergent('span-without-origin-critical'),
  'never single/activation-block-empty': divergent('activation-block-transactions'),
  'never single/tx-post-exec': divergent('post-exec-single'),
  'never activation/data-once': divergent('activation-data-twice'),
  'never activation/several-forks': divergent('several-forks-at-once'),
  'later regolith': NO_RULE,
  'sooner regolith': NO_RULE,
  'later ecotone': NO_RULE,
  'sooner ecotone': NO_RULE,
};

/** Where the reasons are tried for which a side is never reached; the others follow from the code alone. */
const SCOPES: Readonly<Partial<Record<RuleSide, ScopeName>>> = {
  'channel-bank/timed-out-frame+': 'frames-timeout',
};

/** Ids of the mutants that are listed by hand. */
export const LISTED_MUTANTS = Object.keys(LISTED) as readonly MutantId[];

/** Why no stored vector of the clean corpus has to kill the mutant; `undefined` if something has to. */
export function exemptionOf({ id, condition }: Mutant): Exemption | undefined {
  const listed = LISTED[id];
  if (listed !== undefined || condition.kind !== 'decided') return listed;
  // A mutant only changes one side of a rule; where no vector reaches that side, it changes nothing.
  const side: RuleSide = `${condition.rule}${condition.fired ? '+' : '-'}`;
  const reason = UNREACHABLE[side];
  return reason === undefined ? undefined : equivalent(`the base never comes there: ${reason}`, SCOPES[side]);
}
