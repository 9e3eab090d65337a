/** Fewer L1 blocks. */

import type { L1Block, L2Block } from '../../../src/chain/blocks.ts';
import { toHex } from '../../../src/encoding/bytes.ts';
import type { Vector } from '../../../src/vector.ts';
import { derivedChain, mapBatches, rehashed, renumbered, withReferences } from '../references.ts';
import type { Pass } from '../search.ts';
import { chunks, propose } from './chunks.ts';

/** Without the last blocks. */
export const dropTrailingL1Blocks: Pass = function* (vector, cursor) {
  const { length } = vector.l1;
  for (let size = Math.min(cursor?.[0] ?? length, length - 1); size >= 1; size >>= 1) {
    yield propose({ ...vector, l1: vector.l1.slice(0, length - size) as unknown as Vector['l1'] }, [size]);
  }
};

/**
 * Without the first blocks: the pipeline starts later, on what was derived by then, or on the safe head as it is, which
 * may be given the new first block as its origin.
 */
export const dropLeadingL1Blocks: Pass = function* (vector, cursor) {
  const { blocks, origins } = derivedChain(vector);
  const { length } = vector.l1;
  for (let size = Math.min(cursor?.[0] ?? length, length - 1); size >= 1; size >>= 1) {
    const l1 = vector.l1.slice(size) as unknown as Vector['l1'];
    const [first] = l1;
    const derived = origins.filter((origin) => origin < first.number).length;
    const safe = blocks.slice(0, vector.l2.length + derived);
    for (const l2 of new Set([safe.slice(-1), safe, vector.l2])) {
      const started = { ...vector, l1, l2: l2 as unknown as Vector['l2'] };
      yield propose(started, [size]);
      yield propose(withOrigin(started, first), [size]);
    }
  }
};

/** The vector with its safe head on another L1 origin, if it has an older one. */
function withOrigin(vector: Vector, { number, hash }: L1Block): Vector {
  const head = vector.l2[vector.l2.length - 1]!;
  if (head.l1Origin.number >= number) return vector;
  const moved: L2Block = { ...head, l1Origin: { number, hash }, sequenceNumber: 0n };
  return { ...vector, l2: [...vector.l2.slice(0, -1), moved] as unknown as Vector['l2'] };
}

/**
 * Without blocks from between: those behind them take their numbers, and what was posted in them is gone, or stands in
 * the block behind or before. Epochs that were among them become the block behind or before.
 */
export const dropInnerL1Blocks: Pass = function* (vector, cursor) {
  // The first block stays: it is where the pipeline starts.
  for (const { start, end, cursor: next } of chunks(vector.l1.length - 1, cursor)) {
    const from = start + 1;
    const to = end + 1;
    const data = vector.l1.slice(from, to).flatMap((block) => block.data);
    const targets = data.length === 0 ? (['gone'] as const) : (['gone', 'behind', 'before'] as const);
    for (const target of targets) {
      for (const heir of to < vector.l1.length ? [to, from - 1] : [from - 1]) {
        yield propose(withoutL1Blocks(vector, from, to, heir, target), next);
      }
    }
    if (data.length > 0) continue;
    // A distance in L1 blocks that matters is kept by a window or a timeout that is as much shorter.
    const count = BigInt(to - from);
    const { seqWindowSize, channelTimeout, forks } = vector.config;
    const shorter = withoutL1Blocks(vector, from, to, from - 1, 'gone');
    if (seqWindowSize >= count) {
      yield propose({ ...shorter, config: { ...vector.config, seqWindowSize: seqWindowSize - count } }, next);
    }
    const timeout = forks.granite === null ? channelTimeout : GRANITE_TIMEOUT;
    if (timeout >= count) {
      const config = { ...vector.config, channelTimeout: timeout - count, forks: { ...forks, granite: null } };
      yield propose({ ...shorter, config }, next);
    }
  }
};

/** L1 blocks; the channel timeout from Granite on, which no configuration changes. */
const GRANITE_TIMEOUT = 50n;

function withoutL1Blocks(
  vector: Vector,
  from: number,
  to: number,
  heir: number,
  target: 'gone' | 'behind' | 'before',
): Vector {
  const { l1 } = vector;
  const data = l1.slice(from, to).flatMap((block) => block.data);
  const count = BigInt(to - from);
  const kept = l1.flatMap((block, index): L1Block[] => {
    if (index >= from && index < to) return [];
    const posted =
      target === 'behind' && index === to
        ? [...data, ...block.data]
        : target === 'before' && index === from - 1
          ? [...block.data, ...data]
          : block.data;
    if (index < from) return [{ ...block, data: posted }];
    const parentHash = index === to ? l1[from - 1]!.hash : block.parentHash;
    return [{ ...block, number: block.number - count, parentHash, data: posted }];
  });
  const last = l1[to - 1]!.number;
  const first = l1[from]!.number;
  const l1Number = (number: bigint): bigint => {
    if (number < first) return number;
    if (number > last) return number - count;
    return heir < from ? l1[heir]!.number : l1[heir]!.number - count;
  };
  const hashes = new Map(l1.slice(from, to).map(({ hash }) => [toHex(hash), l1[heir]!.hash]));
  const changed = mapBatches({ ...vector, l1: kept as unknown as Vector['l1'] }, (model) =>
    rehashed(renumbered(model, { l1Number }), hashes),
  );
  const l2 = vector.l2.map((block) => {
    const number = l1Number(block.l1Origin.number);
    if (number === block.l1Origin.number) return block;
    return { ...block, l1Origin: { number, hash: hashes.get(toHex(block.l1Origin.hash)) ?? block.l1Origin.hash } };
  });
  return withReferences(vector, { ...changed, l2: l2 as unknown as Vector['l2'] });
}
