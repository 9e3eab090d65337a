/**
 * Single batches (version 0): `rlp([parent_hash, epoch_number, epoch_hash, timestamp, transaction_list])`.
 *
 * Specification: derivation.md#batch-format.
 */

import { encodeRlp, RlpCursor, type RlpProblem } from '../encoding/rlp.ts';
import type { RuleBook } from '../rules/rule-book.ts';
import type { SingleBatch } from './batch.ts';
import type { Malformed } from './outcome.ts';

export interface ParsedSingle {
  readonly kind: 'single';
  readonly batch: SingleBatch;
  /** Offset of the first byte behind the batch. */
  readonly end: number;
}

const ZERO_HASH = new Uint8Array(32);

/**
 * Parses a single batch.
 *
 * Hashes and transactions are views of `data`.
 *
 * @param data - the batch with its version byte
 * @param offset - where the list starts
 */
export function parseSingleBatch(data: Uint8Array, offset: number, rules: RuleBook): ParsedSingle | Malformed {
  const outer = new RlpCursor(data, offset, data.length);
  let problem: string | undefined;
  // A variant may not care about a problem; then the field that has it is zero, and so are those behind it.
  const ok = (field: string, found: RlpProblem | undefined): boolean => {
    if (problem === undefined && found !== undefined) problem = `${field}: ${found}`;
    return problem === undefined;
  };

  ok('batch', outer.nextList());
  const list = outer.inside();
  const hash = (field: string) => (ok(field, list.nextFixed(32)) ? list.payload() : ZERO_HASH);
  const integer = (field: string) => (ok(field, list.nextInteger(8)) ? list.integer() : 0n);
  const parentHash = hash('parent hash');
  const epochNum = integer('epoch number');
  const epochHash = hash('epoch hash');
  const timestamp = integer('timestamp');
  const transactions: Uint8Array[] = [];
  if (ok('transactions', list.nextList())) {
    const items = list.inside();
    while (!items.done && ok('transaction', items.nextString())) transactions.push(items.payload());
  }
  if (problem === undefined && !list.done) problem = 'items behind the transactions';

  if (rules.fires('batch-decode/single-format', problem !== undefined, () => ({ problem }))) {
    return { kind: 'malformed', rule: 'batch-decode/single-format', detail: problem ?? 'refused by a variant' };
  }
  return {
    kind: 'single',
    batch: { kind: 'single', parentHash, epochNum, epochHash, timestamp, transactions },
    end: problem === undefined ? outer.end : data.length,
  };
}

/** The list of a single batch, without the version byte. */
export function encodeSingleList(batch: SingleBatch): Uint8Array {
  return encodeRlp([batch.parentHash, batch.epochNum, batch.epochHash, batch.timestamp, batch.transactions]);
}
