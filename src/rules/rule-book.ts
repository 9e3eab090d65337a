/**
 * The rule book: the one place where the pipeline asks whether a rule fires.
 *
 * A call is at once the condition that the pipeline acts on, the reason that stands in the list of decisions, the
 * coverage counter, and the seam at which a variant changes the rule. It costs an index, a counter and a test of two
 * fields when nobody looks.
 */

import type { Fork } from '../chain/config.ts';
import { RULE_IDS, type RuleId } from './catalogue.ts';
import { CONSTANTS, type ConstantName } from './constants.ts';
import type { ExtensionPoint, ExtensionPoints, Extensions } from './extensions.ts';

/** What a check on a batch can say. */
export type Verdict = 'accept' | 'drop' | 'past' | 'future' | 'undecided';

/** A verdict that ends the checks. */
export type Rejection = Exclude<Verdict, 'accept'>;

/** Every verdict that ends the checks. */
export const REJECTIONS: readonly Rejection[] = ['drop', 'past', 'future', 'undecided'];

/** Facts about the decision at hand, for variants and for explanations. Built only when somebody looks. */
export type RuleContext = Readonly<Record<string, unknown>>;

/**
 * How a variant changes one rule: `never` and `always` fix whether it fires; a function decides from the base's
 * condition and the caller's facts.
 */
export type RuleOverride = 'never' | 'always' | ((base: boolean, context: RuleContext) => boolean);

/** How a variant changes what follows when a check on a batch fires. */
export type VerdictOverride = (base: Rejection, context: RuleContext) => Rejection;

/**
 * How a variant changes whether a fork counts as active: from the base's answer, the time that is asked about, and the
 * fork's activation time (`null` is never), in seconds.
 */
export type ActivationOverride = (base: boolean, time: bigint, activation: bigint | null) => boolean;

/** A changed rule set: a mutant, a proposed change to the specification, or the `text` variant. */
export interface Variant {
  /** Short, for reports. */
  readonly name: string;
  /** One line: what is changed and why. */
  readonly description?: string;
  /** Whether a rule fires. */
  readonly rules?: Readonly<Partial<Record<RuleId, RuleOverride>>>;
  /** What follows when a check on a batch fires. */
  readonly verdicts?: Readonly<Partial<Record<RuleId, VerdictOverride>>>;
  /** Other values, in the units of {@link CONSTANTS}. */
  readonly constants?: Readonly<Partial<Record<ConstantName, bigint>>>;
  /** Whether a fork counts as active. */
  readonly activations?: Readonly<Partial<Record<Fork, ActivationOverride>>>;
  /** Rules that the catalogue does not have. */
  readonly extensions?: Extensions;
}

/** One decision, as told to a listener. */
export interface Decision {
  /** The rule that was asked. */
  readonly rule: RuleId;
  /** Whether the rule fired. */
  readonly fired: boolean;
  /** What the check said when it fired, for the checks on batches. */
  readonly verdict?: Rejection;
  /** The facts that the rule was decided by. */
  readonly context: RuleContext;
}

const INDEX: ReadonlyMap<RuleId, number> = new Map(RULE_IDS.map((id, index) => [id, index]));

const NO_CONTEXT: RuleContext = {};

/** The rules of one run: answers, counts, and tells whoever listens. */
export class RuleBook {
  /** The changed rule set; without one the catalogue's base rules hold. */
  readonly variant: Variant | undefined;
  /** How often each rule was asked and fired, by its position in {@link RULE_IDS}. */
  readonly fired: Uint32Array = new Uint32Array(RULE_IDS.length);
  /** How often each rule was asked and did not fire. */
  readonly passed: Uint32Array = new Uint32Array(RULE_IDS.length);
  /** How often a check on a batch gave each verdict that ends the checks. */
  readonly verdicts: Record<Rejection, number> = { drop: 0, past: 0, future: 0, undecided: 0 };
  /** How often each extension of the variant refused something. */
  readonly extended = new Map<ExtensionPoint, number>();
  /** Hears every decision; set it to collect reasons. */
  listener: ((decision: Decision) => void) | undefined;

