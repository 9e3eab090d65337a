/** Variants that come with the pipeline. */

import type { RuleContext, Variant } from './rule-book.ts';

const bigint = (context: RuleContext, name: string) => context[name] as bigint;

/** A span check that Holocene's list does not name. */
const beforeHoloceneOnly = (base: boolean, context: RuleContext) => base && context['holocene'] !== true;

/**
 * Follows the specification's text wherever it speaks against the base rules, which follow practice; the open points
 * of the catalogue say where and why.
 */
const text: Variant = {
  name: 'text',
  description: "the specification's text where practice differs from it",
  rules: {
    // A5: a frame 0 drops the unclosed channel before it, also one with the same id.
    'frame-queue/new-first-drops-open': (_base, context) => context['bNumber'] === 0 && context['aLast'] === false,
    // A6: only a non-first frame behind a closing frame is dropped.
    'frame-queue/after-close': (base, context) => base && context['bNumber'] !== 0,
    // A8: the size is that of the frames which are held.
    'channel-bank/size': 'never',
    // A11: before Holocene a malformed batch is ignored by itself.
    'batch-decode/malformed-ends-channel': (base, context) => base && context['holocene'] === true,
    // A18: every type above 2 is dropped, but for set-code transactions from Isthmus on.
    'single/tx-other-types': (_base, { type, isthmus }) =>
      typeof type === 'number' && type > 2 && type < 0x80 && !(type === 4 && isthmus === true),
    // A23: from Holocene on a span batch as a whole is held against four checks only.
    'span/sequence-window': beforeHoloceneOnly,
    'span/start-epoch-too-new': beforeHoloceneOnly,
    'span/start-epoch-too-old': beforeHoloceneOnly,
    // A24: nor against the safe chain.
    'span/overlap-content': beforeHoloceneOnly,
    // A30: Karst's text has no such rule for batches.
    'single/activation-block-empty': (base, context) => base && context['fork'] !== 'karst',
    // A35: the empty batch of the next epoch is due at once.
    'empty/next-epoch': 'never',
    // A36: data is read once.
    'reset/first-block-twice': 'never',
  },
  verdicts: {
    // A22: past means at or before the safe head; between the safe head and the next timestamp a batch is invalid.
    'single/too-late': (base, context) =>
      base === 'past' && bigint(context, 'timestamp') > bigint(context, 'safeTime') ? 'drop' : base,
    // A25: an L1 origin check that is not on the canonical chain invalidates.
    'span/origin-unknown': () => 'drop',
    // A27: a block before genesis does not exist, so there is nothing to build on.
    'span/parent-known': (base, context) =>
      bigint(context, 'number') < bigint(context, 'genesis') || bigint(context, 'number') > bigint(context, 'safe')
        ? 'drop'
        : base,
  },
};

/** Variants by name, as `--variant` takes them. */
export const BUILT_IN_VARIANTS: Readonly<Record<string, Variant>> = { text };
