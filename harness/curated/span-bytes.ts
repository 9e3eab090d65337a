/** Curated scenarios of a span batch's bytes: its columns, numbers, bit lists and limits, and what they mean. */

import type { SpanFaults } from '../../src/batch/codec.ts';
import { columnsOf } from '../../src/batch/span.ts';
import { SPAN_FIELDS, type SpanColumns, type SpanField, spanBatchLayout } from '../../src/batch/span-columns.ts';
import { concatBytes } from '../../src/encoding/bytes.ts';
import { encodeRlp } from '../../src/encoding/rlp.ts';
import { encodeUvarint } from '../../src/encoding/uvarint.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import { transaction } from '../scenario/transactions.ts';
import { columns, doubt, element, everyColumn, NEXT, spanOf, typed, wrongSpan } from './batch-kit.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';
import { curated, honest, POSTED, postRival } from './kit.ts';

const MALFORMED: readonly RuleSide[] = ['batch-decode/malformed-ends-channel+'];
const MAX_U64 = 0xffff_ffff_ffff_ffffn;

/** `parentCheck` as `parent-check`. */
function kebab(field: SpanField): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A span batch of every column that ends one byte before the end of a column. */
function cutIn(field: SpanField): CuratedScenario {
  return doubt(
    `span-cut-in-${kebab(field)}`,
    `A span batch without the last byte of ${field} and all behind it.`,
    [field === 'txDatas' ? 'batch-decode/tx-data-item+' : 'batch-decode/span-layout+', ...MALFORMED],
    (s) => {
      const bytes = s.encodeSpan(everyColumn(s));
      const place = spanBatchLayout(bytes, new RuleBook()).find((range) => range.field === field);
      return bytes.subarray(0, place!.end - 1);
    },
  );
}

/** One number of the span batch of every column in more groups than it needs. */
function redundant(
  field: SpanField,
  width: number,
  value: (columns: SpanColumns) => readonly bigint[],
): CuratedScenario {
  return doubt(
    `uvarint-of-${width}-groups-in-${kebab(field)}`,
    `${field} in ${width} groups, of which the last ones are zero: redundant groups are allowed (A15).`,
    ['batch-decode/uvarint-', 'batch-decode/span-layout-'],
    (s) => {
      const batch = everyColumn(s);
      const columns = columnsOf(batch, { genesisTime: s.config.genesis.l2Time });
      const bytes = concatBytes(value(columns).map((number) => encodeUvarint(number, width)));
      return s.encodeSpan(batch, { bytes: { [field]: bytes } });
    },
  );
}

/** Bytes in place of a field's own. */
function field(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  place: SpanField,
  bytes: readonly number[],
): CuratedScenario {
  return wrongSpan(name, shows, rules, { bytes: { [place]: Uint8Array.from(bytes) } });
}

const ALL_ONES = [...new Array<number>(9).fill(0xff)];
const EXTRA_BIT: readonly RuleSide[] = ['batch-decode/bit-list+', ...MALFORMED];
const LIMIT: readonly RuleSide[] = ['batch-decode/element-limits+', ...MALFORMED];
const BAD_ITEM: readonly RuleSide[] = ['batch-decode/tx-data-item+', ...MALFORMED];

/** One transaction with a list of so many bytes, header included, in a span batch that the batch stage will drop. */
function transactionSize(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  length: number,
  bytes: SpanFaults['bytes'] = {},
): CuratedScenario {
  return curated(
    `batch-decode/${name}`,
    shows,
    rules,
    (s) => {
      // Header of the list, value, two prices, header of the data, access list.
      const data = new Uint8Array(length - 4 - 3 - 4 - 1);
      const span = { ...spanOf(s, [transaction(2)]), parentCheck: new Uint8Array(20) };
      const batch = s.encodeSpan(span, {
        columns: (found) => ({ ...found, txDatas: [typed(2, [1n, 1n, 1n, data, []])] }),
        bytes,
      });
      s.postBatches(POSTED, [batch, honest(s)], { compression: { algorithm: 'brotli', quality: 9 } });
      postRival(s, NEXT);
    },
    { l1Count: 5 },
  );
}

