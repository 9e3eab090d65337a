/**
 * Writes full transactions from a span batch's columns and the fields of each transaction's own list.
 *
 * Specification: delta/span-batches.md#store-y_parity-and-protected_bit-instead-of-v.
 */

import { bitAt } from '../encoding/bit-list.ts';
import { encodeRlp, writeRlpHeader } from '../encoding/rlp.ts';
import type { RuleBook } from '../rules/rule-book.ts';
import type { SpanColumns } from './span-columns.ts';

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * The items of a transaction's list in groups that stay together in the full transaction, headers included: the value
 * from `value`, the prices from `prices`, data and what comes behind it from `rest` to `end`.
 */
export interface TransactionFields {
  readonly bytes: Uint8Array;
  readonly value: number;
  readonly prices: number;
  readonly rest: number;
  readonly end: number;
}

/** Writes full transactions one behind the other into one buffer, which costs one allocation a batch. */
export class TransactionWriter {
  readonly #columns: SpanColumns;
  readonly #rules: RuleBook;
  readonly #chainId: Uint8Array;
  /** Encoded v by parity. */
  readonly #protectedV: readonly [Uint8Array, Uint8Array];
  readonly #out: Uint8Array;
  #offset = 0;

  constructor(columns: SpanColumns, chainId: bigint, rules: RuleBook) {
    this.#columns = columns;
    this.#rules = rules;
    this.#chainId = encodeRlp(chainId);
    this.#protectedV = [encodeRlp(2n * chainId + 35n), encodeRlp(2n * chainId + 36n)];
    let size = 0;
    for (const data of columns.txDatas) size += data.length + this.#overhead;
    this.#out = new Uint8Array(size);
  }

  /**
   * Most bytes that a full transaction has more than its data: type, header, the fields of the columns, and empty items
   * in place of those that a variant does not miss.
   */
  get #overhead(): number {
    return 128 + this.#chainId.length + this.#protectedV[1].length;
  }

  write(index: number, type: number, fields: TransactionFields, to: number | undefined, bound: boolean): Uint8Array {
    const { txNonces, txGases, txSigs, txTos } = this.#columns;
    const v = this.#v(index, type, bound);
    const nonce = txNonces[index] ?? 0n;
    const gas = txGases[index] ?? 0n;
    const r = significant(txSigs, 64 * index);
    const s = significant(txSigs, 64 * index + 32);
    const length =
      (type === 0 ? 0 : this.#chainId.length) +
      encodedLength(nonce) +
      encodedLength(gas) +
      (to === undefined ? 1 : 21) +
      (fields.end - fields.value) +
      v.length +
      stringLength(txSigs, r, 64 * index + 32) +
      stringLength(txSigs, s, 64 * index + 64);

    const start = this.#offset;
    if (type !== 0) this.#out[this.#offset++] = type;
    this.#offset = writeRlpHeader(this.#out, this.#offset, 0xc0, length);
    if (type !== 0) this.#copy(this.#chainId, 0, this.#chainId.length);
    this.#integer(nonce);
    this.#copy(fields.bytes, fields.prices, fields.rest);
    this.#integer(gas);
    if (to === undefined) {
      this.#out[this.#offset++] = 0x80;
    } else {
      this.#out[this.#offset++] = 0x94;
      this.#copy(txTos, 20 * to, 20 * to + 20);
    }
    this.#copy(fields.bytes, fields.value, fields.prices);
    this.#copy(fields.bytes, fields.rest, fields.end);
    this.#copy(v, 0, v.length);
    this.#string(txSigs, r, 64 * index + 32);
    this.#string(txSigs, s, 64 * index + 64);
    return this.#out.subarray(start, this.#offset);
  }

  /** `batch-decode/signature-v`: fires when v is more than the parity, that is for legacy transactions. */
  #v(index: number, type: number, bound: boolean): Uint8Array {
    const parity = bitAt(this.#columns.yParityBits, index) ? 1 : 0;
    if (!this.#rules.fires('batch-decode/signature-v', type === 0, () => ({ index, type, parity, bound }))) {
      return parity === 1 ? PARITY_V[1] : PARITY_V[0];
    }
    return bound ? this.#protectedV[parity] : UNPROTECTED_V[parity];
  }

  /** Copies bytes; a loop is the faster way up to about a hundred of them. */
  #copy(bytes: Uint8Array, start: number, end: number): void {
    const out = this.#out;
    let offset = this.#offset;
    if (end - start > 100) {
      out.set(bytes.subarray(start, end), offset);
      offset += end - start;
    } else {
      for (let i = start; i < end; i++) out[offset++] = bytes[i] as number;
    }
    this.#offset = offset;
  }

  #integer(value: bigint): void {
    const length = encodedLength(value) - 1;
    if (length === 0) {
      this.#out[this.#offset++] = value === 0n ? 0x80 : Number(value);
      return;
    }
    this.#out[this.#offset] = 0x80 + length;
    if (value <= MAX_SAFE) {
      let rest = Number(value);
      for (let i = length; i > 0; i--) {
        this.#out[this.#offset + i] = rest & 0xff;
        rest = Math.floor(rest / 256);
      }
    } else {
      let rest = value;
      for (let i = length; i > 0; i--) {
        this.#out[this.#offset + i] = Number(rest & 0xffn);
        rest >>= 8n;
      }
    }
    this.#offset += 1 + length;
  }

  /** Writes the string of at most 32 bytes at `start`. */
  #string(bytes: Uint8Array, start: number, end: number): void {
    if (end - start !== 1 || (bytes[start] as number) >= 0x80) this.#out[this.#offset++] = 0x80 + end - start;
    for (let i = start; i < end; i++) this.#out[this.#offset++] = bytes[i] as number;
  }
}

const PARITY_V = [Uint8Array.of(0x80), Uint8Array.of(1)] as const;
const UNPROTECTED_V = [Uint8Array.of(27), Uint8Array.of(28)] as const;

/** Where the significant bytes of the 32-byte integer at `start` begin. */
function significant(bytes: Uint8Array, start: number): number {
  let first = start;
  while (first < start + 32 && bytes[first] === 0) first++;
  return first;
}

/** Length of the RLP string of these bytes, at most 55. */
function stringLength(bytes: Uint8Array, start: number, end: number): number {
  return end - start === 1 && (bytes[start] as number) < 0x80 ? 1 : 1 + end - start;
}

/** Length of the RLP integer of a u64. */
function encodedLength(value: bigint): number {
  if (value > MAX_SAFE) return value < 1n << 56n ? 8 : 9;
  let length = 1;
  const number = Number(value);
  if (number < 0x80) return length;
  for (let bound = 1; bound <= number; bound *= 256) length++;
  return length;
}
