/**
 * What vectors of everyday size never come to: the limits on sizes. The stored vectors have some of up to two hundred
 * megabytes for them, campaigns against mutants take in such a one now and then, and what would still be larger is asked
 * under rules with smaller numbers.
 */

import fc from 'fast-check';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { CONSTANT_ENTRIES, CONSTANTS } from '../../src/rules/constants.ts';
import type { Variant } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { wrappingTimes, wrapScenarios } from '../curated/wraps.ts';
import { costlyCorner, fjordBankCorner, largeCorner } from '../generate/corners.ts';
import { drawSeed, render } from '../generate/index.ts';
import type { Mutant } from './mutants.ts';

/** Rules that speak of amounts of data, and those that decide nothing on any chain that an operator would run. */
const SIZES: ReadonlySet<RuleId> = new Set<RuleId>([
  'batch-queue/span-cache',
  'batch-validator/lazy-span',
  'batch-validator/span-extraction',
  'frame/max-data-length',
  'channel-bank/size',
  'channel-bank/prune',
  'channel-bank/close-drops-higher',
  'channel-assembler/size-limit',
  'channel-reader/limit',
  'batch-decode/tx-data-size',
]);

/** Whether a vector of much data may be what tells the mutant from the base. */
export function isOfSize({ condition }: Mutant): boolean {
  switch (condition.kind) {
    case 'decided':
      return SIZES.has(condition.rule);
    case 'constant':
      return SIZES.has(CONSTANT_ENTRIES[condition.name].rule);
    case 'fork':
      return false;
    default:
      return condition satisfies never;
  }
}

/** Each kind of them about as often as any other. */
const plans = fc.oneof(
  { weight: 2, arbitrary: costlyCorner },
  { weight: 4, arbitrary: largeCorner },
  { weight: 1, arbitrary: fjordBankCorner },
);

/** What no plan comes to. */
const CONSTRUCTED: readonly (() => Vector)[] = [() => wrappingTimes(null), ...wrapScenarios.map(({ build }) => build)];

/** The large vector of that seed and index: the same on any machine and in any order. */
export function largeVector(seed: bigint, index: number): Vector {
  const constructed = index % 5 === 4 ? CONSTRUCTED[Math.floor(index / 5) % CONSTRUCTED.length] : undefined;
  if (constructed !== undefined) return { ...constructed(), name: `large/${seed}/${index}` };
  const [plan] = fc.sample(plans, { seed: drawSeed(seed, BigInt(index)), numRuns: 1 });
  return render(plan!, `large/${seed}/${index}`);
}

/**
 * Bases with smaller numbers, for the two constants that no vector comes to: a batch of ten million blocks takes
 * gigabytes to hold, and a bank of a gigabyte is more than a line of text can carry. What is off by one stays so.
 */
export const SCALED = {
  /** Of any vector: many have span batches of so many blocks. */
  everyday: { name: 'three-elements', constants: { MAX_SPAN_BATCH_ELEMENT_COUNT: 3n } },
  /** Of large vectors, which fill the bank as it was before Fjord. */
  large: {
    name: 'bank-of-bedrock',
    constants: { MAX_CHANNEL_BANK_SIZE_FJORD: CONSTANTS.MAX_CHANNEL_BANK_SIZE_BEDROCK },
  },
} as const satisfies Record<string, Variant>;
