/** What kona's channel reader makes of compressed data, beside what op-node's does. */

import { brotliDecompressSync, constants, inflateSync } from 'node:zlib';
import { BROTLI_VERSION } from '../../../src/channel.ts';
import {
  decompressBrotli,
  decompressZlibBody,
  type Output,
  zlibHeaderLength,
} from '../../../src/encoding/decompress.ts';
import { inflateZlibBody } from '../../../src/encoding/inflate.ts';
import { LARGE_WINDOW } from './kona-ring-buffer.ts';

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

/** What op-node's decoder takes for an error and kona's for nothing wrong. */
type Accepted = 'large window' | 'padding' | 'overrun';

/** A brotli channel. */
interface KonaBrotli {
  /** What is wrong with the stream for op-node's decoder. */
  readonly fault: Output['fault'] | Accepted;
  /** Kona gives up because of the limit. */
  readonly givenUp: boolean;
  /** What kona reads, if it is more or less than op-node does. */
  readonly other: Uint8Array | undefined;
}

/**
 * Reads a brotli channel as kona does; `undefined` for any other channel.
 *
 * Its output buffer has the length of the stream and is doubled whenever the decoder asks for more room, unless that
 * would pass the limit. The decoder asks for more room when it has all its input and more output than there is room, or
 * when its ring buffer is full, which has the size of the window; when its input has ended too early, it says that
 * instead. At a fault it gives nothing of what is in its ring buffer, where op-node's may have given some of it before.
 */
export const readBrotli = remembering((data: Uint8Array, limit: bigint): KonaBrotli | undefined => {
  if (data[0] !== BROTLI_VERSION) return undefined;
  const output = decompressBrotli(data, CEILING);
  const length = lengthOf(output);
  const accepted = output.fault === 'corrupt' ? acceptedContent(data.subarray(1)) : undefined;
  const { fault, content, cut } = accepted ?? {
    fault: output.fault,
    content: output.bytes.subarray(0, length),
    cut: output.fault === 'cut',
  };
  const full = content.length - (content.length % ringBufferOf(data));
  const pushed = cut || fault === 'corrupt' ? full : content.length;
  let room = data.length - 1;
  for (; room > 0 && room < pushed; room *= 2) {
    if (BigInt(2 * room) > limit) return { fault, givenUp: true, other: undefined };
  }
  const read = content.subarray(0, cut ? room : pushed);
  return { fault, givenUp: false, other: read.length === length ? undefined : read.slice() };
});

function lengthOf(output: Output): number {
  while (output.take(READ));
  return output.length;
}

/** Bytes of the ring buffer: RFC 7932 section 9.1, and six bits behind the mark of a large window. */
function ringBufferOf(data: Uint8Array): number {
  const first = data[1] ?? 0;
  if ((first & 0x7f) === LARGE_WINDOW) return 1 << ((data[2] ?? 0) & 0x3f);
  if ((first & 1) === 0) return 1 << 16;
  if ((first & 0x0e) !== 0) return 1 << (17 + ((first >>> 1) & 7));
  const low = (first >>> 4) & 7;
  return 1 << (low === 0 ? 17 : 8 + low);
}

/** What kona's decoder makes of a stream with nothing wrong but what it does not mind. */
function acceptedContent(
  stream: Uint8Array,
): { readonly fault: Accepted; readonly content: Uint8Array; readonly cut: boolean } | undefined {
  if ((stream[0]! & 0x7f) === LARGE_WINDOW) return largeWindowContent(stream);
  const { error } = decompressed(stream);
  if (error === OVERRUN_CUT_ERROR) {
    // With the greatest length nothing is too much.
    const { content } = decompressed(withLength(stream, undefined), { cut: true });
    return content && { fault: 'overrun', content, cut: true };
  }
  const [fault, content] =
    error === PADDING_ERROR
      ? (['padding', paddedContent(stream)] as const)
      : error === OVERRUN_ERROR
        ? (['overrun', overrunContent(stream)] as const)
        : [];
  return fault && content && { fault, content, cut: false };
}

