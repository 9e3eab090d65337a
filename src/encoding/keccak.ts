/**
 * Keccak-256, synchronous.
 *
 * hash-wasm is ten times as fast as the pure JavaScript implementations at 100 kB; it is instantiated once, when this
 * module is loaded.
 */

import { createKeccak } from 'hash-wasm';

const hasher = await createKeccak(256);

/** The keccak-256 hash (32 bytes) of the concatenation of the parts. */
export function keccak256(...parts: readonly Uint8Array[]): Uint8Array {
  return keccak256Of(parts);
}

/** As {@link keccak256}, of parts that need not be in memory at the same time. They must not hash anything themselves. */
export function keccak256Of(parts: Iterable<Uint8Array>): Uint8Array {
  hasher.init();
  for (const part of parts) hasher.update(part);
  return hasher.digest('binary');
}
