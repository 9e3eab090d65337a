/**
 * Chains that no operator would run, on which rules decide that otherwise never do: block times so long that the times of
 * a span batch wrap around at 2^64, and an L2 genesis whose L1 origin is not the configured one.
 */

import type { SpanBatch } from '../../src/batch/batch.ts';
import { encodeSpanBatch } from '../../src/batch/codec.ts';
import type { L1Block, L2Block } from '../../src/chain/blocks.ts';
import type { RollupConfig } from '../../src/chain/config.ts';
import { encodeChannel } from '../../src/channel.ts';
import { encodeFrame, encodeItem } from '../../src/frame.ts';
import type { Vector } from '../../src/vector.ts';
import { channelId } from '../scenario/scenario.ts';
import { madeUpHash } from '../scenario/transactions.ts';
import type { CuratedScenario } from './curated.ts';

const l1Hash = (number: number) => madeUpHash('wraps l1', number);
const l2Hash = (number: number) => madeUpHash('wraps l2', number);

const FIRST = 100;
const GENESIS_TIME = 1000n;

/** One L1 block a second; the channel of these batches stands in the block `posted`. */
function l1Chain(first: number, last: number, posted: number, batches: readonly Uint8Array[]): Vector['l1'] {
  const data = encodeChannel(batches, { algorithm: 'zlib' });
  const item = encodeItem([encodeFrame({ channel: channelId(1), number: 0, data, last: true })]);
  const blocks = Array.from({ length: last - first + 1 }, (_, index): L1Block => {
    const number = first + index;
    return {
      number: BigInt(number),
      hash: l1Hash(number),
      parentHash: l1Hash(number - 1),
      timestamp: BigInt(1000 + number - FIRST),
      data: number === posted ? [item] : [],
    };
  });
  return blocks as unknown as Vector['l1'];
}

function configOf(holocene: bigint | null, changes: Partial<RollupConfig>): RollupConfig {
  return {
    genesis: {
      l1: { number: BigInt(FIRST), hash: l1Hash(FIRST) },
      l2: { number: 0n, hash: l2Hash(0) },
      l2Time: GENESIS_TIME,
    },
    l2ChainId: 901n,
    blockTime: 2n,
    maxSequencerDrift: 600n,
    seqWindowSize: 1_000_000n,
    channelTimeout: 300n,
    forks: {
      regolith: 0n,
      canyon: 0n,
      delta: 0n,
      ecotone: 0n,
      fjord: 0n,
      granite: 0n,
      holocene,
      isthmus: null,
      jovian: null,
      karst: null,
    },
    ...changes,
  };
}

/** A safe block, the first of its epoch. */
function safeBlock(number: number, timestamp: bigint, origin: number): L2Block {
  return {
    number: BigInt(number),
    hash: l2Hash(number),
    parentHash: l2Hash(number - 1),
    timestamp,
    l1Origin: { number: BigInt(origin), hash: l1Hash(origin) },
    sequenceNumber: 0n,
    transactions: [],
  };
}

const blocksOf = (epochsAndTimes: readonly (readonly [epoch: number, time: bigint])[]) =>
  epochsAndTimes.map(([epoch, timestamp]) => ({
    epochNum: BigInt(epoch),
    timestamp,
    transactions: [],
  })) as unknown as SpanBatch['blocks'];

/**
 * A span batch of 2,050 blocks, 2^53 - 1 seconds apart: the last three come after the safe head once more, their times
 * having wrapped around, and are not the next ones.
 */
export function wrappingTimes(holocene: bigint | null): Vector {
  const count = 2050;
  const blockTime = 2n ** 53n - 1n;
  const safeTime = 5000n;
  const last = FIRST + count + 1;
  const times = Array.from({ length: count }, (_, index) => {
    return [FIRST + 1 + index, BigInt.asUintN(64, safeTime + blockTime * BigInt(index + 1))] as const;
  });
  const span: SpanBatch = {
    kind: 'span',
    parentCheck: l2Hash(5).subarray(0, 20),
    l1OriginCheck: l1Hash(FIRST + count).subarray(0, 20),
    blocks: blocksOf(times),
  };
  return {
    name: '',
    config: configOf(holocene, { blockTime }),
    l1: l1Chain(FIRST, last, last, [encodeSpanBatch(span, { genesisTime: GENESIS_TIME })]),
    l2: [safeBlock(5, safeTime, FIRST)],
    invalidBlocks: [],
  };
}

/**
 * The genesis block of the safe chain has origin 101, and by the configuration 100. A span batch that overlaps it by the
 * configured origin passes the comparison, and its first new block has an epoch behind the safe head's.
 */
function otherGenesisOrigin(): Vector {
  const span: SpanBatch = {
    kind: 'span',
    parentCheck: l2Hash(4).subarray(0, 20),
    l1OriginCheck: l1Hash(101).subarray(0, 20),
    blocks: blocksOf([
      [100, 1010n],
      [100, 1012n],
      [101, 1014n],
    ]),
  };
  const config = configOf(0n, {});
  const genesis = { ...config.genesis, l2: { number: 5n, hash: l2Hash(5) } };
  return {
    name: '',
    config: { ...config, genesis },
    l1: l1Chain(101, 106, 103, [encodeSpanBatch(span, { genesisTime: GENESIS_TIME })]),
    l2: [safeBlock(4, 1008n, 100), safeBlock(5, 1010n, 101)],
    invalidBlocks: [],
  };
}

export const wrapScenarios: readonly CuratedScenario[] = [
  {
    name: 'batch-validator/span-of-wrapping-times',
    shows:
      'From Holocene on what is left of a span batch when its times have wrapped around is given up without a flush.',
    rules: ['batch-validator/lazy-span+'],
    build: () => wrappingTimes(0n),
  },
  {
    name: 'batch-validator/span-behind-another-genesis-origin',
    shows:
      'A span batch that agrees with the configured genesis alone cannot be turned into single batches, and is dropped.',
    rules: ['span/new-block-origin+', 'batch-validator/span-extraction+'],
    build: otherGenesisOrigin,
  },
];
