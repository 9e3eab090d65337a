/**
 * Inflate (RFC 1951) that keeps everything decoded before a fault or a limit, to the symbol.
 *
 * Node's zlib throws at a fault and gives nothing, and its native decoder writes past the bytes it has accounted for, so
 * what came before cannot be had from it. The reader decides batches by exactly that, so this decoder follows Go's
 * compress/flate where the RFC leaves room:
 * - a symbol is decoded only when at least as many bits are left as the end-of-block code has, which shows at a cut;
 * - a block without an end-of-block code is decoded until it runs out;
 * - a code of a single symbol may be one bit long, an empty distance code is fine as long as it is not used.
 *
 * It is the slow path only: 150 MB/s against 700 MB/s of the native call.
 */

/** How a compressed stream can be wrong. */
export type StreamFault =
  /** The input ends before the stream does. */
  | 'cut'
  /** Something that the format does not define. */
  | 'corrupt'
  /** All of the data is there, its checksum is wrong or missing. */
  | 'checksum'
  /** Bytes follow the end of a stream whose reader minds them (brotli). */
  | 'trailing';

/** What an inflated stream gave. */
export interface Inflated {
  /** Output before the fault, at most one byte more than the cap. */
  readonly bytes: Uint8Array;
  /** `undefined` when the stream is whole, or when the cap came first. */
  readonly fault: StreamFault | undefined;
  /** Ascending output positions at which an empty stored block forced out what was pending. */
  readonly flushes: readonly number[];
  /** Index of the first input byte behind the final block; meaningful when there is no fault. */
  readonly end: number;
}

/** Size of the window, in bytes; Go's decoder hands out its output whenever the window is full. */
export const WINDOW_SIZE = 32_768;

/** Longest code of RFC 1951, in bits. */
const MAX_CODE_LENGTH = 15;
/** Codes up to this many bits are found by one look-up. 10 was fastest of 8 to 12 on channels of 2 kB and of 500 kB. */
const LOOKUP_BITS = 10;
const MAX_LITERAL_CODES = 286;
const MAX_DISTANCE_CODES = 30;
const END_OF_BLOCK = 256;
/** Longest copy, in bytes. */
const MAX_COPY = 258;

const LENGTH_BASE = new Uint16Array([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]);
const LENGTH_EXTRA = new Uint8Array([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);
const DISTANCE_BASE = new Uint16Array([
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
]);
const DISTANCE_EXTRA = new Uint8Array([
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
]);
/** The order in which a dynamic block lists the lengths of the codes for code lengths. */
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;

/** A prefix code: a look-up table for the short codes, counts and symbols in code order for the long ones. */
class PrefixCode {
  /** Fewest bits that must be left before a symbol is decoded. */
  minimum = 0;
  /** Whether every sequence of bits starts with a code; else there is one code of one bit, or none. */
  complete = false;
  /** By the next bits of input: symbol × 16 + length; 0 where no short code fits. */
  readonly lookup = new Uint16Array(1 << LOOKUP_BITS);
  readonly counts = new Uint16Array(MAX_CODE_LENGTH + 1);
  /** Symbols in the order of their codes. */
  readonly symbols: Uint16Array;

  constructor(size: number) {
    this.symbols = new Uint16Array(size);
  }

  /**
   * Builds the code from the lengths of its symbols; `false` if the lengths do not form a complete code.
   *
   * @param lone - whether the code of a single symbol may have any length
   */
  build(lengths: Uint8Array, lone = false): boolean {
    const { counts, symbols, lookup } = this;
    counts.fill(0);
    lookup.fill(0);
    for (const length of lengths) counts[length]! += 1;
    counts[0] = 0;
    let minimum = 0;
    let maximum = 0;
    let space = 1;
    const offsets = new Uint16Array(MAX_CODE_LENGTH + 2);
    for (let length = 1; length <= MAX_CODE_LENGTH; length++) {
      const count = counts[length]!;
      offsets[length + 1] = offsets[length]! + count;
      space = 2 * space - count;
      if (space < 0) return false;
      if (count === 0) continue;
      if (minimum === 0) minimum = length;
      maximum = length;
    }
    this.minimum = minimum;
    this.complete = space === 0;
    const single = minimum === maximum && counts[maximum] === 1 && (lone || maximum === 1);
    if (space > 0 && maximum > 0 && !single) return false;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      const length = lengths[symbol]!;
      if (length === 0) continue;
      symbols[offsets[length]!] = symbol;
      offsets[length]! += 1;
    }
    let code = 0;
    let index = 0;
    for (let length = 1; length <= Math.min(maximum, LOOKUP_BITS); length++) {
      const step = 1 << length;
      for (let left = counts[length]!; left > 0; left--) {
        const entry = (symbols[index]! << 4) | length;
        for (let at = reverse(code, length); at < lookup.length; at += step) lookup[at] = entry;
        code += 1;
        index += 1;
      }
      code <<= 1;
    }
    return true;
  }

  /** The symbol of a code too long for the look-up, as symbol × 16 + length; 0 if `bits` bits hold no whole code. */
  long(hold: number, bits: number): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MAX_CODE_LENGTH && length <= bits; length++) {
      code |= (hold >>> (length - 1)) & 1;
      const count = this.counts[length]!;
      if (code - count < first) return (this.symbols[index + (code - first)]! << 4) | length;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return 0;
  }
}

