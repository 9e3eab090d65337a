/** Raw transactions in a few words: type, hash, and the fields that tell one from another. */

import { toHex } from '../../src/encoding/bytes.ts';
import { keccak256 } from '../../src/encoding/keccak.ts';
import { RlpCursor } from '../../src/encoding/rlp.ts';
import { type DecodedTransaction, integer } from './decoded.ts';

/** Positions of the fields in a transaction's list, by type. */
interface Shape {
  readonly nonce: number;
  readonly gas: number;
  readonly items: number;
}

const LEGACY: Shape = { nonce: 0, gas: 2, items: 9 };
const SHAPES: ReadonlyMap<number, Shape> = new Map([
  [1, { nonce: 1, gas: 3, items: 11 }],
  [2, { nonce: 1, gas: 4, items: 12 }],
  [4, { nonce: 1, gas: 4, items: 13 }],
]);

/** A raw transaction; whatever cannot be read stays `null`. */
export function describeTransaction(raw: Uint8Array): DecodedTransaction {
  const first = raw[0];
  const typed = first !== undefined && first < 0x80;
  const type = first === undefined ? null : typed ? first : first >= 0xc0 ? 0 : null;
  const fields = transactionFields(raw);
  const known = { type, size: raw.length, hash: toHex(keccak256(raw)) };
  if (fields === undefined) return { ...known, nonce: null, to: null, value: null, gas: null, dataSize: null };
  const { nonce, gas, to, value, data } = fields;
  return {
    ...known,
    nonce: integer(toInteger(raw.subarray(nonce.start, nonce.end))),
    to: to.end === to.start ? null : toHex(raw.subarray(to.start, to.end)),
    value: integer(toInteger(raw.subarray(value.start, value.end))),
    gas: integer(toInteger(raw.subarray(gas.start, gas.end))),
    dataSize: data.end - data.start,
  };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where the payloads of a signed transaction's fields lie; `undefined` if this is none. */
export function transactionFields(
  raw: Uint8Array,
): { nonce: Range; gas: Range; to: Range; value: Range; data: Range } | undefined {
  const first = raw[0];
  if (first === undefined) return undefined;
  const shape = first >= 0xc0 ? LEGACY : SHAPES.get(first);
  if (shape === undefined) return undefined;
  const outer = new RlpCursor(raw, shape === LEGACY ? 0 : 1, raw.length);
  if (outer.nextList() !== undefined || !outer.done) return undefined;
  const list = outer.inside();
  const ranges: Range[] = [];
  while (!list.done) {
    // The access list and the authorisations are lists, all else strings.
    const { offset } = list;
    const isList = raw[offset]! >= 0xc0;
    if ((isList ? list.nextList() : list.nextString()) !== undefined) return undefined;
    ranges.push({ start: list.start, end: list.end });
  }
  if (ranges.length !== shape.items) return undefined;
  const at = (index: number) => ranges[index]!;
  const { nonce, gas } = shape;
  return { nonce: at(nonce), gas: at(gas), to: at(gas + 1), value: at(gas + 2), data: at(gas + 3) };
}

function toInteger(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes));
}
