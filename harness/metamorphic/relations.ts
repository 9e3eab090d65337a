/** The relations. */

import type { SingleBatch, SpanBatch } from '../../src/batch/batch.ts';
import { batchHash, encodeSingleBatch, encodeSpanBatch } from '../../src/batch/codec.ts';
import { isActive } from '../../src/chain/config.ts';
import { type ChannelCompression, encodeChannel } from '../../src/channel.ts';
import { derive } from '../../src/derive.ts';
import { equalBytes, toHex } from '../../src/encoding/bytes.ts';
import { keccak256 } from '../../src/encoding/keccak.ts';
import { DERIVATION_VERSION } from '../../src/frame.ts';
import type { SingleEntry, Trace } from '../../src/trace.ts';
import type { Vector } from '../../src/vector.ts';
import { type BatchModel, readBatch } from '../minimise/batches.ts';
import { type Content, readContent } from '../minimise/content.ts';
import { type Channel, frameAt, type Item, layoutOf, withChannels, withItems } from '../minimise/layout.ts';
import { mapBatches, renumbered, withReferences } from '../minimise/references.ts';
import { vectorToLine } from '../vector.ts';
import { type Exception, everything, type Relation, without } from './relation.ts';

/** Only the content of channels is changed, so what they weigh may tip a scale. */
const SIZES: readonly Exception[] = [
  { side: 'channel-bank/prune+', why: 'the bank is pruned by the size of compressed data' },
  { side: 'channel-assembler/size-limit+', why: 'a staging channel is dropped for its compressed size' },
];

/** Frames of one L1 block's data are cut into other transactions. */
const cut: Relation = {
  id: 'cut',
  statement: 'The same frames in other transactions of the same L1 block give the same trace.',
  grounds: ['frame/layout', 'frame/exact-tiling', 'frame-queue/one-item'],
  exceptions: (
    [
      'frame-queue/contiguous+',
      'frame-queue/after-close+',
      'frame-queue/foreign-non-first+',
      'frame-queue/new-first-drops-open+',
    ] as const
  ).map((side) => ({
    side,
    why: 'from Holocene on frames are held against their neighbours in the same transaction only',
  })),
  change(vector, choice) {
    const way = [apart, together, regrouped][choice % 3]!;
    const other = withItems(
      vector,
      layoutOf(vector).blocks.map((items) => way(items, choice)),
    );
    return vectorToLine(other) === vectorToLine(vector) ? undefined : other;
  },
  view: everything,
};

/** Each frame in a transaction of its own. */
function apart(items: readonly Item[]): Item[] {
  return items.flatMap((item) =>
    isRead(item) ? item.frames.map((frame): Item => ({ ...item, frames: [frame] })) : [item],
  );
}

/** The frames of neighbours in one transaction. */
function together(items: readonly Item[]): Item[] {
  const joined: Item[] = [];
  for (const item of items) {
    const before = joined[joined.length - 1];
    if (before !== undefined && isRead(before) && isRead(item)) {
      joined[joined.length - 1] = { ...before, frames: [...before.frames, ...item.frames] };
    } else joined.push(item);
  }
  return joined;
}

/** The frames of neighbours in transactions of one to three. */
function regrouped(items: readonly Item[], choice: number): Item[] {
  return together(items).flatMap((item, at) => {
    if (!isRead(item)) return [item];
    const groups: Item[] = [];
    for (let from = 0; from < item.frames.length; ) {
      const to = from + 1 + ((choice + at + groups.length) % 3);
      groups.push({ ...item, frames: item.frames.slice(from, to) });
      from = to;
    }
    return groups;
  });
}

/** Whether derivation reads the item: frames behind another version byte are none. */
function isRead(item: Item): item is Item & { readonly kind: 'frames' } {
  return item.kind === 'frames' && item.version === DERIVATION_VERSION;
}

/** Bytes of content that are compressed again at the most. */
const MAX_CONTENT = 50_000;