function reverse(code: number, length: number): number {
  let out = 0;
  for (let bit = 0; bit < length; bit++) out |= ((code >>> bit) & 1) << (length - 1 - bit);
  return out;
}

const FIXED_LENGTHS = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
const fixedLiterals = new PrefixCode(288);
fixedLiterals.build(FIXED_LENGTHS);
const fixedDistances = new PrefixCode(32);
fixedDistances.build(new Uint8Array(32).fill(5));

/** The codes of the dynamic block at hand; decoding is synchronous, so that one of each is enough. */
const codeLengthCode = new PrefixCode(19);
const literalCode = new PrefixCode(MAX_LITERAL_CODES);
const distanceCode = new PrefixCode(MAX_DISTANCE_CODES);

/** Decodes one raw deflate stream. */
class Inflater {
  out: Uint8Array;
  position = 0;
  flushes: number[] = [];
  hold = 0;
  bits = 0;

  constructor(
    readonly data: Uint8Array,
    /** Index of the next input byte that is not in `hold`. */
    public at: number,
    readonly cap: number,
    readonly lone: boolean,
  ) {
    // A channel inflates to 2 to 4 times its size; a start with that saves the doublings for most.
    this.out = new Uint8Array(Math.min(cap + 1, Math.max(4096, 4 * data.length)) + MAX_COPY);
  }

  /** Why decoding stopped: a fault, the end of the final block, or more output than the cap. */
  run(): 'cut' | 'corrupt' | 'end' | 'capped' {
    for (;;) {
      if (!this.#need(3)) return 'cut';
      const header = this.#take(3);
      const final = (header & 1) === 1;
      const stopped = this.#block(header >>> 1, final);
      if (stopped !== undefined) return stopped;
      if (final) return 'end';
    }
  }

  #block(type: number, final: boolean): 'cut' | 'corrupt' | 'capped' | undefined {
    if (type === 0) return this.#stored(final);
    if (type === 1) return this.#codes(fixedLiterals, fixedDistances);
    if (type === 2) return this.#dynamicCodes() ?? this.#codes(literalCode, distanceCode);
    return 'corrupt';
  }

