/**
 * Stage 4 from Holocene on: a single staging channel whose frames must come in order.
 *
 * Specification: holocene/derivation.md#channel-bank.
 */

import type { L1BlockRef } from '../chain/blocks.ts';
import type { ChainSpec } from '../chain/spec.ts';
import { concatBytes, equalBytes } from '../encoding/bytes.ts';
import type { Frame } from '../frame.ts';
import type { RuleBook } from '../rules/rule-book.ts';
import { BufferedChannel, frameSize } from './buffered-channel.ts';
import { isTimedOut } from './channel-bank.ts';
import type { Pull } from './pull.ts';

interface FrameProvider {
  readonly origin: L1BlockRef;
  next(): Pull<Frame>;
}

interface StagingChannel {
  readonly id: Uint8Array;
  /** Number of the L1 block at which the first frame was read. */
  readonly openBlock: bigint;
  readonly data: Uint8Array[];
  /** Sum over the frames of data length + overhead, in bytes. */
  size: number;
  /** The same frames and those of any number, once a variant has taken one out of order. */
  loose: BufferedChannel | undefined;
}

export class ChannelAssembler {
  readonly #frames: FrameProvider;
  readonly #spec: ChainSpec;
  #staging: StagingChannel | undefined;

  constructor(frames: FrameProvider, spec: ChainSpec) {
    this.#frames = frames;
    this.#spec = spec;
  }

  get origin(): L1BlockRef {
    return this.#frames.origin;
  }

  next(): Pull<Uint8Array> {
    const { rules } = this.#spec;
    const { origin } = this;
    if (this.#staging !== undefined) {
      const timedOut = isTimedOut(this.#staging.openBlock, origin, this.#spec);
      if (rules.fires('channel-assembler/timeout', timedOut)) this.#staging = undefined;
    }
    for (;;) {
      const pulled = this.#frames.next();
      if (pulled.kind !== 'value') return pulled;
      const frame = pulled.value;
      const first = rules.fires('channel-assembler/first-frame', frame.number === 0);
      if (first) this.#staging = { id: frame.channel, openBlock: origin.number, data: [], size: 0, loose: undefined };
      const staging = this.#staging;
      const stray = staging === undefined || !equalBytes(staging.id, frame.channel);
      if (rules.fires('channel-assembler/stray-frame', stray) || staging === undefined) continue;
      const outOfOrder = frame.number !== staging.data.length;
      const order = rules.watched ? () => ({ number: frame.number, expected: staging.data.length }) : undefined;
      if (rules.fires('channel-assembler/in-order', outOfOrder, order)) continue;
      if (outOfOrder) staging.loose ??= loosened(staging, rules);
      if (staging.loose?.add(frame, rules) === false) continue;
      staging.data.push(frame.data);
      staging.size = staging.loose?.size ?? staging.size + frameSize(frame, rules);
      const maximum = this.#spec.maxRlpBytesPerChannel(origin.timestamp);
      const oversized = BigInt(staging.size) > maximum;
      if (rules.fires('channel-assembler/size-limit', oversized, () => ({ size: staging.size, maximum }))) {
        this.#staging = undefined;
        continue;
      }
      const complete = staging.loose?.isReady(rules) ?? frame.last;
      if (rules.fires('channel-assembler/complete', complete)) {
        this.#staging = undefined;
        return { kind: 'value', value: staging.loose?.data() ?? concatBytes(staging.data) };
      }
    }
  }

  /** Goes on with a channel of the bank, for an activation that does not drop them. */
  adopt(channel: BufferedChannel | undefined): void {
    if (channel === undefined) return;
    const { id, openBlock, size } = channel;
    this.#staging = { id, openBlock, data: channel.leading(), size, loose: undefined };
  }

  /** Forgets the staging channel. */
  flushChannel(): void {
    this.#staging = undefined;
  }
}

/** The frames of a staging channel as they are kept when their order does not matter. */
function loosened({ id, openBlock, data }: StagingChannel, rules: RuleBook): BufferedChannel {
  const loose = new BufferedChannel(id, openBlock);
  for (const [number, part] of data.entries()) loose.add({ channel: id, number, data: part, last: false }, rules);
  return loose;
}
