/**
 * Stage 3: parses items into frames. From Holocene on it also removes, inside one item, the frames that cannot be part
 * of a contiguous channel.
 *
 * Specification: derivation.md#frame-queue, holocene/derivation.md#frame-queue.
 */

import type { L1BlockRef } from '../chain/blocks.ts';
import type { ChainSpec } from '../chain/spec.ts';
import { equalBytes } from '../encoding/bytes.ts';
import { decodeItem, type Frame } from '../frame.ts';
import { type Pull, RETRY } from './pull.ts';

interface ItemProvider {
  readonly origin: L1BlockRef;
  next(): Pull<Uint8Array>;
}

export class FrameQueue {
  readonly #items: ItemProvider;
  readonly #spec: ChainSpec;
  #frames: readonly Frame[] = [];
  #index = 0;

  constructor(items: ItemProvider, spec: ChainSpec) {
    this.#items = items;
    this.#spec = spec;
  }

  get origin(): L1BlockRef {
    return this.#items.origin;
  }

  next(): Pull<Frame> {
    const { rules } = this.#spec;
    const empty = this.#index >= this.#frames.length;
    if (rules.fires('frame-queue/one-item', empty) || empty) {
      const item = this.#items.next();
      if (item.kind === 'value') this.#load(item.value);
      else if (empty) return item;
    }
    const frame = this.#frames[this.#index];
    if (frame === undefined) return RETRY;
    this.#index += 1;
    if (rules.isExtended && rules.extend('frame-queue/frame', { spec: this.#spec, origin: this.origin, frame }))
      return RETRY;
    return { kind: 'value', value: frame };
  }

  #load(item: Uint8Array): void {
    const { rules } = this.#spec;
    if (rules.isExtended && rules.extend('frame-queue/item', { spec: this.#spec, origin: this.origin, item })) return;
    const parsed = decodeItem(item, rules);
    const waiting = this.#frames.slice(this.#index);
    const loaded = parsed.kind === 'frames' ? parsed.frames : [];
    const holocene = this.#spec.isActive('holocene', this.origin.timestamp);
    const frames = waiting.length === 0 ? loaded : [...waiting, ...loaded];
    this.#frames = rules.fires('frame-queue/prune-on-load', holocene) ? prune(frames, this.#spec) : frames;
    this.#index = 0;
  }

  /** At Holocene's activation queued frames are lost. */
  activateHolocene(): void {
    if (this.#spec.rules.fires('activation/channels-dropped', true)) this.reset();
  }

  reset(): void {
    this.#frames = [];
    this.#index = 0;
  }
}

/**
 * Holocene's rules for neighbouring frames (a, b), from left to right; after each removal the new neighbours at that
 * place are compared.
 */
function prune(frames: readonly Frame[], spec: ChainSpec): readonly Frame[] {
  if (frames.length < 2) return frames;
  const { rules } = spec;
  // `kept` holds the frames already judged, its last one is `a`; a removal of `a` looks further back.
  const kept: Frame[] = [];
  for (const b of frames) {
    /** The channel that `b` has begun to remove. */
    let removing: Uint8Array | undefined;
    for (;;) {
      const a = kept[kept.length - 1];
      if (a === undefined) {
        kept.push(b);
        break;
      }
      const same = equalBytes(a.channel, b.channel);
      const context = rules.watched
        ? () => ({ same, aNumber: a.number, aLast: a.last, bNumber: b.number, removing: holds(kept, removing) })
        : undefined;
      if (rules.fires('frame-queue/new-first-drops-open', !same && b.number === 0 && !a.last, context)) {
        removing ??= a.channel;
        kept.pop();
        continue;
      }
      if (
        rules.fires('frame-queue/after-close', same && a.last, context) ||
        rules.fires('frame-queue/contiguous', same && !a.last && b.number !== ((a.number + 1) & 0xffff), context) ||
        rules.fires('frame-queue/foreign-non-first', !same && b.number !== 0, context)
      ) {
        break;
      }
      kept.push(b);
      break;
    }
  }
  return kept;
}

/** Whether a frame of the channel is among those that were kept. */
function holds(kept: readonly Frame[], id: Uint8Array | undefined): boolean {
  return id !== undefined && kept.some(({ channel }) => equalBytes(channel, id));
}