  /** Whether `count` bits are there, after reading as much as it takes. */
  #need(count: number): boolean {
    while (this.bits < count) {
      if (this.at >= this.data.length) return false;
      this.hold |= this.data[this.at]! << this.bits;
      this.at += 1;
      this.bits += 8;
    }
    return true;
  }

  #take(count: number): number {
    const value = this.hold & ((1 << count) - 1);
    this.hold >>>= count;
    this.bits -= count;
    return value;
  }

  /** Gives whole bytes back to the input and drops the rest of the current one. */
  align(): void {
    this.at -= this.bits >>> 3;
    this.hold = 0;
    this.bits = 0;
  }

  #grow(room: number): void {
    const wanted = Math.max(this.position + room, Math.min(2 * this.out.length, this.cap + 1 + MAX_COPY));
    const grown = new Uint8Array(wanted);
    grown.set(this.out.subarray(0, this.position));
    this.out = grown;
  }

  #stored(final: boolean): 'cut' | 'corrupt' | 'capped' | undefined {
    this.align();
    const { data } = this;
    if (this.at + 4 > data.length) return 'cut';
    const length = data[this.at]! | (data[this.at + 1]! << 8);
    const complement = data[this.at + 2]! | (data[this.at + 3]! << 8);
    if ((length ^ complement) !== 0xffff) return 'corrupt';
    this.at += 4;
    if (length === 0) {
      if (!final && this.flushes.at(-1) !== this.position) this.flushes.push(this.position);
      return undefined;
    }
    const there = Math.min(length, data.length - this.at);
    if (this.position + there > this.out.length) this.#grow(there);
    this.out.set(data.subarray(this.at, this.at + there), this.position);
    this.at += there;
    this.position += there;
    if (this.position > this.cap) return 'capped';
    return there < length ? 'cut' : undefined;
  }

  #dynamicCodes(): 'cut' | 'corrupt' | undefined {
    if (!this.#need(14)) return 'cut';
    const literals = this.#take(5) + 257;
    const distances = this.#take(5) + 1;
    const listed = this.#take(4) + 4;
    if (literals > MAX_LITERAL_CODES || distances > MAX_DISTANCE_CODES) return 'corrupt';
    const codeLengths = new Uint8Array(19);
    for (const symbol of CODE_LENGTH_ORDER.slice(0, listed)) {
      if (!this.#need(3)) return 'cut';
      codeLengths[symbol] = this.#take(3);
    }
    if (!codeLengthCode.build(codeLengths)) return 'corrupt';
    const lengths = new Uint8Array(literals + distances);
    for (let index = 0; index < lengths.length; ) {
      const symbol = this.#codeLength();
      if (typeof symbol !== 'number') return symbol;
      if (symbol < 16) {
        lengths[index++] = symbol;
        continue;
      }
      if (symbol === 16 && index === 0) return 'corrupt';
      const extra = symbol === 16 ? 2 : symbol === 17 ? 3 : 7;
      if (!this.#need(extra)) return 'cut';
      const repeat = this.#take(extra) + (symbol === 18 ? 11 : 3);
      if (index + repeat > lengths.length) return 'corrupt';
      lengths.fill(symbol === 16 ? lengths[index - 1]! : 0, index, index + repeat);
      index += repeat;
    }
    if (!literalCode.build(lengths.subarray(0, literals), this.lone)) return 'corrupt';
    if (!distanceCode.build(lengths.subarray(literals), this.lone)) return 'corrupt';
    literalCode.minimum = Math.max(literalCode.minimum, lengths[END_OF_BLOCK]!);
    return undefined;
  }

  #codeLength(): number | 'cut' | 'corrupt' {
    this.#need(7);
    const entry = codeLengthCode.lookup[this.hold & ((1 << LOOKUP_BITS) - 1)]!;
    const length = entry & 15;
    if (this.bits < codeLengthCode.minimum || length > this.bits) return 'cut';
    if (length === 0) return 'corrupt';
    this.#take(length);
    return entry >>> 4;
  }

  /** The symbols of one block. State lives in locals: it doubles the speed. */
  #codes(literals: PrefixCode, distances: PrefixCode): 'cut' | 'corrupt' | 'capped' | undefined {
    const { data, cap } = this;
    const end = data.length;
    const mask = (1 << LOOKUP_BITS) - 1;
    const { lookup, minimum } = literals;
    let { out, position, hold, bits, at } = this;
    let room = Math.min(out.length - MAX_COPY, cap);
    let stopped: 'cut' | 'corrupt' | 'capped' | undefined;
    for (;;) {
      if (position > room) {
        if (position > cap) {
          stopped = 'capped';
          break;
        }
        this.position = position;
        this.#grow(MAX_COPY);
        out = this.out;
        room = Math.min(out.length - MAX_COPY, cap);
      }
      while (bits < 24 && at < end) {
        hold |= data[at++]! << bits;
        bits += 8;
      }
      let entry = lookup[hold & mask]!;
      if (entry === 0) entry = literals.long(hold, bits);
      let length = entry & 15;
      if (bits < minimum || length > bits || entry === 0) {
        stopped = bits < minimum || literals.complete ? 'cut' : 'corrupt';
        break;
      }
      hold >>>= length;
      bits -= length;
      const symbol = entry >>> 4;
      if (symbol < END_OF_BLOCK) {
        out[position++] = symbol;
        continue;
      }
      if (symbol === END_OF_BLOCK) break;
      if (symbol >= MAX_LITERAL_CODES) {
        stopped = 'corrupt';
        break;
      }
      let extra = LENGTH_EXTRA[symbol - 257]!;
      if (extra > bits) {
        stopped = 'cut';
        break;
      }
      let copy = LENGTH_BASE[symbol - 257]! + (hold & ((1 << extra) - 1));
      hold >>>= extra;
      bits -= extra;

      while (bits < 24 && at < end) {
        hold |= data[at++]! << bits;
        bits += 8;
      }
      entry = distances.lookup[hold & mask]!;
      if (entry === 0) entry = distances.long(hold, bits);
      length = entry & 15;
      if (bits < distances.minimum || length > bits || entry === 0) {
        stopped = bits < distances.minimum || distances.complete ? 'cut' : 'corrupt';
        break;
      }
      hold >>>= length;
      bits -= length;
      const code = entry >>> 4;
      if (code >= MAX_DISTANCE_CODES) {
        stopped = 'corrupt';
        break;
      }
      extra = DISTANCE_EXTRA[code]!;
      while (bits < extra && at < end) {
        hold |= data[at++]! << bits;
        bits += 8;
      }
      if (extra > bits) {
        stopped = 'cut';
        break;
      }
      const distance = DISTANCE_BASE[code]! + (hold & ((1 << extra) - 1));
      hold >>>= extra;
      bits -= extra;
      if (distance > position) {
        stopped = 'corrupt';
        break;
      }
      let from = position - distance;
      while (copy-- > 0) out[position++] = out[from++]!;
    }
    this.position = position;
    this.hold = hold;
    this.bits = bits;
    this.at = at;
    return stopped;
  }
}

