/** Batches and transactions for the tests of this folder. */

import { concatBytes, fromHex } from '../encoding/bytes.ts';
import { encodeRlp, type RlpValue } from '../encoding/rlp.ts';
import type { RuleId } from '../rules/catalogue.ts';
import { RuleBook, type RuleOverride } from '../rules/rule-book.ts';
import type { SingleBatch, SpanBatch } from './batch.ts';
import { type DecodeContext, type DecodedBatch, decodeBatch } from './codec.ts';

export const CONTEXT: DecodeContext = { genesisTime: 1000n, blockTime: 2n, l2ChainId: 901n, deltaActive: true };

export const ADDRESS = new Uint8Array(20).fill(0xaa);
export const KEY = new Uint8Array(32).fill(0xbb);
export const DATA = fromHex('0x0102030405');
const R = 3n << 200n;
const S = 5n;

export function typed(type: number, value: RlpValue): Uint8Array {
  return concatBytes([Uint8Array.of(type), encodeRlp(value)]);
}

export const TRANSACTIONS = {
  unprotected: encodeRlp([0n, 9n, 21_000n, ADDRESS, 7n, DATA, 28n, R, S]),
  protected: encodeRlp([1n, 9n, 21_000n, ADDRESS, 7n, DATA, 2n * 901n + 35n, R, S]),
  creation: encodeRlp([2n, 9n, 21_000n, new Uint8Array(0), 7n, DATA, 27n, R, S]),
  accessList: typed(1, [901n, 3n, 9n, 21_000n, ADDRESS, 7n, DATA, [[ADDRESS, [KEY, KEY]]], 1n, R, S]),
  dynamicFee: typed(2, [901n, 4n, 1n, 9n, 21_000n, ADDRESS, 0n, new Uint8Array(0), [], 0n, R, S]),
  setCode: typed(4, [901n, 5n, 1n, 9n, 21_000n, ADDRESS, 7n, DATA, [], [[0n, ADDRESS, 6n, 1n, R, S]], 1n, R, S]),
  postExec: typed(0x7d, [1n, 42n, [[1n, 2500n]]]),
} as const;

export function single(changes: Partial<SingleBatch> = {}): SingleBatch {
  return {
    kind: 'single',
    parentHash: new Uint8Array(32).fill(0x11),
    epochNum: 10n,
    epochHash: new Uint8Array(32).fill(0x22),
    timestamp: 1012n,
    transactions: [TRANSACTIONS.dynamicFee],
    ...changes,
  };
}

/** A span batch of one block for each list of transactions, all of epoch 10, from timestamp 1012 on. */
export function span(...blocks: readonly (readonly Uint8Array[])[]): SpanBatch {
  const [first = [], ...rest] = blocks;
  const block = (transactions: readonly Uint8Array[], index: number) => ({
    epochNum: 10n,
    timestamp: 1012n + 2n * BigInt(index),
    transactions,
  });
  return {
    kind: 'span',
    parentCheck: new Uint8Array(20).fill(0x33),
    l1OriginCheck: new Uint8Array(20).fill(0x44),
    blocks: [block(first, 0), ...rest.map((transactions, index) => block(transactions, index + 1))],
  };
}

/** A rule book in which one rule is changed. */
export function bookWith(rule: RuleId, override: RuleOverride): RuleBook {
  return new RuleBook({ name: 'test', rules: { [rule]: override } });
}

/** What becomes of a batch: its kind, with the rule that decided if it is not decoded. */
export function fate(decoded: DecodedBatch): string {
  return decoded.kind === 'batch' ? 'batch' : `${decoded.kind} ${decoded.rule}`;
}

/** The fate of these bytes by the plain rules. */
export function fateOf(data: Uint8Array, context: DecodeContext = CONTEXT): string {
  return fate(decodeBatch(data, context, new RuleBook()));
}