/** Channels are compressed in another way. */
const compression: Relation = {
  id: 'compression',
  statement: 'Channels compressed with another algorithm or level give the same batches.',
  grounds: ['channel-reader/detect', 'channel-reader/zlib-stream', 'channel-reader/brotli-stream'],
  exceptions: [
    ...SIZES,
    { side: 'channel-reader/brotli-gate+', why: 'before Fjord brotli is not read' },
    { side: 'channel-reader/limit+', why: 'an implementation may look at what the compressor left over' },
    { side: 'channel-reader/partial-output+', why: 'what comes out of a broken stream depends on the stream' },
  ],
  change(vector, choice) {
    const channels = readableChannels(vector);
    if (channels === undefined) return undefined;
    const { forks } = vector.config;
    const brotli = forks.fjord !== null && vector.l1[0].timestamp >= forks.fjord;
    const ways: readonly ChannelCompression[] = [
      { algorithm: 'zlib', level: 0 },
      { algorithm: 'zlib', level: 1 },
      { algorithm: 'zlib', level: 9, windowBits: 9 },
      ...(brotli ? [{ algorithm: 'brotli', quality: 1 + (choice % 11) } as const] : []),
    ];
    const way = ways[choice % ways.length]!;
    const changes = new Map<Channel, Uint8Array>();
    for (const [channel, { batches, tail }] of channels) {
      const data = encodeChannel(batches, way, { contentTail: tail });
      if (!equalBytes(data, channel.data)) changes.set(channel, data);
    }
    return changes.size === 0 ? undefined : withChannels(vector, changes);
  },
  view: ({ frames, channels, batches, flushes, singles, outcome, safeHead }) => ({
    frames: frames.map((frame) => without(frame, 'size')),
    channels: channels.map(({ origin }) => origin),
    batches,
    flushes,
    singles,
    outcome: outcome.kind,
    safeHead,
  }),
};

/**
 * The channels that can be written again; `undefined` if there are none, or if the pipeline makes up others than the
 * bytes suggest, of frames that were meant for different ones.
 */
function readableChannels(vector: Vector): Map<Channel, Content> | undefined {
  const layout = layoutOf(vector);
  const { channels } = layout;
  // A frame that is sent twice may stand in for its twin.
  const ids = new Set(channels.map(({ places }) => toHex(frameAt(layout, places[0]!).channel)));
  if (layout.loose.some((place) => ids.has(toHex(frameAt(layout, place).channel)))) return undefined;
  const known = new Set(channels.map(({ data }) => toHex(keccak256(data))));
  if (!derive(vector).channels.every(({ hash }) => known.has(toHex(hash)))) return undefined;
  const readable = new Map<Channel, Content>();
  for (const channel of channels) {
    const content = readContent(channel.data);
    if (content === undefined) continue;
    const { checksum, missing, trailing } = content.envelope;
    const length = content.tail.length + content.batches.reduce((sum, batch) => sum + batch.length, 0);
    if (checksum === 0 && missing === 0 && trailing.length === 0 && length <= MAX_CONTENT)
      readable.set(channel, content);
  }
  return readable.size === 0 ? undefined : readable;
}

/** Transactions that hold no batcher data stand between the others. */
const ignored: Relation = {
  id: 'ignored',
  statement: 'A transaction of another version, an empty one and a lone version byte between others change nothing.',
  grounds: ['frame/version-byte', 'frame/all-or-nothing', 'frame-queue/one-item'],
  exceptions: [],
  change(vector, choice) {
    const items = [Uint8Array.of(1, 2, 3), Uint8Array.of(), Uint8Array.of(0), Uint8Array.of(255, 0)];
    const l1 = vector.l1.map((block, index) => {
      const at = (choice + index) % (block.data.length + 1);
      const item = items[(choice + index) % items.length]!;
      return { ...block, data: [...block.data.slice(0, at), item, ...block.data.slice(at)] };
    });
    return { ...vector, l1: l1 as unknown as Vector['l1'] };
  },
  view: everything,
};

