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
  const fields = new Fields(outer);
  const parentHash = fields.hash('parent hash');
  const epochNum = fields.integer('epoch number');
  const epochHash = fields.hash('epoch hash');
  const timestamp = fields.integer('timestamp');
  const transactions = fields.transactions();
  const problem = fields.end();

  if (rules.fires('batch-decode/single-format', problem !== undefined, () => ({ problem }))) {
    return { kind: 'malformed', rule: 'batch-decode/single-format', detail: problem ?? 'refused by a variant' };
  }
  return {
    kind: 'single',
    batch: { kind: 'single', parentHash, epochNum, epochHash, timestamp, transactions },
    end: problem === undefined ? outer.end : data.length,
  };
}

/**
 * The fields of the list, one after the other. A variant may not care about a problem; then the field that has it is
 * zero, and so are those behind it.
 */
class Fields {
  readonly #list: RlpCursor;
  #problem: string | undefined;

  constructor(outer: RlpCursor) {
    this.#isWell('batch', outer.nextList());
    this.#list = outer.inside();
  }

  hash(field: string): Uint8Array {
    return this.#isWell(field, this.#list.nextFixed(32)) ? this.#list.payload() : ZERO_HASH;
  }

  integer(field: string): bigint {
    return this.#isWell(field, this.#list.nextInteger(8)) ? this.#list.integer() : 0n;
  }

  transactions(): Uint8Array[] {
    const transactions: Uint8Array[] = [];
    if (!this.#isWell('transactions', this.#list.nextList())) return transactions;
    const items = this.#list.inside();
    while (!items.done && this.#isWell('transaction', items.nextString())) transactions.push(items.payload());
    return transactions;
  }

  /** What is wrong with the list, also that it goes on. */
  end(): string | undefined {
    if (this.#problem === undefined && !this.#list.done) this.#problem = 'items behind the transactions';
    return this.#problem;
  }

  /** Notes the first problem; whether there is none up to here. */
  #isWell(field: string, found: RlpProblem | undefined): boolean {
    if (this.#problem === undefined && found !== undefined) this.#problem = `${field}: ${found}`;
    return this.#problem === undefined;
  }
}

/** The list of a single batch, without the version byte. */
export function encodeSingleList(batch: SingleBatch): Uint8Array {
  return encodeRlp([batch.parentHash, batch.epochNum, batch.epochHash, batch.timestamp, batch.transactions]);
}
