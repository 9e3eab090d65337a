/**
 * Bit lists as span batches store them: one big-endian integer, padded with zeros on the left to whole bytes; bit i
 * belongs to element i, so element 0 is the lowest bit of the last byte.
 */

/** How many bytes a list of `count` bits takes. */
export function bitListLength(count: number): number {
  return Math.ceil(count / 8);
}

/** Whether bit `index` is set; bits beyond the first byte are 0. */
export function bitAt(list: Uint8Array, index: number): boolean {
  return (((list[list.length - 1 - (index >>> 3)] ?? 0) >>> (index & 7)) & 1) === 1;
}

/** Whether a bit at `count` or above is set in a list of {@link bitListLength} bytes. */
export function hasExtraBits(list: Uint8Array, count: number): boolean {
  const used = count & 7;
  return used !== 0 && (list[0] ?? 0) >>> used !== 0;
}

/** The list of these bits. */
export function encodeBitList(bits: readonly boolean[]): Uint8Array {
  const list = new Uint8Array(bitListLength(bits.length));
  bits.forEach((bit, index) => {
    if (bit) list[list.length - 1 - (index >>> 3)]! |= 1 << (index & 7);
  });
  return list;
}
