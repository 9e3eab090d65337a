/** A plainer configuration: settings that a reader expects. */

import { FORKS } from '../../../src/chain/config.ts';
import type { Vector } from '../../../src/vector.ts';
import { USUAL, usualActivation } from '../cost.ts';
import type { Pass } from '../search.ts';
import { propose } from './chunks.ts';

/** Forks that are always active or never, and the usual limits. */
export const simplifyConfig: Pass = function* (vector) {
  const { config } = vector;
  const set = (changes: Partial<Vector['config']>) => propose({ ...vector, config: { ...config, ...changes } });
  const setForks = (changes: Partial<Vector['config']['forks']>) => set({ forks: { ...config.forks, ...changes } });
  const usual = Object.fromEntries(FORKS.map((fork) => [fork, usualActivation(fork)])) as Vector['config']['forks'];

  yield set({ ...USUAL, forks: usual });
  yield setForks(usual);
  const allButHolocene = { ...usual, holocene: config.forks.holocene };
  yield setForks(allButHolocene);
  for (const fork of FORKS) {
    for (const activation of [usual[fork], usual[fork] === null ? 0n : null]) {
      if (config.forks[fork] !== activation) yield setForks({ [fork]: activation });
    }
  }
  for (const [name, value] of Object.entries(USUAL)) {
    if (config[name as keyof typeof USUAL] !== value) yield set({ [name]: value });
  }
  // A limit that matters: the smallest that does, found by halves.
  for (const name of ['seqWindowSize', 'channelTimeout', 'maxSequencerDrift'] as const) {
    for (let value = 1n; value < config[name]; value *= 2n) yield set({ [name]: value });
  }
};

/** L1 blocks with the same distance in time, that of the first two or of any others. */
export const evenL1Times: Pass = function* (vector) {
  const [first, ...rest] = vector.l1;
  const gaps = new Set<bigint>();
  for (const [index, block] of rest.entries()) gaps.add(block.timestamp - vector.l1[index]!.timestamp);
  if (gaps.size < 2) return;
  for (const gap of gaps) {
    const l1 = vector.l1.map((block, index) => ({ ...block, timestamp: first.timestamp + BigInt(index) * gap }));
    yield propose({ ...vector, l1: l1 as unknown as Vector['l1'] });
  }
};
