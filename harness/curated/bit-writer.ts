/** Bytes written bit by bit, as deflate and brotli have them. */

/** Bits from the lowest on. */
export class BitWriter {
  readonly #bits: number[] = [];

  write(value: number, count: number): void {
    for (let bit = 0; bit < count; bit++) this.#bits.push((value >>> bit) & 1);
  }

  /** Writes a prefix code, whose first bit is its highest. */
  code(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) this.#bits.push((value >>> bit) & 1);
  }

  bytes(): Uint8Array {
    const out = new Uint8Array(Math.ceil(this.#bits.length / 8));
    for (const [index, bit] of this.#bits.entries()) out[index >>> 3]! |= bit << (index & 7);
    return out;
  }
}
