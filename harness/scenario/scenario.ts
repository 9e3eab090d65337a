/**
 * Scenarios in code: a chain with a safe head, the blocks that a sequencer would build on it, and what a batcher posts.
 *
 * A scenario is valid until somebody breaks it on purpose: every method gives plain values (batches, channel bytes,
 * frames, items) that a caller may edit before the next step.
 */

import type { Batch, SingleBatch, SpanBatch } from '../../src/batch/batch.ts';
import { encodeSingleBatch, encodeSpanBatch, type SpanFaults } from '../../src/batch/codec.ts';
import type { L1Block, L2Block } from '../../src/chain/blocks.ts';
import type { Fork, RollupConfig } from '../../src/chain/config.ts';
import { buildBlock } from '../../src/chain/engine.ts';
import { type ChannelCompression, type ChannelFaults, encodeChannel } from '../../src/channel.ts';
import { encodeFrame, encodeItem, type Frame } from '../../src/frame.ts';
import type { Vector } from '../../src/vector.ts';
import { madeUpHash, transaction } from './transactions.ts';

/** On which side of Holocene's activation a scenario lies, by L1 time. */
export type Era = 'before' | 'across' | 'after';

export interface ScenarioOptions {
  /**
   * `before`: Holocene never; `after`: from the start; `across`: at the L1 block {@link activationBlock}. Default: after.
   */
  readonly era?: Era;
  /** Number of the L1 block whose time is Holocene's activation, for `across`. Default: 12. */
  readonly activationBlock?: number;
  /** Activation times that differ from the default: every fork up to Granite at 0, later ones never. */
  readonly forks?: Partial<Record<Fork, number | null>>;
  /** Number of the first L1 block, to which the pipeline is reset. Default: 10. */
  readonly l1Start?: number;
  /** Number of L1 blocks. Default: as many as there are times, or 6. */
  readonly l1Count?: number;
  /** Seconds between L1 blocks, or their times one by one. Default: 12. */
  readonly l1Times?: number | readonly number[];
  /** Seconds. Default: 2. */
  readonly blockTime?: number;
  /** Number of safe L2 blocks that the vector shows. Default: 3, the last of them with L1 origin 10. */
  readonly safeCount?: number;
  /** Number of the first safe L2 block that the vector shows. Default: 3. */
  readonly safeStart?: number;
  /** Seconds; the timestamp of L2 genesis, and of the L1 block {@link l1Start}. Default: 1000. */
  readonly genesisTime?: number;
  readonly seqWindowSize?: number;
  readonly channelTimeout?: number;
  readonly maxSequencerDrift?: number;
  readonly invalidBlocks?: readonly number[];
  /** The user transactions of the L2 block of that number. Default: one dynamic-fee transaction. */
  readonly transactions?: (blockNumber: number) => readonly Uint8Array[];
}

export interface PostOptions {
  /** Last byte of the channel id. Default: 1. */
  readonly id?: number;
  readonly compression?: ChannelCompression;
  /** What is wrong with the channel. */
  readonly faults?: ChannelFaults;
  /** Number of frames of about equal size. Default: 1. */
  readonly frames?: number;
}

const L2_CHAIN_ID = 901n;

export class Scenario {
  readonly config: RollupConfig;
  readonly #l1: L1Block[];
  readonly #posted = new Map<bigint, Uint8Array[]>();
  /** Safe blocks first, then the planned ones. */
  readonly #l2: L2Block[] = [];
  readonly #safeStart: number;
  readonly #safeCount: number;
  readonly #options: ScenarioOptions;

