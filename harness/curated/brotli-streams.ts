/** Curated scenarios of brotli streams: sound in unusual ways, unsound, cut off, followed by other bytes. */

import { brotliCompressSync, constants } from 'node:zlib';
import { concatBytes } from '../../src/encoding/bytes.ts';
import { BROTLI, bytes, channel, content, padded } from './channel-kit.ts';
import type { CuratedScenario } from './curated.ts';
import { honest } from './kit.ts';

const METADATA = new TextEncoder().encode('holodiff');

/** The code of a large window, which RFC 7932 does not know: a byte as its mark, and six bits. */
const largeWindow = (bits: number) => [0x11 | (bits << 8), 14] as const;

/** Brotli of nothing but the header of a last meta-block, which has more than 2^20 bytes. */
function brotliHeader(windowBits: readonly [value: number, count: number], length: number): Uint8Array {
  const bits = new BitWriter();
  bits.write(...windowBits);
  bits.write(1, 1); // the last
  bits.write(0, 1); // not empty
  bits.write(2, 2); // six nibbles of length
  bits.write(length - 1, 24);
  return concatBytes([Uint8Array.of(1), bits.bytes()]);
}

/** Brotli written by hand: a stream of one uncompressed meta-block and, behind it, the rest: an empty last one. */
function brotliUncompressed(
  data: Uint8Array,
  windowBits: readonly [value: number, count: number],
  rest: Uint8Array = Uint8Array.of(3),
): Uint8Array {
  const bits = new BitWriter();
  bits.write(...windowBits);
  bits.write(0, 1); // not the last
  bits.write(0, 2); // four nibbles of length
  bits.write(data.length - 1, 16);
  bits.write(1, 1); // uncompressed
  return concatBytes([Uint8Array.of(1), bits.bytes(), data, rest]);
}

/** Brotli of nothing but meta-blocks of metadata, the bits of one given, and an empty last one. */
function brotliMetadata(reserved: number, data: Uint8Array, rest: Uint8Array): Uint8Array {
  const bits = new BitWriter();
  bits.write(0, 1); // window of 16 bits
  bits.write(0, 1);
  bits.write(3, 2);
  bits.write(reserved, 1);
  bits.write(1, 2);
  bits.write(data.length - 1, 8);
  return concatBytes([Uint8Array.of(1), bits.bytes(), data, rest]);
}

/** Bits from the lowest on. */
class BitWriter {
  readonly #bits: number[] = [];

  write(value: number, count: number): void {
    for (let bit = 0; bit < count; bit++) this.#bits.push((value >>> bit) & 1);
  }

