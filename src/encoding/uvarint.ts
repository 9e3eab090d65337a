/**
 * Unsigned base-128 varints: groups of seven bits, low group first, the high bit of a byte saying that more follow.
 * Limits are those of Go's `binary.ReadUvarint`.
 */

/** The most bytes that a 64-bit varint takes. */
const MAX_BYTES = 10;

/** Small values are shared, because a batch of a thousand blocks has a thousand small counts. */
const SMALL: readonly bigint[] = Array.from({ length: 256 }, (_, value) => BigInt(value));

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

export interface Uvarint {
  /** The value modulo 2⁶⁴; what was read so far if there is a problem. */
  readonly value: bigint;
  /** Offset of the byte after the varint. */
  readonly end: number;
  /** `short`: the bytes ran out. `overflow`: a tenth byte above 1. */
  readonly problem: 'short' | 'overflow' | undefined;
  /** Whether the last of several groups is zero, so that a shorter form exists. */
  readonly redundant: boolean;
}

/** A value below 2⁵³ as a bigint. */
function big(value: number): bigint {
  return value < SMALL.length ? (SMALL[value] as bigint) : BigInt(value);
}

/** Reads the varint that starts at `offset`; never past the end or the tenth byte. */
export function readUvarint(bytes: Uint8Array, offset: number): Uvarint {
  const first = bytes[offset];
  if (first === undefined) return { value: 0n, end: offset, problem: 'short', redundant: false };
  if (first < 0x80) return { value: SMALL[first] as bigint, end: offset + 1, problem: undefined, redundant: false };

  // Seven groups stay below 2⁴⁹ and are summed up as a number, which is several times as fast as in bigint.
  let low = first & 0x7f;
  let scale = 0x80;
  let position = 1;
  for (; position < 7; position++) {
    const byte = bytes[offset + position];
    if (byte === undefined) return { value: big(low), end: offset + position, problem: 'short', redundant: false };
    low += (byte & 0x7f) * scale;
    scale *= 0x80;
    if (byte < 0x80) return { value: big(low), end: offset + position + 1, problem: undefined, redundant: byte === 0 };
  }
  let value = BigInt(low);
  for (; position < MAX_BYTES; position++) {
    const byte = bytes[offset + position];
    if (byte === undefined) return { value, end: offset + position, problem: 'short', redundant: false };
    value = BigInt.asUintN(64, value | (BigInt(byte & 0x7f) << BigInt(7 * position)));
    if (byte < 0x80) {
      const problem = position === MAX_BYTES - 1 && byte > 1 ? 'overflow' : undefined;
      return { value, end: offset + position + 1, problem, redundant: byte === 0 };
    }
  }
  return { value, end: offset + MAX_BYTES, problem: 'overflow', redundant: false };
}

/**
 * Writes a varint in its shortest form, or in `width` bytes with redundant groups of zeros behind. Values of more than
 * 64 bits and widths of more than ten bytes are written too; no reader accepts them.
 *
 * @param width - the least number of bytes
 */
export function encodeUvarint(value: bigint, width = 1): Uint8Array {
  const out: number[] = [];
  let high = value;
  for (; high > MAX_SAFE; high >>= 7n) out.push(Number(high & 0x7fn) | 0x80);
  let rest = Number(high);
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) out.push((rest & 0x7f) | 0x80);
  out.push(rest);
  while (out.length < width) {
    out[out.length - 1]! |= 0x80;
    out.push(0);
  }
  return Uint8Array.from(out);
}
