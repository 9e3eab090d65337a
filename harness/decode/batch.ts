/** Batches with the place of every field, as far as they can be parsed. */

import type { SpanBlock } from '../../src/batch/batch.ts';
import { batchHash, type DecodeContext, decodeBatch as parseBatch } from '../../src/batch/codec.ts';
import { type FieldRange, type SpanField, spanBatchLayout } from '../../src/batch/span-columns.ts';
import { bitAt } from '../../src/encoding/bit-list.ts';
import { toHex } from '../../src/encoding/bytes.ts';
import { RlpCursor, type RlpProblem } from '../../src/encoding/rlp.ts';
import { readUvarint } from '../../src/encoding/uvarint.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import { type DecodedBatch, type DecodedBlock, ending, integer, type Part } from './decoded.ts';
import { describeTransaction } from './transaction.ts';

/** Decodes one batch, version byte included. */
export function decodeBatch(data: Uint8Array, context: DecodeContext): DecodedBatch {
  const decoded = parseBatch(data, context, new RuleBook());
  const form = data[0] === 0 ? 'single' : data[0] === 1 ? 'span' : 'unknown';
  const fields = form === 'single' ? singleParts(data) : form === 'span' ? spanParts(data) : [];
  const parts: Part[] = [];
  if (data.length > 0) parts.push({ name: 'version', start: 0, end: 1, value: `${data[0]!} (${form})` });
  parts.push(...fields);
  const end = parts[parts.length - 1]?.end ?? 0;
  const malformed = decoded.kind === 'malformed';
  if (end < data.length) {
    parts.push({ name: malformed ? 'unread' : 'ignored tail', start: end, end: data.length });
  }
  const common = { kind: 'batch', form, size: data.length, parts } as const;
  if (decoded.kind !== 'batch') {
    // What is skipped was parsed to its end; what is malformed is valid up to the field that is not.
    const offset = form === 'unknown' ? 0 : end;
    const why = ending(decoded.rule, offset, decoded.detail);
    return { ...common, hash: null, blocks: [], ending: why, effect: decoded.kind };
  }
  const { batch } = decoded;
  const blocks = batch.kind === 'span' ? batch.blocks.map(describeBlock) : [describeBlock(batch)];
  return { ...common, hash: toHex(batchHash(batch)), blocks, ending: null, effect: null };
}

function describeBlock({ timestamp, epochNum, transactions }: SpanBlock): DecodedBlock {
  return {
    timestamp: integer(timestamp),
    epoch: integer(epochNum),
    transactions: transactions.map(describeTransaction),
  };
}

/** The fields of a single batch up to the first one that is not well formed. */
function singleParts(data: Uint8Array): Part[] {
  const parts: Part[] = [];
  const outer = new RlpCursor(data, 1, data.length);
  if (outer.nextList() !== undefined) return parts;
  parts.push({ name: 'list header', start: 1, end: outer.start, value: `${outer.length} bytes` });
  const list = outer.inside();
  const take = (name: string, problem: RlpProblem | undefined, value: () => string): boolean => {
    if (problem === undefined) parts.push({ name, start: list.itemStart, end: list.end, value: value() });
    return problem === undefined;
  };
  const hex = () => toHex(list.payload());
  const number = () => list.integer().toString();
  if (
    !take('parent hash', list.nextFixed(32), hex) ||
    !take('epoch number', list.nextInteger(8), number) ||
    !take('epoch hash', list.nextFixed(32), hex) ||
    !take('timestamp', list.nextInteger(8), number) ||
    list.nextList() !== undefined
  ) {
    return parts;
  }
  const items = list.inside();
  parts.push({ name: 'transactions header', start: list.itemStart, end: list.start, value: `${list.length} bytes` });
  for (let index = 0; !items.done; index++) {
    if (items.nextString() !== undefined) return parts;
    const value = `${items.length} bytes`;
    parts.push({ name: `transaction ${index}`, start: items.itemStart, end: items.end, value });
  }
  return parts;
}

/** The fields' names on the wire, as the specification has them. */
const SPAN_NAMES: Readonly<Record<SpanField, string>> = {
  relTimestamp: 'rel_timestamp',
  l1OriginNum: 'l1_origin_num',
  parentCheck: 'parent_check',
  l1OriginCheck: 'l1_origin_check',
  blockCount: 'block_count',
  originBits: 'origin_bits',
  blockTxCounts: 'block_tx_counts',
  contractCreationBits: 'contract_creation_bits',
  yParityBits: 'y_parity_bits',
  txSigs: 'tx_sigs',
  txTos: 'tx_tos',
  txDatas: 'tx_datas',
  txNonces: 'tx_nonces',
  txGases: 'tx_gases',
  protectedBits: 'protected_bits',
};

function spanParts(data: Uint8Array): Part[] {
  const layout = spanBatchLayout(data, new RuleBook());
  return layout.map((range) => {
    const value = spanValue(range, data.subarray(range.start, range.end));
    return { name: SPAN_NAMES[range.field], start: range.start, end: range.end, value };
  });
}

function spanValue({ field }: FieldRange, bytes: Uint8Array): string {
  switch (field) {
    case 'relTimestamp':
    case 'l1OriginNum':
    case 'blockCount':
    case 'blockTxCounts':
    case 'txNonces':
    case 'txGases':
      return few(uvarints(bytes).map(String));
    case 'parentCheck':
    case 'l1OriginCheck':
      return toHex(bytes);
    case 'originBits':
    case 'contractCreationBits':
    case 'yParityBits':
    case 'protectedBits':
      return setBits(bytes);
    case 'txSigs':
      return `${bytes.length / 64} × (r, s)`;
    case 'txTos':
      return few(chunks(bytes, 20).map(toHex), 3);
    case 'txDatas':
      return `${bytes.length} bytes`;
    default:
      return field satisfies never;
  }
}

function uvarints(bytes: Uint8Array): bigint[] {
  const values: bigint[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const { value, end } = readUvarint(bytes, offset);
    values.push(value);
    offset = end;
  }
  return values;
}

function chunks(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: bytes.length / size }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

function setBits(bytes: Uint8Array): string {
  const set: string[] = [];
  for (let index = 0; index < bytes.length * 8; index++) if (bitAt(bytes, index)) set.push(String(index));
  return set.length === 0 ? 'none set' : `set: ${few(set)}`;
}

/** A list that stays on one line. */
function few(values: readonly string[], most = 16): string {
  if (values.length === 0) return 'none';
  if (values.length <= most) return values.join(', ');
  return `${values.slice(0, most).join(', ')}, … (${values.length} in all)`;
}
