/** Follows frames through the frame queue and the channel stages. */

import { concatBytes, equalBytes, toHex } from '../../src/encoding/bytes.ts';
import type { Frame } from '../../src/frame.ts';
import type { Decision } from '../../src/rules/rule-book.ts';
import { compressionOf } from '../decode/channel.ts';
import { reasonOf } from './reason.ts';
import type { ChannelRow, FrameRow, LostRow } from './rows.ts';

interface HeldChannel {
  readonly id: string;
  frames: FrameRow[];
}

export class ChannelWatch {
  /** Number of the L1 block on which the pipeline stands. */
  origin = 0n;
  readonly #lost: (row: LostRow) => void;
  /** Frames that the frame queue holds. */
  #queue: FrameRow[] = [];
  /** The queue being pruned: frames that are not judged yet. */
  #unjudged: FrameRow[] = [];
  /** The frame that the channel stage took last. */
  #frame: FrameRow | undefined;
  readonly #bank = new Map<string, HeldChannel>();
  #staging: HeldChannel | undefined;

  /** @param lost - told of each channel that is given up */
  constructor(lost: (row: LostRow) => void) {
    this.#lost = lost;
  }

  /** An item's frames come into the queue. */
  load(frames: readonly FrameRow[], pruned: boolean): void {
    const all = [...this.#queue, ...frames];
    this.#queue = all;
    this.#unjudged = [];
    if (!pruned || all.length < 2) return;
    this.#queue = all.slice(0, 1);
    this.#unjudged = all.slice(1);
  }

  /** The channel stage takes a frame. */
  frame(frame: Frame, entry: number): void {
    this.#frame = this.#queue.shift();
    if (this.#frame === undefined) {
      const { number, data, last } = frame;
      this.#frame = {
        kind: 'frame',
        origin: this.origin,
        channel: toHex(frame.channel),
        number,
        data,
        last,
        reasons: [],
      };
    }
    this.#frame.entry = entry;
  }

