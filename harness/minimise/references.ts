/**
 * References between the parts of a vector: numbers, times and hashes that stand in more than one place and can be
 * changed in all of them at once, those inside of batches included.
 */

import type { L2Block } from '../../src/chain/blocks.ts';
import { buildBlock } from '../../src/chain/engine.ts';
import { derive } from '../../src/derive.ts';
import { equalBytes, toHex } from '../../src/encoding/bytes.ts';
import type { Vector } from '../../src/vector.ts';
import { type BatchModel, epochsOf, readBatch, withEpochs, writeBatch } from './batches.ts';
import { readContent, writeContent } from './content.ts';
import { type Channel, layoutOf, withChannels } from './layout.ts';

/** What takes the place of hashes, by the hex of the old ones. */
export type HashMap = ReadonlyMap<string, Uint8Array>;

/** A change of batches; what it gives back unchanged is not written again. */
export type BatchEdit = (model: BatchModel) => BatchModel;

/** The vector with all batches changed that can be taken apart. The same vector if none is. */
export function mapBatches(vector: Vector, edit: BatchEdit): Vector {
  const changes = new Map<Channel, Uint8Array>();
  for (const channel of layoutOf(vector).channels) {
    const content = readContent(channel.data);
    if (content === undefined) continue;
    const batches = content.batches.map((bytes) => {
      const model = readBatch(bytes);
      const edited = edit(model);
      return edited === model ? bytes : writeBatch(edited);
    });
    if (batches.some((bytes, index) => bytes !== content.batches[index])) {
      changes.set(channel, writeContent({ ...content, batches }));
    }
  }
  return changes.size === 0 ? vector : withChannels(vector, changes);
}

/** How numbers and times of batches change. */
export interface Renumbering {
  /** The new number of an L1 block. */
  readonly l1Number?: (number: bigint) => bigint;
  /** Added to the times of single batches, in seconds. */
  readonly time?: bigint;
  /** Added to the times of span batches, which count from L2 genesis. */
  readonly relativeTime?: bigint;
}

/** A batch with other numbers; as it is if they would fall below zero or have no place in a span batch. */
export function renumbered(model: BatchModel, { l1Number, time = 0n, relativeTime = 0n }: Renumbering): BatchModel {
  switch (model.kind) {
    case 'raw':
      return model;
    case 'single': {
      const { batch } = model;
      const epochNum = l1Number?.(batch.epochNum) ?? batch.epochNum;
      const timestamp = batch.timestamp + time;
      if (epochNum < 0n || timestamp < 0n) return model;
      return epochNum === batch.epochNum && time === 0n
        ? model
        : { ...model, batch: { ...batch, epochNum, timestamp } };
    }
    case 'span': {
      const { span } = model;
      const relTimestamp = span.relTimestamp + relativeTime;
      const epochs = epochsOf(span);
      const wanted = l1Number === undefined ? epochs : epochs.map(l1Number);
      if (relTimestamp < 0n || wanted.some((epoch) => epoch < 0n)) return model;
      if (relativeTime === 0n && wanted.every((epoch, index) => epoch === epochs[index])) return model;
      const moved = withEpochs({ ...span, relTimestamp }, wanted);
      return moved === undefined ? model : { ...model, span: moved };
    }
    default:
      return model satisfies never;
  }
}

/** A batch with other hashes in it; the checks of span batches are told by their hashes' first 20 bytes. */
export function rehashed(model: BatchModel, hashes: HashMap, checks: HashMap = checksOf(hashes)): BatchModel {
  switch (model.kind) {
    case 'raw':
      return model;
    case 'single': {
      const { batch } = model;
      const parentHash = hashes.get(toHex(batch.parentHash)) ?? batch.parentHash;
      const epochHash = hashes.get(toHex(batch.epochHash)) ?? batch.epochHash;
      if (parentHash === batch.parentHash && epochHash === batch.epochHash) return model;
      return { ...model, batch: { ...batch, parentHash, epochHash } };
    }
    case 'span': {
      const { span } = model;
      const parentCheck = checks.get(toHex(span.parentCheck)) ?? span.parentCheck;
      const l1OriginCheck = checks.get(toHex(span.l1OriginCheck)) ?? span.l1OriginCheck;
      if (parentCheck === span.parentCheck && l1OriginCheck === span.l1OriginCheck) return model;
      return { ...model, span: { ...span, parentCheck, l1OriginCheck } };
    }
    default:
      return model satisfies never;
  }
}

function checksOf(hashes: HashMap): HashMap {
  return new Map([...hashes].map(([hash, next]) => [hash.slice(0, 42), next.subarray(0, 20)]));
}

/** The vector with other hashes in its batches. */
export function mapHashes(vector: Vector, hashes: HashMap): Vector {
  const checks = checksOf(hashes);
  return mapBatches(vector, (model) => rehashed(model, hashes, checks));
}

/** What a vector's L2 chain is after derivation. */
export interface DerivedChain {
  /** The safe blocks of the vector, then those that were derived. */
  readonly blocks: readonly L2Block[];
  /** The number of the L1 block at which each derived block was. */
  readonly origins: readonly bigint[];
}

const chains = new WeakMap<Vector, DerivedChain>();

/** The L2 chain as the TypeScript pipeline derives it. */
export function derivedChain(vector: Vector): DerivedChain {
  let chain = chains.get(vector);
  if (chain === undefined) {
    chain = follow(vector);
    chains.set(vector, chain);
  }
  return chain;
}

function follow(vector: Vector): DerivedChain {
  const { singles, safeHead } = derive(vector);
  const blocks: L2Block[] = [...vector.l2];
  for (const [index, single] of singles.entries()) {
    const parent = blocks[blocks.length - 1]!;
    const batch = { kind: 'single' as const, ...single };
    const full = buildBlock(parent, batch, single.transactions);
    // A trace does not say whether the payload was refused, but the hash that comes next does.
    const hash = singles[index + 1]?.parentHash ?? safeHead.hash;
    blocks.push(equalBytes(full.hash, hash) ? full : buildBlock(parent, batch, []));
  }
  return { blocks, origins: singles.map(({ origin }) => origin) };
}

/**
 * The candidate with its batches' references to derived blocks brought up to date: a reference to a block of the
 * original becomes one to the candidate's block of the same number, since a block that is not built as it was has
 * another hash, and so has every block on top of it.
 *
 * @param shift - subtracted from the original's L2 block numbers to find the candidate's
 * @returns the candidate itself if nothing refers to a block that has changed
 */
export function withReferences(original: Vector, candidate: Vector, shift = 0n): Vector {
  const before = new Map(derivedChain(original).blocks.map(({ number, hash }) => [number - shift, hash]));
  const hashes = new Map<string, Uint8Array>();
  let current = candidate;
  // Each time at least one more block is right, so as many rounds as there are blocks suffice.
  for (let round = 0; round < before.size; round++) {
    let found = false;
    for (const { number, hash } of derivedChain(current).blocks) {
      const old = before.get(number);
      if (old === undefined || equalBytes(old, hash)) continue;
      const key = toHex(old);
      const known = hashes.get(key);
      if (known !== undefined && equalBytes(known, hash)) continue;
      hashes.set(key, hash);
      found = true;
    }
    if (!found) return current;
    const next = mapHashes(candidate, hashes);
    if (next === candidate) return candidate;
    current = next;
  }
  return current;
}
