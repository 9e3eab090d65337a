/**
 * Transactions of a span batch: taken apart into columns, and rebuilt from them.
 *
 * The list that stays in `tx_datas` holds (value, price or prices, data, access list, authorisation list), as far as
 * the type has them. Rebuilding copies these items byte for byte and puts nonce, gas limit, recipient, chain id and
 * signature around them. No signature is verified.
 *
 * Specification: delta/span-batches.md#span-batch-format, isthmus/derivation.md#span-batch-updates.
 */

import { bitAt, encodeBitList } from '../encoding/bit-list.ts';
import { concatBytes } from '../encoding/bytes.ts';
import { encodeRlp, RlpCursor, type RlpProblem } from '../encoding/rlp.ts';
import type { RuleBook } from '../rules/rule-book.ts';
import type { Skipped } from './outcome.ts';
import { isLegacyData, type SpanColumns } from './span-columns.ts';
import { type TransactionFields, TransactionWriter } from './transaction-writer.ts';

const SET_CODE = 4;
const POST_EXEC = 0x7d;

/** What the list of a transaction type holds besides value and data. */
interface Shape {
  readonly prices: 1 | 2;
  readonly accessList: boolean;
  readonly authorisations: boolean;
  /** Bytes; the widest amount. */
  readonly amountWidth: number;
}

const LEGACY_SHAPE: Shape = {
  prices: 1,
  accessList: false,
  authorisations: false,
  amountWidth: Number.POSITIVE_INFINITY,
};

/** By type byte; types that are not here are not rebuilt, or copied as they are. */
const SHAPES: ReadonlyMap<number, Shape> = new Map([
  [0, LEGACY_SHAPE],
  [1, { ...LEGACY_SHAPE, accessList: true }],
  [2, { ...LEGACY_SHAPE, prices: 2, accessList: true }],
  [SET_CODE, { prices: 2, accessList: true, authorisations: true, amountWidth: 32 }],
]);

const EMPTY_STRING = Uint8Array.of(0x80);
const EMPTY_LIST = Uint8Array.of(0xc0);

/** The transactions of the columns, in order, as raw signed transactions. */
export interface RebuiltTransactions {
  readonly kind: 'transactions';
  readonly transactions: readonly Uint8Array[];
}

/**
 * Rebuilds the transactions of a span batch.
 *
 * `batch-decode/tx-types` and `batch-decode/tx-fields` are asked for each transaction; where a variant accepts what
 * cannot be rebuilt, a type without a known shape is copied as it is and a field that is missing is empty.
 *
 * @param chainId - the L2 chain's id, which the batch does not carry
 */
export function rebuildTransactions(
  columns: SpanColumns,
  chainId: bigint,
  rules: RuleBook,
): RebuiltTransactions | Skipped {
  const { txDatas } = columns;
  const writer = new TransactionWriter(columns, chainId, rules);
  const transactions: Uint8Array[] = [];
  let recipient = 0;
  let legacy = 0;
  for (let index = 0; index < txDatas.length; index++) {
    const data = txDatas[index] as Uint8Array;
    const untyped = (data[0] ?? 0x80) > 0x7f;
    const type = untyped ? 0 : (data[0] as number);
    const creation = bitAt(columns.contractCreationBits, index);

    const shape = SHAPES.get(type);
    const unknown = shape === undefined ? type !== POST_EXEC : type === 0 && !untyped;
    const refused = unknown || (type === SET_CODE && creation);
    if (rules.fires('batch-decode/tx-types', refused, () => ({ index, type, untyped, creation }))) {
      const why = unknown || !refused ? `type ${type}` : 'type 4 without recipient';
      return { kind: 'skipped', rule: 'batch-decode/tx-types', detail: `transaction ${index}: ${why}` };
    }

    const listStart = untyped ? 0 : 1;
    const fields = shape === undefined ? undefined : readFields(data, listStart, shape);
    const problem = typeof fields === 'string' ? fields : undefined;
    if (rules.fires('batch-decode/tx-fields', problem !== undefined, () => ({ index, type, problem, data }))) {
      const why = problem ?? 'refused by a variant';
      return { kind: 'skipped', rule: 'batch-decode/tx-fields', detail: `transaction ${index}: ${why}` };
    }

    let bound = false;
    if (isLegacyData(data)) {
      const bit = bitAt(columns.protectedBits, legacy++);
      bound = rules.fires('batch-decode/protected-bits', bit, () => ({ index }));
    }
    const to = creation ? undefined : recipient++;
    if (shape === undefined || fields === undefined) transactions.push(data);
    else {
      const usable = typeof fields === 'string' ? patchedFields(data, listStart, shape) : fields;
      transactions.push(writer.write(index, type, usable, to, bound));
    }
  }
  return { kind: 'transactions', transactions };
}

