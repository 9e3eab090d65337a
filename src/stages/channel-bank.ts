/**
 * Stage 4 before Holocene: collects the frames of any number of channels, in any order, and hands complete channels on.
 *
 * Specification: derivation.md#channel-bank.
 */

import type { L1BlockRef } from '../chain/blocks.ts';
import type { ChainSpec } from '../chain/spec.ts';
import { toHex, u64 } from '../encoding/bytes.ts';
import type { Frame } from '../frame.ts';
import { BufferedChannel } from './buffered-channel.ts';
import { type Pull, RETRY } from './pull.ts';

interface FrameProvider {
  readonly origin: L1BlockRef;
  next(): Pull<Frame>;
}

export class ChannelBank {
  readonly #frames: FrameProvider;
  readonly #spec: ChainSpec;
  /** Channels by id in the order in which they were opened: a map keeps the order of insertion. */
  readonly #channels = new Map<string, BufferedChannel>();

  constructor(frames: FrameProvider, spec: ChainSpec) {
    this.#frames = frames;
    this.#spec = spec;
  }

  get origin(): L1BlockRef {
    return this.#frames.origin;
  }

  /** The channel at the head of the queue. */
  get oldest(): BufferedChannel | undefined {
    const [first] = this.#channels.values();
    return first;
  }

  next(): Pull<Uint8Array> {
    const { rules } = this.#spec;
    const readFirst = rules.fires('channel-bank/read-before-load', true);
    if (readFirst) {
      const read = this.#read();
      if (read !== undefined) return read;
    }
    const frame = this.#frames.next();
    if (frame.kind !== 'value') return readFirst ? frame : (this.#read() ?? frame);
    this.#ingest(frame.value);
    return readFirst ? RETRY : (this.#read() ?? RETRY);
  }

  /** A channel, a retry after a timed-out one was removed, or `undefined` when there is nothing to read. */
  #read(): Pull<Uint8Array> | undefined {
    const { rules } = this.#spec;
    const [first] = this.#channels;
    if (first === undefined) return undefined;
    if (rules.fires('channel-bank/timed-out-head', this.#isTimedOut(first[1]))) {
      this.#channels.delete(first[0]);
      return RETRY;
    }
    const canyon = this.#spec.isActive('canyon', this.origin.timestamp);
    const anyReady = rules.fires('channel-bank/first-ready', canyon);
    for (const [id, channel] of this.#channels) {
      if (!this.#isTimedOut(channel) && channel.isReady(rules)) {
        this.#channels.delete(id);
        return { kind: 'value', value: channel.data() };
      }
      if (!anyReady) break;
    }
    return undefined;
  }

  #ingest(frame: Frame): void {
    const { rules } = this.#spec;
    const id = toHex(frame.channel);
    let channel = this.#channels.get(id);
    if (rules.fires('channel-bank/open', channel === undefined) || channel === undefined) {
      this.#channels.delete(id);
      channel = new BufferedChannel(frame.channel, this.origin.number);
      this.#channels.set(id, channel);
    }
    if (rules.fires('channel-bank/timed-out-frame', this.#isTimedOut(channel))) return;
    if (channel.add(frame, rules)) this.#prune();
  }

  #isTimedOut(channel: BufferedChannel): boolean {
    return isTimedOut(channel.openBlock, this.origin, this.#spec);
  }

  #prune(): void {
    let total = 0;
    for (const channel of this.#channels.values()) total += channel.size;
    const maximum = Number(this.#spec.maxChannelBankSize(this.origin.timestamp));
    for (const [id, channel] of this.#channels) {
      if (!this.#spec.rules.fires('channel-bank/prune', total > maximum, () => ({ total, maximum }))) break;
      this.#channels.delete(id);
      total -= channel.size;
    }
  }
}

/**
 * Whether a channel opened at L1 block `openBlock` is timed out at the origin; at equality it still lives.
 *
 * Specification: derivation.md#timeouts, granite/derivation.md#reduce-channel-timeout.
 */
export function isTimedOut(openBlock: bigint, origin: L1BlockRef, spec: ChainSpec): boolean {
  const timeout = spec.channelTimeout(origin.timestamp);
  const late = u64(openBlock + timeout) < origin.number;
  return spec.rules.fires('channel-bank/timeout', late, () => ({ openBlock, timeout, origin: origin.number }));
}
