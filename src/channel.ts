/**
 * A channel's content: batches, each an RLP string, one after the other, compressed together
 * (specs: derivation.md#channel-format, fjord/derivation.md#brotli-channel-compression).
 *
 * The decoder is lazy and hands out batches one a pull. Base behaviour is that of op-node's reader to the byte, cut and
 * faulty channels included.
 */

import { brotliCompressSync, constants, deflateRawSync, type ZlibOptions } from 'node:zlib';
import { concatBytes } from './encoding/bytes.ts';
import {
  decompressBrotli,
  decompressZlib,
  decompressZlibBody,
  type Output,
  WholeOutput,
  zlibHeaderLength,
} from './encoding/decompress.ts';
import { adler32 } from './encoding/inflate.ts';
import { rlpHeaderLength, writeRlpHeader } from './encoding/rlp.ts';
import type { RuleId } from './rules/catalogue.ts';
import type { RuleBook } from './rules/rule-book.ts';

export interface ChannelReadOptions {
  /** Decompressed bytes that count, RLP headers included. */
  readonly limit: number;
  /** Whether brotli is allowed at the origin at which the channel is taken up. */
  readonly brotliAllowed: boolean;
}

/** The batches of a channel, in order. */
export interface ChannelContent {
  /** The next batch: the content of the next RLP string, a view that must not be written to; `undefined` at the end. */
  next(): Uint8Array | undefined;
  /** The rule that ended the channel, once `next` gave `undefined`. */
  readonly ended: RuleId | undefined;
}

/** First byte of a channel compressed with brotli. */
export const BROTLI_VERSION = 1;

/** Bytes; the most a channel may grow to when a variant lifts or drops the limit, so that a bomb still ends. */
const CEILING = 200_000_000;

/**
 * Takes up a complete channel for reading.
 *
 * @returns `undefined` if the channel is dropped: unknown compression, brotli too early, or no stream that could begin
 */
export function openChannel(
  data: Uint8Array,
  options: ChannelReadOptions,
  rules: RuleBook,
): ChannelContent | undefined {
  const first = data[0];
  const zlib = first !== undefined && ((first & 15) === 8 || (first & 15) === 15);
  const brotli = first === BROTLI_VERSION;
  if (rules.fires('channel-reader/detect', !zlib && !brotli, () => ({ first, length: data.length }))) return undefined;
  // A variant that drops the limit needs to see what lies behind it.
  const dropped = rules.variant?.rules?.['channel-reader/limit'] !== undefined;
  const cap = dropped ? CEILING : Math.min(options.limit, CEILING);

  if (brotli) {
    const { brotliAllowed } = options;
    if (rules.fires('channel-reader/brotli-gate', !brotliAllowed, () => ({ brotliAllowed }))) return undefined;
    const output = decompressBrotli(data, cap);
    const corrupt = output.fault === 'corrupt';
    if (rules.fires('channel-reader/brotli-stream', corrupt, () => ({ fault: output.fault })) && !corrupt)
      return undefined;
    return new Batches(output, options.limit, rules);
  }

  const headerLength = zlibHeaderLength(data);
  const output = headerLength === undefined ? undefined : decompressZlib(data, headerLength, cap);
  const corrupt = output?.fault === 'corrupt';
  const fires = rules.fires('channel-reader/zlib-stream', output === undefined || corrupt, () => ({
    header: headerLength !== undefined,
    // The header names a preset dictionary (FDICT of RFC 1950).
    dictionary: (data[1]! & 0x20) !== 0,
    fault: output?.fault,
  }));
  if (fires && !corrupt) return undefined;
  return new Batches(output ?? decompressZlibBody(data, 2, cap), options.limit, rules);
}

/** Reads bytes that are decompressed already. */
export function openContent(content: Uint8Array, limit: number, rules: RuleBook): ChannelContent {
  return new Batches(new WholeOutput(content), limit, rules);
}

/** The header of an RLP item. */
interface Header {
  /** Index of the first byte behind the header (of the byte itself, if it stands for itself). */
  readonly start: number;
  /** Index behind the item; above 2^53 not exact, and then past every limit. */
  readonly end: number;
  /** A string, in the shortest form as far as the header tells. */
  readonly canonicalString: boolean;
}

class Batches implements ChannelContent {
  ended: RuleId | undefined;
  readonly #output: Output;
  readonly #limit: number;
  readonly #rules: RuleBook;
  /** Bytes of output that were taken. */
  #position = 0;

  constructor(output: Output, limit: number, rules: RuleBook) {
    this.#output = output;
    this.#limit = limit;
    this.#rules = rules;
  }

