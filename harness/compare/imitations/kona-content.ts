/** What kona's channel reader decompresses, where it is not what op-node's gives. */

import { brotliDecompressSync, inflateSync } from 'node:zlib';
import { BROTLI_VERSION } from '../../../src/channel.ts';
import { BrotliReads } from '../../../src/encoding/brotli.ts';
import { decompressBrotli, decompressZlib, type Output, zlibHeaderLength } from '../../../src/encoding/decompress.ts';
import { inflateZlibBody } from '../../../src/encoding/inflate.ts';

/** Bytes taken at a time to have everything come. */
const READ = 4096;

/** Bytes of content beyond which nobody looks. */
const CEILING = 200_000_000;

/** Whether the channel is a zlib stream with a fault behind a sound header: kona's decompressor gives all or nothing. */
export function isFaultyZlib(data: Uint8Array): boolean {
  const header = zlibHeaderLength(data);
  return header !== undefined && decompressZlib(data, header, CEILING).fault !== undefined;
}

/** Whether a zlib stream names a dictionary, which may only be the empty one. */
export function namesDictionary(data: Uint8Array): boolean {
  return zlibHeaderLength(data) === 6;
}

/** Whether the whole content of a zlib channel passes the limit. */
export function passesLimit(data: Uint8Array, limit: bigint): boolean {
  if (zlibHeaderLength(data) !== 2) return false;
  try {
    return BigInt(inflateSync(data, { maxOutputLength: CEILING }).length) > limit;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
  }
}

/**
 * The content of a zlib channel that is sound for kona's decompressor alone: it lets the literal or distance code of a
 * single symbol have any length, where others want one bit. `undefined` if that makes no difference.
 */
export function loneCodeContent(data: Uint8Array): Uint8Array | undefined {
  if (zlibHeaderLength(data) !== 2 || !isFaultyZlib(data)) return undefined;
  const { bytes, fault } = inflateZlibBody(data, 2, CEILING, true);
  return fault === undefined ? bytes : undefined;
}

/** Whether a brotli stream has a window above 24 bits, which RFC 7932 does not know. */
export function hasLargeWindow(data: Uint8Array): boolean {
  return (data[1]! & 0x7f) === 0x11;
}

/** What kona's brotli loop makes of a channel. */
export interface KonaBrotli {
  /** What is wrong with the stream for op-node's decoder. */
  readonly fault: Output['fault'] | 'padding';
  /** Bytes that op-node gets out of it. */
  readonly length: number;
  /** What kona gets; `undefined` if it gives up because of the limit. */
  readonly content: Uint8Array | undefined;
}

/**
 * Reads a brotli channel as kona does; `undefined` for any other channel.
 *
 * Its output buffer has the length of the stream and is doubled whenever the decoder asks for more room, unless that
 * would pass the limit. A decoder asks for more room when it has all its input and more output than there is room, or
 * when its ring buffer is full; but when it has to say that its input has ended too early, it says that instead.
 */
export function readBrotli(data: Uint8Array, limit: bigint): KonaBrotli | undefined {
  if (data[0] !== BROTLI_VERSION) return undefined;
  const output = decompressBrotli(data, CEILING);
  while (output.take(READ));
  const { length } = output;
  const padded = output.fault === 'corrupt' ? paddedContent(data) : undefined;
  const fault = padded === undefined ? output.fault : 'padding';
  const all = padded ?? (fault === 'corrupt' ? readAtOnce(data) : output.bytes.slice(0, length));
  const pushed = fault === 'cut' ? length - (length % ringBufferOf(data)) : all.length;
  let room = data.length - 1;
  for (; room > 0 && room < pushed; room *= 2) {
    if (BigInt(2 * room) > limit) return { fault, length, content: undefined };
  }
  return { fault, length, content: fault === 'cut' ? all.subarray(0, room) : all };
}

/** Bytes of the ring buffer: RFC 7932 section 9.1. */
function ringBufferOf(data: Uint8Array): number {
  const first = data[1] ?? 0;
  if ((first & 1) === 0) return 1 << 16;
  if ((first & 0x0e) !== 0) return 1 << (17 + ((first >>> 1) & 7));
  const low = (first >>> 4) & 7;
  return 1 << (low === 0 ? 17 : 8 + low);
}

/** With kona's calls: all the input at once, into a buffer that is doubled when it is full. */
function readAtOnce(data: Uint8Array): Uint8Array {
  const reads = new BrotliReads(data, CEILING, undefined, { firstPiece: data.length, largeWindow: true });
  for (let room = data.length - 1; reads.state === undefined && room > 0; room = reads.length) reads.read(room);
  return reads.bytes.slice(0, reads.length);
}

/** The error of Node's decoder at bits behind the last meta-block, up to the end of its byte, that are not zero. */
const PADDING_ERROR = 'ERR__ERROR_FORMAT_PADDING_2';

/** The content of a stream in which nothing but those bits is wrong: kona's decoder does not mind them. */
function paddedContent(data: Uint8Array): Uint8Array | undefined {
  const errorOf = (end: number) => decompressed(data.subarray(1, end)).error;
  if (errorOf(data.length) !== PADDING_ERROR) return undefined;
  // The shortest part of the stream that shows the error ends with the byte that holds the bits.
  let low = 2;
  let high = data.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (errorOf(middle) === PADDING_ERROR) high = middle;
    else low = middle + 1;
  }
  for (let bits = 7; bits > 0; bits--) {
    const repaired = data.slice(1, low);
    repaired[repaired.length - 1]! &= (1 << bits) - 1;
    const { content } = decompressed(repaired);
    if (content !== undefined) return content;
  }
  return undefined;
}

function decompressed(stream: Uint8Array): { readonly content?: Uint8Array; readonly error?: string | undefined } {
  try {
    return { content: new Uint8Array(brotliDecompressSync(stream, { maxOutputLength: CEILING })) };
  } catch (error) {
    return { error: (error as NodeJS.ErrnoException).code };
  }
}
