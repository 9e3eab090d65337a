/** What a curated vector is: a scenario with a name, a reason, and the sides of rules that it shows. */

import type { RuleId } from '../../src/rules/catalogue.ts';
import type { Vector } from '../../src/vector.ts';

/** A rule and whether it decided (`+`) or was asked and let pass (`-`), as `frame/version-byte+`. */
export type RuleSide = `${RuleId}${'+' | '-'}`;

export interface CuratedScenario {
  /** `<stage>/<what it shows>`: the file's path below `vectors/curated/` and the vector's name; `large/…` below `vectors/`. */
  readonly name: string;
  /** One line: what the vector shows and why it is worth keeping. */
  readonly shows: string;
  /** The sides that the vector is there for; the TypeScript pipeline must reach each of them. */
  readonly rules: readonly RuleSide[];
  /** Builds the vector; its `name` is set by whoever writes it. */
  readonly build: () => Vector;
}
