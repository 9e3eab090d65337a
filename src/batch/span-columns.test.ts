import { describe, expect, it } from 'vitest';
import { concatBytes } from '../encoding/bytes.ts';
import { encodeUvarint } from '../encoding/uvarint.ts';
import { RuleBook } from '../rules/rule-book.ts';
import { decodeBatch, encodeSpanBatch, type SpanFaults } from './codec.ts';
import { columnsOf } from './span.ts';
import { encodeSpanColumns, parseSpanColumns, SPAN_FIELDS, spanBatchLayout } from './span-columns.ts';
import { bookWith, CONTEXT, fate, fateOf, span, TRANSACTIONS } from './testing.ts';

const EVERY_TYPE = span(Object.values(TRANSACTIONS), []);
const MALFORMED = 'malformed batch-decode/';

function fateWith(faults: SpanFaults, batch = EVERY_TYPE): string {
  return fateOf(encodeSpanBatch(batch, CONTEXT, faults));
}

it('parses the columns that it writes', () => {
  const columns = columnsOf(EVERY_TYPE, CONTEXT);
  const bytes = encodeSpanColumns(columns);
  expect(parseSpanColumns(bytes, 0, new RuleBook())).toEqual({ kind: 'columns', columns, end: bytes.length });
});

describe('batch-decode/span-layout', () => {
  it('places the fields one behind the other', () => {
    const bytes = encodeSpanBatch(EVERY_TYPE, CONTEXT);
    const layout = spanBatchLayout(bytes, new RuleBook());
    expect(layout.map((range) => range.field)).toEqual(SPAN_FIELDS);
    expect(layout.map((range) => range.start)).toEqual([1, ...layout.slice(0, -1).map((range) => range.end)]);
    expect(layout.at(-1)?.end).toBe(bytes.length);
    const signatures = layout.find((range) => range.field === 'txSigs');
    expect(signatures && signatures.end - signatures.start).toBe(64 * 7);
    const recipients = layout.find((range) => range.field === 'txTos');
    expect(recipients && recipients.end - recipients.start).toBe(20 * 5);
  });

  it('places the fields before a malformed one', () => {
    const bytes = encodeSpanBatch(EVERY_TYPE, CONTEXT, { columns: (honest) => ({ ...honest, blockCount: 0n }) });
    expect(spanBatchLayout(bytes, new RuleBook()).map((range) => range.field)).toEqual(SPAN_FIELDS.slice(0, 5));
  });

  it('refuses a batch that is cut off anywhere', () => {
    const bytes = encodeSpanBatch(EVERY_TYPE, CONTEXT);
    for (let length = 1; length < bytes.length; length++) {
      expect(fateOf(bytes.subarray(0, length))).toMatch(/^malformed/);
    }
    for (const { start } of spanBatchLayout(bytes, new RuleBook())) {
      expect(fateOf(bytes.subarray(0, start))).toBe(`${MALFORMED}span-layout`);
    }
  });

  it('stays cheap when counts pretend to be large', () => {
    const counts = (count: bigint): SpanFaults => ({
      columns: (honest) => ({
        ...honest,
        blockTxCounts: [count, 0n],
        contractCreationBits: new Uint8Array(1_250_000),
        yParityBits: new Uint8Array(1_250_000),
      }),
    });
    expect(fateWith(counts(10_000_000n))).toBe(`${MALFORMED}span-layout`);
    const bytes = encodeSpanBatch(EVERY_TYPE, CONTEXT, {
      columns: (honest) => ({ ...honest, blockCount: (1n << 64n) - 1n }),
    });
    const lax = new RuleBook({
      name: 'lax',
      rules: { 'batch-decode/element-limits': 'never', 'batch-decode/span-layout': 'never' },
    });
    expect(fate(decodeBatch(bytes, CONTEXT, lax))).toBe(`${MALFORMED}span-layout`);
  });

  it('fills up with zeros when a variant does not mind', () => {
    const bytes = encodeSpanBatch(EVERY_TYPE, CONTEXT);
    const rules = bookWith('batch-decode/span-layout', 'never');
    const gases = spanBatchLayout(bytes, rules).find((range) => range.field === 'txGases');
    const parsed = parseSpanColumns(bytes.subarray(0, gases?.start), 1, rules);
    expect(parsed).toMatchObject({ kind: 'columns', columns: { txGases: new Array(7).fill(0n) } });
  });
});

describe('batch-decode/uvarint', () => {
  it.each(['relTimestamp', 'l1OriginNum', 'blockCount'] as const)('reads a redundant form of %s', (field) => {
    const bytes = encodeUvarint(columnsOf(EVERY_TYPE, CONTEXT)[field], 10);
    expect(fateWith({ bytes: { [field]: bytes } })).toBe('batch');
  });

  it.each(['relTimestamp', 'l1OriginNum', 'blockCount', 'blockTxCounts', 'txNonces', 'txGases'] as const)(
    'refuses a value of %s above 64 bits, and an eleventh byte',
    (field) => {
      const rest = new Uint8Array(6);
      expect(fateWith({ bytes: { [field]: concatBytes([encodeUvarint(1n << 64n), rest]) } })).toBe(
        `${MALFORMED}uvarint`,
      );
      expect(fateWith({ bytes: { [field]: concatBytes([encodeUvarint(1n, 11), rest]) } })).toBe(`${MALFORMED}uvarint`);
    },
  );

  it('keeps full 64-bit nonces and gas limits', () => {
    const maximum = 0xffff_ffff_ffff_ffffn;
    const faults: SpanFaults = { columns: (honest) => ({ ...honest, txNonces: honest.txNonces.map(() => maximum) }) };
    const parsed = parseSpanColumns(encodeSpanBatch(EVERY_TYPE, CONTEXT, faults), 1, new RuleBook());
    expect(parsed.kind === 'columns' && parsed.columns.txNonces).toEqual(new Array(7).fill(maximum));
  });

  it('lets a variant ask for the shortest form', () => {
    const minimal = bookWith('batch-decode/uvarint', (base, facts) => base || facts['redundant'] === true);
    const padded = encodeSpanBatch(EVERY_TYPE, CONTEXT, { bytes: { blockCount: encodeUvarint(2n, 2) } });
    expect(fate(decodeBatch(padded, CONTEXT, minimal))).toBe(`${MALFORMED}uvarint`);
    expect(fate(decodeBatch(encodeSpanBatch(EVERY_TYPE, CONTEXT), CONTEXT, minimal))).toBe('batch');
  });
});

