/**
 * The catalogue of faults: everything that a plan can have wrong on purpose, at each layer from the L1 chain to the
 * bytes, keyed by the rule that it is aimed at.
 *
 * A fault edits what the layer before made, so faults combine. Each has a number of forms, on both sides of its rule
 * where the rule has a boundary; `value` of the plan picks one. A fault whose form does not fit changes nothing.
 */

import type { SingleBatch, SpanBatch, SpanBlock } from '../../src/batch/batch.ts';
import { type SpanColumns, type SpanField, spanBatchLayout } from '../../src/batch/span-columns.ts';
import type { L1Block, L2Block } from '../../src/chain/blocks.ts';
import type { ChannelCompression, ChannelFaults, ItemForm } from '../../src/channel.ts';
import { bitAt, encodeBitList } from '../../src/encoding/bit-list.ts';
import { concatBytes, u64 } from '../../src/encoding/bytes.ts';
import { encodeRlp, type RlpValue } from '../../src/encoding/rlp.ts';
import { encodeUvarint } from '../../src/encoding/uvarint.ts';
import { decodeItem, encodeFrame, encodeItem, type Frame, type FrameFaults } from '../../src/frame.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import { channelId } from '../scenario/scenario.ts';
import { transaction } from '../scenario/transactions.ts';
import type { Chain } from './chain.ts';
import { fillerItems, LONGEST_FRAME, sizeOf } from './filler.ts';

/** What a fault may ask for. */
export interface FaultTools {
  readonly chain: Chain;
  /** One of the choices, by the plan's value; each call uses up a part of it. */
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** A number from 0 to `count` - 1, in the same way; 0 if there is none. */
  below(count: number): number;
}

/** A channel before it is compressed. */
export interface ChannelDraft {
  readonly batches: readonly Uint8Array[];
  readonly compression: ChannelCompression;
  readonly faults: ChannelFaults;
}

export interface FrameDraft {
  readonly frame: Frame;
  readonly faults: FrameFaults;
}

/** A span batch's columns, and bytes that stand in place of a field's own. */
export interface ColumnsDraft {
  readonly columns: SpanColumns;
  readonly bytes: Readonly<Partial<Record<SpanField, Uint8Array>>>;
}

/** What each layer's faults edit. */
export interface Layers {
  readonly l1: readonly L1Block[];
  readonly safe: readonly L2Block[];
  readonly single: SingleBatch;
  readonly span: SpanBatch;
  readonly columns: ColumnsDraft;
  /** The fields of a single batch, ready to be encoded. */
  readonly fields: RlpValue;
  /** An encoded batch with its version byte. */
  readonly batch: Uint8Array;
  readonly channel: ChannelDraft;
  readonly frames: readonly FrameDraft[];
  /** One encoded item; the fault may make several of it. */
  readonly item: readonly Uint8Array[];
}

export type Layer = keyof Layers;

export interface Fault<L extends Layer> {
  readonly layer: L;
  /** The rule that it is aimed at. */
  readonly rule: RuleId;
  readonly apply: (value: Layers[L], tools: FaultTools) => Layers[L];
}

/** A fault of whatever layer. */
export type AnyFault = { [L in Layer]: Fault<L> }[Layer];

function at<L extends Layer>(layer: L, rule: RuleId, apply: Fault<L>['apply']): Fault<L> {
  return { layer, rule, apply };
}

const NO_BYTES = new Uint8Array(0);
const MAX_U64 = 0xffff_ffff_ffff_ffffn;

const bytes = (...values: number[]) => Uint8Array.from(values);

function flipped(value: Uint8Array, index: number): Uint8Array {
  const out = value.slice();
  const place = index % Math.max(out.length, 1);
  if (out.length > 0) out[place] = out[place]! ^ 1;
  return out;
}

function replaced<T>(list: readonly T[], index: number, ...values: T[]): T[] {
  return [...list.slice(0, index), ...values, ...list.slice(index + 1)];
}

function inserted<T>(list: readonly T[], index: number, ...values: T[]): T[] {
  return [...list.slice(0, index), ...values, ...list.slice(index)];
}

// ---- transactions

/** First bytes of transactions that some rule speaks of, and the ones beside them. */
const TYPES = [0x7e, 4, 0x7d, 3, 5, 0x7c, 0x7f, 0x80, 0, 0xc0, 0xff] as const;

function addTransaction(list: readonly Uint8Array[], raw: Uint8Array, tools: FaultTools): Uint8Array[] {
  return inserted(list, tools.below(list.length + 1), raw);
}

const withType = (types: readonly [number, ...number[]]) =>
  at('single', 'single/tx-other-types', (batch, tools) => {
    const type = tools.pick(types);
    const raw = tools.pick([bytes(type), bytes(type, 0xc0), bytes(type, 0xc1, 0x80)]);
    return { ...batch, transactions: addTransaction(batch.transactions, raw, tools) };
  });

function aimedAt(rule: RuleId, fault: Fault<'single'>): Fault<'single'> {
  return { ...fault, rule };
}

// ---- span batches as values

type Blocks = SpanBatch['blocks'];

function editBlock(batch: SpanBatch, index: number, edit: (block: SpanBlock) => SpanBlock): SpanBatch {
  const blocks = replaced(batch.blocks, index, edit(batch.blocks[index]!)) as unknown as Blocks;
  return { ...batch, blocks };
}

/** The origin check that is right for the L1 block of that number. */
function checkOf(number: bigint, tools: FaultTools): Uint8Array {
  return tools.chain.l1Hash(number).subarray(0, 20);
}

const EXTREMES = [MAX_U64, MAX_U64 - 1n, 1n << 63n, (1n << 63n) - 1n, (1n << 53n) + 1n, 0n, 1n] as const;

// ---- columns

const UVARINT_FIELDS = ['relTimestamp', 'l1OriginNum', 'blockCount', 'blockTxCounts', 'txNonces', 'txGases'] as const;
const BIT_FIELDS = ['originBits', 'contractCreationBits', 'yParityBits', 'protectedBits'] as const;

function withBytes(draft: ColumnsDraft, field: SpanField, value: Uint8Array): ColumnsDraft {
  return { ...draft, bytes: { ...draft.bytes, [field]: value } };
}

function withColumns(draft: ColumnsDraft, changes: Partial<SpanColumns>): ColumnsDraft {
  return { ...draft, columns: { ...draft.columns, ...changes } };
}

function withTxData(draft: ColumnsDraft, tools: FaultTools, edit: (data: Uint8Array) => Uint8Array): ColumnsDraft {
  const { txDatas } = draft.columns;
  if (txDatas.length === 0) return draft;
  const index = tools.below(txDatas.length);
  return withColumns(draft, { txDatas: replaced(txDatas, index, edit(txDatas[index]!)) });
}

