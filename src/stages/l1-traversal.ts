/**
 * Stage 1: walks the L1 chain one block at a time and gives each block to the retrieval stage once.
 *
 * Specification: derivation.md#l1-traversal.
 */

import type { L1Block, L1BlockRef } from '../chain/blocks.ts';
import { equalBytes } from '../encoding/bytes.ts';
import type { RuleBook } from '../rules/rule-book.ts';
import { END_OF_DATA, type NoValue, type Pull } from './pull.ts';

export class L1Traversal {
  readonly #blocks: readonly L1Block[];
  readonly #rules: RuleBook;
  #index = 0;
  #given = false;

  /** @param blocks - the L1 chain; a reset goes to its first block */
  constructor(blocks: readonly [L1Block, ...L1Block[]], rules: RuleBook) {
    this.#blocks = blocks;
    this.#rules = rules;
  }

  get origin(): L1BlockRef {
    return this.block;
  }

  /** The current block with its data, without giving it: see `reset/first-block-twice`. */
  get block(): L1Block {
    return this.#blocks[this.#index]!;
  }

  /** The current block, once; then the end. */
  next(): Pull<L1Block> {
    if (this.#given) return END_OF_DATA;
    this.#given = true;
    return { kind: 'value', value: this.block };
  }

  /** Moves on to the next L1 block: `undefined` when it did, the end when there is none, or a reset request. */
  advance(): NoValue | undefined {
    const next = this.#blocks[this.#index + 1];
    if (next === undefined) return END_OF_DATA;
    const unlinked = !equalBytes(next.parentHash, this.origin.hash);
    if (this.#rules.fires('reset/l1-parent-mismatch', unlinked, () => ({ number: next.number }))) {
      return { kind: 'reset', why: `L1 block ${next.number} does not build on the origin` };
    }
    this.#index += 1;
    this.#given = false;
    return undefined;
  }

  reset(): void {
    this.#index = 0;
    // The retrieval stage opens the reset block itself; the block is not marked as given, so it can be opened again.
    this.#given = !this.#rules.fires('reset/first-block-twice', true);
  }
}