/**
 * Reads the list of a transaction, or says what is wrong with it.
 *
 * Items have exact counts, integers no leading zeros, addresses 20 and storage keys 32 bytes; amounts may be of any
 * width, except those of type 4, which fit 256 bits.
 */
function readFields(data: Uint8Array, listStart: number, shape: Shape): TransactionFields | string {
  const outer = new RlpCursor(data, listStart, data.length);
  const head = outer.nextList();
  if (head !== undefined) return head;
  const list = outer.inside();
  const value = list.offset;
  const valueProblem = list.nextInteger(shape.amountWidth);
  if (valueProblem !== undefined) return `value: ${valueProblem}`;
  const prices = list.offset;
  for (let i = 0; i < shape.prices; i++) {
    const problem = list.nextInteger(shape.amountWidth);
    if (problem !== undefined) return `price ${i}: ${problem}`;
  }
  const rest = list.offset;
  const dataProblem = list.nextString();
  if (dataProblem !== undefined) return `data: ${dataProblem}`;
  if (shape.accessList) {
    const problem = eachList(list, accessTuple);
    if (problem !== undefined) return `access list: ${problem}`;
  }
  if (shape.authorisations) {
    const problem = eachList(list, authorisation);
    if (problem !== undefined) return `authorisation list: ${problem}`;
  }
  return list.done ? { bytes: data, value, prices, rest, end: list.limit } : 'too many items';
}

type ItemProblem = RlpProblem | 'too many items';

