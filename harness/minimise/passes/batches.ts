/** Fewer batches, blocks and transactions inside of channels. */

import { equalBytes, toHex } from '../../../src/encoding/bytes.ts';
import type { Vector } from '../../../src/vector.ts';
import { type BatchModel, epochsOf, readBatch, type SpanParts, type SpanTransaction, writeBatch } from '../batches.ts';
import { type Content, readContent, writeContent } from '../content.ts';
import { type Channel, layoutOf, withChannels } from '../layout.ts';
import { derivedChain } from '../references.ts';
import type { Pass } from '../search.ts';
import { chunks, chunksOf, propose, withAndWithoutReferences, without } from './chunks.ts';

/** A batch and where it stands. */
interface Placed {
  readonly channel: Channel;
  readonly index: number;
  readonly model: BatchModel;
}

function batchesOf(vector: Vector): Placed[] {
  return layoutOf(vector).channels.flatMap((channel) =>
    (readContent(channel.data)?.batches ?? []).map((bytes, index) => ({ channel, index, model: readBatch(bytes) })),
  );
}

/** The vector with other batches in some places, without those for which `undefined` is given. */
function withBatches(vector: Vector, changes: ReadonlyMap<Placed, BatchModel | undefined>): Vector {
  const byChannel = new Map<Channel, Map<number, BatchModel | undefined>>();
  for (const [{ channel, index }, model] of changes) {
    const inChannel = byChannel.get(channel) ?? new Map<number, BatchModel | undefined>();
    byChannel.set(channel, inChannel.set(index, model));
  }
  const channels = new Map<Channel, Uint8Array>();
  for (const [channel, inChannel] of byChannel) {
    const content = readContent(channel.data)!;
    const batches = content.batches.flatMap((bytes, index) => {
      if (!inChannel.has(index)) return [bytes];
      const model = inChannel.get(index);
      return model === undefined ? [] : [writeBatch(model)];
    });
    channels.set(channel, writeContent({ ...content, batches }));
  }
  return withChannels(vector, channels);
}

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

/** Batches with fewer transactions. */
export const dropTransactions: Pass = function* (vector, cursor) {
  const placed = batchesOf(vector);
  const count = placed.reduce((sum, { model }) => sum + transactionCount(model), 0);
  for (const chunk of chunks(count, cursor)) {
    let next = 0;
    const changes = new Map<Placed, BatchModel>();
    for (const batch of placed) {
      const own = transactionCount(batch.model);
      const start = Math.max(chunk.start - next, 0);
      const end = Math.min(chunk.end - next, own);
      next += own;
      if (start < end) changes.set(batch, withoutTransactions(batch.model, start, end));
    }
    yield* withAndWithoutReferences(vector, withBatches(vector, changes), chunk.cursor);
  }
};

function transactionCount(model: BatchModel): number {
  if (model.kind === 'single') return model.batch.transactions.length;
  if (model.kind === 'span') return model.span.blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);
  return 0;
}

function withoutTransactions(model: BatchModel, start: number, end: number): BatchModel {
  if (model.kind === 'raw') return model;
  let index = 0;
  const isKept = () => {
    index += 1;
    return index <= start || index > end;
  };
  if (model.kind === 'single') {
    return { ...model, batch: { ...model.batch, transactions: model.batch.transactions.filter(isKept) } };
  }
  const blocks = model.span.blocks.map((block) => ({ ...block, transactions: block.transactions.filter(isKept) }));
  return { ...model, span: { ...model.span, blocks } };
}

/** Batches with plainer transactions: all, those of one batch, then one by one; all of it, then field by field. */
export const simplifyTransactions: Pass = function* (vector) {
  const placed = batchesOf(vector).filter(({ model }) => transactionCount(model) > 0);
  const groups = placed.length > 1 ? [placed, ...placed.map((batch) => [batch])] : [placed];
  for (const group of groups) {
    for (const form of FORMS) {
      const changes = new Map(group.map((batch) => [batch, withForm(batch.model, form)]));
      yield* withAndWithoutReferences(vector, withBatches(vector, changes));
    }
  }
  for (const batch of placed) {
    for (let index = 0; index < transactionCount(batch.model); index++) {
      for (const form of FORMS) {
        const changes = new Map([[batch, withForm(batch.model, form, index)]]);
        yield* withAndWithoutReferences(vector, withBatches(vector, changes));
      }
    }
  }
};

/** A way to make a transaction plainer: one for its bytes, one for its columns. */
interface Form {
  readonly raw: (bytes: Uint8Array) => Uint8Array;
  readonly columns: (transaction: SpanTransaction) => SpanTransaction;
}

const NO_SIGNATURE = new Uint8Array(64);
/** A list of value, price, data; of value, two prices, data and access list; and so on. */
const EMPTY_DATA: ReadonlyMap<number, Uint8Array> = new Map([
  [1, Uint8Array.of(1, 0xc4, 0x80, 0x80, 0x80, 0xc0)],
  [2, Uint8Array.of(2, 0xc5, 0x80, 0x80, 0x80, 0x80, 0xc0)],
  [4, Uint8Array.of(4, 0xc6, 0x80, 0x80, 0x80, 0x80, 0xc0, 0xc0)],
]);
const EMPTY_LEGACY = Uint8Array.of(0xc3, 0x80, 0x80, 0x80);

function plainData(data: Uint8Array): Uint8Array {
  return (data[0] ?? 0xc0) > 0x7f ? EMPTY_LEGACY : (EMPTY_DATA.get(data[0]!) ?? data);
}

const FORMS: readonly Form[] = [
  {
    raw: (bytes) => bytes.subarray(0, 1),
    columns: ({ bound }) => ({
      parity: false,
      signature: NO_SIGNATURE,
      to: undefined,
      data: EMPTY_LEGACY,
      nonce: 0n,
      gas: 0n,
      bound,
    }),
  },
  {
    raw: (bytes) => Uint8Array.from(bytes, (byte, index) => (index === 0 ? byte : 0)),
    columns: (one) => ({
      parity: false,
      signature: NO_SIGNATURE,
      to: one.to && new Uint8Array(20),
      data: plainData(one.data),
      nonce: 0n,
      gas: 0n,
      bound: one.bound,
    }),
  },
  { raw: (bytes) => bytes.subarray(0, bytes.length >> 1), columns: (one) => ({ ...one, signature: NO_SIGNATURE }) },
  { raw: (bytes) => bytes.subarray(0, bytes.length - 1), columns: (one) => ({ ...one, data: plainData(one.data) }) },
  { raw: (bytes) => bytes, columns: (one) => ({ ...one, to: one.to && new Uint8Array(20) }) },
  { raw: (bytes) => bytes, columns: (one) => ({ ...one, nonce: 0n, gas: 0n, parity: false }) },
];

function withForm(model: BatchModel, form: Form, only?: number): BatchModel {
  let index = -1;
  const chosen = () => {
    index += 1;
    return only === undefined || index === only;
  };
  if (model.kind === 'raw') return model;
  if (model.kind === 'single') {
    const transactions = model.batch.transactions.map((one) => (chosen() ? form.raw(one) : one));
    return { ...model, batch: { ...model.batch, transactions } };
  }
  const blocks = model.span.blocks.map((block) => ({
    ...block,
    transactions: block.transactions.map((one) => (chosen() ? form.columns(one) : one)),
  }));
  return { ...model, span: { ...model.span, blocks } };
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
