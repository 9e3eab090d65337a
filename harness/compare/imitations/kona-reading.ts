/** Kona from the item of L1 data to the decoded batch: kona-derive and kona-protocol 0.4.5. */

import type { Batch, SpanBatch } from '../../../src/batch/batch.ts';
import type { SpanField } from '../../../src/batch/span-columns.ts';
import { BROTLI_VERSION } from '../../../src/channel.ts';
import { concatBytes } from '../../../src/encoding/bytes.ts';
import { encodeRlp, RlpCursor } from '../../../src/encoding/rlp.ts';
import type { ExtensionPoints } from '../../../src/rules/extensions.ts';
import { ImitatedEnd, type Imitation } from './imitation.ts';
import {
  hasLargeWindow,
  isFaultyZlib,
  type KonaBrotli,
  loneCodeContent,
  namesDictionary,
  passesLimit,
  readBrotli,
} from './kona-content.ts';

const kona = { reference: 'kona' } as const;

const FRAMES: readonly Imitation[] = [
  {
    ...kona,
    id: 'frame-is-last',
    rule: 'frame/is-last-values',
    side: '+',
    boundary: 'frames',
    change: () => ({ rules: { 'frame/is-last-values': 'never' } }),
  },
  {
    ...kona,
    id: 'frame-queue-same-id',
    rule: 'frame-queue/new-first-drops-open',
    side: '+',
    boundary: 'frames',
    // Everything from the first frame of the channel on goes, also what lies between.
    change: () => ({
      rules: { 'frame-queue/new-first-drops-open': (base, { removing }) => base || removing === true },
    }),
  },
  {
    ...kona,
    id: 'assembler-order',
    rule: 'channel-assembler/in-order',
    side: '+',
    boundary: 'channels',
    change: () => ({ rules: { 'channel-assembler/in-order': 'never' } }),
  },
];

type Channel = ExtensionPoints['channel-reader/channel'];

/** A channel that is dropped as a whole. */
function dropped(
  id: string,
  rule: Imitation['rule'],
  side: '+' | '-',
  when: (moment: Channel['moment']) => boolean,
): Imitation {
  return {
    ...kona,
    id,
    rule,
    side,
    boundary: 'batches',
    change: () => ({ extensions: { 'channel-reader/channel': (moment) => (when(moment) ? 'drop' : undefined) } }),
  };
}

/** A brotli channel of which kona reads something else. */
function otherBrotli(id: string, when: (read: KonaBrotli, data: Uint8Array) => boolean): Imitation {
  return {
    ...kona,
    id,
    rule: 'channel-reader/brotli-stream',
    side: '+',
    boundary: 'batches',
    change: () => ({
      extensions: {
        'channel-reader/channel': (moment) => {
          const read = readBrotli(moment.data, limitOf(moment));
          if (read?.content === undefined || read.content.length === read.length) return undefined;
          return when(read, moment.data) ? { content: read.content } : undefined;
        },
      },
    }),
  };
}

const limitOf = ({ spec, origin }: Channel['moment']) => spec.maxRlpBytesPerChannel(origin.timestamp);

const CHANNELS: readonly Imitation[] = [
  dropped('zlib-named-dictionary', 'channel-reader/zlib-stream', '-', ({ data }) => namesDictionary(data)),
  {
    ...kona,
    id: 'zlib-lone-code',
    rule: 'channel-reader/zlib-stream',
    side: '+',
    boundary: 'batches',
    change: () => ({
      extensions: {
        'channel-reader/channel': ({ data }) => {
          const content = loneCodeContent(data);
          return content && { content };
        },
      },
    }),
  },
  dropped('zlib-fault-drops-channel', 'channel-reader/partial-output', '+', ({ data }) => isFaultyZlib(data)),
  dropped('limit-drops-channel', 'channel-reader/limit', '+', (moment) => passesLimit(moment.data, limitOf(moment))),
  dropped('brotli-limit-doubling', 'channel-reader/limit', '-', (moment) => {
    const read = readBrotli(moment.data, limitOf(moment));
    return read !== undefined && read.content === undefined;
  }),
  otherBrotli('brotli-large-window', ({ fault }, data) => fault === 'corrupt' && hasLargeWindow(data)),
  otherBrotli('brotli-padding-bits', ({ fault }) => fault === 'padding'),
  otherBrotli('brotli-output-before-fault', ({ fault }, data) => fault === 'corrupt' && !hasLargeWindow(data)),
  otherBrotli('brotli-cut-output', ({ fault }) => fault === 'cut'),
  {
    ...kona,
    id: 'last-batch-of-faulty-stream',
    rule: 'channel-reader/partial-output',
    side: '+',
    boundary: 'batches',
    change: () => ({
      rules: {
        'channel-reader/partial-output': (base, { output, end }) =>
          base && (end === undefined || (output as number) < (end as number)),
      },
    }),
  },
  {
    ...kona,
    id: 'brotli-gate',
    rule: 'channel-reader/brotli-gate',
    side: '-',
    boundary: 'batches',
    change: () => ({
      rules: { 'channel-reader/brotli-gate': 'never' },
      extensions: {
        'channel-reader/batch': ({ spec, data, batch }) =>
          data[0] === BROTLI_VERSION && !spec.isActive('fjord', timeOf(batch)) ? 'end-channel' : undefined,
      },
    }),
  },
];

/** The timestamp of a batch, in seconds: that of its first block. */
function timeOf(batch: Batch): bigint {
  return batch.kind === 'single' ? batch.timestamp : batch.blocks[0].timestamp;
}

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

const BATCHES: readonly Imitation[] = [
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

export const KONA_READING: readonly Imitation[] = [...FRAMES, ...CHANNELS, ...BATCHES];
