/**
 * From a plan to a vector: the batcher's part.
 *
 * Channel after channel is built on what the batcher believes the safe chain to be, broken as the plan has it, and
 * posted. A plan may have the batcher look at what was really derived so far; then the TypeScript pipeline runs over
 * the L1 blocks up to that moment, so that a story goes on behind an invalidation instead of dying with it.
 */

import type { SingleBatch, SpanBatch } from '../../src/batch/batch.ts';
import { columnsOf } from '../../src/batch/span.ts';
import { encodeSpanColumns } from '../../src/batch/span-columns.ts';
import { transactionColumns } from '../../src/batch/span-transactions.ts';
import type { L1Block, L2Block } from '../../src/chain/blocks.ts';
import { blockHash } from '../../src/chain/engine.ts';
import { encodeChannel } from '../../src/channel.ts';
import { type DriveObserver, drive } from '../../src/derive.ts';
import { concatBytes } from '../../src/encoding/bytes.ts';
import { encodeRlp } from '../../src/encoding/rlp.ts';
import { encodeFrame, encodeItem } from '../../src/frame.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { channelId } from '../scenario/scenario.ts';
import { Chain, MAX_L1_BLOCKS } from './chain.ts';
import { applyFault, type FaultId, type FrameDraft, type Layer, type Layers, layerOf, toolsFor } from './faults.ts';
import type { BatchPlan, ChannelPlan, FaultPlan, VectorPlan } from './plan.ts';

/** How often a batcher may look at what was derived; each look costs a derivation. */
const MAX_LOOKS = 2;

/** Renders the plan. Every plan gives a vector, and always the same one. */
export function render(plan: VectorPlan, name: string): Vector {
  return new Batcher(plan).run(name);
}

/** A place at which a fault may be: the channel, and the position inside it where that is known beforehand. */
interface Place {
  readonly channel: number;
  readonly batch?: number;
  /** Of several single batches in a row. */
  readonly row?: number;
}

/** A channel that is ready to be posted. */
interface Outgoing {
  readonly index: number;
  readonly plan: ChannelPlan;
  readonly frames: readonly FrameDraft[];
  /** The first L1 block at which it may be posted. */
  readonly earliest: number;
}

class Batcher {
  readonly #plan: VectorPlan;
  readonly #chain: Chain;
  readonly #faults: readonly { readonly plan: FaultPlan; readonly place: Place | undefined }[];
  readonly #posted: Uint8Array[][] = [];
  /** Where the last item was posted. */
  #l1Index = 0;
  /** The L2 chain as the batcher sees it: what is safe, and what it has planned on top. */
  #known: L2Block[];
  /** Number of the block that is due. */
  #due: bigint;
  #looks = 0;

  constructor(plan: VectorPlan) {
    this.#plan = plan;
    this.#chain = new Chain(plan.chain);
    this.#known = [...this.#chain.safe];
    this.#due = this.#chain.safeHead.number + 1n;
    this.#faults = plan.faults.map((fault) => ({ plan: fault, place: placeOf(fault, plan.channels) }));
  }

