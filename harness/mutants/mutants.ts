/**
 * Mutants: the rule set with one thing changed, generated from the catalogue. A set of vectors that cannot tell a
 * mutant from the base has a hole, or the mutant is no change at all.
 */

import { FORKS, type Fork } from '../../src/chain/config.ts';
import { RULE_IDS, type RuleId } from '../../src/rules/catalogue.ts';
import { CONSTANT_NAMES, CONSTANTS, type ConstantName } from '../../src/rules/constants.ts';
import type { Variant } from '../../src/rules/rule-book.ts';
import { CONSTRUCTIVE } from '../rules/constructive.ts';
import { shifted } from '../variants.ts';

/** `never` and `always` are the two of each rule, `more` and `less` those of each constant, `later` and `sooner` those
 * of each fork's activation, by one second. */
export type MutantId =
  | `${'never' | 'always'} ${RuleId}`
  | `${'more' | 'less'} ${ConstantName}`
  | `${'later' | 'sooner'} ${Fork}`;

/** What a run of the base must have done for the mutant to be able to do otherwise. */
export type Condition =
  | { readonly kind: 'decided'; readonly rule: RuleId; readonly fired: boolean }
  | { readonly kind: 'constant'; readonly name: ConstantName }
  | { readonly kind: 'fork'; readonly fork: Fork; readonly later: boolean };

export interface Mutant {
  readonly id: MutantId;
  readonly variant: Variant;
  readonly condition: Condition;
}

function ofRule(rule: RuleId): Mutant[] {
  return (['never', 'always'] as const).map((change) => ({
    id: `${change} ${rule}`,
    variant: { name: `${change} ${rule}`, rules: { [rule]: change } },
    condition: { kind: 'decided', rule, fired: change === 'never' },
  }));
}

function ofConstant(name: ConstantName): Mutant[] {
  return (['more', 'less'] as const).map((change) => ({
    id: `${change} ${name}`,
    variant: { name: `${change} ${name}`, constants: { [name]: CONSTANTS[name] + (change === 'more' ? 1n : -1n) } },
    condition: { kind: 'constant', name },
  }));
}

function ofFork(fork: Fork): Mutant[] {
  return (['later', 'sooner'] as const).map((change) => ({
    id: `${change} ${fork}`,
    variant: { name: `${change} ${fork}`, activations: { [fork]: shifted(change === 'later' ? 1 : -1) } },
    condition: { kind: 'fork', fork, later: change === 'later' },
  }));
}

/** Every mutant, in the order of the catalogue. */
export const MUTANTS: readonly Mutant[] = [
  ...RULE_IDS.filter((rule) => !(rule in CONSTRUCTIVE)).flatMap(ofRule),
  ...CONSTANT_NAMES.flatMap(ofConstant),
  ...FORKS.flatMap(ofFork),
];
