/**
 * What a changed rule changes: the stored vectors and a campaign through the base and the variant, in this process. Each
 * kind of change is shown by one vector, as small as can be found.
 */

import { setImmediate } from 'node:timers/promises';
import { derive } from '../../src/derive.ts';
import { RULE_IDS } from '../../src/rules/catalogue.ts';
import type { ExtensionPoint } from '../../src/rules/extensions.ts';
import { RuleBook, type Variant } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { compare, type Difference, type Side } from '../compare/compare.ts';
import { coarseSignature, type Signature, signatureOf } from '../compare/signature.ts';
import type { RuleSide } from '../curated/curated.ts';
import type { LoadedVector } from '../files.ts';
import { generateVector } from '../generate/index.ts';
import type { Implementation } from '../implementations/implementation.ts';
import { minimise } from '../minimise/index.ts';
import { type TraceJson, traceToJson } from '../trace.ts';
import { vectorToLine } from '../vector.ts';
import { boundedBook, decisionsOf, deriveBounded } from './bounded.ts';

export interface AskOptions {
  readonly variant: Variant;
  readonly corpus: readonly LoadedVector[];
  /** How many vectors are generated. */
  readonly vectors: number;
  readonly seed: string;
  /** Whether the vectors that show a change are made smaller. */
  readonly minimise: boolean;
  /** Traces of the stored vectors: recorded ones. */
  readonly recorded: readonly Implementation[];
  /** References that can be asked of any vector. */
  readonly live: readonly Implementation[];
  /** Hears where it stands. */
  readonly note: (line: string) => void;
}

/** With whom an implementation sides on a vector that flips. */
export type Stance = 'old' | 'new' | 'neither';

/** One kind of change, with the vector that shows it. */
export interface Change {
  readonly signature: Signature;
  readonly stored: number;
  readonly generated: number;
  readonly vector: Vector;
  /** Name of the vector that it was before it was made smaller; its own if it was not. */
  readonly from: string;
  readonly difference: Difference;
  /** The variant's trace of the vector. */
  readonly trace: TraceJson;
  /** By `name@version`: on this vector, or on the smallest stored one of this kind. */
  readonly stances: ReadonlyMap<string, Stance>;
}

export interface VariantAnswer {
  readonly variant: Variant;
  readonly stored: { readonly vectors: number; readonly flips: number };
  readonly generated: { readonly vectors: number; readonly flips: number; readonly seed: string };
  /** The smallest vector first. */
  readonly changes: readonly Change[];
  /** By `name@version`: on how many stored vectors that flip it sides with whom. */
  readonly stances: ReadonlyMap<string, Readonly<Record<Stance, number>>>;
  /** Sides of rules that only the variant reaches, over all vectors, and only the base. */
  readonly newlyReached: readonly RuleSide[];
  readonly noLongerReached: readonly RuleSide[];
  /** How often each rule that the variant adds refused something. */
  readonly extended: ReadonlyMap<ExtensionPoint, number>;
}

/** A vector on which base and variant differ. */
interface Flip {
  readonly vector: Vector;
  readonly line: string;
  readonly stored: boolean;
  readonly difference: Difference;
  readonly signature: Signature;
  readonly sides: readonly [Side, Side];
}

/** Asks. */
export async function askVariant(options: AskOptions): Promise<VariantAnswer> {
  const { variant, corpus, note } = options;
  const reach = new Reach();
  const flips: Flip[] = [];
  const see = async (vector: Vector, line: string | undefined) => {
    const flip = flipOf(vector, line, variant, reach);
    if (flip !== undefined) flips.push(flip);
    await setImmediate();
  };
  for (const { vector, line } of corpus) await see(vector, line);
  const storedFlips = flips.length;
  note(`${corpus.length} stored vectors: ${storedFlips} flip`);
  for (let index = 0; index < options.vectors; index++) {
    await see(generateVector(BigInt(options.seed), index).vector, undefined);
    if ((index + 1) % 1000 === 0) note(`${index + 1} generated vectors: ${flips.length - storedFlips} flip`);
  }

  const kinds = new Map<string, Flip[]>();
  for (const flip of flips) {
    const key = Object.values(flip.signature).join(' | ');
    kinds.set(key, [...(kinds.get(key) ?? []), flip]);
  }
  const changes: Change[] = [];
  for (const kind of kinds.values()) changes.push(await changeOf(kind, options));
  const sizes = new Map(changes.map((change) => [change, vectorToLine(change.vector).length]));
  changes.sort((a, b) => sizes.get(a)! - sizes.get(b)!);

  const stances = new Map<string, Record<Stance, number>>();
  for (const flip of flips.filter(({ stored }) => stored)) {
    for (const [name, stance] of await stancesOf(flip.vector, flip.sides, options.recorded)) {
      const counts = stances.get(name) ?? { old: 0, new: 0, neither: 0 };
      counts[stance] += 1;
      stances.set(name, counts);
    }
  }
  return {
    variant,
    stored: { vectors: corpus.length, flips: storedFlips },
    generated: { vectors: options.vectors, flips: flips.length - storedFlips, seed: options.seed },
    changes,
    stances,
    newlyReached: reach.only('variant'),
    noLongerReached: reach.only('base'),
    extended: reach.extended,
  };
}

