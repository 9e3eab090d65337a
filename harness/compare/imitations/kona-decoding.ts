/** How kona decodes batches: kona-protocol 0.4.5. */

import type { SpanBatch } from '../../../src/batch/batch.ts';
import type { SpanField } from '../../../src/batch/span-columns.ts';
import { concatBytes } from '../../../src/encoding/bytes.ts';
import { encodeRlp, RlpCursor } from '../../../src/encoding/rlp.ts';
import { ImitatedEnd, type Imitation } from './imitation.ts';

const kona = { reference: 'kona' } as const;

const BIT_LISTS: ReadonlySet<unknown> = new Set<SpanField>([
  'originBits',
  'contractCreationBits',
  'yParityBits',
  'protectedBits',
]);

/** Columns that kona takes without looking whether there is enough, and where it then panics. */
const UNCHECKED: Readonly<Partial<Record<string, string>>> = {
  parentCheck: 'prefix.rs:50',
  l1OriginCheck: 'prefix.rs:59',
  txSigs: 'transactions.rs:15',
  txTos: 'transactions.rs:196',
} satisfies Partial<Record<SpanField, string>>;

export const KONA_DECODING: readonly Imitation[] = [
  {
    ...kona,
    id: 'batch-version-panic',
    rule: 'batch-decode/version',
    side: '+',
    boundary: 'outcome',
    change: () => ({
      rules: {
        'batch-decode/version': (base, { version }) => {
          if (base && version !== undefined) throw new ImitatedEnd('crash', 'type.rs:36');
          return base;
        },
      },
    }),
  },
  {
    ...kona,
    id: 'span-before-delta-handed-on',
    rule: 'batch-decode/span-before-delta',
    side: '+',
    boundary: 'batches',
    change: () => ({ rules: { 'batch-decode/span-before-delta': 'never' } }),
  },
  {
    ...kona,
    id: 'underivable-span-ends-channel',
    rule: 'batch-decode/underivable-span-skipped',
    side: '+',
    boundary: 'batches',
    change: () => ({ rules: { 'batch-decode/underivable-span-skipped': 'never' } }),
  },
  {
    ...kona,
    id: 'bit-list-cut-off',
    rule: 'batch-decode/span-layout',
    side: '+',
    boundary: 'batches',
    change: () => ({ rules: { 'batch-decode/span-layout': (base, { field }) => base && !BIT_LISTS.has(field) } }),
  },
  {
    ...kona,
    id: 'span-cut-panic',
    rule: 'batch-decode/span-layout',
    side: '+',
    boundary: 'outcome',
    change: () => ({
      rules: {
        'batch-decode/span-layout': (base, { field }) => {
          const place = UNCHECKED[String(field)];
          if (base && place !== undefined) throw new ImitatedEnd('crash', place);
          return base;
        },
      },
    }),
  },
  {
    ...kona,
    id: 'uvarint-redundant-groups',
    rule: 'batch-decode/uvarint',
    side: '-',
    boundary: 'batches',
    change: () => ({ rules: { 'batch-decode/uvarint': (base, { redundant }) => base || redundant === true } }),
  },
  {
    ...kona,
    id: 'uvarint-over-64-bits',
    rule: 'batch-decode/uvarint',
    side: '+',
    boundary: 'batches',
    change: () => ({
      rules: {
        'batch-decode/uvarint': (base, { overflow, endless }) => base && !(overflow === true && endless === false),
      },
    }),
  },
  {
    ...kona,
    id: 'transaction-size-limit',
    rule: 'batch-decode/tx-data-size',
    side: '+',
    boundary: 'batches',
    change: () => ({ rules: { 'batch-decode/tx-data-size': 'never' } }),
  },
  {
    ...kona,
    id: 'post-exec-in-span',
    rule: 'batch-decode/tx-types',
    side: '-',
    boundary: 'batches',
    change: () => ({ rules: { 'batch-decode/tx-types': (base, { type }) => base || type === 0x7d } }),
  },
  {
    ...kona,
    id: 'amount-over-256-bits',
    rule: 'batch-decode/tx-fields',
    side: '-',
    boundary: 'batches',
    change: () => ({
      rules: { 'batch-decode/tx-fields': (base, { data }) => base || hasWideAmount(data as Uint8Array) },
    }),
  },
  {
    ...kona,
    id: 'price-over-128-bits',
    rule: 'batch-decode/tx-fields',
    side: '-',
    boundary: 'batches',
    change: () => ({
      extensions: {
        'channel-reader/batch': ({ batch }) => {
          const cut = batch.kind === 'span' ? withCutPrices(batch) : undefined;
          return cut && { batch: cut };
        },
      },
    }),
  },
];

/** Whether a transaction as it stands in a span batch has an amount above 256 bits. */
function hasWideAmount(data: Uint8Array): boolean {
  const typed = data[0]! < 0x80;
  const outer = new RlpCursor(data, typed ? 1 : 0, data.length);
  if (outer.nextList() !== undefined) return false;
  const items = outer.inside();
  // The value, then one price or two; what comes behind may be of any width.
  const amounts = data[0] === 2 || data[0] === 4 ? 3 : 2;
  for (let index = 0; index < amounts; index++) {
    if (items.nextString() !== undefined) return false;
    if (items.length > 32) return true;
  }
  return false;
}

/** The prices of a rebuilt transaction by its type: places in its list. */
const PRICES: Readonly<Record<number, readonly number[]>> = { 0: [1], 1: [2], 2: [2, 3], 4: [2, 3] };

const PRICE_WIDTH = 16;

/** The span batch with all prices cut to their lowest 128 bits; `undefined` if they fit. */
function withCutPrices(batch: SpanBatch): SpanBatch | undefined {
  let any = false;
  const blocks = batch.blocks.map((block) => ({
    ...block,
    transactions: block.transactions.map((raw) => {
      const cut = cutPrices(raw);
      any ||= cut !== undefined;
      return cut ?? raw;
    }),
  }));
  return any ? { ...batch, blocks: blocks as unknown as SpanBatch['blocks'] } : undefined;
}

function cutPrices(raw: Uint8Array): Uint8Array | undefined {
  const typed = raw[0]! < 0x80;
  const prices = PRICES[typed ? raw[0]! : 0];
  const outer = new RlpCursor(raw, typed ? 1 : 0, raw.length);
  if (prices === undefined || outer.nextList() !== undefined) return undefined;
  const list = outer.inside();
  const items: { readonly encoded: Uint8Array }[] = [];
  let any = false;
  while (!list.done) {
    list.nextString();
    const wide = prices.includes(items.length) && list.length > PRICE_WIDTH;
    any ||= wide;
    const encoded = wide ? cut(list.payload()) : raw.subarray(list.itemStart, list.end);
    items.push({ encoded });
  }
  return any ? concatBytes([raw.subarray(0, typed ? 1 : 0), encodeRlp(items)]) : undefined;
}

/** The lowest 128 bits of an integer, encoded. */
function cut(integer: Uint8Array): Uint8Array {
  const low = integer.subarray(integer.length - PRICE_WIDTH);
  const start = low.findIndex((byte) => byte !== 0);
  return encodeRlp(start < 0 ? low.subarray(0, 0) : low.subarray(start));
}
