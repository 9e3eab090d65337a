/** Small vectors for the tests of the harness. */

import { FORKS } from '../src/chain/config.ts';
import type { Vector } from '../src/vector.ts';

function hash(number: number): Uint8Array {
  return new Uint8Array(32).fill(number);
}

/**
 * A valid vector that derives nothing.
 *
 * @param first - number of the first of its two L1 blocks, by which a test can tell vectors apart
 */
export function sampleVector(name: string, first = 10): Vector {
  const at = BigInt(first);
  return {
    name,
    config: {
      genesis: { l1: { number: 0n, hash: hash(1) }, l2: { number: 0n, hash: hash(2) }, l2Time: 1000n },
      l2ChainId: 901n,
      blockTime: 2n,
      maxSequencerDrift: 600n,
      seqWindowSize: 3600n,
      channelTimeout: 300n,
      forks: Object.fromEntries(FORKS.map((fork) => [fork, 0n])) as Vector['config']['forks'],
    },
    l1: [
      { number: at, hash: hash(10), parentHash: hash(9), timestamp: 1000n, data: [] },
      { number: at + 1n, hash: hash(11), parentHash: hash(10), timestamp: 1012n, data: [Uint8Array.of(0), hash(7)] },
    ],
    l2: [
      {
        number: 4n,
        hash: hash(4),
        parentHash: hash(3),
        timestamp: 1008n,
        l1Origin: { number: at, hash: hash(10) },
        sequenceNumber: 0n,
        transactions: [],
      },
      {
        number: 5n,
        hash: hash(5),
        parentHash: hash(4),
        timestamp: 1010n,
        l1Origin: { number: at, hash: hash(10) },
        sequenceNumber: 1n,
        transactions: [Uint8Array.of(2, 3)],
      },
    ],
    invalidBlocks: [],
  };
}