/** A number in a form that is not the shortest, or that no reader takes. */
function oddUvarint(value: bigint, tools: FaultTools): Uint8Array {
  return tools.pick([
    () => encodeUvarint(value, encodeUvarint(value).length + 1),
    () => encodeUvarint(value, 9),
    () => encodeUvarint(value, 10),
    () => encodeUvarint(value, 11),
    () => bytes(...new Array<number>(9).fill(0xff), 1),
    () => bytes(...new Array<number>(9).fill(0xff), 2),
    () => bytes(...new Array<number>(9).fill(0x80), 0x80, 0),
    () => encodeUvarint(value | (1n << 64n)),
  ])();
}

const ADDRESS = new Uint8Array(20).fill(0xaa);
const KEY = new Uint8Array(32).fill(0xbb);
const WIDE = new Uint8Array(33).fill(0xcc);

/** Authorisations of EIP-7702 that are right, and ones that are not. */
const AUTHORISATIONS: readonly [RlpValue, ...RlpValue[]] = [
  [901n, ADDRESS, 0n, 1n, KEY, KEY],
  [WIDE, ADDRESS, 0n, 1n, KEY, KEY],
  [901n, ADDRESS.subarray(1), 0n, 1n, KEY, KEY],
  [901n, NO_BYTES, 0n, 1n, KEY, KEY],
  [901n, ADDRESS, MAX_U64, 255n, KEY, KEY],
  [901n, ADDRESS, 1n << 64n, 1n, KEY, KEY],
  [901n, ADDRESS, 0n, 256n, KEY, KEY],
  [901n, ADDRESS, 0n, 1n, WIDE, KEY],
  [901n, ADDRESS, 0n, 1n, KEY, WIDE],
  [901n, ADDRESS, 0n, 1n, KEY],
  [901n, ADDRESS, 0n, 1n, KEY, KEY, 0n],
  [bytes(0), ADDRESS, 0n, 1n, KEY, KEY],
  KEY,
];

const ACCESS_TUPLES: readonly [RlpValue, ...RlpValue[]] = [
  [ADDRESS, [KEY]],
  [ADDRESS, []],
  [ADDRESS.subarray(1), []],
  [ADDRESS, [KEY.subarray(1)]],
  [ADDRESS, KEY],
  [ADDRESS],
  [ADDRESS, [], []],
  [NO_BYTES, []],
  ADDRESS,
];

const AMOUNTS: readonly [RlpValue, ...RlpValue[]] = [
  0n,
  1n,
  new Uint8Array(32).fill(0xff),
  WIDE,
  new Uint8Array(60).fill(0xdd),
  bytes(0),
  bytes(0, 1),
  [],
  { encoded: bytes(0x81, 0x01) },
  { encoded: bytes(0xb8, 0x01, 0x85) },
];

/** The list that stays of a transaction, with one field of the plan's choice out of order. */
function oddTransactionData(tools: FaultTools): Uint8Array {
  const type = tools.pick([2, 0, 1, 4, 0x7d]);
  const amounts = type === 2 || type === 4 ? 3 : 2;
  const fields: RlpValue[] = new Array<RlpValue>(amounts).fill(1n);
  fields.push(NO_BYTES);
  if (type === 1 || type === 2 || type === 4) fields.push([]);
  if (type === 4) fields.push([AUTHORISATIONS[0]]);
  const edits: [() => RlpValue[], ...(() => RlpValue[])[]] = [
    () => replaced(fields, tools.below(amounts), tools.pick(AMOUNTS)),
    () => fields.slice(0, -1),
    () => [...fields, NO_BYTES],
    () => replaced(fields, amounts, tools.pick<RlpValue>([[], bytes(0), { encoded: bytes(0x81, 0) }, [NO_BYTES]])),
    () => [],
  ];
  if (type !== 0) {
    edits.push(() => replaced(fields, amounts + 1, [tools.pick(ACCESS_TUPLES)]));
    edits.push(() => replaced(fields, amounts + 1, tools.pick<RlpValue>([NO_BYTES, ADDRESS, [[]]])));
  }
  if (type === 4) {
    edits.push(() => replaced(fields, amounts + 2, [tools.pick(AUTHORISATIONS)]));
    edits.push(() => replaced(fields, amounts + 2, tools.pick<RlpValue>([[], NO_BYTES, [[]]])));
  }
  const list = encodeRlp(tools.pick(edits)());
  return type === 0 ? list : concatBytes([bytes(type), list]);
}

// ---- channels

function withFaults(draft: ChannelDraft, faults: ChannelFaults): ChannelDraft {
  return { ...draft, faults: { ...draft.faults, ...faults } };
}

const ITEM_FORMS = ['list', 'bare', 'padded-length', 'long-length', 'wrapped'] as const satisfies ItemForm[];

/** Bytes of a channel that count before Fjord, and from Fjord on. */
const BEDROCK_LIMIT = 10_000_000;
const FJORD_LIMIT = 100_000_000;

/** Bytes of the bank that stay before Fjord. */
const BANK_LIMIT = 100_000_000;

/** Bytes of the largest transaction of a span batch: its list, header included. */
const TRANSACTION_LIMIT = 10_000_000;

/** A string whose item in a channel, header included, ends at that many bytes; not for sizes that are small. */
function padTo(batch: Uint8Array, size: number): Uint8Array {
  const length = size - (size > 0x100_0000 ? 5 : 4);
  const out = new Uint8Array(Math.max(length, batch.length));
  out.set(batch);
  return out;
}

/** A first batch that ends at the limit, or beside it. What stands behind it is past the limit. */
function endingAt(draft: ChannelDraft, limit: number, tools: FaultTools): ChannelDraft {
  const [first, ...rest] = draft.batches;
  if (first === undefined) return draft;
  const batches = [padTo(first, limit + tools.pick([0, 1, -1])), ...rest];
  return { ...draft, batches, compression: { algorithm: 'zlib', level: 1, memLevel: 1 } };
}

/** A legacy transaction's list, without what a span batch has columns for, of that many bytes. */
function transactionListOf(size: number): Uint8Array {
  const ENVELOPE = 4 + 2 + 4;
  return encodeRlp([1n, 1n, new Uint8Array(size - ENVELOPE)]);
}

// ---- frames

function editFrame(frames: readonly FrameDraft[], index: number, change: Partial<Frame>): FrameDraft[] {
  const draft = frames[index];
  if (draft === undefined) return [...frames];
  return replaced(frames, index, { ...draft, frame: { ...draft.frame, ...change } });
}

