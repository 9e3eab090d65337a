/** A cursor over a byte string that never fails: reading past the end gives zeros and is remembered. */

import { readUvarint } from './uvarint.ts';

/**
 * Reads a byte string from front to back.
 *
 * Whether running out of bytes is an error is for the caller (and its rule book) to say, so the reader goes on with
 * zeros and keeps the fact in {@link short}. The caller bounds how far beyond the end it reads.
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  offset = 0;
  /** Whether a read has run past the end. */
  short = false;
  /** Whether a varint since the last {@link clearFlags} did not fit 64 bits. */
  overflow = false;
  /** Whether a varint since the last {@link clearFlags} went on behind its tenth byte. */
  endless = false;
  /** Whether a varint since the last {@link clearFlags} ended in a group of zeros that it did not need. */
  redundant = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Bytes left. */
  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  clearFlags(): void {
    this.overflow = false;
    this.endless = false;
    this.redundant = false;
  }

  /**
   * The next `length` bytes: a view of the input, or a zero-padded copy if fewer are left.
   */
  take(length: number): Uint8Array {
    const start = this.offset;
    if (length <= this.bytes.length - start) {
      this.offset += length;
      return this.bytes.subarray(start, this.offset);
    }
    this.short = true;
    this.offset = this.bytes.length;
    const padded = new Uint8Array(length);
    padded.set(this.bytes.subarray(start));
    return padded;
  }

  /** The next base-128 varint, modulo 2⁶⁴. Sets {@link overflow}, {@link endless}, {@link redundant} and {@link short}. */
  uvarint(): bigint {
    const read = readUvarint(this.bytes, this.offset);
    this.offset = read.end;
    if (read.problem === 'short') this.short = true;
    else if (read.problem === 'overflow') {
      this.overflow = true;
      this.endless ||= this.bytes[read.end - 1]! >= 0x80;
    } else if (read.redundant) this.redundant = true;
    return read.value;
  }
}
