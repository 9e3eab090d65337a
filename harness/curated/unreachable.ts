/**
 * Sides of rules that no vector reaches, with the reason. `curated.test.ts` holds the list against the scenarios: a
 * side must be here or be shown, and one that is here must not be reached.
 */

import type { RuleSide } from './curated.ts';

/** The rule says what is done; it is asked so that a variant may do otherwise, and under the base rules it fires. */
const ALWAYS = 'no condition: the rule fires whenever it is asked, unless a variant says otherwise';

const NOT_ASKED = 'states a form or a state of things; the pipeline has no decision of that name';

export const UNREACHABLE: Readonly<Partial<Record<RuleSide, string>>> = {
  'frame/layout+': NOT_ASKED,
  'frame/layout-': NOT_ASKED,
  'engine/deposits-only-refused+': 'the simulated engine refuses no block without transactions',
  'engine/deposits-only-refused-': 'the simulated engine refuses no block without transactions',
  'engine/legacy-refusal+': 'before Holocene the simulated engine refuses nothing',
  'engine/legacy-refusal-': 'before Holocene the simulated engine refuses nothing',
  'activation/fork-order+': NOT_ASKED,
  'activation/fork-order-': NOT_ASKED,
  'reset/catch-up+': NOT_ASKED,
  'reset/catch-up-': NOT_ASKED,

  'channel-bank/timed-out-frame+':
    'channels time out in the order of the queue, and a timed-out head is removed before a frame is loaded',
  'single/tx-other-types+': 'the rule lets pass: nothing is dropped for it, unless a variant says otherwise',

  'channel-bank/read-before-load-': ALWAYS,
  'channel-bank/size-': ALWAYS,
  'batch-decode/underivable-span-skipped-': ALWAYS,
  'empty/next-epoch-': ALWAYS,
  'batch-validator/span-drop-': ALWAYS,
  'batch-validator/span-extraction-': ALWAYS,
  'batch-validator/span-past-': ALWAYS,
  'batch-validator/span-undecided-': ALWAYS,
  'batch-validator/single-past-': ALWAYS,
  'batch-validator/single-drop-': ALWAYS,
  'batch-validator/flush-scope-': ALWAYS,
  'activation/channels-dropped-': ALWAYS,
  'activation/batches-dropped-': ALWAYS,
  'activation/window-kept-': ALWAYS,
  'activation/data-once-': ALWAYS,
  'activation/old-batches-new-rules-': ALWAYS,
  'activation/several-forks-': ALWAYS,
  'reset/stages-': ALWAYS,
  'reset/first-block-twice-': ALWAYS,
};

/** Sides that generated vectors do not come to, with the reason and the stored vector that does. */
export const BEYOND_CAMPAIGNS: Readonly<Partial<Record<RuleSide, string>>> = {
  'channel-bank/prune+':
    'needs more than 100,000,000 bytes, or 500,000 frames without data; large/channel-bank-size has them',
  'channel-assembler/size-limit+':
    'needs more than 100,000,000 bytes, or 500,000 frames without data; large/channel-assembler-size-limit has them',
  'batch-queue/span-cache+': 'needs block times of 2^53 - 1 seconds; large/span-of-wrapping-times has them',
  'batch-validator/lazy-span+':
    'needs block times of 2^53 - 1 seconds; batch-validator/span-of-wrapping-times has them',
  'span/new-block-origin+':
    'needs a genesis block with another origin than the configured one; batch-validator/span-behind-another-genesis-origin has it',
  'batch-validator/span-extraction+': 'only span/new-block-origin leads there',
};
