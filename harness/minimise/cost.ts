/**
 * How far a vector is from being simple. A candidate is taken only if it costs less than the vector it comes from: that
 * is why the search ends, and why no two passes can undo each other's work for ever.
 */

import { FORKS, type Fork } from '../../src/chain/config.ts';
import { BROTLI_VERSION } from '../../src/channel.ts';
import type { Vector } from '../../src/vector.ts';
import { layoutOf } from './layout.ts';

export interface Cost {
  /** About the characters that a reader has to take in. */
  readonly size: number;
  /** Among vectors of one size: how irregular the bytes and the numbers are. */
  readonly noise: number;
}

export function isCheaper(a: Cost, b: Cost): boolean {
  return a.size < b.size || (a.size === b.size && a.noise < b.noise);
}

/** The configuration that a reader expects. */
export const USUAL = { seqWindowSize: 3600n, channelTimeout: 300n, maxSequencerDrift: 600n } as const;

/** The activation of a fork that a reader expects: those up to Holocene always, later ones never. */
export function usualActivation(fork: Fork): bigint | null {
  return FORKS.indexOf(fork) <= FORKS.indexOf('holocene') ? 0n : null;
}

/** Reading brotli takes a tool, and some implementations much time; so much longer may the same in zlib be. */
const BROTLI_SIZE = 200;

/** What an unusual setting costs besides its digits: more than the usual one's digits. */
const UNUSUAL_SIZE = 8;

/**
 * The cost of a vector.
 *
 * @param line - the vector on one line
 */
export function costOf(vector: Vector, line: string): Cost {
  const { config } = vector;
  let size = line.length;
  for (const fork of FORKS) {
    // A usual activation is free, however it is written.
    const activation = config.forks[fork];
    size -= (activation ?? 'null').toString().length;
    if (activation !== usualActivation(fork)) size += UNUSUAL_SIZE + (activation ?? 0n).toString().length;
  }
  for (const [name, usual] of Object.entries(USUAL)) {
    const value = config[name as keyof typeof USUAL];
    size -= value.toString().length;
    if (value !== usual) size += UNUSUAL_SIZE + value.toString().length;
  }
  for (const { data } of layoutOf(vector).channels) if (data[0] === BROTLI_VERSION) size += BROTLI_SIZE;
  return { size, noise: noiseOf(vector) };
}

function noiseOf({ config, l1, l2 }: Vector): number {
  let noise = sum(config.genesis.l1.hash) + sum(config.genesis.l2.hash);
  const gaps = new Set<bigint>();
  for (const [index, block] of l1.entries()) {
    noise += sum(block.hash) + sum(block.parentHash);
    for (const item of block.data) noise += sum(item);
    if (index > 0) gaps.add(block.timestamp - l1[index - 1]!.timestamp);
  }
  for (const block of l2) {
    noise += sum(block.hash) + sum(block.parentHash) + sum(block.l1Origin.hash);
    for (const transaction of block.transactions) noise += sum(transaction);
  }
  return noise + 100 * gaps.size;
}

function sum(bytes: Uint8Array): number {
  let total = 0;
  for (const byte of bytes) total += byte;
  return total;
}
