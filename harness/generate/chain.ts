/**
 * The chain of a plan: L1 blocks as far as anybody asks, the safe L2 chain, and the blocks that a sequencer would build.
 */

import type { L1BlockRef, L2Block } from '../../src/chain/blocks.ts';
import { FORKS, type Fork, type RollupConfig } from '../../src/chain/config.ts';
import { buildBlock } from '../../src/chain/engine.ts';
import { madeUpHash, type TransactionKind, transaction } from '../scenario/transactions.ts';
import type { BatchPlan, ChainPlan, ForkPoint } from './plan.ts';

/** Number of the L1 block to which the pipeline is reset; older ones are known by hash only. */
const L1_START = 100;

/** Seconds; late enough that no plan reaches a time below zero. */
const GENESIS_TIME = 100_000;

const L2_CHAIN_ID = 901;

const NO_HASH = new Uint8Array(32);

/** Past this many L1 blocks nothing is posted and no origin is adopted, so that vectors stay small. */
export const MAX_L1_BLOCKS = 130;

export class Chain {
  readonly config: RollupConfig;
  /** The safe L2 blocks that the vector shows, oldest first; the last is the safe head. */
  readonly safe: readonly L2Block[];
  readonly #plan: ChainPlan;
  /** Timestamps by index, as far as they were asked for. */
  readonly #times: number[];

  constructor(plan: ChainPlan) {
    this.#plan = plan;
    const origin = Math.max(plan.catchUp, 0);
    const lead = Math.max(plan.lead, 0);
    // The times count from the safe head's origin, so the first block's follows from the gaps before it.
    let before = 0;
    for (let index = 0; index < origin; index++) before += this.#gap(index);
    this.#times = [this.#l2Time(plan.safeHead) - lead - before];

    const blocks = this.#safeBlocks(origin);
    this.safe = blocks.slice(-Math.max(plan.shown, 1));
    const genesis = blocks[0];
    this.config = {
      genesis: { l1: genesis.l1Origin, l2: { number: 0n, hash: genesis.hash }, l2Time: BigInt(GENESIS_TIME) },
      l2ChainId: BigInt(L2_CHAIN_ID),
      blockTime: BigInt(plan.blockTime),
      maxSequencerDrift: BigInt(plan.maxSequencerDrift),
      seqWindowSize: BigInt(plan.seqWindowSize),
      channelTimeout: BigInt(plan.channelTimeout),
      forks: this.#forks(),
    };
  }

  get safeHead(): L2Block {
    return this.safe[this.safe.length - 1]!;
  }