  run(name: string): Vector {
    const { channels, tail } = this.#plan;
    for (let index = 0; index < channels.length; ) {
      const group = [this.#outgoing(index)];
      index += 1;
      while (index < channels.length && channels[index]!.interleaved) group.push(this.#outgoing(index++));
      this.#post(group);
    }
    return this.#vector(name, Math.min(this.#l1Index + Math.max(tail, 0), MAX_L1_BLOCKS) + 1);
  }

  /** The vector of the first `count` L1 blocks. */
  #vector(name: string, count: number): Vector {
    let l1: readonly L1Block[] = Array.from({ length: count }, (_, index) => ({
      ...this.#chain.l1(index),
      data: this.#posted[index] ?? [],
    }));
    l1 = this.#broken('l1', l1, () => true);
    const safe = this.#broken('safe', this.#chain.safe, () => true);
    const head = this.#chain.safeHead.number;
    return {
      name,
      config: this.#chain.config,
      // Neither chain is ever empty, whatever a fault does to its blocks.
      l1: l1 as unknown as Vector['l1'],
      l2: safe as unknown as Vector['l2'],
      invalidBlocks: this.#plan.chain.refused.map((offset) => head + BigInt(Math.max(offset, 1))),
    };
  }

  #outgoing(index: number): Outgoing {
    const plan = this.#plan.channels[index]!;
    let earliest = Math.min(this.#l1Index + Math.max(plan.delay, 0), MAX_L1_BLOCKS - 1);
    if (plan.base === 'derived' && index > 0) this.#look(earliest);
    const batches: Uint8Array[] = [];
    for (const [position, batch] of plan.batches.entries()) {
      const blocks = this.#blocks(batch);
      const last = this.#chain.originIndex(blocks[blocks.length - 1]!);
      // An epoch's data can only be posted once that L1 block is there.
      if (!plan.early && last >= earliest) earliest = Math.min(last + 1, MAX_L1_BLOCKS - 1);
      batches.push(...this.#encode(batch, blocks, { channel: index, batch: position }));
    }
    const draft = this.#broken(
      'channel',
      { batches, compression: plan.compression, faults: {} },
      ({ channel }) => channel === index,
    );
    const data = encodeChannel(draft.batches, draft.compression, draft.faults);
    const frames = this.#broken('frames', cut(data, plan), ({ channel }) => channel === index);
    return { index, plan, frames, earliest };
  }

  /** The batcher looks at what was derived of everything that stands before the L1 block, and in it. */
  #look(l1Index: number): void {
    if (this.#looks >= MAX_LOOKS) return;
    this.#looks += 1;
    // In a block without data yet nothing is due; its end could make empty batches that come after this channel.
    const count = this.#posted[l1Index] === undefined ? l1Index : l1Index + 1;
    if (count === 0) return;
    const vector = this.#vector('', count);
    const blocks: L2Block[] = [...vector.l2];
    drive(vector, new RuleBook(), new BlockCollector(blocks), blockHash);
    this.#known = blocks;
    this.#due = blocks[blocks.length - 1]!.number + 1n;
  }

  /** The blocks of a batch; they become what is known from there on. */
  #blocks(batch: BatchPlan): readonly L2Block[] {
    const known = this.#known;
    const lowest = known[0]!.number;
    const wanted = this.#due + BigInt(batch.skip);
    const from = wanted < lowest ? lowest : wanted;
    const end = from + BigInt(Math.max(batch.length, 1));
    while (known[known.length - 1]!.number < from - 1n) {
      known.push(this.#chain.build(known[known.length - 1]!, batch.pace, false));
    }
    // A branch leaves the known chain; only the first known block has no parent to branch from.
    if (batch.branch && from > lowest) known.length = Number(from - lowest);
    while (known[known.length - 1]!.number < end - 1n) {
      known.push(this.#chain.build(known[known.length - 1]!, batch.pace, batch.branch));
    }
    if (end > this.#due) this.#due = end;
    const start = Number(from - lowest);
    return known.slice(start, Number(end - lowest));
  }

  #encode(plan: BatchPlan, blocks: readonly L2Block[], place: Place): Uint8Array[] {
    const isHere = ({ channel, batch }: Place) => channel === place.channel && batch === place.batch;
    if (plan.kind === 'span') {
      const encoded = this.#encodeSpan(blocks, isHere);
      return [this.#broken('batch', encoded, isHere)];
    }
    return blocks.map((block, index) => {
      const isThis = (other: Place) => isHere(other) && other.row === index;
      const encoded = this.#encodeSingle(block, isThis);
      return this.#broken('batch', encoded, isThis);
    });
  }

  #encodeSingle(block: L2Block, isHere: (place: Place) => boolean): Uint8Array {
    const honest: SingleBatch = {
      kind: 'single',
      parentHash: block.parentHash,
      epochNum: block.l1Origin.number,
      epochHash: block.l1Origin.hash,
      timestamp: block.timestamp,
      transactions: block.transactions,
    };
    const batch = this.#broken('single', honest, isHere);
    const { parentHash, epochNum, epochHash, timestamp, transactions } = batch;
    const fields = this.#broken('fields', [parentHash, epochNum, epochHash, timestamp, transactions], isHere);
    return concatBytes([SINGLE_VERSION, encodeRlp(fields)]);
  }

  #encodeSpan(blocks: readonly L2Block[], isHere: (place: Place) => boolean): Uint8Array {
    const [first] = blocks;
    const last = blocks[blocks.length - 1]!;
    const honest: SpanBatch = {
      kind: 'span',
      parentCheck: first!.parentHash.subarray(0, 20),
      l1OriginCheck: last.l1Origin.hash.subarray(0, 20),
      blocks: blocks.map(({ l1Origin, timestamp, transactions }) => ({
        epochNum: l1Origin.number,
        timestamp,
        transactions: transactions.filter(fitsSpan),
      })) as unknown as SpanBatch['blocks'],
    };
    const batch = this.#broken('span', honest, isHere);
    const context = { genesisTime: this.#chain.config.genesis.l2Time };
    const draft = this.#broken('columns', { columns: columnsOf(batch, context), bytes: {} }, isHere);
    return concatBytes([SPAN_VERSION, encodeSpanColumns(draft.columns, draft.bytes)]);
  }

  /** Puts the frames of the channels into items, and those into L1 blocks. */
  #post(group: readonly Outgoing[]): void {
    const [first] = group;
    const { perItem, gap } = first!.plan;
    const frames = alternate(group.map((channel) => channel.frames));
    let index = Math.max(...group.map(({ earliest }) => earliest));
    const size = Math.max(perItem, 1);
    for (let start = 0; start < frames.length; start += size) {
      if (start > 0) index = Math.min(index + Math.max(gap, 0), MAX_L1_BLOCKS - 1);
      const encoded = frames.slice(start, start + size).map(({ frame, faults }) => encodeFrame(frame, faults));
      const position = start / size;
      const items = this.#broken('item', [encodeItem(encoded)], ({ channel, batch }) => {
        return channel === first!.index && (batch ?? 0) % Math.ceil(frames.length / size) === position;
      });
      this.#posted[index] ??= [];
      this.#posted[index]!.push(...items);
    }
    this.#l1Index = index;
  }

  /** The value with all faults of the layer that are here. */
  #broken<L extends Layer>(layer: L, value: Layers[L], isHere: (place: Place) => boolean): Layers[L] {
    let broken = value;
    for (const { plan, place } of this.#faults) {
      if (layerOf(plan.fault) !== layer || place === undefined || !isHere(place)) continue;
      broken = applyFault(plan.fault, layer, broken, toolsFor(this.#chain, plan.value));
    }
    return broken;
  }
}