/** A sequence of single batches becomes one span batch, or the other way round. */
const span: Relation = {
  id: 'span',
  statement:
    'From Holocene on blocks are derived alike whether a channel holds them as single batches or as one span batch.',
  grounds: ['span/new-blocks', 'span/timestamps', 'span/epochs', 'batch-validator/lazy-span'],
  exceptions: [
    ...SIZES,
    {
      side: 'span/start-epoch-too-new+',
      why: 'a single batch counts epochs from w₀, which may be given up, a span batch from its parent (A44)',
    },
    {
      side: 'batch-decode/underivable-span-skipped+',
      why: 'a transaction that has no place in a span batch is no batch there, and a block that the engine judges as a single one',
    },
  ],
  change(vector) {
    const { config } = vector;
    const start = vector.l1[0].timestamp;
    const channels = readableChannels(vector);
    if (channels === undefined || !isActive(config, 'holocene', start) || !isActive(config, 'delta', start))
      return undefined;
    const trace = derive(vector);
    const changes = new Map<Channel, Uint8Array>();
    for (const [channel, { batches, tail }] of channels) {
      const emitted = tail.length === 0 ? emittedOf(batches, trace, vector) : undefined;
      const other = emitted && rewritten(emitted, readBatch(batches[0]!).kind === 'span', vector);
      if (other !== undefined) changes.set(channel, encodeChannel(other, { algorithm: 'zlib' }));
    }
    return changes.size === 0 ? undefined : withChannels(vector, changes);
  },
  view: ({ flushes, singles, outcome, safeHead }) => ({ flushes, singles, outcome: outcome.kind, safeHead }),
};

/** The emitted blocks that are those of a channel, one after the other; `undefined` if it was not all emitted. */
function emittedOf(
  batches: readonly Uint8Array[],
  trace: Trace,
  { config }: Vector,
): readonly SingleBatch[] | undefined {
  const { singles } = trace;
  const models = batches.map(readBatch);
  const [first] = models;
  let start: number;
  let count: number;
  if (first?.kind === 'span' && models.length === 1) {
    count = first.span.blocks.length;
    const timestamp = config.genesis.l2Time + first.span.relTimestamp;
    start = singles.findIndex(
      (single) =>
        single.timestamp === timestamp && equalBytes(single.parentHash.subarray(0, 20), first.span.parentCheck),
    );
  } else {
    const parsed = models.flatMap((model) => (model.kind === 'single' ? [model.batch] : []));
    if (parsed.length === 0 || parsed.length < models.length) return undefined;
    count = parsed.length;
    start = singles.findIndex((_, at) => parsed.every((batch, index) => isEmitted(batch, singles[at + index])));
  }
  const emitted = start < 0 ? [] : singles.slice(start, start + count);
  if (emitted.length < count) return undefined;
  const { origin, timestamp } = emitted[0]!;
  const blocks = emitted.map((single): SingleBatch => ({ kind: 'single', ...without(single, 'origin') }));
  // The stage makes empty batches too, and such a one may be what a batch that was dropped would have been.
  const decoded = trace.batches.filter((entry) => entry.origin === origin).map(({ hash }) => toHex(hash));
  const wanted = first?.kind === 'span' ? [spanOf(blocks)] : blocks;
  if (!wanted.every((batch) => decoded.includes(toHex(batchHash(batch))))) return undefined;
  // A batch that adopts its own inclusion block makes the stage drain what is behind it, but not a buffered span batch.
  const follows = emitted.every(
    (single, index) =>
      single.origin === origin &&
      single.epochNum < origin &&
      single.epochNum - emitted[Math.max(index - 1, 0)]!.epochNum <= 1n &&
      single.timestamp === timestamp + BigInt(index) * config.blockTime,
  );
  return follows ? blocks : undefined;
}