  decision(decision: Decision): void {
    const { rule, fired } = decision;
    const frame = this.#frame;
    switch (rule) {
      case 'frame-queue/new-first-drops-open':
        if (!fired) break;
        this.#queue.pop()?.reasons.push(reasonOf(decision, 'frame dropped'));
        if (this.#queue.length === 0) this.#keep();
        break;
      case 'frame-queue/after-close':
      case 'frame-queue/contiguous':
        if (fired) this.#unjudged.shift()?.reasons.push(reasonOf(decision, 'frame dropped'));
        break;
      case 'frame-queue/foreign-non-first':
        if (fired) this.#unjudged.shift()?.reasons.push(reasonOf(decision, 'frame dropped'));
        else this.#keep();
        break;
      case 'channel-bank/open': {
        if (frame === undefined) break;
        if (fired) {
          this.#bank.delete(frame.channel);
          this.#bank.set(frame.channel, { id: frame.channel, frames: [] });
        }
        this.#bank.get(frame.channel)?.frames.push(frame);
        break;
      }
      case 'channel-bank/timed-out-frame':
      case 'channel-bank/duplicate-number':
      case 'channel-bank/after-close':
        if (!fired || frame === undefined) break;
        frame.reasons.push(reasonOf(decision, 'frame dropped'));
        this.#bank.get(frame.channel)?.frames.pop();
        break;
      case 'channel-bank/close-drops-higher':
        if (fired && frame !== undefined) this.#dropHigher(frame, decision);
        break;
      case 'channel-bank/prune':
      case 'channel-bank/timed-out-head': {
        const [head] = this.#bank.values();
        if (!fired || head === undefined) break;
        this.#bank.delete(head.id);
        this.#give(head, decision, rule === 'channel-bank/prune' ? 'channel dropped for size' : 'channel timed out');
        break;
      }
      case 'channel-assembler/timeout':
        if (fired) this.#giveStaging(decision, 'channel timed out');
        break;
      case 'channel-assembler/first-frame':
        if (!fired || frame === undefined) break;
        this.#giveStaging(decision, 'channel dropped: another one starts');
        this.#staging = { id: frame.channel, frames: [] };
        break;
      case 'channel-assembler/stray-frame':
        if (fired) frame?.reasons.push(reasonOf(decision, 'frame dropped'));
        break;
      case 'channel-assembler/in-order':
        if (fired) frame?.reasons.push(reasonOf(decision, 'frame dropped'));
        else if (frame !== undefined) this.#staging?.frames.push(frame);
        break;
      case 'channel-assembler/size-limit':
        if (fired) this.#giveStaging(decision, 'channel dropped for size');
        break;
    }
  }

  /** A complete channel is handed on. */
  complete(origin: bigint, data: Uint8Array): ChannelRow {
    const held = this.#take(data);
    return {
      kind: 'channel',
      origin,
      channel: held?.id,
      frames: held?.frames.length ?? 0,
      data,
      compression: compressionOf(data),
      batches: 0,
      reasons: [],
    };
  }

  /** The step into Holocene drops everything. */
  activate(decision: Decision): void {
    for (const frame of this.#queue.splice(0)) frame.reasons.push(reasonOf(decision, 'frame dropped'));
    this.#unjudged = [];
    for (const held of this.#bank.values()) this.#give(held, decision, 'channel dropped');
    this.#bank.clear();
    this.#giveStaging(decision, 'channel dropped');
  }

  /** A flush forgets the staging channel. */
  flush(): void {
    this.#giveStaging(
      { rule: 'batch-validator/flush-scope', fired: true, context: {} },
      'channel dropped by the flush',
    );
  }

  /** Frames whose channel never came to be complete. */
  finish(): void {
    const waiting = [...this.#bank.values(), ...(this.#staging === undefined ? [] : [this.#staging])];
    for (const { frames } of waiting) {
      for (const frame of frames) {
        if (frame.reasons.length > 0) continue;
        const rule = this.#staging === undefined ? 'channel-bank/ready' : 'channel-assembler/complete';
        frame.reasons.push({ rule, effect: 'its channel is not complete at the end', facts: {} });
      }
    }
  }

  #keep(): void {
    const next = this.#unjudged.shift();
    if (next !== undefined) this.#queue.push(next);
  }

  #dropHigher(closing: FrameRow, decision: Decision): void {
    const held = this.#bank.get(closing.channel);
    if (held === undefined) return;
    const stays = (frame: FrameRow) => frame === closing || frame.number < closing.number;
    for (const frame of held.frames) if (!stays(frame)) frame.reasons.push(reasonOf(decision, 'frame dropped'));
    held.frames = held.frames.filter(stays);
  }

  #giveStaging(decision: Decision, effect: string): void {
    if (this.#staging !== undefined && this.#staging.frames.length > 0) this.#give(this.#staging, decision, effect);
    this.#staging = undefined;
  }

  #give({ id, frames }: HeldChannel, decision: Decision, effect: string): void {
    const reasons = [reasonOf(decision, effect)];
    for (const frame of frames) frame.channelLost = reasons[0]!;
    this.#lost({ kind: 'lost', origin: this.origin, channel: id, frames: frames.length, reasons });
  }

  /** The held channel that has this data. */
  #take(data: Uint8Array): HeldChannel | undefined {
    const staging = this.#staging;
    if (staging !== undefined && isJoined(staging.frames, data)) {
      this.#staging = undefined;
      return staging;
    }
    for (const held of this.#bank.values()) {
      const frames = held.frames.toSorted((a, b) => a.number - b.number);
      if (!frames.some(({ last }) => last) || !isJoined(frames, data)) continue;
      this.#bank.delete(held.id);
      return held;
    }
    return undefined;
  }
}

/** Whether the frames' data, joined, is this channel. */
function isJoined(frames: readonly FrameRow[], data: Uint8Array): boolean {
  const length = frames.reduce((sum, frame) => sum + frame.data.length, 0);
  return length === data.length && equalBytes(concatBytes(frames.map((frame) => frame.data)), data);
}
