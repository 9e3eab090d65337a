/**
 * Recursive Length Prefix encoding, strict: lengths in their shortest form, items inside their list.
 *
 * Nothing is copied: items are views of the input, or offsets into it.
 */

/** The head of one item. */
export interface RlpHeader {
  readonly list: boolean;
  /** Offset of the payload; equal to the item's own offset for a byte that is its own encoding. */
  readonly start: number;
  /** Length of the payload in bytes as the header says it, at most 2⁶⁴ − 1 and then not exact. */
  readonly length: number;
  /** Whether the header has the shortest form, and a single byte below 0x80 no header at all. */
  readonly canonical: boolean;
}

/**
 * Reads the head of the item at `offset`.
 *
 * @param end - where the enclosing list or the input ends
 * @returns `undefined` if the header itself does not fit. Whether the payload fits is for the caller to check.
 */
export function readRlpHeader(bytes: Uint8Array, offset: number, end: number): RlpHeader | undefined {
  if (offset >= end) return undefined;
  const first = bytes[offset] as number;
  if (first < 0x80) return { list: false, start: offset, length: 1, canonical: true };
  const list = first >= 0xc0;
  const short = first - (list ? 0xc0 : 0x80);
  if (short <= 55) {
    const start = offset + 1;
    const wrapped = !list && short === 1 && start < end && (bytes[start] as number) < 0x80;
    return { list, start, length: short, canonical: !wrapped };
  }
  const start = offset + 1 + short - 55;
  if (start > end) return undefined;
  let length = 0;
  for (let i = offset + 1; i < start; i++) length = length * 256 + (bytes[i] as number);
  return { list, start, length, canonical: bytes[offset + 1] !== 0 && length > 55 };
}

/** What is wrong with an item. */
export type RlpProblem = 'missing' | 'truncated' | 'not canonical' | 'a list' | 'not a list' | 'width' | 'leading zero';

/**
 * Walks the items of one list, or of any row of items. The walk stops at the first item that is not well formed.
 *
 * `next…` methods give `undefined` when all is well and otherwise name the problem; the item's place is in
 * {@link itemStart}, {@link start} and {@link end}.
 */
export class RlpCursor {
  readonly bytes: Uint8Array;
  readonly limit: number;
  /** Where the next item starts. */
  offset: number;
  /** Where the current item starts, header included. */
  itemStart: number;
  /** Where the current item's payload starts. */
  start: number;
  /** Where the current item ends. */
  end: number;

  constructor(bytes: Uint8Array, offset: number, limit: number) {
    this.bytes = bytes;
    this.limit = limit;
    this.offset = offset;
    this.itemStart = offset;
    this.start = offset;
    this.end = offset;
  }

  get done(): boolean {
    return this.offset >= this.limit;
  }

  /** Bytes of the current item's payload. */
  get length(): number {
    return this.end - this.start;
  }

  /** A view of the current item's payload. */
  payload(): Uint8Array {
    return this.bytes.subarray(this.start, this.end);
  }

  /** A walk over the items of the current item, which is a list. */
  inside(): RlpCursor {
    return new RlpCursor(this.bytes, this.start, this.end);
  }

  nextString(): RlpProblem | undefined {
    return this.#next(false);
  }

  nextList(): RlpProblem | undefined {
    return this.#next(true);
  }

  /** A string of exactly `width` bytes. */
  nextFixed(width: number): RlpProblem | undefined {
    return this.#next(false) ?? (this.length === width ? undefined : 'width');
  }

  /** An integer without leading zeros (zero is the empty string) of at most `width` bytes. */
  nextInteger(width = Number.POSITIVE_INFINITY): RlpProblem | undefined {
    const problem = this.#next(false);
    if (problem !== undefined) return problem;
    if (this.length > width) return 'width';
    return this.length > 0 && this.bytes[this.start] === 0 ? 'leading zero' : undefined;
  }

  /** The current item as an integer of at most 8 bytes. */
  integer(): bigint {
    // Six bytes always fit a number, and usual values have no more.
    if (this.length <= 6) {
      let small = 0;
      for (let i = this.start; i < this.end; i++) small = small * 256 + (this.bytes[i] as number);
      return BigInt(small);
    }
    let value = 0n;
    for (let i = this.start; i < this.end; i++) value = (value << 8n) | BigInt(this.bytes[i] as number);
    return value;
  }

  #next(list: boolean): RlpProblem | undefined {
    this.itemStart = this.offset;
    this.start = this.offset;
    this.end = this.offset;
    if (this.offset >= this.limit) return 'missing';
    // The short forms without an object for the header: half the time of decoding a batch of transactions.
    const first = this.bytes[this.offset] as number;
    if (first < 0x80) {
      this.end = ++this.offset;
      return list ? 'not a list' : undefined;
    }
    const base = first < 0xc0 ? 0x80 : 0xc0;
    if (first - base <= 55) {
      const start = this.offset + 1;
      const end = start + first - base;
      if (end > this.limit) return 'truncated';
      this.start = start;
      this.end = end;
      this.offset = end;
      if ((base === 0xc0) !== list) return list ? 'not a list' : 'a list';
      return first === 0x81 && (this.bytes[start] as number) < 0x80 ? 'not canonical' : undefined;
    }
    const header = readRlpHeader(this.bytes, this.offset, this.limit);
    if (header === undefined || header.length > this.limit - header.start) return 'truncated';
    this.start = header.start;
    this.end = header.start + header.length;
    this.offset = this.end;
    if (header.list !== list) return list ? 'not a list' : 'a list';
    return header.canonical ? undefined : 'not canonical';
  }
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** A value to encode: a byte string, an unsigned integer, a list, or an item that is encoded already. */
export type RlpValue = Uint8Array | bigint | readonly RlpValue[] | { readonly encoded: Uint8Array };

