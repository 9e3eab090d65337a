/**
 * What the TypeScript pipeline makes of a vector, told step by step: which bytes became which frame, channel, batch and
 * block, and by which rule the others were lost.
 *
 * The pipeline runs as always. This file listens to its rule book and to what crosses the boundaries, and keeps beside
 * it a copy of what each stage holds, moved by the decisions alone: no rule is judged here a second time.
 */

import type { Batch, SingleBatch } from '../../src/batch/batch.ts';
import { batchHash } from '../../src/batch/hash.ts';
import type { L1Block, L1BlockRef } from '../../src/chain/blocks.ts';
import { isActive } from '../../src/chain/config.ts';
import { blockHash } from '../../src/chain/engine.ts';
import { type DriveObserver, drive } from '../../src/derive.ts';
import { toHex } from '../../src/encoding/bytes.ts';
import { type Frame, decodeItem as parseItem } from '../../src/frame.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { type Decision, RuleBook, type Variant } from '../../src/rules/rule-book.ts';
import type { FlushCause } from '../../src/stages/pull.ts';
import type { Outcome } from '../../src/trace.ts';
import type { Vector } from '../../src/vector.ts';
import { decodeBatch } from '../decode/batch.ts';
import { channelContent } from '../decode/channel.ts';
import { decodeItem } from '../decode/item.ts';
import { BatchWatch } from './batch-watch.ts';
import { ChannelWatch } from './channel-watch.ts';
import { reasonOf } from './reason.ts';
import type { BatchRow, BlockRow, ChannelRow, FrameRow, Reason, Row } from './rows.ts';

export interface Account {
  readonly rows: readonly Row[];
  readonly outcome: Outcome;
}

/** Runs the pipeline and tells what happens. */
export function account(vector: Vector, variant?: Variant): Account {
  const watch = new Watch(vector);
  const rules = new RuleBook(variant);
  rules.listener = (decision) => watch.decision(decision);
  watch.enter(vector.l1[0]);
  const { outcome } = drive(vector, rules, watch, blockHash, (origin) => watch.enter(origin));
  watch.finish();
  return { rows: watch.rows, outcome };
}

/** Decisions of the step into Holocene: they are taken before the new origin is told. */
const ACTIVATION = /^activation\/(trigger|several-forks|data-once|channels-dropped|window-kept|batches-dropped)$/;

/** How the channel reader ends a channel, by rule. */
const CHANNEL_ENDS: ReadonlyMap<RuleId, string> = new Map<RuleId, string>([
  ['channel-reader/detect', 'channel dropped'],
  ['channel-reader/brotli-gate', 'channel dropped'],
  ['channel-reader/rlp-strings', 'channel ends here'],
  ['channel-reader/limit', 'channel ends here'],
  ['channel-reader/partial-output', 'channel ends here'],
]);

/** A batch's place in the content of its channel. */
interface Place {
  readonly start: number;
  readonly end: number;
}

class Watch implements DriveObserver {
  entries = 0;
  readonly rows: Row[] = [];
  readonly #vector: Vector;
  readonly #counts = { frames: 0, channels: 0, batches: 0, flushes: 0, singles: 0 };
  readonly #channels: ChannelWatch;
  readonly #batches: BatchWatch;
  #block: L1Block;
  /** Items of the current block that were parsed. */
  #loads = 0;
  #waitingForOrigin: Decision[] = [];
  #channel: ChannelRow | undefined;
  /** Where the batch at hand lies in the channel's content. */
  #place: Place = { start: 0, end: 0 };
  /** The channel's batches, by the place in its content where each starts. */
  #content: ReadonlyMap<number, Uint8Array> | undefined;
  #flushReason: Reason | undefined;

  constructor(vector: Vector) {
    this.#vector = vector;
    this.#block = vector.l1[0];
    this.#channels = new ChannelWatch((row) => this.rows.push(row));
    this.#batches = new BatchWatch();
  }