  constructor(options: ScenarioOptions = {}) {
    const {
      era = 'after',
      activationBlock = 12,
      l1Start = 10,
      l1Times = 12,
      l1Count = typeof l1Times === 'number' ? 6 : l1Times.length,
      genesisTime = 1000,
    } = options;
    const { safeCount = 3, safeStart = 3 } = options;
    this.#options = options;
    this.#safeStart = safeStart;
    this.#safeCount = safeCount;
    const time = (index: number) =>
      typeof l1Times === 'number' ? genesisTime + index * l1Times : (l1Times[index] as number);
    this.#l1 = Array.from({ length: l1Count }, (_, index) => ({
      number: BigInt(l1Start + index),
      hash: madeUpHash('l1', l1Start + index),
      parentHash: madeUpHash('l1', l1Start + index - 1),
      timestamp: BigInt(time(index)),
      data: [],
    }));
    const holocene = { before: null, across: time(activationBlock - l1Start), after: 0 }[era];
    const always = { regolith: 0, canyon: 0, delta: 0, ecotone: 0, fjord: 0, granite: 0 };
    const forks = { ...always, holocene, isthmus: null, jovian: null, karst: null, ...options.forks };
    this.config = {
      genesis: {
        l1: { number: BigInt(l1Start), hash: madeUpHash('l1', l1Start) },
        l2: { number: 0n, hash: madeUpHash('l2-genesis', 0) },
        l2Time: BigInt(genesisTime),
      },
      l2ChainId: L2_CHAIN_ID,
      blockTime: BigInt(options.blockTime ?? 2),
      maxSequencerDrift: BigInt(options.maxSequencerDrift ?? 600),
      seqWindowSize: BigInt(options.seqWindowSize ?? 3600),
      channelTimeout: BigInt(options.channelTimeout ?? 300),
      forks: Object.fromEntries(
        Object.entries(forks).map(([fork, at]) => [fork, at === null ? null : BigInt(at)]),
      ) as Record<Fork, bigint | null>,
    };
  }

  /** The L1 block of that number. */
  l1(number: number): L1Block {
    const block = this.#l1.find((candidate) => candidate.number === BigInt(number));
    if (block === undefined) throw new RangeError(`the scenario has no L1 block ${number}`);
    return block;
  }

  /** The L2 block of that number, safe or planned: each adopts the next L1 origin as soon as its time allows. */
  block(number: number): L2Block {
    const index = number - this.#safeStart;
    while (this.#l2.length <= index) {
      const parent = this.#l2[this.#l2.length - 1];
      this.#l2.push(parent === undefined ? this.#firstBlock() : this.build(parent));
    }
    return this.#l2[index]!;
  }

  /** Number of the first block that is not safe yet. */
  get nextNumber(): number {
    return this.#safeStart + this.#safeCount;
  }

  /** The next `count` blocks on the safe head, or from the given number on. */
  blocks(count: number, from: number = this.nextNumber): [L2Block, ...L2Block[]] {
    return Array.from({ length: count }, (_, index) => this.block(from + index)) as [L2Block, ...L2Block[]];
  }

  /** The block that a sequencer builds on any parent, for chains that leave the plan. */
  build(parent: L2Block, changes: { epoch?: number; transactions?: readonly Uint8Array[] } = {}): L2Block {
    const number = Number(parent.number) + 1;
    const timestamp = parent.timestamp + this.config.blockTime;
    const following = this.#l1.find((block) => block.number === parent.l1Origin.number + 1n);
    const advances = following !== undefined && following.timestamp <= timestamp;
    const epoch = changes.epoch !== undefined ? this.l1(changes.epoch) : advances ? following : parent.l1Origin;
    const transactions = changes.transactions ?? this.#transactions(number);
    return buildBlock(
      parent,
      {
        kind: 'single',
        parentHash: parent.hash,
        epochNum: epoch.number,
        epochHash: epoch.hash,
        timestamp,
        transactions,
      },
      transactions,
    );
  }

  /** The single batch of a block. */
  single(block: L2Block, changes: Partial<Omit<SingleBatch, 'kind'>> = {}): SingleBatch {
    return {
      kind: 'single',
      parentHash: block.parentHash,
      epochNum: block.l1Origin.number,
      epochHash: block.l1Origin.hash,
      timestamp: block.timestamp,
      transactions: block.transactions,
      ...changes,
    };
  }

  /** The span batch of consecutive blocks. */
  span(blocks: readonly [L2Block, ...L2Block[]], changes: Partial<Omit<SpanBatch, 'kind'>> = {}): SpanBatch {
    const last = blocks[blocks.length - 1]!;
    const [first, ...rest] = blocks;
    const spanBlock = (block: L2Block) => ({
      epochNum: block.l1Origin.number,
      timestamp: block.timestamp,
      transactions: block.transactions,
    });
    return {
      kind: 'span',
      parentCheck: first.parentHash.subarray(0, 20),
      l1OriginCheck: last.l1Origin.hash.subarray(0, 20),
      blocks: [spanBlock(first), ...rest.map(spanBlock)],
      ...changes,
    };
  }

  /** A batch's bytes as they stand in a channel; bytes are taken as they are. */
  encode(batch: Batch | Uint8Array): Uint8Array {
    if (batch instanceof Uint8Array) return batch;
    return batch.kind === 'single' ? encodeSingleBatch(batch) : this.encodeSpan(batch);
  }

  /** A span batch's bytes, with something wrong. */
  encodeSpan(batch: SpanBatch, faults?: SpanFaults): Uint8Array {
    return encodeSpanBatch(batch, { genesisTime: this.config.genesis.l2Time }, faults);
  }

  /** The compressed channel of these batches. */
  channel(
    batches: readonly (Batch | Uint8Array)[],
    compression: ChannelCompression = { algorithm: 'zlib', level: 9 },
    faults?: ChannelFaults,
  ): Uint8Array {
    return encodeChannel(
      batches.map((batch) => this.encode(batch)),
      compression,
      faults,
    );
  }

  /** The channel's data cut into `count` frames of about equal size, the last one closing it. */
  frames(data: Uint8Array, count = 1, id = 1): Frame[] {
    const size = Math.ceil(data.length / count);
    return Array.from({ length: count }, (_, number) => ({
      channel: channelId(id),
      number,
      data: data.subarray(number * size, (number + 1) * size),
      last: number === count - 1,
    }));
  }

  /** One item of L1 data that carries the frames. */
  item(...frames: readonly Frame[]): Uint8Array {
    return encodeItem(frames.map((frame) => encodeFrame(frame)));
  }

  /** Posts items at an L1 block, behind what stands there already. */
  post(l1Number: number, ...items: readonly Uint8Array[]): this {
    const { number } = this.l1(l1Number);
    this.#posted.set(number, [...(this.#posted.get(number) ?? []), ...items]);
    return this;
  }

  /** Posts batches as one channel in one item. */
  postBatches(l1Number: number, batches: readonly (Batch | Uint8Array)[], options: PostOptions = {}): this {
    const data = this.channel(batches, options.compression, options.faults);
    return this.post(l1Number, this.item(...this.frames(data, options.frames ?? 1, options.id ?? 1)));
  }

  /** The vector as posted so far. */
  vector(name: string): Vector {
    const l2 = this.blocks(this.#safeCount, this.#safeStart);
    const [first, ...rest] = this.#l1.map((block) => ({ ...block, data: this.#posted.get(block.number) ?? [] }));
    return {
      name,
      config: this.config,
      l1: [first!, ...rest],
      l2,
      invalidBlocks: (this.#options.invalidBlocks ?? []).map(BigInt),
    };
  }

  #firstBlock(): L2Block {
    const number = this.#safeStart;
    const timestamp = this.config.genesis.l2Time + BigInt(number) * this.config.blockTime;
    const past = this.#l1.filter((block) => block.timestamp <= timestamp);
    const epoch = past[past.length - 1] ?? this.#l1[0]!;
    const since = (timestamp - epoch.timestamp) / this.config.blockTime;
    return {
      number: BigInt(number),
      hash: madeUpHash('l2', number),
      parentHash: madeUpHash('l2', number - 1),
      timestamp,
      l1Origin: { number: epoch.number, hash: epoch.hash },
      sequenceNumber: since < 0n ? 0n : since,
      transactions: this.#transactions(number),
    };
  }

  #transactions(number: number): readonly Uint8Array[] {
    return this.#options.transactions?.(number) ?? [transaction(number)];
  }
}

/** A channel id of zeros that ends in `id`. */
export function channelId(id: number): Uint8Array {
  const bytes = new Uint8Array(16);
  bytes[15] = id;
  return bytes;
}
