/**
 * A channel while its frames are being collected, in any order (channel bank).
 *
 * Specification: derivation.md#channel-bank.
 */

import { concatBytes } from '../encoding/bytes.ts';
import type { Frame } from '../frame.ts';
import type { RuleBook } from '../rules/rule-book.ts';

export class BufferedChannel {
  readonly id: Uint8Array;
  /** Number of the L1 block at which the channel was opened. */
  readonly openBlock: bigint;
  /** Sum over the held frames of data length + overhead, in bytes; see `channel-bank/size` for its known flaw. */
  size = 0;
  readonly #frames = new Map<number, Frame>();
  #endNumber: number | undefined;
  #highestNumber = 0;

  constructor(id: Uint8Array, openBlock: bigint) {
    this.id = id;
    this.openBlock = openBlock;
  }

  /** Adds a frame of this channel; false when a rule drops it. */
  add(frame: Frame, rules: RuleBook): boolean {
    const end = this.#endNumber;
    const context = rules.watched ? () => ({ number: frame.number, last: frame.last, end }) : undefined;
    const closedAgain = end !== undefined && frame.last;
    if (closedAgain && rules.fires('channel-bank/after-close', true, context)) return false;
    if (rules.fires('channel-bank/duplicate-number', this.#frames.has(frame.number), context)) return false;
    const behindEnd = end !== undefined && frame.number >= end;
    if (rules.fires('channel-bank/after-close', behindEnd, context)) return false;
    if (frame.last) {
      this.#endNumber = frame.number;
      if (rules.fires('channel-bank/close-drops-higher', frame.number < this.#highestNumber, context)) {
        this.#dropFrom(frame.number, rules);
      }
    }
    this.#highestNumber = Math.max(this.#highestNumber, frame.number);
    this.#frames.set(frame.number, frame);
    this.size += frameSize(frame, rules);
    return true;
  }

  /** Whether the closing frame and every frame below it are there. */
  isReady(rules: RuleBook): boolean {
    const end = this.#endNumber;
    let complete = end !== undefined && this.#frames.size === end + 1;
    for (let number = 0; complete && number <= end!; number++) complete = this.#frames.has(number);
    return rules.fires('channel-bank/ready', complete, () => ({ held: this.#frames.size, end }));
  }

  /** The channel's data, in frame order. */
  data(): Uint8Array {
    const numbers = [...this.#frames.keys()].sort((a, b) => a - b);
    return concatBytes(numbers.map((number) => this.#frames.get(number)!.data));
  }

  /** The data of the frames from number 0 on, up to the first gap. */
  leading(): Uint8Array[] {
    const data: Uint8Array[] = [];
    for (let frame = this.#frames.get(0); frame !== undefined; frame = this.#frames.get(data.length)) {
      data.push(frame.data);
    }
    return data;
  }

  #dropFrom(number: number, rules: RuleBook): void {
    // The sizes of the frames that stay are subtracted as well. op-node counts like that (A8), and since the size
    // decides what is pruned, everyone has to.
    const flawed = rules.fires('channel-bank/size', true);
    for (const [held, frame] of this.#frames) {
      const dropped = held >= number;
      if (dropped) this.#frames.delete(held);
      if (dropped || flawed) this.size -= frameSize(frame, rules);
    }
    this.#highestNumber = number;
  }
}

/** What a frame adds to its channel's size, in bytes. Specification: derivation.md#pruning. */
export function frameSize(frame: Frame, rules: RuleBook): number {
  return frame.data.length + Number(rules.constant('FRAME_OVERHEAD'));
}