  /** The pipeline stands on a new L1 block. */
  enter({ number, timestamp }: L1BlockRef): void {
    const { l1, config } = this.#vector;
    this.#block = l1.find((block) => block.number === number) ?? this.#block;
    this.#loads = 0;
    const row: BlockRow = {
      kind: 'block',
      origin: number,
      timestamp,
      items: this.#block.data.length,
      holocene: isActive(config, 'holocene', timestamp),
      activates: false,
      reasons: [],
    };
    this.rows.push(row);
    this.#channels.origin = number;
    for (const decision of this.#waitingForOrigin.splice(0)) this.#activation(decision, row);
  }

  decision(decision: Decision): void {
    const { rule, fired } = decision;
    if (ACTIVATION.test(rule)) {
      this.#waitingForOrigin.push(decision);
      return;
    }
    if (rule === 'frame-queue/prune-on-load') this.#load(fired);
    if (rule.startsWith('frame-queue/') || rule.startsWith('channel-bank/') || rule.startsWith('channel-assembler/')) {
      this.#channels.decision(decision);
    } else if (rule.startsWith('channel-reader/') || rule.startsWith('batch-decode/')) this.#reading(decision);
    else this.#judging(decision);
  }

  #activation(decision: Decision, row: BlockRow): void {
    if (!decision.fired) return;
    if (decision.rule === 'activation/trigger') row.activates = true;
    if (decision.rule === 'activation/channels-dropped') this.#channels.activate(decision);
    if (decision.rule === 'activation/batches-dropped') this.#batches.activate(decision);
  }