export const spanByteScenarios: readonly CuratedScenario[] = [
  ...SPAN_FIELDS.map(cutIn),

  redundant('relTimestamp', 2, (found) => [found.relTimestamp]),
  redundant('l1OriginNum', 10, (found) => [found.l1OriginNum]),
  redundant('blockCount', 3, (found) => [found.blockCount]),
  redundant('blockTxCounts', 2, (found) => found.blockTxCounts),
  redundant('txNonces', 10, (found) => found.txNonces),
  redundant('txGases', 4, (found) => found.txGases),
  field(
    'uvarint-of-11-groups',
    'Ten groups that all say "more" are one too many, whatever they hold.',
    ['batch-decode/uvarint+', ...MALFORMED],
    'relTimestamp',
    [12 | 0x80, ...new Array<number>(9).fill(0x80), 0],
  ),
  field(
    'uvarint-of-10-groups-without-end',
    'The same with the next field right behind the tenth group: it is no number although nothing of it is above 64 bits.',
    ['batch-decode/uvarint+', ...MALFORMED],
    'relTimestamp',
    [12 | 0x80, ...new Array<number>(9).fill(0x80)],
  ),
  field(
    'uvarint-with-tenth-group-2',
    'A tenth group of 2 is bit 65: the number does not fit 64 bits.',
    ['batch-decode/uvarint+', ...MALFORMED],
    'relTimestamp',
    [...ALL_ONES, 2],
  ),
  field(
    'uvarint-with-tenth-group-1',
    'A tenth group of 1 is bit 64: an origin number of 2⁶⁴ − 1.',
    ['batch-decode/uvarint-'],
    'l1OriginNum',
    [...ALL_ONES, 1],
  ),
  field(
    'uvarint-overflow-in-a-nonce',
    'A nonce that does not fit 64 bits is malformed as well.',
    ['batch-decode/uvarint+', ...MALFORMED],
    'txNonces',
    [1, ...ALL_ONES, 0x7f, 3],
  ),
  columns(
    'uvarint-largest-nonce-and-gas',
    'Nonce and gas limit of 2⁶⁴ − 1 are copied.',
    ['batch-decode/uvarint-', 'batch-decode/tx-fields-'],
    () => ({ txNonces: [MAX_U64, 0n, MAX_U64], txGases: [0n, MAX_U64, MAX_U64] }),
  ),

  columns('extra-bit-in-origin-bits', 'Bit 2 of the origin bits of two blocks.', EXTRA_BIT, () => ({
    originBits: Uint8Array.of(0b100),
  })),
  columns('extra-bit-in-contract-creation-bits', 'Bit 3 of three transactions.', EXTRA_BIT, () => ({
    contractCreationBits: Uint8Array.of(0b1000),
  })),
  columns('extra-bit-in-y-parity-bits', 'Bit 7 of three transactions.', EXTRA_BIT, () => ({
    yParityBits: Uint8Array.of(0x80),
  })),
  columns('extra-bit-in-protected-bits', 'Bit 1, where only one transaction is a legacy one.', EXTRA_BIT, () => ({
    protectedBits: Uint8Array.of(0b11),
  })),
  doubt(
    'bit-list-of-nine',
    'Nine bits take two bytes; the ninth is the lowest bit of the first byte.',
    ['batch-decode/bit-list-'],
    (s) =>
      s.encodeSpan(
        spanOf(
          s,
          Array.from({ length: 9 }, (_, index) => transaction(index, 'legacy', { parity: index === 8 ? 1 : 0 })),
        ),
      ),
  ),
  doubt('bit-list-of-nine-with-a-tenth', 'Nine bits, and the tenth is set.', EXTRA_BIT, (s) =>
    s.encodeSpan(
      spanOf(
        s,
        Array.from({ length: 9 }, (_, index) => transaction(index, 'dynamic-fee', { create: true })),
      ),
      { columns: (found) => ({ ...found, yParityBits: Uint8Array.of(0b10, 0) }) },
    ),
  ),

  columns('no-blocks', 'A span batch of no blocks is malformed.', LIMIT, () => ({
    blockCount: 0n,
    originBits: new Uint8Array(0),
    blockTxCounts: [],
  })),
  columns('block-count-above-the-limit', 'A block count of 10,000,001.', LIMIT, () => ({ blockCount: 10_000_001n })),
  columns('block-count-of-2-to-the-64', 'A block count of 2⁶⁴ − 1.', LIMIT, () => ({ blockCount: MAX_U64 })),
  columns(
    'block-count-at-the-limit-without-blocks',
    'A block count of 10,000,000 is allowed, but the bytes end before that.',
    ['batch-decode/element-limits-', 'batch-decode/span-layout+'],
    () => ({ blockCount: 10_000_000n }),
  ),
  columns('transaction-count-above-the-limit', 'A block of 10,000,001 transactions.', LIMIT, () => ({
    blockTxCounts: [10_000_001n, 0n],
  })),
  columns('transaction-counts-that-wrap-around', 'Counts of 2⁶⁴ − 1 and 2, which make 1 modulo 2⁶⁴.', LIMIT, () => ({
    blockTxCounts: [MAX_U64, 2n],
  })),
  columns('transactions-above-the-limit-together', 'Two blocks of 5,000,001 transactions.', LIMIT, () => ({
    blockTxCounts: [5_000_001n, 5_000_001n],
  })),
  columns(
    'transactions-at-the-limit-without-data',
    'Two blocks of 5,000,000 transactions are allowed, but the bytes end before that.',
    ['batch-decode/element-limits-', 'batch-decode/span-layout+'],
    () => ({ blockTxCounts: [5_000_000n, 5_000_000n] }),
  ),
  doubt(
    'blocks-without-transactions',
    'Three empty blocks: every column of transactions is empty.',
    ['batch-decode/span-layout-', 'batch-decode/element-limits-'],
    (s) => spanOf(s, [], [], []),
  ),

  element('transaction-data-as-string', 'A string in place of the list.', BAD_ITEM, Uint8Array.of(0x83, 1, 2, 3)),
  element('transaction-data-as-typed-string', 'A type byte and a string.', BAD_ITEM, Uint8Array.of(2, 0x83, 1, 2, 3)),
  element(
    'transaction-data-as-two-bytes',
    'Two bytes below 0x80: a type and a single byte, which is a string.',
    BAD_ITEM,
    Uint8Array.of(2, 1),
  ),
  element(
    'transaction-data-long-length',
    'A list of 3 bytes whose length stands in a byte of its own.',
    BAD_ITEM,
    Uint8Array.of(2, 0xf8, 3, 1, 2, 3),
  ),
  element(
    'transaction-data-padded-length',
    'A list whose length has a leading zero.',
    BAD_ITEM,
    concatBytes([Uint8Array.of(2, 0xf9, 0, 60), new Uint8Array(60).fill(1)]),
  ),
  element(
    'transaction-data-past-the-end',
    'A list of more bytes than there are.',
    BAD_ITEM,
    Uint8Array.of(2, 0xf8, 200, 1, 2, 3),
  ),
  element(
    'transaction-data-of-2-to-the-64',
    'A length of eight bytes with all bits set.',
    ['batch-decode/tx-data-size+', ...MALFORMED],
    Uint8Array.of(2, 0xff, ...new Array<number>(8).fill(0xff)),
  ),
  doubt('transaction-data-ends-with-the-type', 'The bytes end with the type byte.', BAD_ITEM, (s) => {
    const bytes = s.encodeSpan(spanOf(s, [transaction(2)]));
    const place = spanBatchLayout(bytes, new RuleBook()).find((range) => range.field === 'txDatas');
    return bytes.subarray(0, place!.start + 1);
  }),
  transactionSize(
    'transaction-data-at-the-limit',
    'A transaction’s list of 10,000,000 bytes with its header (A16). The span batch is dropped for its parent check.',
    ['batch-decode/tx-data-size-'],
    10_000_000,
  ),
  transactionSize(
    'transaction-data-above-the-limit',
    'A transaction’s list of 10,000,001 bytes is malformed (A16), so the batch behind it is lost.',
    ['batch-decode/tx-data-size+', ...MALFORMED],
    10_000_001,
  ),
  transactionSize(
    'transaction-data-above-the-limit-behind-redundant-groups',
    'The same behind an origin number of ten groups: who has no such limit and does not read redundant groups agrees.',
    ['batch-decode/tx-data-size+', 'batch-decode/uvarint-', ...MALFORMED],
    10_000_001,
    { l1OriginNum: encodeUvarint(11n, 10) },
  ),
  element(
    'transaction-data-claims-more-than-the-limit',
    'A list that says 10,000,001 bytes and has none.',
    ['batch-decode/tx-data-size+', ...MALFORMED],
    Uint8Array.of(2, 0xfa, 0x98, 0x96, 0x7e),
  ),
  element(
    'empty-list-as-transaction-data',
    'An empty list is a sound element; what is missing in it comes later.',
    ['batch-decode/tx-data-item-', 'batch-decode/tx-fields+'],
    concatBytes([Uint8Array.of(2), encodeRlp([])]),
  ),
];
