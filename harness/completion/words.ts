/** Words for options and arguments that do not take these alone, and so have no choices of their own. */

import { RULE_IDS } from '../../src/rules/catalogue.ts';
import { BUILT_IN_VARIANTS } from '../../src/rules/variants.ts';
import { EXHAUSTIVE_SCOPES } from '../generate/exhaustive.ts';
import { REFERENCE_NAMES } from '../references/build.ts';
import { REPORTER_NAMES } from '../report/reporters.ts';

/** By the option, or by the argument in angle brackets. */
export function knownWords(): Readonly<Record<string, readonly string[]>> {
  const implementations = ['typescript', ...REFERENCE_NAMES];
  const variants = Object.keys(BUILT_IN_VARIANTS);
  return {
    '--implementation': implementations,
    '--variant': variants,
    '--reporter': REPORTER_NAMES,
    '--exhaustive': Object.keys(EXHAUSTIVE_SCOPES),
    // Of build, check-adapter, variant and rules.
    '<reference>': REFERENCE_NAMES,
    '<command>': implementations,
    '<name|file>': variants,
    '<id>': RULE_IDS,
  };
}
