/**
 * Batches taken apart so that they can be written again with less inside or with other references, byte for byte the
 * same where nothing was changed.
 */

import type { SingleBatch } from '../../src/batch/batch.ts';
import { encodeSingleBatch } from '../../src/batch/codec.ts';
import { parseSingleBatch } from '../../src/batch/single.ts';
import { encodeSpanColumns, isLegacyData, parseSpanColumns, type SpanColumns } from '../../src/batch/span-columns.ts';
import { bitAt, encodeBitList } from '../../src/encoding/bit-list.ts';
import { concatBytes, equalBytes } from '../../src/encoding/bytes.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';

/** A transaction of a span batch: its part of each column. */
export interface SpanTransaction {
  readonly parity: boolean;
  /** r and s, 64 bytes. */
  readonly signature: Uint8Array;
  /** 20 bytes; absent for a contract creation. */
  readonly to: Uint8Array | undefined;
  readonly data: Uint8Array;
  readonly nonce: bigint;
  readonly gas: bigint;
  /** Looked at for legacy transactions only. */
  readonly bound: boolean;
}

interface SpanBlockPart {
  readonly changesOrigin: boolean;
  readonly transactions: readonly SpanTransaction[];
}

/** The columns of a span batch, block by block. */
export interface SpanParts {
  readonly relTimestamp: bigint;
  readonly l1OriginNum: bigint;
  readonly parentCheck: Uint8Array;
  readonly l1OriginCheck: Uint8Array;
  readonly blocks: readonly SpanBlockPart[];
}

/** A batch; `raw` if its bytes are not those that an encoder writes. */
export type BatchModel =
  | { readonly kind: 'single'; readonly batch: SingleBatch; readonly tail: Uint8Array }
  | { readonly kind: 'span'; readonly span: SpanParts; readonly tail: Uint8Array }
  | { readonly kind: 'raw'; readonly bytes: Uint8Array };

const rules = new RuleBook();
const models = new WeakMap<Uint8Array, BatchModel>();

/** Takes a batch apart. */
export function readBatch(bytes: Uint8Array): BatchModel {
  let model = models.get(bytes);
  if (model === undefined) {
    model = (bytes[0] === 1 ? readSpan(bytes) : readSingle(bytes)) ?? { kind: 'raw', bytes };
    if (model.kind !== 'raw' && !equalBytes(writeBatch(model), bytes)) model = { kind: 'raw', bytes };
    models.set(bytes, model);
  }
  return model;
}

function readSingle(bytes: Uint8Array): BatchModel | undefined {
  if (bytes[0] !== 0) return undefined;
  const parsed = parseSingleBatch(bytes, 1, rules);
  return parsed.kind === 'malformed'
    ? undefined
    : { kind: 'single', batch: parsed.batch, tail: bytes.subarray(parsed.end) };
}

function readSpan(bytes: Uint8Array): BatchModel | undefined {
  const parsed = parseSpanColumns(bytes, 1, rules);
  return parsed.kind === 'malformed'
    ? undefined
    : { kind: 'span', span: toParts(parsed.columns), tail: bytes.subarray(parsed.end) };
}

function toParts(columns: SpanColumns): SpanParts {
  const { relTimestamp, l1OriginNum, parentCheck, l1OriginCheck } = columns;
  let recipient = 0;
  let legacy = 0;
  const transactions = columns.txDatas.map((data, index): SpanTransaction => {
    const to = bitAt(columns.contractCreationBits, index) ? undefined : recipient++;
    return {
      parity: bitAt(columns.yParityBits, index),
      signature: columns.txSigs.subarray(64 * index, 64 * (index + 1)),
      to: to === undefined ? undefined : columns.txTos.subarray(20 * to, 20 * (to + 1)),
      data,
      nonce: columns.txNonces[index]!,
      gas: columns.txGases[index]!,
      bound: isLegacyData(data) && bitAt(columns.protectedBits, legacy++),
    };
  });
  let next = 0;
  const blocks = columns.blockTxCounts.map((count, index) => {
    const start = next;
    next += Number(count);
    return { changesOrigin: bitAt(columns.originBits, index), transactions: transactions.slice(start, next) };
  });
  return { relTimestamp, l1OriginNum, parentCheck, l1OriginCheck, blocks };
}

function toColumns({ blocks, ...prefix }: SpanParts): SpanColumns {
  const transactions = blocks.flatMap((block) => block.transactions);
  return {
    ...prefix,
    blockCount: BigInt(blocks.length),
    originBits: encodeBitList(blocks.map(({ changesOrigin }) => changesOrigin)),
    blockTxCounts: blocks.map((block) => BigInt(block.transactions.length)),
    contractCreationBits: encodeBitList(transactions.map(({ to }) => to === undefined)),
    yParityBits: encodeBitList(transactions.map(({ parity }) => parity)),
    txSigs: concatBytes(transactions.map(({ signature }) => signature)),
    txTos: concatBytes(transactions.flatMap(({ to }) => to ?? [])),
    txDatas: transactions.map(({ data }) => data),
    txNonces: transactions.map(({ nonce }) => nonce),
    txGases: transactions.map(({ gas }) => gas),
    protectedBits: encodeBitList(transactions.filter(({ data }) => isLegacyData(data)).map(({ bound }) => bound)),
  };
}

/** The bytes of a batch. */
export function writeBatch(model: BatchModel): Uint8Array {
  switch (model.kind) {
    case 'single':
      return encodeSingleBatch(model.batch, { tail: model.tail });
    case 'span':
      return concatBytes([Uint8Array.of(1), encodeSpanColumns(toColumns(model.span)), model.tail]);
    case 'raw':
      return model.bytes;
    default:
      return model satisfies never;
  }
}

/** The number of the L1 origin of each block, as the origin bits tell it. */
export function epochsOf({ l1OriginNum, blocks }: SpanParts): bigint[] {
  const epochs: bigint[] = [];
  let epoch = l1OriginNum;
  for (const { changesOrigin } of blocks.toReversed()) {
    epochs.push(epoch);
    if (changesOrigin) epoch -= 1n;
  }
  return epochs.reverse();
}

/** The same blocks with these L1 origins; `undefined` if origin bits cannot tell them. The first bit stays. */
export function withEpochs(span: SpanParts, epochs: readonly bigint[]): SpanParts | undefined {
  const steps = epochs.map((epoch, index) => (index === 0 ? 0n : epoch - epochs[index - 1]!));
  if (steps.some((step) => step !== 0n && step !== 1n)) return undefined;
  const blocks = span.blocks.map((block, index) =>
    index === 0 ? block : { ...block, changesOrigin: steps[index] === 1n },
  );
  return { ...span, l1OriginNum: epochs[epochs.length - 1]!, blocks };
}