/** Keeps the blocks that are derived, and nothing of what else passes. */
class BlockCollector implements DriveObserver {
  readonly #blocks: L2Block[];
  entries = 0;

  constructor(blocks: L2Block[]) {
    this.#blocks = blocks;
  }

  block(block: L2Block): void {
    this.#blocks.push(block);
  }

  // The driver takes a run for stalled in which nothing passes.

  frame(): void {
    this.entries += 1;
  }

  channel(): void {
    this.entries += 1;
  }

  batch(): void {
    this.entries += 1;
  }

  flush(): void {
    this.entries += 1;
  }

  single(): void {
    this.entries += 1;
  }
}

const SINGLE_VERSION = Uint8Array.of(0);
const SPAN_VERSION = Uint8Array.of(1);

const fitting = new WeakMap<Uint8Array, boolean>();

/** Whether a transaction has a place in a span batch. What derivation lets through in a single batch need not have. */
function fitsSpan(raw: Uint8Array): boolean {
  const known = fitting.get(raw);
  if (known !== undefined) return known;
  let fits = true;
  try {
    transactionColumns([raw]);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    fits = false;
  }
  fitting.set(raw, fits);
  return fits;
}

/** Faults that say nothing of a batch that overlaps nothing. */
const AIMED_AT_OVERLAPS: ReadonlySet<FaultId> = new Set(['span/overlap-content', 'span/full-epoch']);

/** Where the fault is; `undefined` if the plan has no such place. */
function placeOf({ fault, at }: FaultPlan, channels: readonly ChannelPlan[]): Place | undefined {
  const layer = layerOf(fault);
  if (layer === 'l1' || layer === 'safe') return { channel: 0 };
  const places: Place[] = [];
  for (const [channel, { batches, frames }] of channels.entries()) {
    if (layer === 'channel' || layer === 'frames') {
      places.push({ channel });
      continue;
    }
    // How many items there are turns out later, and is never more than there are frames.
    if (layer === 'item') {
      for (let batch = 0; batch < frames; batch++) places.push({ channel, batch });
      continue;
    }
    for (const [batch, { kind, length, skip }] of batches.entries()) {
      if (AIMED_AT_OVERLAPS.has(fault) && skip >= 0) continue;
      if (kind === 'span' && layer !== 'single' && layer !== 'fields') places.push({ channel, batch });
      if (kind === 'single' && layer !== 'span' && layer !== 'columns') {
        for (let row = 0; row < Math.max(length, 1); row++) places.push({ channel, batch, row });
      }
    }
  }
  return places[Math.max(at, 0) % Math.max(places.length, 1)];
}

/** The channel's frames, of about equal size. */
function cut(data: Uint8Array, { id, frames }: ChannelPlan): FrameDraft[] {
  const count = Math.max(frames, 1);
  const size = Math.ceil(data.length / count);
  return Array.from({ length: count }, (_, number) => ({
    frame: {
      channel: channelId(id),
      number,
      data: data.subarray(number * size, (number + 1) * size),
      last: number === count - 1,
    },
    faults: {},
  }));
}

/** One element of each list in turn, until all are used up. */
function alternate<T>(lists: readonly (readonly T[])[]): readonly T[] {
  if (lists.length === 1) return lists[0]!;
  const out: T[] = [];
  const longest = Math.max(...lists.map((list) => list.length));
  for (let index = 0; index < longest; index++) {
    for (const list of lists) if (index < list.length) out.push(list[index]!);
  }
  return out;
}
