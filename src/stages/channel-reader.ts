/**
 * Stage 5: decompresses a channel and decodes its batches, one a pull.
 *
 * Specification: derivation.md#channel-reader, derivation.md#batch-format.
 */

import type { Batch } from '../batch/batch.ts';
import { decodeBatch } from '../batch/codec.ts';
import type { L1BlockRef } from '../chain/blocks.ts';
import type { ChainSpec } from '../chain/spec.ts';
import { type ChannelContent, openChannel, openContent } from '../channel.ts';
import { type FlushCause, type Pull, RETRY } from './pull.ts';

interface ChannelSource {
  readonly origin: L1BlockRef;
  next(): Pull<Uint8Array>;
  flushChannel(cause: FlushCause): void;
}

export class ChannelReader {
  readonly #channels: ChannelSource;
  readonly #spec: ChainSpec;
  #content: ChannelContent | undefined;
  /** The channel that is being read. */
  #data: Uint8Array = new Uint8Array(0);
  /** How many batches of the channel were looked at. */
  #taken = 0;

  constructor(channels: ChannelSource, spec: ChainSpec) {
    this.#channels = channels;
    this.#spec = spec;
  }

  get origin(): L1BlockRef {
    return this.#channels.origin;
  }

  next(): Pull<Batch> {
    const { rules, config } = this.#spec;
    const time = this.origin.timestamp;
    if (this.#content === undefined) {
      const channel = this.#channels.next();
      if (channel.kind !== 'value') return channel;
      this.#taken = 0;
      this.#data = channel.value;
      this.#content = this.#open(channel.value);
      if (this.#content === undefined) return RETRY;
    }
    const holocene = this.#spec.isActive('holocene', time);
    const data = this.#content.next();
    if (rules.fires('channel-reader/end', data === undefined) || data === undefined) {
      this.#content = undefined;
      return RETRY;
    }
    const index = this.#taken++;
    const decoded = decodeBatch(
      data,
      {
        genesisTime: config.genesis.l2Time,
        blockTime: config.blockTime,
        l2ChainId: config.l2ChainId,
        deltaActive: this.#spec.isActive('delta', time),
      },
      rules,
    );
    switch (decoded.kind) {
      case 'batch':
        if (rules.fires('batch-decode/malformed-ends-channel', false)) this.#content = undefined;
        return rules.isExtended ? this.#extended(decoded.batch, index) : { kind: 'value', value: decoded.batch };
      case 'malformed':
        if (rules.fires('batch-decode/malformed-ends-channel', true, () => ({ rule: decoded.rule, holocene }))) {
          this.#content = undefined;
        }
        return RETRY;
      case 'skipped':
        if (!rules.fires('batch-decode/underivable-span-skipped', true, () => ({ rule: decoded.rule }))) {
          this.#content = undefined;
        }
        return RETRY;
      default:
        return decoded satisfies never;
    }
  }

  /** Takes a complete channel up, or drops it. */
  #open(data: Uint8Array): ChannelContent | undefined {
    const { rules } = this.#spec;
    const time = this.origin.timestamp;
    const limit = Number(this.#spec.maxRlpBytesPerChannel(time));
    if (rules.isExtended) {
      const said = rules.extend('channel-reader/channel', { spec: this.#spec, origin: this.origin, data });
      if (said === 'drop') return undefined;
      if (said !== undefined) return openContent(said.content, limit, rules);
    }
    return openChannel(data, { limit, brotliAllowed: this.#spec.isActive('fjord', time) }, rules);
  }

  /** What a variant's own rule makes of the batch: it may pass over it, and over the rest of the channel. */
  #extended(batch: Batch, index: number): Pull<Batch> {
    const moment = { spec: this.#spec, origin: this.origin, batch, data: this.#data, index };
    const said = this.#spec.rules.extend('channel-reader/batch', moment);
    if (said === 'end-channel') this.#content = undefined;
    if (said === undefined) return { kind: 'value', value: batch };
    return typeof said === 'string' ? RETRY : { kind: 'value', value: said.batch };
  }

  /** Forgets the rest of the channel that is being read. */
  flushChannel(cause: FlushCause): void {
    this.#content = undefined;
    this.#channels.flushChannel(cause);
  }

  reset(): void {
    this.#content = undefined;
  }
}
