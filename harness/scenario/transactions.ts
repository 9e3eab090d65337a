/**
 * User transactions for scenarios: well formed and small, with made-up signatures, since derivation verifies none.
 */

import { concatBytes, uint64be } from '../../src/encoding/bytes.ts';
import { keccak256 } from '../../src/encoding/keccak.ts';
import { encodeRlp, type RlpValue } from '../../src/encoding/rlp.ts';

/** How the signature of a legacy transaction is bound, or the transaction's type. */
export type TransactionKind = 'legacy' | 'legacy-unprotected' | 'access-list' | 'dynamic-fee' | 'set-code';

export interface TransactionOptions {
  /** Default: 901. */
  readonly chainId?: bigint;
  /** Default: a fixed address; `undefined` in `create` form makes the transaction create a contract. */
  readonly create?: boolean;
  /** Call data; default: none. */
  readonly data?: Uint8Array;
  /** Parity of the made-up signature, 0 or 1; default: from the number. */
  readonly parity?: 0 | 1;
}

const RECIPIENT = new Uint8Array(20).fill(0xaa);

/** Thirty-two bytes that follow from a label and a number and never start with a zero. */
export function madeUpHash(label: string, number: number | bigint): Uint8Array {
  const hash = keccak256(new TextEncoder().encode(label), uint64be(BigInt(number)));
  if (hash[0] === 0) hash[0] = 1;
  return hash;
}

/** The transaction number `number` of its kind: the same bytes for the same arguments. */
export function transaction(
  number: number,
  kind: TransactionKind = 'dynamic-fee',
  options: TransactionOptions = {},
): Uint8Array {
  const { chainId = 901n, create = false, data = new Uint8Array(0) } = options;
  const parity = BigInt(options.parity ?? number % 2);
  const nonce = BigInt(number);
  const to = create ? new Uint8Array(0) : RECIPIENT;
  const gas = 21_000n;
  const r = madeUpHash('r', number);
  const s = madeUpHash('s', number);
  const typed = (type: number, fields: readonly RlpValue[]) =>
    concatBytes([Uint8Array.of(type), encodeRlp([chainId, ...fields, parity, r, s])]);
  switch (kind) {
    case 'legacy':
      return encodeRlp([nonce, 100n, gas, to, 1n, data, 2n * chainId + 35n + parity, r, s]);
    case 'legacy-unprotected':
      return encodeRlp([nonce, 100n, gas, to, 1n, data, 27n + parity, r, s]);
    case 'access-list':
      return typed(1, [nonce, 100n, gas, to, 1n, data, [[RECIPIENT, [madeUpHash('key', number)]]]]);
    case 'dynamic-fee':
      return typed(2, [nonce, 1n, 100n, gas, to, 1n, data, []]);
    case 'set-code':
      return typed(4, [
        nonce,
        1n,
        100n,
        gas,
        RECIPIENT,
        1n,
        data,
        [],
        [[chainId, RECIPIENT, 0n, parity, madeUpHash('ar', number), madeUpHash('as', number)]],
      ]);
    default:
      return kind satisfies never;
  }
}
