/** A vector: one complete input of derivation, as every implementation under comparison reads it. */

import type { L1Block, L2Block } from './chain/blocks.ts';
import type { RollupConfig } from './chain/config.ts';

/** An input of derivation, complete: format 1 of the JSON form says what each field may hold. */
export interface Vector {
  /** For people, and for the ledger of known divergences. */
  readonly name: string;
  /** The chain. */
  readonly config: RollupConfig;
  /** Consecutive L1 blocks, oldest first; the pipeline is reset to the first one. */
  readonly l1: readonly [L1Block, ...L1Block[]];
  /** Consecutive safe L2 blocks, oldest first; the last is the safe head at the start. */
  readonly l2: readonly [L2Block, ...L2Block[]];
  /** Numbers of the L2 blocks whose payload the engine refuses if the batch carries any transaction. */
  readonly invalidBlocks: readonly bigint[];
}