  /** An item was parsed: its row, and those of its frames. */
  #load(pruned: boolean): void {
    const { data, number: origin } = this.#block;
    const index = data.length === 0 ? 0 : this.#loads % data.length;
    const again = this.#loads >= data.length;
    this.#loads += 1;
    const item = data[index] ?? new Uint8Array(0);
    const decoded = decodeItem(item);
    const parsed = parseItem(item, new RuleBook());
    const reasons: Reason[] = [];
    if (decoded.ending !== null) {
      const facts = { offset: String(decoded.ending.offset), detail: decoded.ending.detail };
      reasons.push({ rule: decoded.ending.rule, effect: 'item ignored', facts });
    }
    const content = { bytes: item, parts: decoded.parts, decoded, ending: decoded.ending };
    this.rows.push({
      kind: 'item',
      origin,
      index,
      size: item.length,
      frames: decoded.frames.length,
      again,
      reasons,
      content,
    });
    if (parsed.kind === 'ignored') {
      // Frames before the fault: another implementation may keep them.
      for (const { channel, number, last, end, size } of decoded.frames) {
        const bytes = item.subarray(end - 1 - size, end - 1);
        this.rows.push({ kind: 'frame', origin, channel, number, data: bytes, last, reasons: [] });
      }
    }
    const rows = parsed.kind === 'frames' ? parsed.frames.map((frame) => frameRow(frame, origin)) : [];
    for (const row of rows) this.rows.push(row);
    this.#channels.load(rows, pruned);
  }

  frame(_: L1BlockRef, frame: Frame): void {
    this.entries += 1;
    this.#channels.frame(frame, this.#counts.frames++);
  }

  channel(origin: L1BlockRef, data: Uint8Array): void {
    this.entries += 1;
    const row = this.#channels.complete(origin.number, data);
    row.entry = this.#counts.channels++;
    this.rows.push(row);
    this.#channel = row;
    this.#content = undefined;
  }

  /** Decisions of the channel reader and of decoding. */
  #reading(decision: Decision): void {
    const { rule, fired, context } = decision;
    const channel = this.#channel;
    if (channel === undefined) return;
    if (rule === 'channel-reader/rlp-strings') this.#place = context as unknown as Place;
    if (!fired) return;
    if (rule === 'channel-reader/zlib-stream' || rule === 'channel-reader/brotli-stream') {
      const corrupt = context['fault'] === 'corrupt';
      channel.reasons.push(reasonOf(decision, corrupt ? 'what came out before the fault counts' : 'channel dropped'));
    }
    const effect = CHANNEL_ENDS.get(rule);
    if (effect !== undefined) channel.reasons.push(reasonOf(decision, effect));
    if (rule === 'batch-decode/malformed-ends-channel') this.#undecoded(decision, 'malformed: the channel ends here');
    if (rule === 'batch-decode/underivable-span-skipped') this.#undecoded(decision, 'batch skipped');
  }

  /** A batch that is read and does not come to be one. */
  #undecoded({ context }: Decision, effect: string): void {
    const bytes = this.#batchBytes();
    const decoded = this.#decode(bytes);
    const row: BatchRow = {
      kind: 'batch',
      origin: this.#block.number,
      form: decoded.form,
      index: this.#channel === undefined ? 0 : this.#channel.batches++,
      blocks: 0,
      transactions: 0,
      hash: undefined,
      emitted: 0,
      reasons: [],
      content: { bytes, parts: decoded.parts, decoded, ending: decoded.ending },
    };
    const { ending } = decoded;
    // A batch that is skipped was parsed to its end, so there is no place to name.
    const place = decoded.effect === 'malformed' ? { offset: String(ending?.offset) } : {};
    const facts = ending === null ? {} : { ...place, detail: ending.detail };
    row.reasons.push({ rule: context['rule'] as RuleId, effect, facts });
    this.rows.push(row);
  }

  batch(origin: L1BlockRef, batch: Batch): void {
    this.entries += 1;
    const bytes = this.#batchBytes();
    const decoded = this.#decode(bytes);
    const blocks = batch.kind === 'span' ? batch.blocks : [batch];
    const [first] = blocks;
    const last = blocks[blocks.length - 1]!;
    const row: BatchRow = {
      kind: 'batch',
      origin: origin.number,
      entry: this.#counts.batches++,
      form: batch.kind,
      index: this.#channel === undefined ? 0 : this.#channel.batches++,
      first: { timestamp: first.timestamp, epoch: first.epochNum },
      last: { timestamp: last.timestamp, epoch: last.epochNum },
      blocks: blocks.length,
      transactions: blocks.reduce((sum, { transactions }) => sum + transactions.length, 0),
      hash: toHex(batchHash(batch)),
      emitted: 0,
      reasons: [],
      content: { bytes, parts: decoded.parts, decoded, ending: decoded.ending },
    };
    this.rows.push(row);
    this.#batches.batch(row);
  }

  #decode(bytes: Uint8Array) {
    const { genesis, blockTime, l2ChainId } = this.#vector.config;
    const deltaActive = isActive(this.#vector.config, 'delta', this.#block.timestamp);
    return decodeBatch(bytes, { genesisTime: genesis.l2Time, blockTime, l2ChainId, deltaActive });
  }

  /** The bytes of the batch that was read last. */
  #batchBytes(): Uint8Array {
    this.#content ??= channelContent(this.#channel?.data ?? new Uint8Array(0));
    return this.#content.get(this.#place.start) ?? new Uint8Array(0);
  }

  /** Decisions of the batch stages and of the engine. */
  #judging(decision: Decision): void {
    const { rule, fired } = decision;
    this.#batches.decision(decision);
    if (!fired) return;
    if (/^batch-validator\/(span-drop|span-extraction|single-drop)$|^engine\/replacement-flushes$/.test(rule)) {
      this.#flushReason = reasonOf(decision, 'flush');
    }
    if (rule === 'engine/deposits-only') {
      const single = this.rows.findLast(({ kind }) => kind === 'single');
      single?.reasons.push(reasonOf(decision, 'payload refused: replaced by a block without transactions'));
    }
  }

  flush(origin: L1BlockRef, cause: FlushCause): void {
    this.entries += 1;
    const reasons = this.#flushReason === undefined ? [] : [this.#flushReason];
    this.#flushReason = undefined;
    this.rows.push({ kind: 'flush', origin: origin.number, cause, reasons, entry: this.#counts.flushes++ });
    this.#channels.flush();
    this.#batches.flush();
    this.#channel = undefined;
  }

  single(origin: L1BlockRef, batch: SingleBatch): void {
    this.entries += 1;
    const { l2 } = this.#vector;
    const index = this.#counts.singles++;
    this.rows.push({
      kind: 'single',
      origin: origin.number,
      entry: index,
      number: l2[l2.length - 1]!.number + BigInt(index + 1),
      batch,
      from: this.#batches.single(),
      reasons: [],
    });
  }

  /** The run is over: what is still held stays. */
  finish(): void {
    this.#channels.finish();
    this.#batches.finish();
  }
}

function frameRow({ channel, number, data, last }: Frame, origin: bigint): FrameRow {
  return { kind: 'frame', origin, channel: toHex(channel), number, data, last, reasons: [] };
}