/** The span batch of consecutive blocks. */
function spanOf(blocks: readonly SingleBatch[]): SpanBatch {
  const [first, ...rest] = blocks;
  return {
    kind: 'span',
    parentCheck: first!.parentHash.subarray(0, 20),
    l1OriginCheck: blocks[blocks.length - 1]!.epochHash.subarray(0, 20),
    blocks: [first!, ...rest],
  };
}

function isEmitted(batch: SingleBatch, single: SingleEntry | undefined): boolean {
  return (
    single !== undefined &&
    batch.timestamp === single.timestamp &&
    batch.epochNum === single.epochNum &&
    equalBytes(batch.parentHash, single.parentHash) &&
    equalBytes(batch.epochHash, single.epochHash) &&
    batch.transactions.length === single.transactions.length &&
    batch.transactions.every((transaction, index) => equalBytes(transaction, single.transactions[index]!))
  );
}

function rewritten(blocks: readonly SingleBatch[], isSpan: boolean, { config }: Vector): Uint8Array[] | undefined {
  if (isSpan) return blocks.map((block) => encodeSingleBatch(block));
  try {
    return [encodeSpanBatch(spanOf(blocks), { genesisTime: config.genesis.l2Time })];
  } catch (error) {
    // A transaction that has no place in a span batch.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether a single batch lies so near to 2^64 that it would begin again at zero. */
function isFarAway(model: BatchModel): boolean {
  return model.kind === 'single' && model.batch.timestamp >= 2n ** 63n;
}

/** Seconds by which everything is moved. */
const SHIFTS: readonly bigint[] = [1n, 12n, 1000n, 86_400n];

/** All times are moved by a constant. */
const time: Relation = {
  id: 'time',
  statement: 'With genesis, forks, blocks and batches so many seconds later the same is derived so many seconds later.',
  grounds: ['single/too-early', 'single/too-late', 'span/timestamps', 'single/min-time'],
  exceptions: [{ side: 'span/timestamps+', why: 'a time that passes 2^64 begins again at zero' }],
  change(vector, choice) {
    const channels = readableChannels(vector);
    // What cannot be taken apart cannot be moved along.
    if (channels === undefined || channels.size < layoutOf(vector).channels.length) return undefined;
    const models = [...channels.values()].flatMap(({ batches }) => batches.map(readBatch));
    if (models.some((model) => model.kind === 'raw' || isFarAway(model))) return undefined;
    const shift = SHIFTS[choice % SHIFTS.length]!;
    const { config } = vector;
    const later = <T extends { readonly timestamp: bigint }>(block: T): T => ({
      ...block,
      timestamp: block.timestamp + shift,
    });
    const forks = Object.fromEntries(
      Object.entries(config.forks).map(([fork, activation]) => [fork, activation === null ? null : activation + shift]),
    ) as Vector['config']['forks'];
    const moved: Vector = {
      ...vector,
      config: { ...config, forks, genesis: { ...config.genesis, l2Time: config.genesis.l2Time + shift } },
      l1: vector.l1.map(later) as unknown as Vector['l1'],
      l2: vector.l2.map(later) as unknown as Vector['l2'],
    };
    // A block's time is part of its hash, so what refers to derived blocks is brought up to date.
    return withReferences(
      vector,
      mapBatches(moved, (model) => renumbered(model, { time: shift })),
    );
  },
  view: ({ frames, channels, batches, flushes, singles, outcome, safeHead }, { config }) => ({
    frames: frames.map((frame) => without(frame, 'size')),
    channels: channels.map(({ origin }) => origin),
    batches: batches.map(({ origin, kind }) => [origin, kind]),
    flushes,
    singles: singles.map(({ origin, epochNum, epochHash, timestamp, transactions }) => ({
      origin,
      epochNum,
      epochHash,
      sinceGenesis: BigInt(timestamp) - config.genesis.l2Time,
      transactions,
    })),
    outcome: outcome.kind,
    safeHead: safeHead.number,
  }),
};

export const RELATIONS: readonly Relation[] = [cut, compression, ignored, span, time];
