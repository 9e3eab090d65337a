/** What kona's channel reader makes of compressed data, beside what op-node's does. */

import { brotliDecompressSync, inflateSync } from 'node:zlib';
import { BROTLI_VERSION } from '../../../src/channel.ts';
import { BrotliReads } from '../../../src/encoding/brotli.ts';
import {
  decompressBrotli,
  decompressZlibBody,
  type Output,
  zlibHeaderLength,
} from '../../../src/encoding/decompress.ts';
import { inflateZlibBody } from '../../../src/encoding/inflate.ts';

/** Bytes of content beyond which nobody looks. */
const CEILING = 200_000_000;

/** Bytes taken at a time to have everything come. */
const READ = 4096;

/** A zlib channel. */
interface KonaZlib {
  /** The header names a dictionary, which can only be the empty one: kona's decompressor knows none. */
  readonly dictionary: boolean;
  /** There is a fault behind the header: kona's decompressor gives all or nothing. */
  readonly faulty: boolean;
  /** Bytes of the content of a stream without a fault. */
  readonly length: number;
  /**
   * The content, if the stream is faulty for op-node alone: kona's decompressor lets the literal or distance code of a
   * single symbol have any length, where others want one bit.
   */
  readonly lone: Uint8Array | undefined;
}

/** Reads a zlib channel; `undefined` for any other, and for one whose header nobody accepts. */
export const readZlib = remembering((data: Uint8Array): KonaZlib | undefined => {
  const header = zlibHeaderLength(data);
  if (header === undefined) return undefined;
  const dictionary = header !== 2;
  const length = dictionary ? undefined : soundLength(data);
  if (length !== undefined) return { dictionary, faulty: false, length, lone: undefined };
  const output = decompressZlibBody(data, header, CEILING);
  const faulty = output.fault !== undefined;
  const lone = faulty && !dictionary ? inflateZlibBody(data, header, CEILING, true) : undefined;
  return {
    dictionary,
    faulty,
    length: lengthOf(output),
    lone: lone?.fault === undefined ? lone?.bytes : undefined,
  };
});

/** Bytes of the content, by the fast decompressor; `undefined` if it finds fault with the stream. */
function soundLength(data: Uint8Array): number | undefined {
  try {
    return inflateSync(data, { maxOutputLength: CEILING }).length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? CEILING : undefined;
  }
}

/** A brotli channel. */
interface KonaBrotli {
  /** What is wrong with the stream for op-node's decoder. */
  readonly fault: Output['fault'] | 'padding';
  /** The window is above 24 bits, which RFC 7932 does not know and kona's decoder does. */
  readonly largeWindow: boolean;
  /** Kona gives up because of the limit. */
  readonly givenUp: boolean;
  /** What kona reads, if it is more or less than op-node does. */
  readonly other: Uint8Array | undefined;
}

/**
 * Reads a brotli channel as kona does; `undefined` for any other channel.
 *
 * Its output buffer has the length of the stream and is doubled whenever the decoder asks for more room, unless that
 * would pass the limit. A decoder asks for more room when it has all its input and more output than there is room, or
 * when its ring buffer is full; but when it has to say that its input has ended too early, it says that instead.
 */
export const readBrotli = remembering((data: Uint8Array, limit: bigint): KonaBrotli | undefined => {
  if (data[0] !== BROTLI_VERSION) return undefined;
  const output = decompressBrotli(data, CEILING);
  const length = lengthOf(output);
  const padded = output.fault === 'corrupt' ? paddedContent(data) : undefined;
  const fault: KonaBrotli['fault'] = padded === undefined ? output.fault : 'padding';
  const all = padded ?? (fault === 'corrupt' ? readAtOnce(data) : output.bytes.subarray(0, length));
  const pushed = fault === 'cut' ? length - (length % ringBufferOf(data)) : all.length;
  const read = { fault, largeWindow: (data[1]! & 0x7f) === 0x11 };
  let room = data.length - 1;
  for (; room > 0 && room < pushed; room *= 2) {
    if (BigInt(2 * room) > limit) return { ...read, givenUp: true, other: undefined };
  }
  const content = fault === 'cut' ? all.subarray(0, room) : all;
  return { ...read, givenUp: false, other: content.length === length ? undefined : content.slice() };
});

function lengthOf(output: Output): number {
  while (output.take(READ));
  return output.length;
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

/** So many channels are remembered: a difference is derived several times over, and a channel may hold 100 MB. */
const REMEMBERED = 4;

/** Remembers what was read of the last few channels, by their bytes. */
function remembering<A extends unknown[], T>(
  read: (data: Uint8Array, ...rest: A) => T,
): (data: Uint8Array, ...rest: A) => T {
  const recent: { readonly data: Uint8Array; readonly rest: A; readonly value: T }[] = [];
  return (data, ...rest) => {
    const known = recent.find(
      (one) => Buffer.compare(one.data, data) === 0 && one.rest.every((value, index) => value === rest[index]),
    );
    if (known !== undefined) return known.value;
    const value = read(data, ...rest);
    recent.unshift({ data, rest, value });
    recent.length = Math.min(recent.length, REMEMBERED);
    return value;
  };
}