  /** Sets all counters back. */
  resetCounters(): void {
    this.fired.fill(0);
    this.passed.fill(0);
    for (const verdict of REJECTIONS) this.verdicts[verdict] = 0;
    this.extended.clear();
  }

  readonly #rules: Readonly<Partial<Record<RuleId, RuleOverride>>> | undefined;
  readonly #verdicts: Readonly<Partial<Record<RuleId, VerdictOverride>>> | undefined;
  readonly #constants: Readonly<Record<ConstantName, bigint>>;
  readonly #activations: Readonly<Partial<Record<Fork, ActivationOverride>>> | undefined;
  readonly #extensions: Extensions | undefined;

  /** A book with all counters at 0. */
  constructor(variant?: Variant) {
    this.variant = variant;
    this.#rules = variant?.rules;
    this.#verdicts = variant?.verdicts;
    this.#constants = variant?.constants === undefined ? CONSTANTS : { ...CONSTANTS, ...variant.constants };
    this.#activations = variant?.activations;
    this.#extensions = variant?.extensions;
  }

  /**
   * Whether anybody reads contexts. Where one serves several rules it is made only then: a closure that nobody calls
   * is what costs most on the hot path.
   */
  get watched(): boolean {
    return this.listener !== undefined || this.#rules !== undefined || this.#verdicts !== undefined;
  }

  /** The value of a protocol constant under this variant. */
  constant(name: ConstantName): bigint {
    return this.#constants[name];
  }

  /** Whether a fork is active, given what its activation time says. */
  activates(fork: Fork, base: boolean, time: bigint, activation: bigint | null): boolean {
    return this.#activations?.[fork]?.(base, time, activation) ?? base;
  }

  /** Whether {@link extend} can have an answer: nothing needs to be gathered for it otherwise. */
  get isExtended(): boolean {
    return this.#extensions !== undefined;
  }

  /** What the variant's own rule at this place says, if there is one. */
  extend<P extends ExtensionPoint>(
    point: P,
    moment: ExtensionPoints[P]['moment'],
  ): ExtensionPoints[P]['answer'] | undefined {
    const answer = this.#extensions?.[point]?.(moment);
    if (answer !== undefined) this.extended.set(point, (this.extended.get(point) ?? 0) + 1);
    return answer;
  }

  /**
   * Whether the rule fires.
   *
   * @param base - the condition as the catalogue states it
   * @param context - gives the facts of the decision; called only for a variant's function or a listener
   */
  fires(rule: RuleId, base: boolean, context?: () => RuleContext): boolean {
    const fires = this.#rules === undefined ? base : this.#overridden(rule, base, context);
    if (fires) this.fired[INDEX.get(rule) as number]! += 1;
    else this.passed[INDEX.get(rule) as number]! += 1;
    this.listener?.({ rule, fired: fires, context: context?.() ?? NO_CONTEXT });
    return fires;
  }

  /**
   * A check on a batch: the verdict if the rule fires, `undefined` if the next check decides.
   *
   * @param verdict - what the catalogue says when the rule fires
   */
  rejects(rule: RuleId, base: boolean, verdict: Rejection, context?: () => RuleContext): Rejection | undefined {
    const fires = this.#rules === undefined ? base : this.#overridden(rule, base, context);
    if (!fires) {
      this.passed[INDEX.get(rule) as number]! += 1;
      this.listener?.({ rule, fired: false, context: context?.() ?? NO_CONTEXT });
      return undefined;
    }
    this.fired[INDEX.get(rule) as number]! += 1;
    const said = this.#verdicts?.[rule]?.(verdict, context?.() ?? NO_CONTEXT) ?? verdict;
    this.verdicts[said] += 1;
    this.listener?.({ rule, fired: true, verdict: said, context: context?.() ?? NO_CONTEXT });
    return said;
  }

  #overridden(rule: RuleId, base: boolean, context: (() => RuleContext) | undefined): boolean {
    const override = this.#rules?.[rule];
    if (override === undefined) return base;
    if (override === 'never') return false;
    if (override === 'always') return true;
    return override(base, context?.() ?? NO_CONTEXT);
  }
}
