/**
 * Which channel stage is at work: the channel bank before Holocene, the channel assembler from it on.
 *
 * Specification: holocene/derivation.md#activation.
 */

import type { L1BlockRef } from '../chain/blocks.ts';
import type { ChainSpec } from '../chain/spec.ts';
import type { Frame } from '../frame.ts';
import { ChannelAssembler } from './channel-assembler.ts';
import { ChannelBank } from './channel-bank.ts';
import type { Pull } from './pull.ts';

interface FrameProvider {
  readonly origin: L1BlockRef;
  next(): Pull<Frame>;
}

export class ChannelProvider {
  readonly #frames: FrameProvider;
  readonly #spec: ChainSpec;
  #stage: ChannelBank | ChannelAssembler;

  constructor(frames: FrameProvider, spec: ChainSpec) {
    this.#frames = frames;
    this.#spec = spec;
    this.#stage = new ChannelBank(frames, spec);
  }

  get origin(): L1BlockRef {
    return this.#frames.origin;
  }

  next(): Pull<Uint8Array> {
    return this.#stage.next();
  }

  /** Forgets the channel that is being assembled. Nothing flushes before Holocene. */
  flushChannel(): void {
    if (this.#stage instanceof ChannelAssembler) this.#stage.flushChannel();
  }

  /** Swaps the stages; channels that stand open in the bank are lost. */
  activateHolocene(): void {
    const before = this.#stage;
    if (!(before instanceof ChannelBank)) return;
    const assembler = new ChannelAssembler(this.#frames, this.#spec);
    if (!this.#spec.rules.fires('activation/channels-dropped', true)) assembler.adopt(before.oldest);
    this.#stage = assembler;
  }

  /** Starts the stage that the origin's time asks for, without any channel. */
  reset(): void {
    const holocene = this.#spec.isActive('holocene', this.origin.timestamp);
    const Stage = holocene ? ChannelAssembler : ChannelBank;
    this.#stage = new Stage(this.#frames, this.#spec);
  }
}