/** The content of a stream with a large window: such a stream may be cut off as well, as any other, or end in set bits. */
function largeWindowContent(stream: Uint8Array): ReturnType<typeof acceptedContent> {
  for (const cut of [false, true]) {
    const { content } = decompressed(stream, { largeWindow: true, cut });
    if (content !== undefined) return { fault: 'large window', content, cut };
  }
  const content = paddedContent(stream, { largeWindow: true });
  return content && { fault: 'large window', content, cut: false };
}

/** The error of Node's decoder at bits behind the last meta-block, up to the end of its byte, that are not zero. */
const PADDING_ERROR = 'ERR__ERROR_FORMAT_PADDING_2';

/** The content of a stream in which nothing but those bits is wrong. */
function paddedContent(stream: Uint8Array, options: DecoderOptions = {}): Uint8Array | undefined {
  if (decompressed(stream, options).error !== PADDING_ERROR) return undefined;
  // The byte that holds the bits is the one that shows the error.
  const end = endOfError(stream, PADDING_ERROR, options);
  for (let bits = 7; bits > 0; bits--) {
    const repaired = stream.slice(0, end);
    repaired[end - 1]! &= (1 << bits) - 1;
    const { content } = decompressed(repaired, options);
    if (content !== undefined) return content;
  }
  return undefined;
}

/** The error of Node's decoder at a meta-block that is not the last and holds more than it says. */
const OVERRUN_ERROR = 'ERR__ERROR_FORMAT_BLOCK_LENGTH_2';

/** Its error when such a stream is cut off in that meta-block. */
const OVERRUN_CUT_ERROR = 'ERR__ERROR_FORMAT_BLOCK_LENGTH_1';

/** So many lengths are tried, in bytes: as many as a command puts out at the most, for nearly all. */
const LENGTHS_TRIED = 600;

/** The content of a stream whose first meta-block holds more than it says: the length that is right is tried out. */
function overrunContent(stream: Uint8Array): Uint8Array | undefined {
  // With the greatest length nothing is too much, and before the byte of the error it is not reached yet.
  const before = stream.subarray(0, endOfError(stream, OVERRUN_ERROR) - 1);
  const least = decompressed(withLength(before, undefined), { cut: true }).content?.length ?? 0;
  for (let length = Math.max(1, least); length < least + LENGTHS_TRIED; length++) {
    const { content } = decompressed(withLength(stream, length));
    if (content !== undefined) return content;
  }
  return undefined;
}

/** The stream with another length of the first meta-block, in bytes; the greatest that has a place there if none is given. */
function withLength(stream: Uint8Array, length: number | undefined): Uint8Array {
  const changed = stream.slice();
  const bit = (index: number) => (changed[index >>> 3]! >>> (index & 7)) & 1;
  // Behind the window's code: not the last (1 bit), nibbles of length less four (2), length less one.
  const window = (changed[0]! & 1) === 0 ? 1 : (changed[0]! & 0x0e) === 0 ? 7 : 4;
  const count = 16 + 4 * (bit(window + 1) | (bit(window + 2) << 1));
  for (let index = 0; index < count; index++) {
    const at = window + 3 + index;
    const set = length === undefined ? 1 : Math.floor((length - 1) / 2 ** index) & 1;
    changed[at >>> 3] = (changed[at >>> 3]! & ~(1 << (at & 7))) | (set << (at & 7));
  }
  return changed;
}

/** The length of the shortest part of the stream that shows the error: with less of it, it is cut off. */
function endOfError(stream: Uint8Array, error: string, options: DecoderOptions = {}): number {
  let low = 1;
  let high = stream.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (decompressed(stream.subarray(0, middle), options).error === error) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What a stream may be besides what RFC 7932 defines. */
interface DecoderOptions {
  readonly largeWindow?: boolean;
  readonly cut?: boolean;
}

/** Decompresses a stream: one with a large window, or one that is cut off, if asked to. */
function decompressed(
  stream: Uint8Array,
  { largeWindow = false, cut = false }: DecoderOptions = {},
): { readonly content?: Uint8Array; readonly error?: string | undefined } {
  const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: largeWindow };
  const finishFlush = cut ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_FINISH;
  try {
    const content = brotliDecompressSync(stream, { params, finishFlush, maxOutputLength: CEILING });
    return { content: new Uint8Array(content) };
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