function breakFrame(frames: readonly FrameDraft[], index: number, faults: FrameFaults): FrameDraft[] {
  const draft = frames[index];
  if (draft === undefined) return [...frames];
  return replaced(frames, index, { ...draft, faults: { ...draft.faults, ...faults } });
}

const whole = (frame: Frame): FrameDraft => ({ frame, faults: {} });

/** Another channel id of the three that there are. */
function otherId(id: Uint8Array): Uint8Array {
  return channelId(((id[15] ?? 0) + 1) % 3);
}

// ---- items

/** The filling between the frames of a channel and the closing one, and the closing one as it is to be. */
type Filling = (before: readonly Frame[], close: Frame, tools: FaultTools) => readonly Uint8Array[];

/** The first item, if it closes a channel, with the filling between its frames and the closing one. */
function splitClose(items: readonly Uint8Array[], tools: FaultTools, fill: Filling): readonly Uint8Array[] {
  const [item, ...rest] = items;
  const parsed = item === undefined ? undefined : decodeItem(item, new RuleBook());
  const frames = parsed?.kind === 'frames' ? parsed.frames : [];
  const close = frames[frames.length - 1];
  if (close?.last !== true) return items;
  const before = frames.slice(0, -1);
  if (before.length > 0) return [...fill(before, close, tools), ...rest];
  const half = close.data.length >> 1;
  const first = { ...close, data: close.data.subarray(0, half), last: false };
  const second = { ...close, number: close.number + 1, data: close.data.subarray(half) };
  return [...fill([first], second, tools), ...rest];
}

const itemOf = (...frames: readonly Frame[]) => encodeItem(frames.map((frame) => encodeFrame(frame)));

const sizeOfAll = (frames: readonly Frame[]) => frames.reduce((total, frame) => total + sizeOf(frame), 0);

/** The channel that fills the bank; the alphabet of ids has no such one. */
const FILLER = channelId(9);

const fillBank: Filling = (before, close, tools) => {
  const beside = tools.pick([0, 1, -1, 0, 1]);
  const form = tools.pick(['full', 'full', 'full', 'closed below', 'closed above'] as const);
  if (form === 'full') {
    const size = BANK_LIMIT + beside - sizeOfAll(before) - sizeOf(close);
    return [itemOf(...before), ...fillerItems(FILLER, 0, size), itemOf(close)];
  }
  // A closing frame below or above whatever is held, with one frame missing, which comes in the end. Frames that were
  // held when a closing frame removes higher ones do not count any more, also those that stay.
  const { channel, number } = close;
  const end = { ...close, number: number + 1 };
  const higher = { channel, number: number + 2, data: new Uint8Array(10), last: false };
  const held = form === 'closed below' ? [...before, higher] : before;
  const missing = { channel, number, data: NO_BYTES, last: false };
  const size = BANK_LIMIT - sizeOf(end) - sizeOf(missing);
  return [itemOf(...held, end), ...fillerItems(FILLER, 0, size), itemOf(missing)];
};

const fillChannel: Filling = (before, close, tools) => {
  const { channel, number, data } = close;
  // All of the data comes first: what stands behind a compressed stream is not read.
  const whole = [...before, { channel, number, data, last: false }];
  const size = FJORD_LIMIT + tools.pick([0, 1, -1]) - sizeOfAll(whole) - sizeOf({ ...close, data: NO_BYTES });
  const filler = fillerItems(channel, number + 1, size);
  const end = { channel, number: number + 1 + filler.length, data: NO_BYTES, last: true };
  return [itemOf(...whole), ...filler, itemOf(end)];
};