/** Length of the header of a payload of `length` bytes: a list, or a string other than one byte below 0x80. */
export function rlpHeaderLength(length: number): number {
  if (length <= 55) return 1;
  let bytes = 1;
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes++;
  return bytes;
}

/** Writes the header at `offset` and gives the offset behind it. `base` is 0xc0 for a list, 0x80 for a string. */
export function writeRlpHeader(out: Uint8Array, offset: number, base: number, length: number): number {
  const end = offset + rlpHeaderLength(length);
  if (length <= 55) {
    out[offset] = base + length;
    return end;
  }
  out[offset] = base + 55 + (end - offset - 1);
  let rest = length;
  for (let i = end - 1; i > offset; i--) {
    out[i] = rest & 0xff;
    rest = Math.floor(rest / 256);
  }
  return end;
}

/** The bytes of an unsigned integer without leading zeros. */
export function integerBytes(value: bigint): Uint8Array {
  const out = new Uint8Array(integerLength(value));
  if (value <= MAX_SAFE) {
    let rest = Number(value);
    for (let i = out.length - 1; i >= 0; i--) {
      out[i] = rest & 0xff;
      rest = Math.floor(rest / 256);
    }
    return out;
  }
  const hex = value.toString(16).padStart(2 * out.length, '0');
  out.set(Buffer.from(hex, 'hex'));
  return out;
}

/** Encodes a value. */
export function encodeRlp(value: RlpValue): Uint8Array {
  // Lists' payload lengths, parents before children, so that each is computed once.
  const lengths: number[] = [];
  const out = new Uint8Array(measure(value, lengths));
  write(value, lengths[Symbol.iterator](), out, 0);
  return out;
}

/** The items of a list one after the other, without the list's header: a long list can be encoded in pieces. */
export function encodeRlpItems(items: readonly RlpValue[]): Uint8Array {
  const lengths: number[] = [];
  let length = 0;
  for (const item of items) length += measure(item, lengths);
  const out = new Uint8Array(length);
  const parents = lengths[Symbol.iterator]();
  let offset = 0;
  for (const item of items) offset = write(item, parents, out, offset);
  return out;
}

/** Length of what {@link encodeRlp} gives. */
export function rlpLength(value: RlpValue): number {
  return measure(value, []);
}

/** The header of a list of that many bytes. */
export function encodeRlpListHeader(length: number): Uint8Array {
  const out = new Uint8Array(rlpHeaderLength(length));
  writeRlpHeader(out, 0, 0xc0, length);
  return out;
}

function isList(value: RlpValue): value is readonly RlpValue[] {
  return Array.isArray(value);
}

function measure(value: RlpValue, lengths: number[]): number {
  if (isList(value)) {
    const index = lengths.push(0) - 1;
    let length = 0;
    for (const item of value) length += measure(item, lengths);
    lengths[index] = length;
    return rlpHeaderLength(length) + length;
  }
  if (typeof value === 'bigint') {
    if (value < 0x80n) return 1;
    const length = integerLength(value);
    return rlpHeaderLength(length) + length;
  }
  if (value instanceof Uint8Array) return stringLength(value);
  return value.encoded.length;
}

function integerLength(value: bigint): number {
  if (value > MAX_SAFE) return Math.ceil(value.toString(16).length / 2);
  let length = 0;
  for (let rest = Number(value); rest > 0; rest = Math.floor(rest / 256)) length++;
  return length;
}

function stringLength(bytes: Uint8Array): number {
  return bytes.length === 1 && (bytes[0] as number) < 0x80 ? 1 : rlpHeaderLength(bytes.length) + bytes.length;
}

function write(value: RlpValue, lengths: Iterator<number>, out: Uint8Array, offset: number): number {
  if (isList(value)) {
    let position = writeRlpHeader(out, offset, 0xc0, lengths.next().value as number);
    for (const item of value) position = write(item, lengths, out, position);
    return position;
  }
  if (typeof value === 'bigint') return writeString(integerBytes(value), out, offset);
  if (value instanceof Uint8Array) return writeString(value, out, offset);
  out.set(value.encoded, offset);
  return offset + value.encoded.length;
}

function writeString(bytes: Uint8Array, out: Uint8Array, offset: number): number {
  const single = bytes.length === 1 && (bytes[0] as number) < 0x80;
  const position = single ? offset : writeRlpHeader(out, offset, 0x80, bytes.length);
  out.set(bytes, position);
  return position + bytes.length;
}