describe('batch-decode/bit-list', () => {
  it.each(['originBits', 'contractCreationBits', 'yParityBits', 'protectedBits'] as const)(
    'refuses a bit behind the last element of %s',
    (field) => {
      const extra = Uint8Array.of(0x80 | (columnsOf(EVERY_TYPE, CONTEXT)[field][0] as number));
      const faults = { columns: (honest: ReturnType<typeof columnsOf>) => ({ ...honest, [field]: extra }) };
      expect(fateWith(faults)).toBe(`${MALFORMED}bit-list`);
      const never = bookWith('batch-decode/bit-list', 'never');
      expect(fate(decodeBatch(encodeSpanBatch(EVERY_TYPE, CONTEXT, faults), CONTEXT, never))).toBe('batch');
    },
  );
});

describe('batch-decode/element-limits', () => {
  it('needs a block', () => {
    const faults: SpanFaults = {
      columns: (honest) => ({ ...honest, blockCount: 0n, originBits: new Uint8Array(0), blockTxCounts: [] }),
    };
    expect(fateWith(faults, span([]))).toBe(`${MALFORMED}element-limits`);
    const rules = bookWith('batch-decode/element-limits', 'never');
    const decoded = decodeBatch(encodeSpanBatch(span([]), CONTEXT, faults), CONTEXT, rules);
    expect(fate(decoded)).toBe('skipped batch-decode/element-limits');
  });

  it.each([
    [10_000_000n, 'span-layout'],
    [10_000_001n, 'element-limits'],
  ])('counts %d blocks', (blockCount, rule) => {
    expect(fateWith({ columns: (honest) => ({ ...honest, blockCount }) })).toBe(MALFORMED + rule);
  });

  it.each([
    [[10_000_000n, 0n], 'span-layout'],
    [[10_000_001n, 0n], 'element-limits'],
    [[5_000_000n, 5_000_001n], 'element-limits'],
    [[0xffff_ffff_ffff_ffffn, 1n], 'element-limits'],
  ])('counts %s transactions', (blockTxCounts, rule) => {
    expect(fateWith({ columns: (honest) => ({ ...honest, blockTxCounts }) })).toBe(MALFORMED + rule);
  });
});

describe('batch-decode/tx-data-item', () => {
  const first = (bytes: readonly number[]): SpanFaults => ({
    columns: (honest) => ({ ...honest, txDatas: [Uint8Array.from(bytes), ...honest.txDatas.slice(1)] }),
  });

  it.each([
    ['a string', [0x83, 1, 2, 3]],
    ['a string behind a type byte', [2, 0x83, 1, 2, 3]],
    ['two type bytes', [2, 2, 0xc0]],
    ['a long form for a short length', [0xf8, 1, 0x80]],
    ['a leading zero in the length', [0xf9, 0, 56, ...new Array<number>(56).fill(1)]],
    ['a wrapped byte', [2, 0x81, 5]],
  ])('refuses %s', (_, bytes) => {
    expect(fateWith(first(bytes))).toBe(`${MALFORMED}tx-data-item`);
  });

  it('refuses a list that runs past the end', () => {
    expect(fateWith(first([2, 0xf9, 0x40, 0x00]))).toBe(`${MALFORMED}tx-data-item`);
  });

  it('does not look into the list here', () => {
    expect(fateWith(first([2, 0xc1, 0xb8]))).toBe('skipped batch-decode/tx-fields');
  });
});

it('batch-decode/tx-data-size counts the header, and does not need the bytes', () => {
  const sized = (low: number): SpanFaults => ({
    columns: (honest) => ({
      ...honest,
      txDatas: [Uint8Array.of(2, 0xfa, 0x98, 0x96, low), ...honest.txDatas.slice(1)],
    }),
  });
  // 10,000,000 is 0x989680; the header has four bytes.
  expect(fateWith(sized(0x7c))).toBe(`${MALFORMED}tx-data-item`);
  expect(fateWith(sized(0x7d))).toBe(`${MALFORMED}tx-data-size`);
});

describe('batch-decode/protected-bits', () => {
  it('takes an explicit type 0 for a legacy transaction, as op-node does', () => {
    const faults: SpanFaults = {
      columns: (honest) => ({ ...honest, txDatas: [Uint8Array.of(0, 0xc0)], protectedBits: Uint8Array.of(0) }),
    };
    const bytes = encodeSpanBatch(span([TRANSACTIONS.unprotected]), CONTEXT, faults);
    expect(fateOf(bytes)).toBe('skipped batch-decode/tx-types');
    expect(fateOf(bytes.subarray(0, -1))).toBe(`${MALFORMED}span-layout`);
  });
});
