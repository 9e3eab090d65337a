/**
 * The columns of a span batch (version 1) and their bytes:
 *
 *     prefix  = rel_timestamp, l1_origin_num, parent_check, l1_origin_check
 *     payload = block_count, origin_bits, block_tx_counts, txs
 *     txs     = contract_creation_bits, y_parity_bits, tx_sigs, tx_tos, tx_datas, tx_nonces, tx_gases, protected_bits
 *
 * The columns say what is on the wire and no more, so a batch that is wrong on purpose is an edit of columns, or of one
 * field's bytes. What they mean is in `span.ts`.
 *
 * Specification: delta/span-batches.md#span-batch-format.
 */

import { bitAt, bitListLength, hasExtraBits } from '../encoding/bit-list.ts';
import { ByteReader } from '../encoding/byte-reader.ts';
import { concatBytes } from '../encoding/bytes.ts';
import { readRlpHeader } from '../encoding/rlp.ts';
import { encodeUvarint } from '../encoding/uvarint.ts';
import type { RuleId } from '../rules/catalogue.ts';
import type { RuleBook, RuleContext } from '../rules/rule-book.ts';
import type { Malformed } from './outcome.ts';

/** The fields of a span batch in their order on the wire. */
export const SPAN_FIELDS = [
  'relTimestamp',
  'l1OriginNum',
  'parentCheck',
  'l1OriginCheck',
  'blockCount',
  'originBits',
  'blockTxCounts',
  'contractCreationBits',
  'yParityBits',
  'txSigs',
  'txTos',
  'txDatas',
  'txNonces',
  'txGases',
  'protectedBits',
] as const;

export type SpanField = (typeof SPAN_FIELDS)[number];

/** Every column as it stands on the wire. Byte strings that were parsed are views of the input. */
export interface SpanColumns {
  /** Seconds from L2 genesis to the first block. */
  readonly relTimestamp: bigint;
  /** Number of the last block's L1 origin. */
  readonly l1OriginNum: bigint;
  /** First 20 bytes of the first block's parent hash. */
  readonly parentCheck: Uint8Array;
  /** First 20 bytes of the last block's L1 origin hash. */
  readonly l1OriginCheck: Uint8Array;
  readonly blockCount: bigint;
  /** Bit list over the blocks: the L1 origin changes with this block. */
  readonly originBits: Uint8Array;
  readonly blockTxCounts: readonly bigint[];
  /** Bit list over the transactions: there is no recipient. */
  readonly contractCreationBits: Uint8Array;
  /** Bit list over the transactions. */
  readonly yParityBits: Uint8Array;
  /** r and s of each transaction, 32 bytes each, joined. */
  readonly txSigs: Uint8Array;
  /** The recipients of the transactions that have one, 20 bytes each, joined. */
  readonly txTos: Uint8Array;
  /** For each transaction its type byte, unless it is a legacy one, and the RLP list of its fields without a column. */
  readonly txDatas: readonly Uint8Array[];
  readonly txNonces: readonly bigint[];
  readonly txGases: readonly bigint[];
  /** Bit list over the legacy transactions: the signature is bound to the chain id. */
  readonly protectedBits: Uint8Array;
}

/** Where a field lies in the batch's bytes. */
export interface FieldRange {
  readonly field: SpanField;
  /** Offset from the start of the batch, version byte included. */
  readonly start: number;
  /** Offset of the first byte behind the field. */
  readonly end: number;
}

export interface ParsedColumns {
  readonly kind: 'columns';
  readonly columns: SpanColumns;
  /** Offset of the first byte behind the batch. */
  readonly end: number;
}

/**
 * Most bytes that a column is filled up with when a variant does not mind that the batch ends too early. A guard of
 * this program, not of the protocol: a count of ten million without data behind it must stay cheap under any variant.
 * Its bit lists alone are filled up.
 */
const MAX_PADDING = 1_250_000;

const CHECK_LENGTH = 20;
const SIGNATURE_LENGTH = 64;
const ADDRESS_LENGTH = 20;
const NO_BYTES = new Uint8Array(0);

/** Types above this are not types: the byte starts the list of a legacy transaction. */
const MAX_TYPE_BYTE = 0x7f;

/**
 * Parses the columns of a span batch.
 *
 * The order of the checks is that of the bytes, as in op-node's decode functions; any failure is malformed.
 *
 * @param data - the batch with its version byte
 * @param offset - where the prefix starts
 */
export function parseSpanColumns(data: Uint8Array, offset: number, rules: RuleBook): ParsedColumns | Malformed {
  return new ColumnParser(data, offset, rules).parse();
}

/**
 * The place of each field of a span batch, as far as it can be parsed by `rules`; fields behind a malformed one are
 * left out.
 *
 * @param data - the batch with its version byte
 */
export function spanBatchLayout(data: Uint8Array, rules: RuleBook): readonly FieldRange[] {
  const parser = new ColumnParser(data, 1, rules);
  parser.parse();
  return parser.layout;
}

