/** What the exhaustive scopes are made of: indices taken apart, and a small chain. */

import { encodeSingleBatch } from '../../src/batch/codec.ts';
import type { L2Block } from '../../src/chain/blocks.ts';
import { encodeChannel } from '../../src/channel.ts';
import type { Vector } from '../../src/vector.ts';
import { Chain } from './chain.ts';
import type { ChainPlan, ForkPoint } from './plan.ts';

export interface ExhaustiveScope {
  readonly name: string;
  /** What is enumerated, in one sentence. */
  readonly description: string;
  readonly count: number;
  /** The vector of that index, from 0 to `count` - 1. */
  at(index: number): Vector;
}

/** Takes an index below the count apart into digits, the first of them the fastest. */
export class Digits {
  #rest: number;

  constructor(index: number, count: number) {
    if (!Number.isInteger(index) || index < 0 || index >= count) throw new RangeError(`${index} is not below ${count}`);
    this.#rest = index;
  }

  take(count: number): number {
    const digit = this.#rest % count;
    this.#rest = Math.floor(this.#rest / count);
    return digit;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.take(choices.length)]!;
  }
}

/** Parts one behind the other, found by index. */
export function partAt(sizes: readonly number[], index: number): { readonly part: number; readonly offset: number } {
  let offset = index;
  let part = 0;
  while (part < sizes.length - 1 && offset >= sizes[part]!) offset -= sizes[part++]!;
  return { part, offset };
}

export const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Two L2 blocks an epoch; the safe head is the first of the L1 block to which the pipeline is reset. */
const PLAIN: ChainPlan = {
  blockTime: 2,
  l1Gaps: [4],
  safeHead: 8,
  shown: 5,
  catchUp: 0,
  lead: 0,
  seqWindowSize: 3600,
  channelTimeout: 300,
  maxSequencerDrift: 600,
  holocene: { at: 'never' },
  forks: {},
  contents: [['dynamic-fee'], ['legacy'], []],
  refused: [],
};

export const BEFORE: ForkPoint = { at: 'never' };
export const AFTER: ForkPoint = { at: 'genesis' };
export const fromL1 = (block: number): ForkPoint => ({ at: 'l1', block, shift: 0 });

/** Chains by their plan: what a scope varies is few, and building one costs as much as all the rest. */
export function chains(): (changes: Partial<ChainPlan>) => Chain {
  const known = new Map<string, Chain>();
  return (changes) => {
    const key = JSON.stringify(changes);
    let chain = known.get(key);
    if (chain === undefined) {
      chain = new Chain({ ...PLAIN, ...changes });
      known.set(key, chain);
    }
    return chain;
  };
}

export function vectorOf(
  name: string,
  chain: Chain,
  posted: readonly (readonly Uint8Array[])[],
  count: number,
): Vector {
  return {
    name,
    config: chain.config,
    // The count is above zero, and the safe chain is never empty.
    l1: Array.from({ length: count }, (_, index) => ({
      ...chain.l1(index),
      data: posted[index] ?? [],
    })) as unknown as Vector['l1'],
    l2: chain.safe as unknown as Vector['l2'],
    invalidBlocks: [],
  };
}

/** So many blocks on the safe head. */
export function built(chain: Chain, count: number): readonly L2Block[] {
  const blocks: L2Block[] = [];
  for (let parent = chain.safeHead; blocks.length < count; parent = blocks[blocks.length - 1]!) {
    blocks.push(chain.build(parent, 'eager', false));
  }
  return blocks;
}

export function singleBatch(block: L2Block): Uint8Array {
  return encodeSingleBatch({
    kind: 'single',
    parentHash: block.parentHash,
    epochNum: block.l1Origin.number,
    epochHash: block.l1Origin.hash,
    timestamp: block.timestamp,
    transactions: block.transactions,
  });
}

export function pack(batches: readonly Uint8Array[]): Uint8Array {
  return encodeChannel(batches, { algorithm: 'zlib', level: 6, memLevel: 1 });
}