  next(): Uint8Array | undefined {
    if (this.ended !== undefined) return undefined;
    const position = this.#position;
    const limit = this.#limit;
    const output = this.#output;
    const rules = this.#rules;

    const header = this.#header();
    if (header === undefined) return undefined;
    const { start, end } = header;
    const malformed = !header.canonicalString;
    if (rules.fires('channel-reader/rlp-strings', malformed, () => ({ position, start, end }))) {
      return this.#end('channel-reader/rlp-strings');
    }
    if (rules.fires('channel-reader/limit', end > limit, () => ({ position, start, end, limit }))) {
      return this.#end('channel-reader/limit');
    }
    const came = output.take(end - this.#position);
    const { bytes, length, fault } = output;
    if (!came && fault === undefined) return this.#outOfBytes();
    const partial = rules.fires('channel-reader/partial-output', !came, () => ({
      position,
      end,
      fault,
      came,
      output: length,
    }));
    if (partial || length < end) {
      return this.#end('channel-reader/partial-output');
    }
    // One byte below 0x80 stands for itself and must not have a header.
    const wrapped = end - start === 1 && start > position && bytes[start]! < 0x80;
    if (wrapped && rules.fires('channel-reader/rlp-strings', true, () => ({ position, start, end }))) {
      return this.#end('channel-reader/rlp-strings');
    }
    this.#position = end;
    return bytes.subarray(start, end);
  }

  /** Reads the next item's header; `undefined` if it does not come, and then the channel has ended. */
  #header(): Header | undefined {
    const position = this.#position;
    if (!this.#output.take(1)) return this.#outOfBytes();
    const tag = this.#output.bytes[position]!;
    this.#position = position + 1;
    if (tag < 0x80) return { start: position, end: position + 1, canonicalString: true };
    const list = tag >= 0xc0;
    const short = tag - (list ? 0xc0 : 0x80);
    const start = position + 1;
    if (short < 56) return { start, end: start + short, canonicalString: !list };

    const lengthLength = short - 55;
    const behind = start + lengthLength;
    if (!this.#output.take(lengthLength)) {
      const limit = this.#limit;
      const context = () => ({ position, start: behind, end: behind, limit });
      if (behind > limit && this.#rules.fires('channel-reader/limit', true, context))
        return this.#end('channel-reader/limit');
      return this.#outOfBytes();
    }
    this.#position = behind;
    const { bytes } = this.#output;
    let length = 0;
    for (let i = start; i < behind; i++) length = length * 256 + bytes[i]!;
    const shortest = bytes[start] !== 0 && length >= 56;
    return { start: behind, end: behind + length, canonicalString: !list && shortest };
  }

  #outOfBytes(): undefined {
    const { fault, length } = this.#output;
    const context = () => ({ position: this.#position, fault, came: false, output: length });
    if (fault !== undefined && this.#rules.fires('channel-reader/partial-output', true, context)) {
      return this.#end('channel-reader/partial-output');
    }
    return this.#end('channel-reader/end');
  }

  #end(rule: RuleId): undefined {
    this.ended = rule;
    return undefined;
  }
}

/** How a channel is compressed; what is left out takes zlib's or brotli's own default. */
export type ChannelCompression =
  | {
      readonly algorithm: 'zlib';
      /** 0 (stored) to 9. */
      readonly level?: number;
      /** Base two logarithm of the window, 9 to 15. */
      readonly windowBits?: number;
      /** 1 to 9. */
      readonly memLevel?: number;
      /** A strategy of zlib's: 4 makes fixed codes, 2 codes without copies. */
      readonly strategy?: number;
      /** A preset dictionary, which the header then names. An empty one is named too (A13). */
      readonly dictionary?: Uint8Array;
      /** Blocks to begin with; a last one with all the rest follows. */
      readonly blocks?: readonly DeflateBlock[];
    }
  | {
      readonly algorithm: 'brotli';
      /** 0 to 11. */
      readonly quality?: number;
      /** Base two logarithm of the window, 10 to 24; to 30 with `largeWindow`, which RFC 7932 does not know. */
      readonly window?: number;
      readonly largeWindow?: boolean;
      /**
       * Lengths of uncompressed meta-blocks, 1 to 65,536 bytes each, instead of what the compressor would do; `longest` is
       * as few as there can be, and `byte-first` the same behind one of a single byte. A last empty meta-block follows;
       * the lengths must sum up to that of the content. The window has 22 bits unless it is a large one.
       */
      readonly metaBlocks?: readonly number[] | 'longest' | 'byte-first';
    };

/** A deflate block written on its own. */
interface DeflateBlock {
  /**
   * `compressed` blocks are followed by an empty stored one (a flush point). So is a `lone-code`: a block without
   * content in which the code of the only symbol, the end of the block, has two bits where RFC 1951 has one.
   */
  readonly kind: 'stored' | 'compressed' | 'lone-code';
  /** Bytes of content in it; a stored block has at most 65,535, and with 0 it is a flush point. */
  readonly length: number;
}

/**
 * How a batch stands in the content: as a canonical RLP string, or
 * - `long-length`: with a length of its own byte although the content has at most 55 bytes,
 * - `padded-length`: with a zero byte before the length,
 * - `wrapped`: a single byte below 0x80 with a header,
 * - `list`: with a list's header,
 * - `bare`: without any header.
 *
 * A form that does not apply to a batch of that length gives the canonical one.
 */
export type ItemForm = 'canonical' | 'long-length' | 'padded-length' | 'wrapped' | 'list' | 'bare';

/** What to write wrong, applied in this order. */
export interface ChannelFaults {
  /** Forms of batches by index. */
  readonly forms?: Readonly<Record<number, ItemForm>>;
  /** Put behind the last batch, before compression. */
  readonly contentTail?: Uint8Array;
  /** XORed into zlib's checksum; 0 changes nothing. */
  readonly checksum?: number;
  /** Replaces the first byte: zlib's method and window, brotli's version. */
  readonly versionByte?: number;
  /** Bits to invert: bit i & 7, counted from the lowest, of byte i >> 3. Bits that are not there are passed over. */
  readonly flips?: readonly number[];
  /** Bytes to keep. */
  readonly truncate?: number;
  /** Put behind the compressed stream. */
  readonly trailing?: Uint8Array;
}

/**
 * Encodes a channel.
 *
 * @param batches - encoded batches; each becomes one RLP string
 */
export function encodeChannel(
  batches: readonly Uint8Array[],
  compression: ChannelCompression,
  faults: ChannelFaults = {},
): Uint8Array {
  const items = batches.map((batch, index) => encodeItem(batch, faults.forms?.[index] ?? 'canonical'));
  const content = concatBytes([...items, faults.contentTail ?? new Uint8Array(0)]);
  const channel =
    compression.algorithm === 'brotli'
      ? compressBrotli(content, compression)
      : compressZlib(content, compression, faults.checksum ?? 0);
  if (faults.versionByte !== undefined) channel[0] = faults.versionByte;
  for (const bit of faults.flips ?? []) if (bit >>> 3 < channel.length) channel[bit >>> 3]! ^= 1 << (bit & 7);
  return concatBytes([channel.subarray(0, faults.truncate ?? channel.length), faults.trailing ?? new Uint8Array(0)]);
}

function encodeItem(batch: Uint8Array, form: ItemForm): Uint8Array {
  const { length } = batch;
  if (form === 'bare') return batch;
  const base = form === 'list' ? 0xc0 : 0x80;
  if (form === 'long-length' && length <= 55) return concatBytes([new Uint8Array([0xb8, length]), batch]);
  if (length === 1 && batch[0]! < 0x80 && form !== 'wrapped' && form !== 'list') return batch;
  const header = new Uint8Array(rlpHeaderLength(length));
  writeRlpHeader(header, 0, base, length);
  if (form === 'padded-length' && length > 55) {
    return concatBytes([new Uint8Array([header[0]! + 1, 0]), header.subarray(1), batch]);
  }
  return concatBytes([header, batch]);
}

function compressBrotli(content: Uint8Array, compression: ChannelCompression & { algorithm: 'brotli' }): Uint8Array {
  const { quality, window, largeWindow, metaBlocks } = compression;
  if (metaBlocks !== undefined) {
    return uncompressedMetaBlocks(content, metaBlocks, largeWindow === true ? (window ?? 22) : undefined);
  }
  const params: Record<number, number> = {};
  if (quality !== undefined) params[constants.BROTLI_PARAM_QUALITY] = quality;
  if (window !== undefined) params[constants.BROTLI_PARAM_LGWIN] = window;
  if (largeWindow === true) params[constants.BROTLI_PARAM_LARGE_WINDOW] = 1;
  return concatBytes([new Uint8Array([BROTLI_VERSION]), brotliCompressSync(content, { params })]);
}

/** RFC 7932 section 9: a window of 2^22 bytes, meta-blocks of raw bytes, and an empty last meta-block. */
function uncompressedMetaBlocks(
  content: Uint8Array,
  asked: Exclude<(ChannelCompression & { algorithm: 'brotli' })['metaBlocks'], undefined>,
  largeWindow: number | undefined,
): Uint8Array {
  const lengths = typeof asked === 'string' ? longestMetaBlocks(content.length, asked === 'byte-first' ? 1 : 0) : asked;
  const parts: Uint8Array[] = [new Uint8Array([BROTLI_VERSION])];
  // The window's code, 1011 from the lowest bit, stands before the first header.
  let prefix = 0b1011;
  let prefixBits = 4;
  if (largeWindow !== undefined) {
    // A byte marks it as large, and its bits as a number stand in six more.
    parts.push(new Uint8Array([0x11]));
    prefix = largeWindow;
    prefixBits = 6;
  }
  let at = 0;
  for (const length of lengths) {
    if (length < 1 || length > 65_536) throw new RangeError(`a meta-block of ${length} bytes, not of 1 to 65536`);
    // From the lowest bit: not the last (1 bit), four nibbles of length (2), length less one (16), uncompressed (1).
    const header = prefix | (((length - 1) << 3) << prefixBits) | (1 << (19 + prefixBits));
    const bytes = new Uint8Array([header, header >>> 8, header >>> 16, header >>> 24]);
    parts.push(bytes.subarray(0, Math.ceil((20 + prefixBits) / 8)), content.subarray(at, at + length));
    at += length;
    prefix = 0;
    prefixBits = 0;
  }
  if (at !== content.length) throw new RangeError(`meta-blocks of ${at} bytes for a content of ${content.length}`);
  parts.push(new Uint8Array([prefix | (0b11 << prefixBits)]));
  return concatBytes(parts);
}

/** As few meta-blocks as there can be, behind one of the given length. */
function longestMetaBlocks(length: number, first: number): number[] {
  const rest = Math.max(0, length - first);
  const longest = Array.from({ length: Math.ceil(rest / 65_536) }, (_, index) =>
    Math.min(65_536, rest - 65_536 * index),
  );
  return rest < length ? [length - rest, ...longest] : longest;
}

function compressZlib(
  content: Uint8Array,
  compression: ChannelCompression & { algorithm: 'zlib' },
  checksum: number,
): Uint8Array {
  const { blocks = [], dictionary, windowBits = 15, level = 6, memLevel, strategy } = compression;
  const chosen = { ...(memLevel === undefined ? {} : { memLevel }), ...(strategy === undefined ? {} : { strategy }) };
  const options: ZlibOptions = { ...chosen, level, windowBits, ...(dictionary?.length ? { dictionary } : {}) };
  const parts = [zlibHeader(windowBits, level, dictionary)];
  let at = 0;
  for (const { kind, length } of blocks) {
    if (kind === 'lone-code') {
      parts.push(LONE_CODE);
      continue;
    }
    const part = content.subarray(at, at + length);
    at += part.length;
    if (kind === 'stored') parts.push(storedBlock(part));
    // An empty piece would give nothing at all: zlib has nothing to flush.
    else if (part.length > 0) parts.push(deflateRawSync(part, { ...options, finishFlush: constants.Z_SYNC_FLUSH }));
  }
  parts.push(deflateRawSync(content.subarray(at), options));
  parts.push(uint32be((adler32(content) ^ checksum) >>> 0));
  return concatBytes(parts);
}

/** A dynamic block whose code lengths are two bits for the end of the block and none for all else, and a flush point. */
const LONE_CODE = Uint8Array.of(4, 0x80, 0x81, 8, 0, 0, 0, 0x80, 0xfc, 0xad, 0x0f, 0, 0, 0, 0xff, 0xff);

/** The zlib header: method and window, then the level's hint, the dictionary flag and the check bits. */
function zlibHeader(windowBits: number, level: number, dictionary: Uint8Array | undefined): Uint8Array {
  const method = ((windowBits - 8) << 4) | 8;
  const hint = level < 2 ? 0 : level < 6 ? 1 : level === 6 ? 2 : 3;
  const flags = (hint << 6) | (dictionary === undefined ? 0 : 0x20);
  const check = (31 - (((method << 8) | flags) % 31)) % 31;
  const header = new Uint8Array([method, flags | check]);
  return dictionary === undefined ? header : concatBytes([header, uint32be(adler32(dictionary))]);
}

function storedBlock(content: Uint8Array): Uint8Array {
  const { length } = content;
  if (length > 0xffff) throw new RangeError(`a stored block holds at most 65535 bytes, not ${length}`);
  const header = new Uint8Array([0, length & 0xff, length >>> 8, ~length & 0xff, (~length >>> 8) & 0xff]);
  return concatBytes([header, content]);
}

function uint32be(value: number): Uint8Array {
  return new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);
}
