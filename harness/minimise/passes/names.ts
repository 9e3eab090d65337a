/** Small numbers and hashes that a reader can tell apart: every reference follows. */

import type { BlockId, L1Block, L2Block } from '../../../src/chain/blocks.ts';
import { FORKS } from '../../../src/chain/config.ts';
import { toHex } from '../../../src/encoding/bytes.ts';
import type { Vector } from '../../../src/vector.ts';
import { type HashMap, mapBatches, mapHashes, renumbered, withReferences } from '../references.ts';
import type { Pass } from '../search.ts';
import { propose } from './chunks.ts';

/** All L1 and L2 hashes become patterns; where that does not work, those of one layer. */
export const renameHashes: Pass = function* (vector) {
  const l1 = patterns(l1Ids(vector), 0x01);
  const l2 = patterns(l2Ids(vector), 0x60);
  for (const hashes of [new Map([...l1, ...l2]), l1, l2]) yield propose(withHashes(vector, hashes));
};

function l1Ids({ config, l1, l2 }: Vector): BlockId[] {
  const parents = l1.map(({ number, parentHash }) => ({ number: number - 1n, hash: parentHash }));
  return [config.genesis.l1, ...parents, ...l1, ...l2.map(({ l1Origin }) => l1Origin)];
}

function l2Ids({ config, l2 }: Vector): BlockId[] {
  const parents = l2.map(({ number, parentHash }) => ({ number: number - 1n, hash: parentHash }));
  return [config.genesis.l2, ...parents, ...l2];
}

/** A pattern for each hash, rising with the block's number. */
function patterns(ids: readonly BlockId[], first: number): Map<string, Uint8Array> {
  const sorted = ids.toSorted((a, b) => (a.number < b.number ? -1 : a.number > b.number ? 1 : 0));
  const hashes = new Map<string, Uint8Array>();
  for (const { hash } of sorted) {
    const key = toHex(hash);
    if (!hashes.has(key)) hashes.set(key, pattern(first, hashes.size));
  }
  return hashes;
}

/** One byte over and over; two if there are many. */
function pattern(first: number, index: number): Uint8Array {
  const low = first + (index % 0x40);
  const high = index < 0x40 ? low : (index >> 6) & 0xff;
  return Uint8Array.from({ length: 32 }, (_, place) => (place % 2 === 0 ? low : high));
}

function withHashes(vector: Vector, hashes: HashMap): Vector {
  const next = (hash: Uint8Array) => hashes.get(toHex(hash)) ?? hash;
  const id = ({ number, hash }: BlockId): BlockId => ({ number, hash: next(hash) });
  const renamed: Vector = {
    ...vector,
    config: {
      ...vector.config,
      genesis: { ...vector.config.genesis, l1: id(vector.config.genesis.l1), l2: id(vector.config.genesis.l2) },
    },
    l1: vector.l1.map(
      (block): L1Block => ({ ...block, ...id(block), parentHash: next(block.parentHash) }),
    ) as unknown as Vector['l1'],
    l2: vector.l2.map(
      (block): L2Block => ({
        ...block,
        ...id(block),
        parentHash: next(block.parentHash),
        l1Origin: id(block.l1Origin),
      }),
    ) as unknown as Vector['l2'],
  };
  return withReferences(vector, mapHashes(renamed, hashes));
}

/** Numbers and times that start near zero, and a chain that starts where the vector does. */
export const rebaseNumbers: Pass = function* (vector) {
  const { genesis } = vector.config;
  const [first] = vector.l2;
  const later: Vector = { ...vector, config: { ...vector.config, genesis: { ...genesis, l1: first.l1Origin } } };
  const starts = genesis.l1.number < first.l1Origin.number ? [later, vector] : [vector];
  if (genesis.l2.number < first.number) starts.unshift(...starts.map((start) => withGenesis(start, first)));
  for (const start of starts) {
    yield propose(start);
    for (const shift of shiftsOf(start)) yield propose(shifted(start, shift));
  }
};

/** What is subtracted from numbers and times. */
interface Shift {
  readonly l1: bigint;
  readonly l2: bigint;
  /** Seconds. */
  readonly time: bigint;
}

function shiftsOf(vector: Vector): Shift[] {
  const { genesis } = vector.config;
  const l1 = least(l1Ids(vector).map(({ number }) => (number < 0n ? 0n : number)));
  const l2 = least([genesis.l2.number, ...vector.l2.map(({ number }) => number), ...vector.invalidBlocks]);
  const time = least([genesis.l2Time, vector.l1[0].timestamp, vector.l2[0].timestamp]);
  const shifts = [
    { l1, l2, time },
    { l1, l2: 0n, time: 0n },
    { l1: l1 - 1n, l2: 0n, time: 0n },
    { l1: 0n, l2, time: 0n },
    { l1: 0n, l2: 0n, time },
    { l1: 0n, l2: 0n, time: time - 1000n },
  ];
  return shifts.filter((shift) => shift.l1 >= 0n && shift.time >= 0n && shift.l1 + shift.l2 + shift.time > 0n);
}

function least(values: readonly bigint[]): bigint {
  let least = values[0]!;
  for (const value of values) if (value < least) least = value;
  return least;
}

/** The vector with this safe block as L2 genesis. */
function withGenesis(vector: Vector, { number, hash, timestamp }: L2Block): Vector {
  const { genesis } = vector.config;
  const relativeTime = genesis.l2Time - timestamp;
  const changed = mapBatches(vector, (model) => renumbered(model, { relativeTime }));
  const config = { ...vector.config, genesis: { ...genesis, l2: { number, hash }, l2Time: timestamp } };
  return withReferences(vector, { ...changed, config });
}

/** The vector with numbers and times that are so much smaller. */
function shifted(vector: Vector, shift: Shift): Vector {
  const { config } = vector;
  const lower = (id: BlockId, by: bigint): BlockId => ({ number: id.number - by, hash: id.hash });
  const forks = Object.fromEntries(
    FORKS.map((fork) => {
      const activation = config.forks[fork];
      return [fork, activation === null ? null : activation > shift.time ? activation - shift.time : 0n];
    }),
  ) as Vector['config']['forks'];
  const changed = mapBatches(vector, (model) =>
    renumbered(model, { l1Number: (number) => number - shift.l1, time: -shift.time }),
  );
  const { genesis } = config;
  const candidate: Vector = {
    ...changed,
    config: {
      ...config,
      forks,
      genesis: {
        l1: lower(genesis.l1, shift.l1),
        l2: lower(genesis.l2, shift.l2),
        l2Time: genesis.l2Time - shift.time,
      },
    },
    l1: changed.l1.map(
      (block): L1Block => ({
        ...block,
        number: block.number - shift.l1,
        timestamp: block.timestamp - shift.time,
      }),
    ) as unknown as Vector['l1'],
    l2: vector.l2.map(
      (block): L2Block => ({
        ...block,
        number: block.number - shift.l2,
        timestamp: block.timestamp - shift.time,
        l1Origin: lower(block.l1Origin, shift.l1),
      }),
    ) as unknown as Vector['l2'],
    invalidBlocks: vector.invalidBlocks.map((number) => number - shift.l2),
  };
  return withReferences(vector, candidate, shift.l2);
}