/** Every fault by name: the rule that it is aimed at, then what it does. */
export const FAULTS = {
  // The chains.
  'reset/l1-parent-mismatch': at('l1', 'reset/l1-parent-mismatch', (blocks, tools) => {
    const index = 1 + tools.below(12);
    const block = blocks[index];
    if (block === undefined) return blocks;
    return replaced(blocks, index, { ...block, parentHash: flipped(block.parentHash, 31) });
  }),
  'batch-queue/epoch-mismatch': at('safe', 'batch-queue/epoch-mismatch', (blocks, tools) => {
    const head = blocks[blocks.length - 1]!;
    const { number, hash } = head.l1Origin;
    const l1Origin = tools.pick([
      { number, hash: flipped(hash, 0) },
      { number: number - 1n, hash: tools.chain.l1Hash(number - 1n) },
      { number: number - 2n, hash },
      { number: number + 1n, hash: flipped(hash, 1) },
    ]);
    return replaced(blocks, blocks.length - 1, { ...head, l1Origin });
  }),

  // Single batches: each check on both sides.
  'single/timestamp': at('single', 'single/too-early', (batch, tools) => {
    const time = tools.chain.config.blockTime;
    const shift = tools.pick([time, -time, 1n, -1n, 2n * time, -2n * time, time - 1n, 1n - time]);
    return { ...batch, timestamp: u64(batch.timestamp + shift) };
  }),
  'single/extreme-timestamp': at('single', 'single/too-late', (batch, tools) => ({
    ...batch,
    timestamp: tools.pick(EXTREMES),
  })),
  'single/parent-hash': at('single', 'single/parent-hash', (batch, tools) => ({
    ...batch,
    parentHash: tools.pick([
      flipped(batch.parentHash, 31),
      flipped(batch.parentHash, 0),
      new Uint8Array(32),
      tools.chain.safeHead.hash,
      tools.chain.safeHead.parentHash,
    ]),
  })),
  'single/epoch': at('single', 'single/epoch-too-new', (batch, tools) => {
    const epochNum = u64(batch.epochNum + tools.pick([1n, -1n, 2n, -2n, 3n, 8n]));
    // With the hash that belongs to it, or with the one of before.
    const epochHash = tools.pick([tools.chain.l1Hash(epochNum), batch.epochHash]);
    return { ...batch, epochNum, epochHash };
  }),
  // The next epoch before its time, and with the time that goes with it.
  'single/min-time': at('single', 'single/min-time', (batch, tools) => {
    const epochNum = u64(batch.epochNum + 1n);
    const timestamp = u64(batch.timestamp + tools.pick([0n, 0n, tools.chain.config.blockTime]));
    return { ...batch, epochNum, epochHash: tools.chain.l1Hash(epochNum), timestamp };
  }),
  'single/extreme-epoch': at('single', 'single/sequence-window', (batch, tools) => ({
    ...batch,
    epochNum: tools.pick([...EXTREMES, u64(-tools.chain.config.seqWindowSize)]),
  })),
  'single/epoch-hash': at('single', 'single/epoch-hash', (batch, tools) => ({
    ...batch,
    epochHash: tools.pick([flipped(batch.epochHash, 0), flipped(batch.epochHash, 31), new Uint8Array(32)]),
  })),
  'single/emptied': at('single', 'single/drift-empty', (batch) => ({ ...batch, transactions: [] })),
  'single/filled': at('single', 'single/activation-block-empty', (batch, tools) => ({
    ...batch,
    transactions: addTransaction(batch.transactions, transaction(7), tools),
  })),
  'single/tx-empty': at('single', 'single/tx-empty', (batch, tools) => ({
    ...batch,
    transactions: addTransaction(batch.transactions, NO_BYTES, tools),
  })),
  'single/tx-deposit': aimedAt('single/tx-deposit', withType([0x7e])),
  'single/tx-set-code': at('single', 'single/tx-set-code', (batch, tools) => ({
    ...batch,
    transactions: addTransaction(batch.transactions, tools.pick([transaction(1, 'set-code'), bytes(4)]), tools),
  })),
  'single/tx-post-exec': aimedAt('single/tx-post-exec', withType([0x7d])),
  'single/tx-other-types': withType(TYPES),

  // Span batches as values.
  'span/parent-check': at('span', 'span/parent-check', (batch, tools) => ({
    ...batch,
    parentCheck: tools.pick([
      flipped(batch.parentCheck, 19),
      flipped(batch.parentCheck, 0),
      new Uint8Array(20),
      tools.chain.safeHead.hash.subarray(0, 20),
      tools.chain.safeHead.parentHash.subarray(0, 20),
    ]),
  })),
  'span/origin-check': at('span', 'span/origin-check', (batch, tools) => ({
    ...batch,
    l1OriginCheck: tools.pick([
      flipped(batch.l1OriginCheck, 19),
      flipped(batch.l1OriginCheck, 0),
      new Uint8Array(20),
      checkOf(batch.blocks[0].epochNum, tools),
    ]),
  })),
  'span/shifted': at('span', 'span/aligned', (batch, tools) => {
    const time = tools.chain.config.blockTime;
    const shift = tools.pick([time, -time, 1n, -1n, 2n * time, -2n * time, time - 1n, 1n - time, 5n * time]);
    const [first, ...rest] = batch.blocks;
    return { ...batch, blocks: [{ ...first, timestamp: u64(first.timestamp + shift) }, ...rest] };
  }),
  'span/last-epoch': at('columns', 'span/origin-unknown', (draft, tools) => {
    const l1OriginNum = u64(draft.columns.l1OriginNum + tools.pick([1n, -1n, 2n, -2n, 3n, 9n]));
    const l1OriginCheck = tools.pick([checkOf(l1OriginNum, tools), draft.columns.l1OriginCheck]);
    return withColumns(draft, { l1OriginNum, l1OriginCheck });
  }),
  'span/early-epoch': at('columns', 'span/full-min-time', (draft, tools) => {
    const { blockTxCounts, originBits } = draft.columns;
    const l1OriginNum = u64(draft.columns.l1OriginNum + 1n);
    const index = tools.below(blockTxCounts.length);
    const bits = originBits.slice();
    const place = bits.length - 1 - (index >>> 3);
    if (place >= 0) bits[place] = bits[place]! | (1 << (index & 7));
    return withColumns(draft, { originBits: bits, l1OriginNum, l1OriginCheck: checkOf(l1OriginNum, tools) });
  }),
  'span/epochs': at('columns', 'span/epochs', (draft, tools) => {
    const { originBits, blockTxCounts } = draft.columns;
    // The block count itself may be another fault's.
    const count = blockTxCounts.length;
    if (originBits.length === 0) return draft;
    const index = tools.below(count);
    const place = originBits.length - 1 - (index >>> 3);
    const edited = originBits.slice();
    edited[place] = edited[place]! ^ (1 << (index & 7));
    const all = new Uint8Array(originBits.length).fill(0xff);
    if (count % 8 !== 0) all[0] = (1 << (count % 8)) - 1;
    return withColumns(draft, { originBits: tools.pick([edited, edited, all, new Uint8Array(originBits.length)]) });
  }),
  // Every change of epoch as late as it can be: a new block may then stand behind the safe head's epoch.
  'span/full-epoch': at('columns', 'span/full-epoch', (draft, tools) => {
    const count = draft.columns.blockTxCounts.length;
    const changes = Array.from({ length: count }, (_, index) => bitAt(draft.columns.originBits, index));
    const total = changes.filter((change, index) => change && index > 0).length;
    const by = tools.pick([0, 0, 1, 2]);
    const late = changes.map((_, index) => (by === 0 ? index >= count - total : index >= by && changes[index - by]!));
    return withColumns(draft, { originBits: encodeBitList(late) });
  }),
  'span/extreme-epoch': at('columns', 'span/sequence-window', (draft, tools) =>
    withColumns(draft, { l1OriginNum: tools.pick([...EXTREMES, u64(-tools.chain.config.seqWindowSize)]) }),
  ),
  'span/extreme-timestamp': at('columns', 'span/timestamps', (draft, tools) => {
    const { genesis, blockTime } = tools.chain.config;
    const wrap = u64(-genesis.l2Time);
    return withColumns(draft, {
      relTimestamp: tools.pick([...EXTREMES, wrap, wrap - 1n, u64(draft.columns.relTimestamp - blockTime * 64n)]),
    });
  }),
  'span/overlap-content': at('span', 'span/overlap-content', (batch, tools) =>
    editBlock(batch, 0, (block) => ({
      ...block,
      transactions: tools.pick([
        block.transactions.slice(1),
        [...block.transactions, transaction(5)],
        block.transactions.map((_, index) => transaction(index + 3)),
        [...block.transactions].reverse(),
        [],
      ]),
    })),
  ),
  'span/emptied': at('span', 'span/full-drift', (batch, tools) =>
    editBlock(batch, tools.below(batch.blocks.length), (block) => ({ ...block, transactions: [] })),
  ),
  'span/full-transactions': at('span', 'span/full-transactions', (batch, tools) =>
    editBlock(batch, tools.below(batch.blocks.length), (block) => ({
      ...block,
      transactions: addTransaction(
        block.transactions,
        tools.pick([transaction(1, 'set-code'), bytes(0x7d, 0xc0), bytes(0x7d, 0xc2, 1, 2)]),
        tools,
      ),
    })),
  ),
  'span/shortened': at('span', 'span/no-new-block', (batch, tools) => {
    const [first, ...rest] = batch.blocks;
    if (rest.length === 0) return batch;
    const kept = tools.pick([batch.blocks.slice(0, -1), rest, [first]]);
    return { ...batch, blocks: kept as unknown as Blocks };
  }),

  // Batches as bytes.
  'batch-decode/version': at('batch', 'batch-decode/version', (batch, tools) => {
    const version = tools.pick([2, 0, 1, 0x7f, 0x80, 0xff, undefined]);
    return version === undefined ? NO_BYTES : concatBytes([bytes(version), batch.subarray(1)]);
  }),
  'batch-decode/tail-ignored': at('batch', 'batch-decode/tail-ignored', (batch, tools) =>
    concatBytes([batch, tools.pick([bytes(0), bytes(0xc0), bytes(0x80, 1, 2), new Uint8Array(70)])]),
  ),
  'batch-decode/cut': at('batch', 'batch-decode/span-layout', (batch, tools) => {
    const cut = tools.pick([
      () => batch.length - 1,
      () => tools.below(batch.length),
      () => {
        if (batch[0] !== 1) return batch.length - 2;
        const layout = spanBatchLayout(batch, new RuleBook());
        const field = layout[tools.below(layout.length)];
        return field === undefined ? 1 : field.start + tools.pick([0, 1, -1]);
      },
    ])();
    return batch.subarray(0, Math.max(cut, 0));
  }),
  'batch-decode/flipped': at('batch', 'batch-decode/span-layout', (batch, tools) => {
    const place = tools.below(batch.length);
    const bit = tools.below(8);
    const out = batch.slice();
    if (out.length > 0) out[place] = out[place]! ^ (1 << bit);
    return out;
  }),
  'batch-decode/single-format': at('fields', 'batch-decode/single-format', (fields, tools) => {
    if (!Array.isArray(fields)) return fields;
    const list = fields as readonly RlpValue[];
    const [parentHash, epochNum, epochHash, timestamp, transactions] = list;
    const odd = (value: RlpValue | undefined): [RlpValue, ...RlpValue[]] => {
      const plain = typeof value === 'bigint' ? value : 0n;
      return [
        { encoded: concatBytes([bytes(0x83, 0), encodeRlp(plain & 0xffffn).subarray(-2)]) },
        (1n << 64n) | plain,
        bytes(0),
        [],
        { encoded: bytes(0x81, 5) },
      ];
    };
    return tools.pick<() => RlpValue>([
      () => list.slice(0, -1),
      () => [...list, NO_BYTES],
      () => [...list, []],
      () => replaced(list, tools.pick([0, 2]), tools.pick<RlpValue>([KEY.subarray(1), WIDE, NO_BYTES, []])),
      () => replaced(list, 1, tools.pick(odd(epochNum))),
      () => replaced(list, 3, tools.pick(odd(timestamp))),
      () => replaced(list, 4, tools.pick<RlpValue>([NO_BYTES, bytes(1), [[]], [[], transactions ?? []]])),
      () => replaced(list, 4, [{ encoded: tools.pick([bytes(0x81, 1), bytes(0xb8, 1, 0x85), bytes(0x85, 1)]) }]),
      () => ({ encoded: concatBytes([bytes(0xb8, 1), encodeRlp(list)]) }),
      () => ({ encoded: concatBytes([bytes(0xfa, 0, 0), encodeRlp(list).subarray(1)]) }),
      () => [parentHash ?? KEY, epochHash ?? KEY, epochNum ?? 0n, timestamp ?? 0n, transactions ?? []],
      () => encodeRlp(list),
    ])();
  }),

  // Span batches by column.
  'batch-decode/uvarint': at('columns', 'batch-decode/uvarint', (draft, tools) => {
    const field = tools.pick(UVARINT_FIELDS);
    const value = draft.columns[field];
    if (typeof value === 'bigint') return withBytes(draft, field, oddUvarint(value, tools));
    if (value.length === 0) return draft;
    const index = tools.below(value.length);
    const parts = value.map((element, position) =>
      position === index ? oddUvarint(element, tools) : encodeUvarint(element),
    );
    return withBytes(draft, field, concatBytes(parts));
  }),
  'batch-decode/bit-list': at('columns', 'batch-decode/bit-list', (draft, tools) => {
    const field = tools.pick(BIT_FIELDS);
    const list = draft.columns[field];
    const high = list.slice();
    if (high.length > 0) high[0] = high[0]! | tools.pick([0x80, 0xff, 0x40, 2]);
    return withColumns(draft, {
      [field]: tools.pick([high, high, concatBytes([bytes(0), list]), list.subarray(1), concatBytes([list, bytes(0)])]),
    });
  }),
  'batch-decode/bit-values': at('columns', 'batch-decode/protected-bits', (draft, tools) => {
    const field = tools.pick(['protectedBits', 'yParityBits', 'contractCreationBits'] as const);
    const list = draft.columns[field];
    if (list.length === 0) return draft;
    const edited = list.slice();
    const place = edited.length - 1;
    edited[place] = edited[place]! ^ tools.pick([1, 2, 3]);
    return withColumns(draft, { [field]: edited });
  }),
  'batch-decode/block-count': at('columns', 'batch-decode/element-limits', (draft, tools) => {
    const { blockCount } = draft.columns;
    return withColumns(draft, {
      blockCount: tools.pick([0n, 10_000_000n, 10_000_001n, blockCount + 1n, blockCount - 1n, ...EXTREMES]),
    });
  }),
  'batch-decode/tx-counts': at('columns', 'batch-decode/element-limits', (draft, tools) => {
    const { blockTxCounts } = draft.columns;
    const index = tools.below(blockTxCounts.length);
    const count = blockTxCounts[index] ?? 0n;
    const edited = tools.pick([0n, 10_000_000n, 10_000_001n, count + 1n, count - 1n, ...EXTREMES]);
    return withColumns(draft, { blockTxCounts: replaced(blockTxCounts, index, u64(edited)) });
  }),
  'span/moved-transaction': at('columns', 'span/overlap-content', (draft, tools) => {
    const counts = [...draft.columns.blockTxCounts];
    const from = counts.findIndex((count) => count > 0n);
    if (from < 0) return draft;
    const to = tools.below(counts.length);
    counts[from] = counts[from]! - 1n;
    counts[to] = counts[to]! + 1n;
    return withColumns(draft, { blockTxCounts: counts });
  }),
  'batch-decode/tx-data-item': at('columns', 'batch-decode/tx-data-item', (draft, tools) =>
    withTxData(draft, tools, (data) =>
      tools.pick([
        bytes(0x80),
        bytes(2),
        bytes(2, 2, 0xc0),
        bytes(2, 0x84, 1, 2, 3, 4),
        bytes(0xf8, 1, 0xc0),
        bytes(0xf9, 0, 60),
        concatBytes([bytes(0xf8, data.length), data]),
        data.subarray(0, -1),
        concatBytes([data, bytes(0)]),
        bytes(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
      ]),
    ),
  ),
  'batch-decode/tx-data-size': at('columns', 'batch-decode/tx-data-size', (draft, tools) =>
    withTxData(draft, tools, () => {
      const payload = tools.pick([9_999_997, 9_999_996, 16_000_000]);
      const list = bytes(0xfa, payload >> 16, (payload >> 8) & 255, payload & 255);
      return tools.pick([list, concatBytes([bytes(2), list])]);
    }),
  ),
  // A transaction that is really there, of as many bytes as it may have, or one more.
  'batch-decode/tx-data-limit': at('columns', 'batch-decode/tx-data-size', (draft, tools) =>
    withTxData(draft, tools, (data) =>
      data[0]! < 0x80 ? data : transactionListOf(TRANSACTION_LIMIT + tools.pick([0, 1])),
    ),
  ),
  'batch-decode/tx-types': at('columns', 'batch-decode/tx-types', (draft, tools) =>
    withTxData(draft, tools, (data) => {
      const type = bytes(tools.pick([3, 5, 0, 0x7c, 0x7d, 0x7e, 0x7f, 4, 1, 2]));
      const list = (data[0] ?? 0xc0) <= 0x7f ? data.subarray(1) : data;
      return concatBytes([type, tools.pick([list, bytes(0xc0)])]);
    }),
  ),
  'batch-decode/tx-fields': at('columns', 'batch-decode/tx-fields', (draft, tools) =>
    withTxData(draft, tools, () => oddTransactionData(tools)),
  ),
  'batch-decode/set-code-creation': at('columns', 'batch-decode/tx-types', (draft, tools) => {
    const { txDatas, contractCreationBits, txTos } = draft.columns;
    const index = txDatas.findIndex((data) => data[0] === 4);
    if (index < 0) return draft;
    const bits = contractCreationBits.slice();
    const place = bits.length - 1 - (index >>> 3);
    bits[place] = bits[place]! | (1 << (index & 7));
    // With its recipient gone too, or left over in the column.
    return withColumns(draft, { contractCreationBits: bits, txTos: tools.pick([txTos.subarray(20), txTos]) });
  }),
  'batch-decode/signature': at('columns', 'batch-decode/signature-v', (draft, tools) => {
    const txSigs = draft.columns.txSigs.slice();
    if (txSigs.length === 0) return draft;
    const start = 32 * tools.below(txSigs.length / 32);
    txSigs.fill(tools.pick([0, 0xff]), start, start + tools.pick([32, 1, 31, 24]));
    return withColumns(draft, { txSigs });
  }),
  'batch-decode/nonce-gas': at('columns', 'batch-decode/tx-fields', (draft, tools) => {
    const field = tools.pick(['txNonces', 'txGases'] as const);
    const value = tools.pick([...EXTREMES, 0x7fn, 0x80n, 0xffn, 0x100n, 0xffff_ffffn, 0x1_0000_0000n]);
    return withColumns(draft, { [field]: replaced(draft.columns[field], 0, value) });
  }),

  // Channels.
  'channel-reader/detect': at('channel', 'channel-reader/detect', (draft, tools) =>
    tools.pick([true, true, true, false])
      ? withFaults(draft, { versionByte: tools.pick([0, 1, 2, 0x0f, 0x18, 0x7f, 0x88, 0x80, 0x58, 0x11, 0x48]) })
      : withFaults(draft, { truncate: 0 }),
  ),
  'channel-reader/zlib-dictionary': at('channel', 'channel-reader/zlib-stream', (draft, tools) => ({
    ...draft,
    compression: { algorithm: 'zlib', level: 6, dictionary: tools.pick([NO_BYTES, bytes(0), new Uint8Array(40)]) },
  })),
  'channel-reader/zlib-blocks': at('channel', 'channel-reader/zlib-stream', (draft, tools) => ({
    ...draft,
    compression: {
      algorithm: 'zlib',
      blocks: tools.pick([
        [{ kind: 'stored', length: 0 }],
        [{ kind: 'stored', length: 20 }],
        [
          { kind: 'compressed', length: 30 },
          { kind: 'stored', length: 40 },
        ],
      ]),
    },
  })),
  'channel-reader/brotli-gate': at('channel', 'channel-reader/brotli-gate', (draft, tools) => ({
    ...draft,
    compression: { algorithm: 'brotli', quality: tools.pick([1, 0, 4]), window: tools.pick([16, 10, 18]) },
  })),
  'channel-reader/brotli-window': at('channel', 'channel-reader/brotli-stream', (draft, tools) => {
    // Windows that RFC 7932 has in another writing, and few of those beyond: they are the end of who takes them in.
    const window = tools.pick([18, 24, tools.pick([10, 22]), tools.pick([25, 26, 30])]);
    const large = { algorithm: 'brotli', window, largeWindow: true } as const;
    const [compression, faults] = tools.pick<readonly [ChannelCompression, ChannelFaults]>([
      // Below a quality of 3 the compressor does not write large windows.
      [{ ...large, quality: 5 }, {}],
      [{ ...large, quality: 5 }, { truncate: -1 }],
      [{ ...large, metaBlocks: 'longest' }, {}],
      // Where a decoder cannot tell how little of the window will be used: more comes, or the end is missing.
      [{ ...large, metaBlocks: 'byte-first' }, {}],
      [{ ...large, metaBlocks: 'longest' }, { truncate: -1 }],
    ]);
    return withFaults({ ...draft, compression }, faults);
  }),
  // What a decoder says of the end of a stream, and what it has given before.
  'channel-reader/brotli-end': at('channel', 'channel-reader/brotli-stream', (draft, tools) => {
    const [end, size] = tools.pick([
      // Behind the empty last meta-block, bits that are not zero.
      [bytes(0xff), 0],
      // In place of it, metadata with its reserved bit set.
      [bytes(0x0e), 4_300],
      [bytes(0x0e), 0],
      // Nothing, where there is more output than input, or less.
      [NO_BYTES, 1_200],
      [NO_BYTES, 0],
    ] as const);
    const padded = end.length === 0 ? 0 : draft.batches.length - 1;
    const batches = draft.batches.map((batch, index) => (index === padded && size > 0 ? padTo(batch, size) : batch));
    const compression: ChannelCompression =
      end.length === 0
        ? { algorithm: 'brotli', quality: 5, window: 18 }
        : { algorithm: 'brotli', metaBlocks: 'longest' };
    return withFaults({ ...draft, batches, compression }, { truncate: -1, trailing: end });
  }),
  'channel-reader/zlib-lone-code': at('channel', 'channel-reader/zlib-stream', (draft, tools) => {
    const length = (draft.batches[0]?.length ?? 0) + tools.pick([2, 1, 40]);
    return {
      ...draft,
      compression: {
        algorithm: 'zlib',
        blocks: [
          { kind: 'stored', length },
          { kind: 'lone-code', length: 0 },
        ],
      },
    };
  }),
  'channel-reader/flips': at('channel', 'channel-reader/partial-output', (draft, tools) =>
    withFaults(draft, { flips: tools.pick([[tools.below(2000)], [8 + tools.below(64)], [tools.below(400), 9]]) }),
  ),
  'channel-reader/truncated': at('channel', 'channel-reader/partial-output', (draft, tools) =>
    withFaults(draft, { truncate: tools.pick([1 + tools.below(12), 10 + tools.below(300)]) }),
  ),
  'channel-reader/checksum': at('channel', 'channel-reader/partial-output', (draft, tools) =>
    withFaults(draft, { checksum: tools.pick([1, 0x8000_0000, 0x0100_0000]) }),
  ),
  'channel-reader/trailing': at('channel', 'channel-reader/partial-output', (draft, tools) =>
    withFaults(draft, { trailing: tools.pick([bytes(0), bytes(0x78, 0xda), new Uint8Array(40)]) }),
  ),
  'channel-reader/rlp-forms': at('channel', 'channel-reader/rlp-strings', (draft, tools) =>
    withFaults(draft, { forms: { [tools.below(draft.batches.length)]: tools.pick(ITEM_FORMS) } }),
  ),
  'channel-reader/content-tail': at('channel', 'channel-reader/end', (draft, tools) =>
    withFaults(draft, {
      contentTail: tools.pick([
        bytes(0x80),
        bytes(0),
        bytes(1),
        bytes(0x81),
        bytes(0x81, 5),
        bytes(0x81, 0x80),
        bytes(0xc0),
        bytes(0xb8),
        bytes(0xb9, 1),
        bytes(0x85, 1, 2),
        bytes(0xba, 0x98, 0x96, 0x80),
        bytes(0xbb, 0x05, 0xf5, 0xe1, 0x00),
        bytes(0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
      ]),
    }),
  ),
  'channel-reader/extra-batch': at('channel', 'batch-decode/malformed-ends-channel', (draft, tools) => ({
    ...draft,
    batches: inserted(
      draft.batches,
      tools.below(draft.batches.length + 1),
      tools.pick([NO_BYTES, bytes(0), bytes(1), bytes(2), bytes(0, 0xc0), bytes(0x80), bytes(1, 0x80)]),
    ),
  })),
  'channel-reader/repeated-batch': at('channel', 'single/too-late', (draft, tools) => {
    const index = tools.below(draft.batches.length);
    const batch = draft.batches[index];
    return batch === undefined ? draft : { ...draft, batches: inserted(draft.batches, index + 1, batch) };
  }),
  'channel-reader/reversed': at('channel', 'batch-queue/first-accepted', (draft) => ({
    ...draft,
    batches: [...draft.batches].reverse(),
  })),
  // A batch of more bytes than the reader's buffer holds, the last one in a stream that ends badly.
  'channel-reader/large-batch': at('channel', 'channel-reader/partial-output', (draft, tools) => {
    const last = draft.batches[draft.batches.length - 1];
    if (last === undefined) return draft;
    const large = padTo(last, tools.pick([12_000, 4_096, 8_192, 4_097, 5_000, 40_000]));
    const faults = tools.pick<ChannelFaults>([
      { checksum: 1 },
      { trailing: bytes(0) },
      { contentTail: bytes(0x80), checksum: 1 },
    ]);
    return withFaults({ ...draft, batches: [...draft.batches.slice(0, -1), large] }, faults);
  }),
  'channel-reader/limit': at('channel', 'channel-reader/limit', (draft, tools) =>
    endingAt(draft, BEDROCK_LIMIT, tools),
  ),
  'channel-reader/fjord-limit': at('channel', 'channel-reader/limit', (draft, tools) =>
    endingAt(draft, FJORD_LIMIT, tools),
  ),

  // Frames.
  'frame/empty': at('frames', 'frame/layout', (frames, tools) => {
    const index = tools.below(frames.length);
    const draft = frames[index];
    if (draft === undefined) return frames;
    const { frame } = draft;
    // An empty frame takes its place in the order; all behind it move up.
    const behind = frames
      .slice(index)
      .map((other) => ({ ...other, frame: { ...other.frame, number: other.frame.number + 1 } }));
    return [...frames.slice(0, index), whole({ ...frame, data: NO_BYTES, last: false }), ...behind];
  }),
  'frame/max-data-length': at('frames', 'frame/max-data-length', (frames, tools) =>
    breakFrame(frames, tools.below(frames.length), {
      length: tools.pick([1_000_001, 1_000_000, 0xffff_ffff, 0x8000_0000]),
    }),
  ),
  // Zeros behind the compressed stream, up to the longest frame there is, or by one byte longer.
  'frame/longest': at('frames', 'frame/max-data-length', (frames, tools) => {
    const index = frames.length - 1;
    const data = frames[index]?.frame.data ?? NO_BYTES;
    const length = LONGEST_FRAME + tools.pick([0, 1]);
    if (data.length > length) return frames;
    const padded = new Uint8Array(length);
    padded.set(data);
    return editFrame(frames, index, { data: padded });
  }),
  'frame/length': at('frames', 'frame/exact-tiling', (frames, tools) => {
    const index = tools.below(frames.length);
    const length = frames[index]?.frame.data.length ?? 0;
    return breakFrame(frames, index, { length: Math.max(length + tools.pick([1, -1, 23, -23, 2]), 0) });
  }),
  'frame/is-last-values': at('frames', 'frame/is-last-values', (frames, tools) =>
    breakFrame(frames, tools.below(frames.length), { isLast: tools.pick([2, 0x80, 0xff, 1, 0]) }),
  ),
  'frame/number': at('frames', 'frame-queue/contiguous', (frames, tools) => {
    const index = tools.below(frames.length);
    const number = frames[index]?.frame.number ?? 0;
    const edited = tools.pick([number + 1, number - 1, 0, 65_535, 1, 2, number + 2]);
    return editFrame(frames, index, { number: edited & 0xffff });
  }),
  'frame/dropped': at('frames', 'channel-assembler/in-order', (frames, tools) =>
    frames.length === 1 ? frames : replaced(frames, tools.below(frames.length)),
  ),
  'frame/repeated': at('frames', 'channel-bank/duplicate-number', (frames, tools) => {
    const index = tools.below(frames.length);
    const draft = frames[index];
    if (draft === undefined) return frames;
    const copy = whole({ ...draft.frame, last: tools.pick([draft.frame.last, !draft.frame.last]) });
    return inserted(frames, tools.pick([index + 1, frames.length, 0]), copy);
  }),
  'frame/swapped': at('frames', 'channel-bank/ready', (frames, tools) => {
    const index = tools.below(frames.length - 1);
    const [a, b] = [frames[index], frames[index + 1]];
    if (a === undefined || b === undefined) return frames;
    return [...frames.slice(0, index), b, a, ...frames.slice(index + 2)];
  }),
  'frame/reversed': at('frames', 'channel-bank/ready', (frames) => [...frames].reverse()),
  'frame/behind-last': at('frames', 'frame-queue/after-close', (frames, tools) => {
    const draft = frames[frames.length - 1];
    if (draft === undefined) return frames;
    const number = tools.pick([draft.frame.number + 1, 0, draft.frame.number]);
    const last = tools.pick([false, true]);
    return [...frames, whole({ ...draft.frame, number, last, data: tools.pick([draft.frame.data, NO_BYTES]) })];
  }),
  'frame/last-flag': at('frames', 'channel-bank/close-drops-higher', (frames, tools) => {
    const index = tools.below(frames.length);
    return editFrame(frames, index, { last: frames[index]?.frame.last !== true });
  }),
  'frame/early-close': at('frames', 'channel-bank/close-drops-higher', (frames) => {
    // The closing frame arrives behind frames with higher numbers.
    const [first, second, ...rest] = frames;
    if (first === undefined || second === undefined) return frames;
    const close = whole({ ...second.frame, number: first.frame.number, last: true });
    const open = { ...second, frame: { ...second.frame, last: false } };
    return [open, ...rest.map((draft) => ({ ...draft, frame: { ...draft.frame, last: false } })), close];
  }),
  'frame/foreign': at('frames', 'frame-queue/foreign-non-first', (frames, tools) => {
    const index = tools.below(frames.length + 1);
    const frame = frames[Math.min(index, frames.length - 1)]?.frame;
    if (frame === undefined) return frames;
    const number = tools.pick([0, 1, 2]);
    const channel = otherId(frame.channel);
    return inserted(
      frames,
      index,
      whole({ channel, number, data: frame.data.subarray(0, 3), last: tools.pick([false, true]) }),
    );
  }),
  'frame/other-id': at('frames', 'channel-assembler/stray-frame', (frames, tools) => {
    const index = tools.below(frames.length);
    const frame = frames[index]?.frame;
    return frame === undefined ? frames : editFrame(frames, index, { channel: otherId(frame.channel) });
  }),
  'frame/started-twice': at('frames', 'channel-assembler/first-frame', (frames, tools) => {
    const first = frames[0];
    if (first === undefined) return frames;
    const index = tools.below(frames.length + 1);
    return inserted(frames, index, whole({ ...first.frame, data: tools.pick([first.frame.data, NO_BYTES]) }));
  }),
  // Behind the channel another one, and then a channel of the first one's id, which a third one cuts off.
  'frame/id-again': at('frames', 'frame-queue/new-first-drops-open', (frames, tools) => {
    const last = frames[frames.length - 1]?.frame;
    if (last === undefined) return frames;
    const data = last.data.subarray(0, 3);
    const other = otherId(last.channel);
    return [
      ...frames,
      whole({ channel: other, number: 0, data, last: tools.pick([true, false]) }),
      whole({ channel: last.channel, number: 0, data, last: tools.pick([false, false, true]) }),
      whole({ channel: otherId(other), number: 0, data, last: true }),
    ];
  }),
  'frame/wrapped': at('frames', 'frame-queue/contiguous', (frames) => {
    const first = frames[0];
    return first === undefined ? frames : [whole({ ...first.frame, number: 65_535, last: false }), ...frames];
  }),

  // Items.
  'frame/version-byte': at('item', 'frame/version-byte', (items, tools) =>
    items.map((item) =>
      tools.pick([
        () => concatBytes([bytes(tools.pick([1, 2, 0xff])), item.subarray(1)]),
        () => NO_BYTES,
        () => bytes(0),
      ])(),
    ),
  ),
  'frame/trailing': at('item', 'frame/exact-tiling', (items, tools) =>
    items.map((item) => concatBytes([item, new Uint8Array(tools.pick([1, 22, 23, 24]))])),
  ),
  'frame/cut': at('item', 'frame/exact-tiling', (items, tools) =>
    items.map((item) => item.subarray(0, tools.pick([item.length - 1, 24, 23, 2, item.length >> 1]))),
  ),
  'frame/noise': at('item', 'frame/all-or-nothing', (items, tools) => {
    const noise = tools.pick([
      NO_BYTES,
      bytes(0),
      bytes(0, 0, 0),
      bytes(1, 2, 3),
      new Uint8Array(24),
      new Uint8Array(25),
    ]);
    return tools.pick([
      [noise, ...items],
      [...items, noise],
    ]);
  }),
  // The item that closes a channel, with another channel before it that fills the bank up to its size or past it.
  'channel-bank/prune': at('item', 'channel-bank/prune', (items, tools) => splitClose(items, tools, fillBank)),
  // The same with frames of its own.
  'channel-assembler/size-limit': at('item', 'channel-assembler/size-limit', (items, tools) =>
    splitClose(items, tools, fillChannel),
  ),
  'frame/item-repeated': at('item', 'channel-bank/open', (items) => [...items, ...items]),
} as const satisfies Record<string, AnyFault>;

export type FaultId = keyof typeof FAULTS;

export const FAULT_IDS = Object.keys(FAULTS) as readonly FaultId[];

/** The layer of a fault: faults of the same layer are tried at the same places. */
export function layerOf(fault: FaultId): Layer {
  return FAULTS[fault].layer;
}

/** The value with the fault in it, if the fault is one of this layer. */
export function applyFault<L extends Layer>(id: FaultId, layer: L, value: Layers[L], tools: FaultTools): Layers[L] {
  const fault: AnyFault = FAULTS[id];
  // The layer's name says what the fault edits; the compiler does not follow a name into a mapped type.
  return fault.layer === layer ? (fault as unknown as Fault<L>).apply(value, tools) : value;
}

/** Picks by the digits of one number. */
export function toolsFor(chain: Chain, value: number): FaultTools {
  let rest = Math.max(Math.trunc(value), 0);
  const below = (count: number) => {
    if (count <= 1) return 0;
    const digit = rest % count;
    rest = Math.floor(rest / count);
    return digit;
  };
  return { chain, below, pick: (choices) => choices[below(choices.length)]! };
}