/** Both traces of a vector. */
function traces(vector: Vector, variant: Variant, reach?: Reach): readonly [Side, Side] {
  const rules = new RuleBook();
  const base = traceToJson(derive(vector, { rules }));
  const changed = boundedBook(variant, decisionsOf(rules));
  const trace = deriveBounded(vector, changed);
  reach?.add(rules, changed);
  return [
    { implementation: 'typescript', trace: base },
    { implementation: 'variant', trace, silent: trace.outcome.kind === 'timeout' },
  ];
}

function flipOf(vector: Vector, line: string | undefined, variant: Variant, reach: Reach): Flip | undefined {
  const sides = traces(vector, variant, reach);
  const difference = compare(sides);
  if (difference === undefined) return undefined;
  const signature = signatureOf(vector, difference, sides);
  return { vector, line: line ?? vectorToLine(vector), stored: line !== undefined, difference, signature, sides };
}

/** The change that a kind of flips stands for. */
async function changeOf(kind: readonly Flip[], options: AskOptions): Promise<Change> {
  const { variant } = options;
  const bySize = kind.toSorted((a, b) => a.line.length - b.line.length);
  const smallest = bySize[0]!;
  const coarse = coarseSignature(smallest.difference, smallest.sides);
  const same = (candidate: Vector) => {
    const sides = traces(candidate, variant);
    const difference = compare(sides);
    // What can be told without any experiment comes first: the experiments cost more than the derivations.
    if (difference === undefined || coarseSignature(difference, sides) !== coarse) return false;
    const signature = signatureOf(candidate, difference, sides);
    return signature.rule === smallest.signature.rule && signature.side === smallest.signature.side;
  };
  const vector = options.minimise
    ? (
        await minimise(smallest.vector, (candidate) => Promise.resolve(same(candidate)), {
          maxTests: MAX_TESTS,
          inFlight: 1,
        })
      ).vector
    : smallest.vector;
  const sides = traces(vector, variant);
  const difference = compare(sides)!;
  const stored = bySize.find((flip) => flip.stored);
  const stances = new Map([
    ...(stored === undefined ? [] : await stancesOf(stored.vector, stored.sides, options.recorded)),
    ...(await stancesOf(vector, sides, options.live)),
  ]);
  return {
    signature: smallest.signature,
    stored: kind.filter((flip) => flip.stored).length,
    generated: kind.filter((flip) => !flip.stored).length,
    vector,
    from: smallest.vector.name,
    difference,
    trace: sides[1].trace,
    stances,
  };
}

/** Candidates that are tried to make one vector smaller. */
const MAX_TESTS = 1500;

/** Who sides with whom; one that has no trace of the vector is left out. */
async function stancesOf(
  vector: Vector,
  [base, variant]: readonly [Side, Side],
  implementations: readonly Implementation[],
): Promise<[string, Stance][]> {
  const stances: [string, Stance][] = [];
  const line = vectorToLine(vector);
  for (const implementation of implementations) {
    const answer = await implementation.submit(line, vector);
    if (answer.kind !== 'trace') continue;
    const { name, version } = implementation;
    const own: Side = { implementation: name, trace: answer.trace, silent: answer.incident !== undefined };
    const stance =
      compare([base, own]) === undefined ? 'old' : compare([variant, own]) === undefined ? 'new' : 'neither';
    stances.push([`${name}@${version}`, stance]);
  }
  return stances;
}

/** Which sides of rules base and variant reached. */
class Reach {
  readonly extended = new Map<ExtensionPoint, number>();
  readonly #base = new Set<RuleSide>();
  readonly #variant = new Set<RuleSide>();

  add(base: RuleBook, variant: RuleBook): void {
    for (const [index, rule] of RULE_IDS.entries()) {
      if (base.fired[index]! > 0) this.#base.add(`${rule}+`);
      if (base.passed[index]! > 0) this.#base.add(`${rule}-`);
      if (variant.fired[index]! > 0) this.#variant.add(`${rule}+`);
      if (variant.passed[index]! > 0) this.#variant.add(`${rule}-`);
    }
    for (const [point, count] of variant.extended) this.extended.set(point, (this.extended.get(point) ?? 0) + count);
  }

  only(who: 'base' | 'variant'): RuleSide[] {
    const [has, lacks] = who === 'base' ? [this.#base, this.#variant] : [this.#variant, this.#base];
    return [...has].filter((side) => !lacks.has(side)).sort();
  }
}