  bytes(): Uint8Array {
    const out = new Uint8Array(Math.ceil(this.#bits.length / 8));
    for (const [index, bit] of this.#bits.entries()) out[index >>> 3]! |= bit << (index & 7);
    return out;
  }
}

/** A meta-block, not the last one, that says of itself that it is a byte shorter than it is, and an uncompressed one. */
function brotliOverrun(first: Uint8Array, second: Uint8Array): Uint8Array {
  const params = { [constants.BROTLI_PARAM_LGWIN]: 16 };
  const stream = brotliCompressSync(first, { params, finishFlush: constants.BROTLI_OPERATION_FLUSH });
  // Behind the window (1 bit), not the last (1) and four nibbles (2): the length less one, here with its lowest bit set.
  const shortened = Uint8Array.of(stream[0]! & ~0x10, ...stream.subarray(1));
  const bits = new BitWriter();
  bits.write(0, 1);
  bits.write(0, 2);
  bits.write(second.length - 1, 16);
  bits.write(1, 1);
  return concatBytes([Uint8Array.of(1), shortened, bits.bytes(), second, Uint8Array.of(3)]);
}

export const brotliScenarios: readonly CuratedScenario[] = [
  ...(
    [
      ['quality-0', { quality: 0 }],
      ['quality-11', { quality: 11 }],
      ['window-10', { quality: 5, window: 10 }],
      ['window-24', { quality: 9, window: 24 }],
    ] as const
  ).map(([name, options]) =>
    channel(
      `channel-reader/brotli-${name}`,
      `Brotli with ${name.replace('-', ' ')}.`,
      ['channel-reader/brotli-stream-'],
      { algorithm: 'brotli', ...options },
    ),
  ),
  channel(
    'channel-reader/brotli-large-window',
    'A window above 24 bits is not part of the format.',
    ['channel-reader/brotli-stream+'],
    { algorithm: 'brotli', quality: 5, window: 26, largeWindow: true },
  ),
  // What a decoder makes room for when it takes such a window all the same.
  ...[24, 25].map((window) =>
    channel(
      `channel-reader/brotli-large-window-of-${window}-in-pieces`,
      `A window of ${window} bits with the mark of a large one, and more than one meta-block with content.`,
      ['channel-reader/brotli-stream+'],
      { algorithm: 'brotli', window, largeWindow: true, metaBlocks: 'byte-first' },
    ),
  ),
  channel(
    'channel-reader/before-holocene-brotli-large-window-of-25-in-pieces',
    'The same before Holocene.',
    ['channel-reader/brotli-stream+'],
    { algorithm: 'brotli', window: 25, largeWindow: true, metaBlocks: 'byte-first' },
    {},
    { era: 'before' },
  ),
  channel(
    'channel-reader/brotli-large-window-of-25-in-pieces-before-fjord',
    'The same before Fjord, when no brotli is read at all.',
    ['channel-reader/brotli-gate+'],
    { algorithm: 'brotli', window: 25, largeWindow: true, metaBlocks: 'byte-first' },
    {},
    { era: 'before', forks: { fjord: null, granite: null } },
  ),
  bytes(
    'channel-reader/brotli-large-window-cut-off',
    'A large window and one meta-block, behind which the stream is cut off.',
    ['channel-reader/brotli-stream+'],
    (s) => brotliUncompressed(content(s), largeWindow(26), new Uint8Array(0)),
  ),
  ...[2 ** 24 - 16, 2 ** 24 - 15].map((length) =>
    bytes(
      `channel-reader/brotli-large-window-and-a-header-of-${length}-bytes`,
      'A window of 25 bits, and nothing but the header of a last meta-block.',
      ['channel-reader/brotli-stream+'],
      () => brotliHeader(largeWindow(25), length),
    ),
  ),
  bytes(
    'channel-reader/brotli-uncompressed',
    'A meta-block without compression, in a window of 16 bits.',
    ['channel-reader/brotli-stream-'],
    (s) => brotliUncompressed(content(s), [0, 1]),
  ),
  bytes(
    'channel-reader/brotli-window-of-10-by-hand',
    'The seven bits that mean a window of 10 bits.',
    ['channel-reader/brotli-stream-'],
    (s) => brotliUncompressed(content(s), [0b010_0001, 7]),
  ),
  bytes(
    'channel-reader/brotli-reserved-window',
    'The seven window bits 1000100 are reserved for windows that the format does not define.',
    ['channel-reader/brotli-stream+', 'channel-reader/partial-output+'],
    (s) => brotliUncompressed(content(s), [0b001_0001, 7]),
  ),
  bytes(
    'channel-reader/brotli-metadata',
    'A meta-block of metadata and nothing else: no content.',
    ['channel-reader/end+', 'channel-reader/brotli-stream-'],
    () => brotliMetadata(0, METADATA, Uint8Array.of(3)),
  ),
  bytes(
    'channel-reader/brotli-metadata-reserved-bit',
    'The reserved bit of a meta-block of metadata is set.',
    ['channel-reader/brotli-stream+'],
    () => brotliMetadata(1, METADATA, Uint8Array.of(3)),
  ),
  bytes(
    'channel-reader/brotli-empty-stream',
    'A sound stream of no bytes holds no batch.',
    ['channel-reader/end+', 'channel-reader/brotli-stream-'],
    (s) => s.channel([], BROTLI),
  ),
  channel(
    'channel-reader/brotli-trailing-bytes',
    'Bytes behind the stream: the batches came out before, and are used.',
    ['channel-reader/brotli-stream-', 'channel-reader/partial-output-'],
    BROTLI,
    { trailing: Uint8Array.of(1, 2, 3) },
  ),
  bytes(
    'channel-reader/brotli-large-batch-then-trailing-byte',
    'The only batch ends with the last byte and misses more than 4,096 bytes when the buffer is empty: lost (A43).',
    ['channel-reader/partial-output+'],
    (s) => s.channel([padded(s, 12_000)], BROTLI, { trailing: Uint8Array.of(0) }),
  ),
  bytes(
    'channel-reader/brotli-small-batch-then-trailing-byte',
    'The same with a batch that comes from the buffer: used (A43).',
    ['channel-reader/partial-output-'],
    (s) => s.channel([padded(s, 5000)], BROTLI, { trailing: Uint8Array.of(0) }),
  ),
  bytes(
    'channel-reader/brotli-cut-before-the-end',
    'The last byte is missing.',
    ['channel-reader/partial-output+'],
    (s) => s.channel([honest(s), honest(s, 7)], BROTLI).subarray(0, -1),
  ),
  bytes(
    'channel-reader/brotli-cut-behind-a-flush',
    'Cut off behind a flush point: the batch before it came out, and is used.',
    ['channel-reader/partial-output-'],
    (s) => {
      const flushed = brotliCompressSync(content(s), { finishFlush: constants.BROTLI_OPERATION_FLUSH });
      return concatBytes([Uint8Array.of(1), flushed]);
    },
  ),
  bytes(
    'channel-reader/brotli-corrupt-behind-an-uncompressed-batch',
    'An empty last meta-block behind one with block 6, and bits behind it in its byte that should be zero.',
    ['channel-reader/brotli-stream+'],
    (s) => brotliUncompressed(content(s), [0, 1], new Uint8Array(8).fill(0xff)),
  ),
  bytes(
    'channel-reader/brotli-meta-block-overrun',
    'A meta-block that holds a byte more than it says, and another one behind it.',
    ['channel-reader/brotli-stream+'],
    (s) => brotliOverrun(content(s), content(s, 7)),
  ),
  bytes(
    'channel-reader/brotli-corrupt-behind-a-piece-of-input',
    'A meta-block that is not defined behind a batch that came out when 4,095 bytes of input were used up: it counts.',
    ['channel-reader/brotli-stream+', 'channel-reader/partial-output-'],
    // Metadata with its reserved bit set.
    (s) => brotliUncompressed(concatBytes([content(s), new Uint8Array(4000)]), [0, 1], Uint8Array.of(0b1110)),
  ),
  bytes(
    'channel-reader/brotli-cut-with-more-output-than-input',
    'A stream whose last byte is missing and whose output is longer than the stream: all that came out counts.',
    ['channel-reader/partial-output-'],
    (s) => s.channel([padded(s, 1000), honest(s, 7)], BROTLI).subarray(0, -1),
  ),
];
