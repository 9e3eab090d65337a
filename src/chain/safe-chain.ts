/** The safe L2 chain as far as a vector shows it: what derivation may look up, and the head it builds on. */

import type { L2Block } from './blocks.ts';

/** Grows by one block with each batch that the engine takes. */
export class SafeChain {
  readonly #blocks: L2Block[];
  readonly #first: bigint;

  /** @param blocks - consecutive L2 blocks, oldest first; the last is the safe head */
  constructor(blocks: readonly [L2Block, ...L2Block[]]) {
    this.#blocks = [...blocks];
    this.#first = blocks[0].number;
  }

  /** The newest safe block. */
  get head(): L2Block {
    return this.#blocks[this.#blocks.length - 1]!;
  }

  /** The safe block of that number, or `undefined` when it cannot be got: before the first known one, or not yet safe. */
  at(number: bigint): L2Block | undefined {
    const index = number - this.#first;
    return index < 0n || index >= BigInt(this.#blocks.length) ? undefined : this.#blocks[Number(index)];
  }

  /** Makes the block the new head. */
  append(block: L2Block): void {
    this.#blocks.push(block);
  }
}
