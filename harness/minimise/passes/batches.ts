/** Fewer batches and blocks inside of channels. */

import { equalBytes, toHex } from '../../../src/encoding/bytes.ts';
import type { Vector } from '../../../src/vector.ts';
import { type BatchModel, epochsOf, type SpanParts } from '../batches.ts';
import { type Content, readContent, writeContent } from '../content.ts';
import { layoutOf, withChannels } from '../layout.ts';
import { derivedChain } from '../references.ts';
import type { Pass } from '../search.ts';
import { chunks, chunksOf, propose, withAndWithoutReferences, without } from './chunks.ts';
import { batchesOf, withBatches } from './placed.ts';

/** Without some of the batches. */
export const dropBatches: Pass = function* (vector, cursor) {
  const placed = batchesOf(vector);
  for (const chunk of chunks(placed.length, cursor)) {
    const dropped = new Map(placed.slice(chunk.start, chunk.end).map((batch) => [batch, undefined]));
    yield* withAndWithoutReferences(vector, withBatches(vector, dropped), chunk.cursor);
  }
};

/** Without what follows a channel's last batch, what follows its stream, and what follows each batch. */
export const dropTails: Pass = function* (vector) {
  for (const channel of layoutOf(vector).channels) {
    const content = readContent(channel.data);
    if (content === undefined) continue;
    const { tail, envelope } = content;
    const simpler: Content[] = [];
    if (tail.length > 0) simpler.push({ ...content, tail: tail.subarray(0, 0) });
    if (envelope.trailing.length > 0) {
      simpler.push({ ...content, envelope: { ...envelope, trailing: envelope.trailing.subarray(0, 0) } });
    }
    for (const one of simpler) yield propose(withChannels(vector, new Map([[channel, writeContent(one)]])));
  }
  for (const batch of batchesOf(vector)) {
    const { model } = batch;
    if (model.kind === 'raw' || model.tail.length === 0) continue;
    yield propose(withBatches(vector, new Map([[batch, { ...model, tail: model.tail.subarray(0, 0) }]])));
  }
};

/** Span batches with fewer blocks: without some at the end, at the front, or in between. */
export const dropSpanBlocks: Pass = function* (vector, cursor) {
  const spans = batchesOf(vector).flatMap((batch) =>
    batch.model.kind === 'span' ? [{ batch, model: batch.model }] : [],
  );
  const lengths = spans.map(({ model }) => model.span.blocks.length);
  for (const { list, ...chunk } of chunksOf(lengths, cursor)) {
    const { batch, model } = spans[list]!;
    const span = withoutBlocks(vector, model.span, chunk);
    if (span === undefined) continue;
    const candidate = withBatches(vector, new Map([[batch, { ...model, span }]]));
    yield* withAndWithoutReferences(vector, candidate, chunk.cursor);
  }
};

/**
 * A span batch without some of its blocks. Where its checks are right, they are right again for what is left, and the
 * blocks behind a gap move up.
 */
function withoutBlocks(
  vector: Vector,
  span: SpanParts,
  { start, end }: { readonly start: number; readonly end: number },
): SpanParts | undefined {
  const blocks = without(span.blocks, { start, end });
  if (blocks.length === 0) return undefined;
  const { blockTime, genesis } = vector.config;
  const front = start === 0 ? BigInt(end) : 0n;
  const epochs = epochsOf(span);
  const l1OriginNum = end === span.blocks.length ? epochs[start - 1]! : span.l1OriginNum;

  const l1Hash = (number: bigint) => l1HashOf(vector, number)?.subarray(0, 20);
  const right = l1Hash(span.l1OriginNum);
  const isRight = right !== undefined && equalBytes(right, span.l1OriginCheck);
  const l1OriginCheck = (isRight ? l1Hash(l1OriginNum) : undefined) ?? span.l1OriginCheck;

  // The block before the one at that time, counted from genesis.
  const parentOf = (relTimestamp: bigint) => {
    const number = genesis.l2.number + relTimestamp / blockTime - 1n;
    return derivedChain(vector)
      .blocks.find((block) => block.number === number)
      ?.hash.subarray(0, 20);
  };
  const relTimestamp = span.relTimestamp + front * blockTime;
  const parent = blockTime === 0n ? undefined : parentOf(span.relTimestamp);
  const parentIsRight = parent !== undefined && equalBytes(parent, span.parentCheck);
  const parentCheck = (parentIsRight ? parentOf(relTimestamp) : undefined) ?? span.parentCheck;
  return { relTimestamp, l1OriginNum, parentCheck, l1OriginCheck, blocks };
}

function l1HashOf({ l1, l2 }: Vector, number: bigint): Uint8Array | undefined {
  const origin = l2.find(({ l1Origin }) => l1Origin.number === number)?.l1Origin.hash;
  return l1.find((block) => block.number === number)?.hash ?? origin;
}

/** Hashes in batches that stand for nothing else in the vector: a pattern says as much. */
export const fillUnknownHashes: Pass = function* (vector) {
  const known = knownHashes(vector);
  const fill = (bytes: Uint8Array) =>
    known.has(toHex(bytes.subarray(0, 20))) ? bytes : new Uint8Array(bytes.length).fill(0xee);
  const placed = batchesOf(vector);
  for (const group of [placed, ...placed.map((batch) => [batch])]) {
    const changes = new Map(group.map((batch) => [batch, withFilled(batch.model, fill)]));
    if (group.some((batch) => changes.get(batch) !== batch.model)) {
      yield* withAndWithoutReferences(vector, withBatches(vector, changes));
    }
  }
};

/** The first 20 bytes of every hash that a batch may mean. */
function knownHashes(vector: Vector): ReadonlySet<string> {
  const hashes = [
    ...vector.l1.flatMap(({ hash, parentHash }) => [hash, parentHash]),
    ...derivedChain(vector).blocks.flatMap(({ hash, parentHash, l1Origin }) => [hash, parentHash, l1Origin.hash]),
    vector.config.genesis.l1.hash,
    vector.config.genesis.l2.hash,
  ];
  return new Set(hashes.map((hash) => toHex(hash.subarray(0, 20))));
}

function withFilled(model: BatchModel, fill: (bytes: Uint8Array) => Uint8Array): BatchModel {
  if (model.kind === 'raw') return model;
  if (model.kind === 'single') {
    const { parentHash, epochHash } = model.batch;
    const batch = { ...model.batch, parentHash: fill(parentHash), epochHash: fill(epochHash) };
    return batch.parentHash === parentHash && batch.epochHash === epochHash ? model : { ...model, batch };
  }
  const { parentCheck, l1OriginCheck } = model.span;
  const span = { ...model.span, parentCheck: fill(parentCheck), l1OriginCheck: fill(l1OriginCheck) };
  const same = span.parentCheck === parentCheck && span.l1OriginCheck === l1OriginCheck;
  return same ? model : { ...model, span };
}
