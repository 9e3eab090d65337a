/** The parts of a signature as it stands on one line. */

import { RULE_IDS, type RuleId } from '../../src/rules/catalogue.ts';

export interface SignatureParts {
  readonly boundary: string;
  /** Who stands alone. */
  readonly outlier: string;
  /** The rule that is at stake, if it is known. */
  readonly rule: RuleId | undefined;
  /** How the TypeScript pipeline decided by it: `+`, `-`, and what is remarkable about that. */
  readonly decided: string;
  readonly shape: string;
}

/** Takes a signature apart; an empty one has empty parts. */
export function signatureParts(signature: string): SignatureParts {
  const [boundary = '', outlier = '', decision = '', ...shape] = signature.split(' | ');
  const named = /^[a-z0-9-]+\/[a-z0-9-]*[a-z0-9]/.exec(decision)?.[0];
  const rule = RULE_IDS.find((id) => id === named);
  const decided = rule === undefined ? '' : decision.slice(rule.length);
  return { boundary, outlier, rule, decided, shape: shape.join(' | ') };
}
