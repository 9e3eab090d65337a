/**
 * Stage 2: yields the batcher data of the current L1 block, item by item.
 *
 * Specification: derivation.md#l1-retrieval.
 */

import type { L1Block, L1BlockRef } from '../chain/blocks.ts';
import { END_OF_DATA, type Pull } from './pull.ts';

interface BlockProvider {
  readonly origin: L1BlockRef;
  readonly block: L1Block;
  next(): Pull<L1Block>;
}

export class L1Retrieval {
  readonly #blocks: BlockProvider;
  #data: readonly Uint8Array[] | undefined;
  #index = 0;

  constructor(blocks: BlockProvider) {
    this.#blocks = blocks;
  }

  get origin(): L1BlockRef {
    return this.#blocks.origin;
  }

  next(): Pull<Uint8Array> {
    if (this.#data === undefined) {
      const block = this.#blocks.next();
      if (block.kind !== 'value') return block;
      this.#open(block.value);
    }
    const item = this.#data?.[this.#index];
    if (item === undefined) {
      this.#data = undefined;
      return END_OF_DATA;
    }
    this.#index += 1;
    return { kind: 'value', value: item };
  }

  /** Opens the data of the current block at once, as a reset does; the block before it may still give it again. */
  reset(): void {
    this.#open(this.#blocks.block);
  }

  #open(block: L1Block): void {
    this.#data = block.data;
    this.#index = 0;
  }
}
