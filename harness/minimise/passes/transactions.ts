/** Fewer and plainer transactions inside of batches. */

import type { BatchModel, SpanTransaction } from '../batches.ts';
import type { Pass } from '../search.ts';
import { chunks, withAndWithoutReferences } from './chunks.ts';
import { batchesOf, type Placed, withBatches } from './placed.ts';

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
