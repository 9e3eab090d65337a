/** What the scenarios of channels have in common: the bytes of one closed channel, then block 6's rival. */

import type { ChannelCompression, ChannelFaults } from '../../src/channel.ts';
import { concatBytes } from '../../src/encoding/bytes.ts';
import type { Scenario, ScenarioOptions } from '../scenario/scenario.ts';
import { madeUpHash } from '../scenario/transactions.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';
import { curated, honest, POSTED, postRival } from './kit.ts';

export const ZLIB: ChannelCompression = { algorithm: 'zlib', level: 9 };
export const BROTLI: ChannelCompression = { algorithm: 'brotli', quality: 10 };

/** Bytes as the data of a closed channel, then block 6's rival. */
export function bytes(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  data: (s: Scenario) => Uint8Array,
  options: ScenarioOptions = {},
): CuratedScenario {
  return curated(
    name,
    shows,
    rules,
    (s) => {
      s.post(POSTED, s.item(...s.frames(data(s))));
      postRival(s);
    },
    options,
  );
}

/** Blocks 6 and 7 in one channel that is written wrong, then block 6's rival. */
export function channel(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  compression: ChannelCompression,
  faults: ChannelFaults = {},
  options: ScenarioOptions = {},
): CuratedScenario {
  return bytes(name, shows, rules, (s) => s.channel([honest(s), honest(s, 7)], compression, faults), options);
}

/** The content of a channel with a planned block, by default block 6, uncompressed: the RLP string of its batch. */
export function content(s: Scenario, number = 6): Uint8Array {
  // A stored block holds it as it is, between the block's header and the checksum.
  return s.channel([honest(s, number)], { algorithm: 'zlib', level: 0 }).subarray(7, -4);
}

/** The batch of block 6 with `count` bytes behind it, which compress badly or, of zeros, well. */
export function padded(s: Scenario, count: number, noise = false): Uint8Array {
  const tail = new Uint8Array(count);
  if (noise) for (let at = 0; at < count; at += 32) tail.set(madeUpHash('noise', at).subarray(0, count - at), at);
  return concatBytes([s.encode(honest(s)), tail]);
}
