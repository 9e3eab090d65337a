/** The ring buffer of kona's brotli decoder, which comes out of a pool that has room for windows of 24 bits. */

import { BROTLI_VERSION } from '../../../src/channel.ts';

/** The lowest seven bits of a stream with the mark of a large window, which RFC 7932 does not know. */
export const LARGE_WINDOW = 0x11;

/** The least bits of a window that does not fit into the pool, and the most that the decoder takes. */
const WINDOW_BITS = { beyondPool: 25, most: 30 };

/**
 * A last meta-block of so many bytes gets a smaller ring buffer, of less than twice its length and 16 bytes. With more
 * it has 2^25 bytes: a few more than the pool, for every ring buffer ends in room to write past it.
 */
const LONGEST_THAT_FITS = 2 ** 24 - 16;

/**
 * Whether kona's decoder panics on a channel because its pool of 32 MiB does not hold the ring buffer
 * (kona-protocol, `decompress_brotli`; brotli-decompressor, `BrotliAllocateRingBuffer`).
 *
 * The ring buffer is made at the first meta-block that is not empty and no metadata, with the size of the window. It is
 * smaller only if nothing comes behind that meta-block: if it is the last, or uncompressed and the next one, of which
 * the first byte has to be there, is the last and empty. What stands in the meta-block does not matter, nor whether it
 * is whole: its header is enough.
 */
export function outgrowsPool(channel: Uint8Array): boolean {
  if (channel[0] !== BROTLI_VERSION || channel[1] !== LARGE_WINDOW) return false;
  const bits = new Bits(channel.subarray(2));
  const window = bits.take(6);
  if (window < WINDOW_BITS.beyondPool || window > WINDOW_BITS.most) return false;
  const header = firstWithContent(bits);
  return header !== undefined && !(header.last && header.length <= LONGEST_THAT_FITS);
}

/** What the decoder knows of a meta-block when it makes the ring buffer. */
interface Header {
  readonly length: number;
  /** Nothing comes behind it, as far as the decoder sees. */
  readonly last: boolean;
}

/** The header of the first meta-block with content; `undefined` if the stream ends, or has a fault, before its end. */
function firstWithContent(bits: Bits): Header | undefined {
  for (;;) {
    const last = bits.take(1) === 1;
    if (last && bits.take(1) === 1) return undefined;
    const size = bits.take(2);
    if (size === 3) {
      const reserved = bits.take(1);
      const length = bits.number(bits.take(2), 8, 1);
      if (reserved !== 0 || length === undefined || !bits.align()) return undefined;
      bits.skip(length);
      if (last || bits.exhausted) return undefined;
      continue;
    }
    const length = bits.number(4 + size, 4, 4);
    const uncompressed = !last && bits.take(1) === 1;
    if (length === undefined || bits.exhausted || (uncompressed && !bits.align())) return undefined;
    return { length, last: last || (uncompressed && ((bits.byteAt(length) ?? 0) & 3) === 3) };
  }
}

/** Bits from the lowest of each byte on. Behind the end they are zero. */
class Bits {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Whether bits were taken that are not there. */
  get exhausted(): boolean {
    return this.#at > 8 * this.#bytes.length;
  }

  take(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++, this.#at++) {
      value |= (((this.#bytes[this.#at >>> 3] ?? 0) >>> (this.#at & 7)) & 1) << index;
    }
    return value;
  }

  /**
   * A length, less one, in so many digits of so many bits; no digits are the length 0. Its highest digit must not be
   * zero if there are more than the least number of them; `undefined` if it is.
   */
  number(digits: number, width: number, least: number): number | undefined {
    if (digits === 0) return 0;
    const value = this.take(digits * width);
    return digits > least && value >>> ((digits - 1) * width) === 0 ? undefined : value + 1;
  }

  /** Goes to the next whole byte; `false` if the bits before it are not zero. */
  align(): boolean {
    return this.take(-this.#at & 7) === 0;
  }

  skip(bytes: number): void {
    this.#at += 8 * bytes;
  }

  /** The byte so far behind this place; `undefined` if the bytes end before it. */
  byteAt(bytes: number): number | undefined {
    return this.#bytes[(this.#at >>> 3) + bytes];
  }
}
