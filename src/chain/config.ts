/** The rollup configuration and the forks' activation times. */

import type { BlockId } from './blocks.ts';

/** The OP Stack's forks in order. */
export const FORKS = [
  'regolith',
  'canyon',
  'delta',
  'ecotone',
  'fjord',
  'granite',
  'holocene',
  'isthmus',
  'jovian',
  'karst',
] as const;

/** The name of one of {@link FORKS}. */
export type Fork = (typeof FORKS)[number];

/** What derivation needs to know of a chain. */
export interface RollupConfig {
  /** Where the L2 chain starts. */
  readonly genesis: {
    /** The L1 origin of the first L2 block. */
    readonly l1: BlockId;
    /** The first L2 block. */
    readonly l2: BlockId;
    /** Seconds; the first L2 block's timestamp. */
    readonly l2Time: bigint;
  };
  /** Goes into the transactions that are rebuilt from span batches. */
  readonly l2ChainId: bigint;
  /** Seconds between two L2 blocks. */
  readonly blockTime: bigint;
  /** Seconds; the drift before Fjord. */
  readonly maxSequencerDrift: bigint;
  /** L1 blocks. */
  readonly seqWindowSize: bigint;
  /** L1 blocks; the channel timeout before Granite. */
  readonly channelTimeout: bigint;
  /** Activation timestamps in seconds; `null` is never. */
  readonly forks: Readonly<Record<Fork, bigint | null>>;
}

/**
 * Whether the fork is active at `time` (seconds): from its activation time on, each fork by its own time only.
 *
 * @throws RangeError for a fork that there is not: a variant need not be TypeScript
 */
export function isActive(config: RollupConfig, fork: Fork, time: bigint): boolean {
  const activation: bigint | null | undefined = config.forks[fork];
  if (activation === undefined) throw new RangeError(`no fork is called ${fork}`);
  return activation !== null && time >= activation;
}
