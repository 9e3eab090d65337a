/**
 * A channel's compressed data, decompressed and handed out the way op-node's reader meets it
 * (specs: derivation.md#channel-format, fjord/derivation.md#brotli-channel-compression).
 *
 * Sound streams within the limit, that is nearly all, take Node's one-shot call. Where that throws, the output before
 * the fault or the limit is wanted, and how far it reaches depends on how it is read: op-node reads through a buffer of
 * 4,096 bytes, and a read of at least that much at a moment when the buffer is empty goes past it, straight to the
 * decompressor. A fault that comes with the last bytes of such a read takes them along. {@link BufferedOutput} makes
 * the same reads.
 */

import { brotliDecompressSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { BrotliReads } from './brotli.ts';
import { type Inflated, inflateZlibBody, type StreamFault, WINDOW_SIZE } from './inflate.ts';

/** Decompressed bytes, taken from the front. */
export interface Output {
  /** Holds what came so far at its start; may be another array after `take`. */
  readonly bytes: Uint8Array;
  /** How many of the bytes came so far. */
  readonly length: number;
  /** What is wrong with the stream; `undefined` if nothing is, or nothing before the cap. */
  readonly fault: StreamFault | undefined;
  /** Takes the next `count` bytes; `false` if they do not come, and then nothing comes any more. */
  take(count: number): boolean;
}

/** Output that came in one piece. */
export class WholeOutput implements Output {
  readonly fault = undefined;
  readonly bytes: Uint8Array;
  readonly length: number;
  #taken = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.length = bytes.length;
  }

  take(count: number): boolean {
    if (this.#taken + count > this.length) return false;
    this.#taken += count;
    return true;
  }
}

/** A decompressor's reads; `BrotliReads` says what the fields mean. */
interface Reads {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly state: StreamFault | 'end' | undefined;
  read(wanted: number): number;
}

/** The reads of Go's zlib reader over output that is there already. */
class InflatedReads implements Reads {
  readonly bytes: Uint8Array;
  length = 0;
  state: StreamFault | 'end' | undefined;
  readonly #inflated: Inflated;
  #flush = 0;

  constructor(inflated: Inflated) {
    this.#inflated = inflated;
    this.bytes = inflated.bytes;
  }

  /** Go's decoder hands out its window when it is full, at an empty stored block, and at the end. */
  read(wanted: number): number {
    const { bytes, flushes, fault } = this.#inflated;
    if (this.state !== undefined) return 0;
    while (this.#flush < flushes.length && flushes[this.#flush]! <= this.length) this.#flush += 1;
    const window = (Math.floor(this.length / WINDOW_SIZE) + 1) * WINDOW_SIZE;
    const piece = Math.min(window, flushes[this.#flush] ?? window, bytes.length);
    const came = Math.min(wanted, piece - this.length);
    this.length += came;
    // The end comes with the last bytes, unless they left with a full window or an empty stored block: then by itself.
    const apart = piece === window || piece === flushes[this.#flush];
    if (this.length === bytes.length && (came === 0 || !apart)) this.state = fault ?? 'end';
    return came;
  }
}

/** Size of the buffer between decompressor and RLP reader, in bytes. */
const BUFFER_SIZE = 4096;

/** Output read through a buffer as Go's bufio does. */
class BufferedOutput implements Output {
  readonly fault: StreamFault | undefined;
  readonly #reads: Reads;
  #taken = 0;

  constructor(reads: Reads, fault: StreamFault | undefined) {
    this.#reads = reads;
    this.fault = fault;
  }

  get bytes(): Uint8Array {
    return this.#reads.bytes;
  }

  get length(): number {
    return this.#reads.length;
  }

  take(count: number): boolean {
    const reads = this.#reads;
    for (let missing = count; missing > 0; ) {
      const buffered = reads.length - this.#taken;
      if (buffered > 0) {
        const taken = Math.min(buffered, missing);
        this.#taken += taken;
        missing -= taken;
        continue;
      }
      if (reads.state !== undefined) return false;
      if (missing < BUFFER_SIZE) {
        reads.read(BUFFER_SIZE);
        continue;
      }
      const came = reads.read(missing);
      this.#taken += came;
      missing -= came;
      if (reads.state !== undefined) return reads.state === 'end' && missing === 0;
    }
    return true;
  }
}

/** What Node gives with `info: true`, which its types leave out. */
interface WithInfo {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

function options(cap: number, length: number): ZlibOptions {
  // Node's buffer of 16 kB is half of what a small channel costs: 24 µs against 11 µs for one of 600 bytes.
  const chunkSize = Math.min(Math.max(4 * length, 1024), 65_536);
  // Node refuses a limit of 0; the reader's own check on each batch holds in any case.
  return { maxOutputLength: Math.max(1, cap), info: true, chunkSize };
}

/** The same bytes as a plain array: a Buffer's views are Buffers, slower to make and unequal in tests. */
function plain(buffer: Uint8Array): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

/**
 * Runs a synchronous call whose error says all that is needed by its code. Collecting the stack trace is most of what a
 * faulty channel would cost: 148 µs against 39 µs for a throwing `inflateSync` of 1.4 kB.
 */
function withoutStackTrace<T>(call: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return call();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** Whether a zlib header (RFC 1950 section 2.2) starts the data, with the length of the header if so. */
export function zlibHeaderLength(data: Uint8Array): number | undefined {
  if (data.length < 2) return undefined;
  const method = data[0]!;
  const flags = data[1]!;
  if ((method & 15) !== 8 || method >>> 4 > 7 || ((method << 8) | flags) % 31 !== 0) return undefined;
  if ((flags & 0x20) === 0) return 2;
  // A preset dictionary may be named if it is the empty one: its Adler-32 is 1 (A13).
  const empty = data.length >= 6 && data[2] === 0 && data[3] === 0 && data[4] === 0 && data[5] === 1;
  return empty ? 6 : undefined;
}

/** Decompresses a zlib stream with a sound header; `cap` is in bytes of output. */
export function decompressZlib(data: Uint8Array, headerLength: number, cap: number): Output {
  if (headerLength === 2) {
    try {
      const sound = withoutStackTrace(() => inflateSync(data, options(cap, data.length)) as unknown as WithInfo);
      return new WholeOutput(plain(sound.buffer));
    } catch {
      // Too much, or faulty: what came before is wanted.
    }
  }
  return decompressZlibBody(data, headerLength, cap);
}

/** Decompresses what follows a zlib header, whatever the header was. */
export function decompressZlibBody(data: Uint8Array, start: number, cap: number): Output {
  const inflated = inflateZlibBody(data, Math.min(start, data.length), cap);
  return new BufferedOutput(new InflatedReads(inflated), inflated.fault);
}

/** Decompresses the brotli stream that starts at index 1. */
export function decompressBrotli(data: Uint8Array, cap: number): Output {
  let sound: WithInfo;
  try {
    sound = withoutStackTrace(
      () => brotliDecompressSync(data.subarray(1), options(cap, data.length)) as unknown as WithInfo,
    );
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const fault = code === 'ERR_BUFFER_TOO_LARGE' ? undefined : code === 'Z_BUF_ERROR' ? 'cut' : 'corrupt';
    return new BufferedOutput(new BrotliReads(data, cap, undefined), fault);
  }
  const end = 1 + sound.engine.bytesWritten;
  if (end === data.length) return new WholeOutput(plain(sound.buffer));
  return new BufferedOutput(new BrotliReads(data, cap, { end, length: sound.buffer.length }), 'trailing');
}