/**
 * Inflates a raw deflate stream.
 *
 * @param data - holds the stream from `start` on; what follows the final block is not read
 * @param cap - bytes; decoding stops as soon as more than this came out
 * @param lone - whether the literal or distance code of a single symbol may have any length, as kona's decoder has it
 */
export function inflateRaw(data: Uint8Array, start: number, cap: number, lone = false): Inflated {
  const inflater = new Inflater(data, start, cap, lone);
  const stopped = inflater.run();
  inflater.align();
  return {
    bytes: inflater.out.subarray(0, Math.min(inflater.position, cap + 1)),
    fault: stopped === 'cut' || stopped === 'corrupt' ? stopped : undefined,
    flushes: inflater.flushes,
    end: inflater.at,
  };
}

/**
 * Inflates the body of a zlib stream (RFC 1950), checksum included.
 *
 * @param start - index of the first byte behind the zlib header
 */
export function inflateZlibBody(data: Uint8Array, start: number, cap: number, lone = false): Inflated {
  const inflated = inflateRaw(data, start, cap, lone);
  if (inflated.fault !== undefined || inflated.bytes.length > cap) return inflated;
  const { bytes, end } = inflated;
  const there = end + 4 <= data.length;
  const stored = there ? new DataView(data.buffer, data.byteOffset + end, 4).getUint32(0) : 0;
  return there && stored === adler32(bytes) ? inflated : { ...inflated, fault: 'checksum' };
}

/** The Adler-32 checksum of RFC 1950. */
export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let at = 0; at < bytes.length; ) {
    // 3,800 bytes keep both sums below 2³¹, so that they stay small integers: the largest b is 65520 + 3800·(65520 + 255·3800/2).
    const end = Math.min(at + 3800, bytes.length);
    while (at < end) {
      a += bytes[at++]!;
      b += a;
    }
    a %= 65_521;
    b %= 65_521;
  }
  return ((b << 16) | a) >>> 0;
}