/** Reads column after column. After the first failure all further columns are empty and nothing more is asked. */
class ColumnParser {
  readonly layout: FieldRange[] = [];
  readonly #reader: ByteReader;
  readonly #rules: RuleBook;
  #fieldStart: number;
  #failure: Malformed | undefined;

  constructor(data: Uint8Array, offset: number, rules: RuleBook) {
    this.#reader = new ByteReader(data);
    this.#reader.offset = offset;
    this.#rules = rules;
    this.#fieldStart = offset;
  }

  parse(): ParsedColumns | Malformed {
    const maximum = this.#rules.constant('MAX_SPAN_BATCH_ELEMENT_COUNT');
    const relTimestamp = this.#uvarint('relTimestamp');
    const l1OriginNum = this.#uvarint('l1OriginNum');
    const parentCheck = this.#bytes('parentCheck', CHECK_LENGTH);
    const l1OriginCheck = this.#bytes('l1OriginCheck', CHECK_LENGTH);

    const blockCount = this.#uvarint('blockCount');
    this.#limit('blockCount', blockCount < 1n || blockCount > maximum, blockCount);
    const blocks = Number(blockCount);
    const originBits = this.#bits('originBits', blocks);
    const blockTxCounts = this.#uvarints('blockTxCounts', blocks);
    let total = 0n;
    let largest = 0n;
    for (const count of blockTxCounts) {
      total += count;
      if (count > largest) largest = count;
    }
    this.#limit('blockTxCounts', largest > maximum || total > maximum, total);

    const transactions = Number(total);
    const contractCreationBits = this.#bits('contractCreationBits', transactions);
    const yParityBits = this.#bits('yParityBits', transactions);
    const txSigs = this.#bytes('txSigs', SIGNATURE_LENGTH * transactions);
    const recipients = this.#failure === undefined ? countClear(contractCreationBits, transactions) : 0;
    const txTos = this.#bytes('txTos', ADDRESS_LENGTH * recipients);
    const txDatas = this.#transactionDatas(transactions);
    const txNonces = this.#uvarints('txNonces', transactions);
    const txGases = this.#uvarints('txGases', transactions);
    const protectedBits = this.#bits('protectedBits', countLegacy(txDatas));

    if (this.#failure !== undefined) return this.#failure;
    return {
      kind: 'columns',
      columns: {
        relTimestamp,
        l1OriginNum,
        parentCheck,
        l1OriginCheck,
        blockCount,
        originBits,
        blockTxCounts,
        contractCreationBits,
        yParityBits,
        txSigs,
        txTos,
        txDatas,
        txNonces,
        txGases,
        protectedBits,
      },
      end: this.#reader.offset,
    };
  }

  #fail(rule: RuleId, field: SpanField, detail: string): void {
    this.#failure ??= { kind: 'malformed', rule, detail: `${field}: ${detail}` };
  }

