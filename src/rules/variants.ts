/** Variants that come with the pipeline. */

import type { RuleContext, Variant } from './rule-book.ts';

const bigint = (context: RuleContext, name: string) => context[name] as bigint;

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
    // A24: the Holocene text at this commit does not ask for the overlap; the full check before Holocene does.
    'span/overlap-content': (base, context) => base && context['holocene'] !== true,
  },
  verdicts: {
    // A22: past means at or before the safe head; between the safe head and the next timestamp a batch is invalid.
    'single/too-late': (base, context) =>
      base === 'past' && bigint(context, 'timestamp') > bigint(context, 'safeTime') ? 'drop' : base,
    // A25: an L1 origin check that is not on the canonical chain invalidates, known or not.
    'span/origin-unknown': (base, context) => (context['holocene'] === true ? 'drop' : base),
    // A27: without a block to build on the span batch is invalid.
    'span/parent-known': () => 'drop',
  },
};

/** Variants by name, as `--variant` takes them. */
export const BUILT_IN_VARIANTS: Readonly<Record<string, Variant>> = { text };
