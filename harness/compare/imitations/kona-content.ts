/** What kona's channel reader makes of compressed data, beside what op-node's does. */

import { brotliDecompressSync, constants, inflateSync } from 'node:zlib';
import { BROTLI_VERSION } from '../../../src/channel.ts';
import { concatBytes } from '../../../src/encoding/bytes.ts';
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
  if (error === OVERRUN_ERROR) return overrunContent(stream);
  const content = error === PADDING_ERROR ? paddedContent(stream) : undefined;
  return content && { fault: 'padding', content, cut: false };
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

/** The error of Node's decoder at a stream that is cut off. */
const CUT_ERROR = 'Z_BUF_ERROR';

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

/**
 * The error of Node's decoder behind a meta-block that holds more than it says. It has another one for a ring buffer that
 * is full, or an input that has ended, in the middle of what is too much: kona's decoder gives up there as well.
 */
const OVERRUN_ERROR = 'ERR__ERROR_FORMAT_BLOCK_LENGTH_2';

/**
 * The content of a stream with a meta-block that holds more than it says and is not the last one: behind the last one
 * kona's decoder writes out its ring buffer, and meets the error then. Any other it ends behind the literals or the copy
 * that go beyond the length, and reads on as if all were well.
 */
function overrunContent(stream: Uint8Array): ReturnType<typeof acceptedContent> {
  const mended = withLengthThatFits(stream);
  if (mended === undefined) return undefined;
  const { content, error } = decompressed(mended);
  if (content !== undefined) return { fault: 'overrun', content, cut: false };
  if (error === CUT_ERROR) {
    const came = decompressed(mended, { cut: true }).content;
    return came && { fault: 'overrun', content: came, cut: true };
  }
  const again = error === OVERRUN_ERROR ? overrunContent(mended) : undefined;
  if (again !== undefined) return again;
  const padded = error === PADDING_ERROR ? paddedContent(mended) : undefined;
  return { fault: 'overrun', content: padded ?? windowsBeforeFault(mended), cut: false };
}

/** What comes out before a fault: whole windows, as {@link readBrotli} says. */
function windowsBeforeFault(stream: Uint8Array): Uint8Array {
  const channel = concatBytes([Uint8Array.of(BROTLI_VERSION), stream]);
  const output = decompressBrotli(channel, CEILING);
  const length = lengthOf(output);
  return output.bytes.slice(0, length - (length % ringBufferOf(channel)));
}

/** The stream with the length that the meta-block at fault has; `undefined` if that cannot be written. */
function withLengthThatFits(stream: Uint8Array): Uint8Array | undefined {
  const block = overrunBlock(stream);
  if (block === undefined) return undefined;
  const greatest = 2 ** block.bits;
  const end = endOfError(stream, OVERRUN_ERROR);
  // With the greatest length nothing is too much, and before the byte of the error the meta-block has not ended.
  const came = lengthBeforeCut(withLength(stream.subarray(0, end - 1), block, greatest)) ?? 0;
  // Any length from the one that is given to the right one ends the meta-block at the same place, and is too little.
  // Nothing is looked at behind the byte of the error: another meta-block that overruns would be taken for this one.
  for (let length = Math.max(block.length, came - block.before); length <= greatest; length++) {
    const { error } = decompressed(withLength(stream.subarray(0, end), block, length));
    if (error !== OVERRUN_ERROR) return withLength(stream, block, length);
  }
  return undefined;
}

/** A meta-block with a length. */
interface MetaBlock {
  /** Index of the lowest bit of its length less one. */
  readonly at: number;
  /** Bits that the length has. */
  readonly bits: number;
  /** Bytes that it says it has. */
  readonly length: number;
  /** Bytes of content before it. */
  readonly before: number;
}

/** The meta-block that holds more than it says, if that is neither the last one nor behind metadata. */
function overrunBlock(stream: Uint8Array): MetaBlock | undefined {
  const fault = leastPart(stream, (part) => lengthBeforeCut(part) === undefined);
  // What comes before anything is too much is less than all that the meta-block says it has.
  const sound = lengthBeforeCut(stream.subarray(0, fault - 1)) ?? 0;
  let at = (stream[0]! & 1) === 0 ? 1 : (stream[0]! & 0x0e) === 0 ? 7 : 4;
  for (let before = 0; ; ) {
    const block = metaBlockAt(stream, at, before);
    if (block === undefined) return undefined;
    before += block.length;
    if (sound < before) return block;
    const next = metaBlockBehind(stream, before);
    if (next === undefined) return undefined;
    at = next;
  }
}

/** The meta-block whose header starts at a bit; `undefined` if it is the last one or metadata (RFC 7932 section 9.2). */
function metaBlockAt(stream: Uint8Array, at: number, before: number): MetaBlock | undefined {
  const read = (from: number, bits: number) => {
    let value = 0;
    for (let index = 0; index < bits; index++) {
      value += (((stream[(from + index) >>> 3] ?? 0) >>> ((from + index) & 7)) & 1) * 2 ** index;
    }
    return value;
  };
  const isLast = read(at, 1) === 1;
  const nibbles = 4 + read(at + 1, 2);
  if (isLast || nibbles === 7) return undefined;
  return { at: at + 3, bits: 4 * nibbles, length: read(at + 3, 4 * nibbles) + 1, before };
}

/** The bit at which a meta-block starts behind so many bytes of content: one that is last and empty can be put there. */
function metaBlockBehind(stream: Uint8Array, before: number): number | undefined {
  const end = leastPart(stream, (part) => (lengthBeforeCut(part) ?? before) >= before);
  for (let at = 8 * end - 7; at <= 8 * end; at++) {
    const low = (stream[at >>> 3] ?? 0) & ((1 << (at & 7)) - 1);
    const last = low | (3 << (at & 7));
    const tail = last > 0xff ? [last & 0xff, last >>> 8] : [last];
    const { content } = decompressed(concatBytes([stream.subarray(0, at >>> 3), Uint8Array.from(tail)]));
    if (content?.length === before) return at;
  }
  return undefined;
}

/** The stream with another length of a meta-block, in bytes. */
function withLength(stream: Uint8Array, block: MetaBlock, length: number): Uint8Array {
  const changed = stream.slice();
  for (let index = 0; index < block.bits; index++) {
    const at = block.at + index;
    const set = Math.floor((length - 1) / 2 ** index) & 1;
    changed[at >>> 3] = (changed[at >>> 3]! & ~(1 << (at & 7))) | (set << (at & 7));
  }
  return changed;
}

/** Bytes that come out of a stream that is whole or cut off; `undefined` if there is another fault. */
function lengthBeforeCut(stream: Uint8Array): number | undefined {
  return decompressed(stream, { cut: true }).content?.length;
}

/** The length of the shortest part of the stream that shows the error: with less of it, it is cut off. */
function endOfError(stream: Uint8Array, error: string, options: DecoderOptions = {}): number {
  return leastPart(stream, (part) => decompressed(part, options).error === error);
}

/** The length of the shortest part of the stream, from its start on, of which something holds, as of any longer one. */
function leastPart(stream: Uint8Array, holds: (part: Uint8Array) => boolean): number {
  let low = 1;
  let high = stream.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(stream.subarray(0, middle))) high = middle;
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
  const params = {
    [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: largeWindow,
    // The ring buffer has the size of the window at once, as kona's: a smaller one is full too early. A large window can
    // be more than there is memory.
    [constants.BROTLI_DECODER_PARAM_DISABLE_RING_BUFFER_REALLOCATION]: !largeWindow,
  };
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