  /** The L1 block at that index; 0 is the one that the pipeline is reset to. */
  l1(index: number): L1BlockRef {
    const number = L1_START + index;
    return {
      number: BigInt(number),
      hash: l1Hash(number),
      parentHash: l1Hash(number - 1),
      timestamp: BigInt(this.#time(index)),
    };
  }

  /** The hash of the L1 block of that number, also of one before the first; zeros for one that cannot exist. */
  l1Hash(number: bigint): Uint8Array {
    return number < 1_000n ? l1Hash(Number(number)) : NO_HASH;
  }

  /** The index of the L1 block that a block's origin names. */
  originIndex(block: L2Block): number {
    return Number(block.l1Origin.number) - L1_START;
  }

  /** The block that a sequencer builds on `parent`. */
  build(parent: L2Block, pace: BatchPlan['pace'], branch: boolean): L2Block {
    const timestamp = parent.timestamp + this.config.blockTime;
    const index = this.originIndex(parent);
    const may = index + 1 < MAX_L1_BLOCKS && BigInt(this.#time(index + 1)) <= timestamp;
    const confirmed = pace === 'behind' && BigInt(this.#time(index + 2)) <= timestamp;
    const must = pace === 'eager' || confirmed || timestamp > BigInt(this.#time(index)) + this.#drift(index);
    const epoch = may && must && pace !== 'stuck' ? this.#id(index + 1) : parent.l1Origin;
    const transactions = this.#transactions(Number(parent.number) + 1, branch);
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

  #drift(index: number): bigint {
    const fjord = this.config.forks.fjord;
    return fjord !== null && fjord <= BigInt(this.#time(index)) ? 1800n : this.config.maxSequencerDrift;
  }

  #gap(index: number): number {
    const { l1Gaps } = this.#plan;
    return Math.max(l1Gaps[index % l1Gaps.length] ?? 1, 1);
  }

  #time(index: number): number {
    const times = this.#times;
    // Below the first block none is shown; a gap of a block time at least keeps their numbers above zero.
    if (index < 0) return times[0]! + index * Math.max(this.#gap(0), this.#plan.blockTime);
    while (times.length <= index) times.push(times[times.length - 1]! + this.#gap(times.length - 1));
    return times[index]!;
  }

  #l2Time(number: number): number {
    return GENESIS_TIME + number * this.#plan.blockTime;
  }

  #id(index: number): { readonly number: bigint; readonly hash: Uint8Array } {
    return { number: BigInt(L1_START + index), hash: l1Hash(L1_START + index) };
  }

  /** All blocks from genesis to the safe head, whose L1 origin is given; those before adopt origins when they may. */
  #safeBlocks(origin: number): [L2Block, ...L2Block[]] {
    const blocks: L2Block[] = [];
    let sequenceNumber = 0n;
    let epoch = Number.NaN;
    for (let number = 0; number <= this.#plan.safeHead; number++) {
      const timestamp = this.#l2Time(number);
      let index = origin;
      while (number < this.#plan.safeHead && this.#time(index) > timestamp) index -= 1;
      sequenceNumber = index === epoch ? sequenceNumber + 1n : 0n;
      epoch = index;
      blocks.push({
        number: BigInt(number),
        hash: l2Hash(number),
        parentHash: l2Hash(number - 1),
        timestamp: BigInt(timestamp),
        l1Origin: this.#id(index),
        sequenceNumber,
        transactions: number === 0 ? [] : this.#transactions(number, false),
      });
    }
    const [genesis, ...rest] = blocks;
    return [genesis!, ...rest];
  }

  #transactions(number: number, branch: boolean): readonly Uint8Array[] {
    const { contents } = this.#plan;
    const kinds = contents[(number + (branch ? 1 : 0)) % contents.length] ?? [];
    // Few nonces: transactions that stand in several blocks are the rule, not the exception.
    const first = (number % 3) * 2 + (branch ? 1 : 0);
    return kinds.map((kind, index) => knownTransaction(kind, first + index));
  }

  #forks(): RollupConfig['forks'] {
    const { holocene, forks } = this.#plan;
    const activation = this.#forkTime(holocene, null);
    const times: Partial<Record<Fork, number | null>> = {};
    // Activation times never decrease, unless a plan says so of a fork behind Holocene (A42). Holocene stays where the
    // plan has it and the others give way: an earlier fork that would come behind it goes to genesis, unless it is one
    // that is meant to come together with it.
    let least: number | null = 0;
    const latest = FORKS.findLastIndex((fork) => forks[fork] !== undefined);
    for (const [index, fork] of FORKS.entries()) {
      const early = index < FORKS.indexOf('holocene');
      if (index > FORKS.indexOf('holocene') && index < latest && forks[fork]?.at === 'never') {
        times[fork] = null;
        continue;
      }
      const standard: ForkPoint = { at: early || index < latest ? 'genesis' : 'never' };
      const point = forks[fork] ?? standard;
      let time = fork === 'holocene' ? activation : this.#forkTime(point, activation);
      if (early && activation !== null && (time === null || time > activation)) {
        time = point.at === 'holocene' ? activation : 0;
      }
      if (least === null || time === null) least = null;
      else least = Math.max(least, time);
      times[fork] = least;
    }
    return Object.fromEntries(
      FORKS.map((fork) => [fork, times[fork] === null ? null : BigInt(times[fork]!)]),
    ) as RollupConfig['forks'];
  }

  #forkTime(point: ForkPoint, holocene: number | null): number | null {
    switch (point.at) {
      case 'genesis':
        return 0;
      case 'never':
        return null;
      case 'l1':
        return this.#time(point.block) + point.shift;
      case 'l2':
        return this.#l2Time(this.#plan.safeHead + 1 + point.block) + point.shift;
      case 'holocene': {
        if (holocene === null || point.block === 0)
          return holocene === null ? null : Math.max(holocene + point.shift, 0);
        let index = 0;
        while (index < MAX_L1_BLOCKS && this.#time(index) < holocene) index += 1;
        return this.#time(index + point.block) + point.shift;
      }
      default:
        return point satisfies never;
    }
  }
}

const l1Hashes = new Map<number, Uint8Array>();
const l2Hashes = new Map<number, Uint8Array>();
const transactions = new Map<string, Uint8Array>();

// Hashes and signatures cost more than all the rest of a small vector, and there are few.
function l1Hash(number: number): Uint8Array {
  return remembered(l1Hashes, number, () => madeUpHash('l1', number < 0 ? 1_000_000 - number : number));
}

function l2Hash(number: number): Uint8Array {
  return remembered(l2Hashes, number, () => madeUpHash('l2', number < 0 ? 1_000_000 - number : number));
}

function knownTransaction(kind: TransactionKind, number: number): Uint8Array {
  return remembered(transactions, `${kind}/${number}`, () => transaction(number, kind));
}

function remembered<K>(known: Map<K, Uint8Array>, key: K, make: () => Uint8Array): Uint8Array {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}