/** Reads a list of lists: `check` reads the items of each, which then has no more. */
function eachList(parent: RlpCursor, check: (items: RlpCursor) => ItemProblem | undefined): ItemProblem | undefined {
  const head = parent.nextList();
  if (head !== undefined || parent.length === 0) return head;
  const list = parent.inside();
  while (!list.done) {
    const itemHead = list.nextList();
    if (itemHead !== undefined) return itemHead;
    const items = list.inside();
    const problem = check(items) ?? (items.done ? undefined : 'too many items');
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Address and storage keys (EIP-2930). */
function accessTuple(items: RlpCursor): RlpProblem | undefined {
  const problem = items.nextFixed(20) ?? items.nextList();
  if (problem !== undefined) return problem;
  const keys = items.inside();
  while (!keys.done) {
    const found = keys.nextFixed(32);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Chain id, address, nonce, y-parity, r, s (EIP-7702). */
function authorisation(items: RlpCursor): RlpProblem | undefined {
  return (
    items.nextInteger(32) ??
    items.nextFixed(20) ??
    items.nextInteger(8) ??
    items.nextInteger(1) ??
    items.nextInteger(32) ??
    items.nextInteger(32)
  );
}

/** The groups of a list that a variant accepts although it is not well: items as they are, missing ones empty. */
function patchedFields(data: Uint8Array, listStart: number, shape: Shape): TransactionFields {
  const outer = new RlpCursor(data, listStart, data.length);
  outer.nextList();
  const list = outer.inside();
  const items: Uint8Array[] = [];
  while (!list.done) {
    list.nextString();
    if (list.offset === list.itemStart) break;
    items.push(data.subarray(list.itemStart, list.end));
  }
  const strings = 2 + shape.prices;
  const lists = Number(shape.accessList) + Number(shape.authorisations);
  while (items.length < strings) items.push(EMPTY_STRING);
  while (items.length < strings + lists) items.push(EMPTY_LIST);
  const groups = [items.slice(0, 1), items.slice(1, 1 + shape.prices), items.slice(1 + shape.prices)].map(concatBytes);
  const [value, prices, rest] = groups as [Uint8Array, Uint8Array, Uint8Array];
  return {
    bytes: concatBytes(groups),
    value: 0,
    prices: value.length,
    rest: value.length + prices.length,
    end: value.length + prices.length + rest.length,
  };
}

/** The columns of transactions; the other columns of a span batch do not depend on them. */
export type TransactionColumns = Pick<
  SpanColumns,
  'contractCreationBits' | 'yParityBits' | 'txSigs' | 'txTos' | 'txDatas' | 'txNonces' | 'txGases' | 'protectedBits'
>;

/** One transaction, taken apart. */
interface TransactionParts {
  readonly data: Uint8Array;
  readonly nonce: bigint;
  readonly gas: bigint;
  /** 20 bytes, or none for a contract creation. */
  readonly to: Uint8Array;
  readonly parity: boolean;
  readonly bound: boolean;
  /** r and s, 32 bytes each. */
  readonly signature: Uint8Array;
}

/**
 * Takes raw signed transactions apart into columns.
 *
 * A transaction of a type that span batches do not know goes into `tx_datas` as it is, with the creation bit set and
 * everything else zero, as the format has it for type 0x7d. Chain ids are dropped without a look.
 *
 * @throws RangeError for a transaction that is not its type's list, or not one list behind a type byte
 */
export function transactionColumns(transactions: readonly Uint8Array[]): TransactionColumns {
  const parts = transactions.map((raw, index) => {
    const found = takeApart(raw);
    if (typeof found === 'string') throw new RangeError(`transaction ${index} has no place in a span batch: ${found}`);
    return found;
  });
  return {
    contractCreationBits: encodeBitList(parts.map((part) => part.to.length === 0)),
    yParityBits: encodeBitList(parts.map((part) => part.parity)),
    txSigs: concatBytes(parts.map((part) => part.signature)),
    txTos: concatBytes(parts.map((part) => part.to)),
    txDatas: parts.map((part) => part.data),
    txNonces: parts.map((part) => part.nonce),
    txGases: parts.map((part) => part.gas),
    protectedBits: encodeBitList(parts.filter((part) => isLegacyData(part.data)).map((part) => part.bound)),
  };
}

/** @returns what is wrong with it if it cannot be taken apart */
function takeApart(raw: Uint8Array): TransactionParts | string {
  const first = raw[0];
  if (first === undefined) return 'empty';
  const typed = first <= 0x7f;
  const type = typed ? first : 0;
  const outer = new RlpCursor(raw, typed ? 1 : 0, raw.length);
  const head = outer.nextList();
  if (head !== undefined) return head;
  if (!outer.done) return 'bytes behind the list';
  const shape = SHAPES.get(type);
  if (shape === undefined || (typed && type === 0)) {
    return {
      data: raw,
      nonce: 0n,
      gas: 0n,
      to: new Uint8Array(0),
      parity: false,
      bound: false,
      signature: new Uint8Array(64),
    };
  }

  const list = outer.inside();
  const items: Uint8Array[] = [];
  const keep = () => items.push(raw.subarray(list.itemStart, list.end));
  let problem: string | undefined;
  const read = (field: string, found: RlpProblem | undefined): void => {
    if (found !== undefined) problem ??= `${field}: ${found}`;
  };
  if (typed) read('chain id', list.nextInteger());
  read('nonce', list.nextInteger(8));
  const nonce = list.length <= 8 ? list.integer() : 0n;
  for (let i = 0; i < shape.prices; i++) {
    read('price', list.nextInteger());
    keep();
  }
  read('gas limit', list.nextInteger(8));
  const gas = list.length <= 8 ? list.integer() : 0n;
  read('recipient', list.nextString());
  const to = list.payload();
  if (to.length !== 0 && to.length !== 20) problem ??= 'recipient: width';
  read('value', list.nextInteger());
  keep();
  read('data', list.nextString());
  keep();
  if (shape.accessList) {
    read('access list', list.nextList());
    keep();
  }
  if (shape.authorisations) {
    read('authorisation list', list.nextList());
    keep();
  }
  read('v', list.nextInteger());
  const v = list.payload();
  read('r', list.nextInteger(32));
  const r = list.payload();
  read('s', list.nextInteger(32));
  const s = list.payload();
  if (!list.done) problem ??= 'too many items';
  if (problem !== undefined) return problem;

  const signature = new Uint8Array(64);
  signature.set(r, 32 - r.length);
  signature.set(s, 64 - s.length);
  const lowest = v[v.length - 1] ?? 0;
  const bound = type === 0 && !(v.length === 1 && (lowest === 27 || lowest === 28));
  const [prices, value, rest] = [
    items.slice(0, shape.prices),
    items[shape.prices] as Uint8Array,
    items.slice(shape.prices + 1),
  ];
  const payload = encodeRlp([value, ...prices, ...rest].map((encoded) => ({ encoded })));
  return {
    data: typed ? concatBytes([raw.subarray(0, 1), payload]) : payload,
    nonce,
    gas,
    to,
    // Of a legacy transaction v is 27, or 35 + 2 · chain id, plus the parity: odd for parity 0.
    parity: type === 0 ? (lowest & 1) === 0 : (lowest & 1) === 1,
    bound,
    signature,
  };
}