  #finish(field: SpanField): void {
    if (this.#failure !== undefined) return;
    this.layout.push({ field, start: this.#fieldStart, end: this.#reader.offset });
    this.#fieldStart = this.#reader.offset;
  }

  /** Asks `span-layout` whether the bytes suffice; false if the parse has failed, now or before. */
  #room(field: SpanField, length: number): boolean {
    if (this.#failure !== undefined) return false;
    const missing = length - this.#reader.remaining;
    const short = this.#rules.fires('batch-decode/span-layout', missing > 0, () => ({
      field,
      missing: Math.max(missing, 0),
    }));
    if (short || missing > MAX_PADDING) {
      this.#fail('batch-decode/span-layout', field, `${length} bytes expected, ${this.#reader.remaining} left`);
      return false;
    }
    return true;
  }

  #limit(field: SpanField, exceeded: boolean, count: bigint): void {
    if (this.#failure !== undefined) return;
    if (this.#rules.fires('batch-decode/element-limits', exceeded, () => ({ field, count }))) {
      this.#fail('batch-decode/element-limits', field, `${count} elements`);
    }
  }

  #bytes(field: SpanField, length: number): Uint8Array {
    if (!this.#room(field, length)) return NO_BYTES;
    const bytes = this.#reader.take(length);
    this.#finish(field);
    return bytes;
  }

  #bits(field: SpanField, count: number): Uint8Array {
    const list = this.#room(field, bitListLength(count)) ? this.#reader.take(bitListLength(count)) : NO_BYTES;
    if (this.#failure !== undefined) return NO_BYTES;
    if (this.#rules.fires('batch-decode/bit-list', hasExtraBits(list, count), () => ({ field, count, list }))) {
      this.#fail('batch-decode/bit-list', field, `a bit is set at or above ${count}`);
    }
    this.#finish(field);
    return list;
  }

  #uvarint(field: SpanField): bigint {
    return this.#uvarints(field, 1)[0] ?? 0n;
  }

  /** `count` varints; a column without elements asks nothing. */
  #uvarints(field: SpanField, count: number): bigint[] {
    const values: bigint[] = [];
    if (this.#failure !== undefined || (count > 0 && !this.#room(field, count))) return values;
    const reader = this.#reader;
    reader.clearFlags();
    const wasShort = reader.short;
    for (let i = 0; i < count; i++) values.push(reader.uvarint());
    if (count > 0) {
      const { overflow, endless, redundant } = reader;
      if (this.#rules.fires('batch-decode/uvarint', overflow, () => ({ field, overflow, endless, redundant }))) {
        this.#fail('batch-decode/uvarint', field, 'a number does not fit 64 bits');
      } else if (reader.short && !wasShort && this.#rules.fires('batch-decode/span-layout', true, () => ({ field }))) {
        this.#fail('batch-decode/span-layout', field, 'a number is cut off');
      }
    }
    this.#finish(field);
    return values;
  }

  /** The elements of transaction data. Their two rules are asked once for a column that is all well. */
  #transactionDatas(count: number): Uint8Array[] {
    const datas: Uint8Array[] = [];
    if (this.#failure !== undefined || (count > 0 && !this.#room('txDatas', count))) return datas;
    const reader = this.#reader;
    const sizeLimit = Number(this.#rules.constant('MAX_SPAN_BATCH_TX_SIZE'));
    for (let index = 0; index < count; index++) {
      const item = readTransactionData(reader.bytes, reader.offset);
      const { listLength, problem } = item;
      const oversize = problem !== 'header' && listLength > sizeLimit;
      if (oversize || problem !== undefined) {
        const facts = (): RuleContext => ({ index, length: listLength, problem });
        if (oversize && this.#rules.fires('batch-decode/tx-data-size', true, facts)) {
          this.#fail('batch-decode/tx-data-size', 'txDatas', `element ${index} has ${listLength} bytes`);
          return [];
        }
        if (problem !== undefined && this.#rules.fires('batch-decode/tx-data-item', true, facts)) {
          this.#fail('batch-decode/tx-data-item', 'txDatas', `element ${index}: ${problem}`);
          return [];
        }
      }
      datas.push(reader.bytes.subarray(reader.offset, item.end));
      reader.offset = item.end;
    }
    if (count > 0) {
      if (this.#rules.fires('batch-decode/tx-data-size', false, () => ({ count }))) {
        this.#fail('batch-decode/tx-data-size', 'txDatas', 'refused by a variant');
      } else if (this.#rules.fires('batch-decode/tx-data-item', false, () => ({ count }))) {
        this.#fail('batch-decode/tx-data-item', 'txDatas', 'refused by a variant');
      }
    }
    this.#finish('txDatas');
    return datas;
  }
}

interface TransactionData {
  /** Offset of the first byte behind the element, never behind the end of the input. */
  readonly end: number;
  /** Length of the list with its header, as the header says it. */
  readonly listLength: number;
  /** `header`: cut off or not in its shortest form. `cut off`: the list runs past the end. */
  readonly problem: 'header' | 'not a list' | 'cut off' | undefined;
}

/** Reads one element of transaction data: an optional type byte and one list. */
function readTransactionData(bytes: Uint8Array, offset: number): TransactionData {
  const first = bytes[offset];
  const start = first !== undefined && first <= MAX_TYPE_BYTE ? offset + 1 : offset;
  const header = readRlpHeader(bytes, start, bytes.length);
  if (header === undefined) return { end: bytes.length, listLength: 0, problem: 'header' };
  const listEnd = header.start + header.length;
  const end = Math.min(listEnd, bytes.length);
  const listLength = listEnd - start;
  if (!header.canonical) return { end, listLength, problem: 'header' };
  if (!header.list) return { end, listLength, problem: 'not a list' };
  return { end, listLength, problem: listEnd > bytes.length ? 'cut off' : undefined };
}

/** How many of the first `count` bits are clear. */
function countClear(list: Uint8Array, count: number): number {
  let clear = 0;
  for (let i = 0; i < count; i++) if (!bitAt(list, i)) clear++;
  return clear;
}

/**
 * How many elements count as legacy for the protected bits: those without a type byte, and those with the type byte 0,
 * which op-node takes for legacy here although it cannot rebuild them later.
 */
function countLegacy(datas: readonly Uint8Array[]): number {
  let legacy = 0;
  for (const data of datas) if (isLegacyData(data)) legacy++;
  return legacy;
}

/** Whether an element of transaction data has a protected bit. */
export function isLegacyData(data: Uint8Array): boolean {
  const first = data[0];
  return first === undefined || first > MAX_TYPE_BYTE || first === 0;
}

/**
 * Writes columns, each in its shortest form, without a version byte.
 *
 * @param bytes - bytes to write in place of a field's own
 */
export function encodeSpanColumns(
  columns: SpanColumns,
  bytes: Readonly<Partial<Record<SpanField, Uint8Array>>> = {},
): Uint8Array {
  return concatBytes(SPAN_FIELDS.map((field) => bytes[field] ?? encodeField(columns[field])));
}

function encodeField(value: SpanColumns[SpanField]): Uint8Array {
  if (typeof value === 'bigint') return encodeUvarint(value);
  if (value instanceof Uint8Array) return value;
  return concatBytes(value.map((element) => (typeof element === 'bigint' ? encodeUvarint(element) : element)));
}
