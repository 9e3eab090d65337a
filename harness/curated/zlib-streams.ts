/** Curated scenarios of zlib streams: sound in unusual ways, unsound, cut off, followed by other bytes. */

import { concatBytes } from '../../src/encoding/bytes.ts';
import { bytes, channel, content, padded, ZLIB } from './channel-kit.ts';
import type { CuratedScenario } from './curated.ts';
import { honest } from './kit.ts';

/** A zlib header, the given deflate bytes, and a checksum of zeros, which nobody comes to look at. */
function deflate(...blocks: readonly Uint8Array[]): Uint8Array {
  return concatBytes([Uint8Array.of(0x78, 0xda), ...blocks, new Uint8Array(4)]);
}

/** The channel with another zlib header. */
function withHeader(data: Uint8Array, method: number, flags: number): Uint8Array {
  return concatBytes([Uint8Array.of(method, flags), data.subarray(2)]);
}

/** A stored block that is not the last one. */
function stored(data: Uint8Array, complement = ~data.length): Uint8Array {
  const { length } = data;
  return concatBytes([Uint8Array.of(0, length & 255, length >>> 8, complement & 255, (complement >>> 8) & 255), data]);
}

export const zlibScenarios: readonly CuratedScenario[] = [
  channel(
    'channel-reader/zlib-stored',
    'A channel without compression: one stored block.',
    ['channel-reader/zlib-stream-'],
    { algorithm: 'zlib', level: 0 },
  ),
  channel('channel-reader/zlib-fixed-codes', 'Fixed Huffman codes.', ['channel-reader/zlib-stream-'], {
    algorithm: 'zlib',
    strategy: 4,
  }),
  channel(
    'channel-reader/zlib-many-blocks',
    'Stored, compressed and empty blocks in one stream.',
    ['channel-reader/zlib-stream-'],
    {
      algorithm: 'zlib',
      blocks: [
        { kind: 'stored', length: 1 },
        { kind: 'stored', length: 0 },
        { kind: 'compressed', length: 100 },
      ],
    },
  ),
  bytes(
    'channel-reader/zlib-smallest-window',
    'A header that names a window of 256 bytes, and no distance beyond it.',
    ['channel-reader/zlib-stream-'],
    (s) => withHeader(s.channel([honest(s), honest(s, 7)], { algorithm: 'zlib', level: 0 }), 0x08, 0x1d),
  ),
  bytes(
    'channel-reader/zlib-distance-beyond-the-window',
    'Window code 0 means 256 bytes, but a copy reaches back further: read all the same.',
    ['channel-reader/zlib-stream-'],
    (s) => {
      const noise = padded(s, 600, true);
      return withHeader(s.channel([concatBytes([noise, noise.subarray(-600, -300)]), honest(s, 7)], ZLIB), 0x08, 0x1d);
    },
  ),
  bytes(
    'channel-reader/zlib-window-code-8',
    'A window code of 8 is not allowed.',
    ['channel-reader/zlib-stream+'],
    (s) => withHeader(s.channel([honest(s), honest(s, 7)], ZLIB), 0x88, 0xd6),
  ),
  bytes(
    'channel-reader/zlib-method-15',
    'A low nibble of 15 in a header that is divisible by 31: there is no such method.',
    ['channel-reader/zlib-stream+', 'channel-reader/detect-'],
    (s) => withHeader(s.channel([honest(s), honest(s, 7)], ZLIB), 0x0f, 0x04),
  ),
  channel(
    'channel-reader/zlib-header-check',
    'A header that is not divisible by 31.',
    ['channel-reader/zlib-stream+'],
    ZLIB,
    { flips: [8] },
  ),
  channel(
    'channel-reader/zlib-empty-dictionary',
    'A header that names the empty dictionary (A13).',
    ['channel-reader/zlib-stream-'],
    { algorithm: 'zlib', dictionary: new Uint8Array(0) },
  ),
  channel(
    'channel-reader/zlib-dictionary',
    'A header that names a dictionary nobody has.',
    ['channel-reader/zlib-stream+'],
    { algorithm: 'zlib', dictionary: new TextEncoder().encode('optimism') },
  ),
  bytes(
    'channel-reader/zlib-dictionary-id-cut',
    'The channel ends inside the dictionary’s id.',
    ['channel-reader/zlib-stream+'],
    () => Uint8Array.of(0x78, 0xf9, 0, 0, 0),
  ),
  bytes(
    'channel-reader/zlib-block-type-3',
    'A first block of the type that is not defined.',
    ['channel-reader/zlib-stream+', 'channel-reader/partial-output+'],
    () => deflate(Uint8Array.of(0b111)),
  ),
  bytes(
    'channel-reader/zlib-block-type-3-behind-a-batch',
    'A block of the type that is not defined behind a stored block with block 6: the batch is used.',
    ['channel-reader/zlib-stream+', 'channel-reader/partial-output-'],
    (s) => deflate(stored(content(s)), Uint8Array.of(0b111)),
  ),
  bytes(
    'channel-reader/zlib-stored-length-complement',
    'A stored block whose length and its complement do not fit.',
    ['channel-reader/zlib-stream+', 'channel-reader/partial-output+'],
    (s) => deflate(stored(content(s), 0)),
  ),
  bytes(
    'channel-reader/zlib-distance-before-the-start',
    'A copy from before the start of the content.',
    ['channel-reader/zlib-stream+', 'channel-reader/partial-output+'],
    // Fixed codes: length 3 (code 0000001), distance 1 (code 00000).
    () => deflate(Uint8Array.of(0b0000_0011, 0b0000_0010, 0)),
  ),
  bytes(
    'channel-reader/zlib-lone-code-of-two-bits',
    'A block in which the code of the only symbol has two bits where one would do: the batch before it counts.',
    ['channel-reader/zlib-stream+', 'channel-reader/partial-output-'],
    (s) => {
      const blocks = [
        { kind: 'stored', length: content(s).length } as const,
        { kind: 'lone-code', length: 0 } as const,
      ];
      return s.channel([honest(s), honest(s, 7)], { algorithm: 'zlib', level: 0, blocks });
    },
  ),
  bytes(
    'channel-reader/zlib-no-codes',
    'Dynamic Huffman codes whose code lengths are all zero.',
    ['channel-reader/zlib-stream+', 'channel-reader/partial-output+'],
    () => deflate(Uint8Array.of(0b0000_0101), new Uint8Array(20)),
  ),
  channel(
    'channel-reader/zlib-checksum-wrong',
    'Both batches came out before the wrong checksum, and are used.',
    ['channel-reader/partial-output-', 'channel-reader/zlib-stream-'],
    ZLIB,
    { checksum: 1 },
  ),
  bytes(
    'channel-reader/zlib-checksum-missing',
    'The stream ends before its checksum: the batches are used.',
    ['channel-reader/partial-output-'],
    (s) => s.channel([honest(s), honest(s, 7)], ZLIB).subarray(0, -4),
  ),
  bytes(
    'channel-reader/zlib-checksum-cut',
    'Three of four bytes of the checksum are there: the batches are used.',
    ['channel-reader/partial-output-'],
    (s) => s.channel([honest(s), honest(s, 7)], ZLIB).subarray(0, -1),
  ),
  bytes(
    'channel-reader/zlib-cut-in-the-second-batch',
    'The stream is cut off inside the second batch: the first one is used.',
    ['channel-reader/partial-output+', 'channel-reader/partial-output-'],
    (s) => s.channel([honest(s), honest(s, 7)], { algorithm: 'zlib', level: 0 }).subarray(0, -60),
  ),
  channel(
    'channel-reader/zlib-trailing-bytes',
    'Bytes behind the checksum are ignored.',
    ['channel-reader/zlib-stream-'],
    ZLIB,
    { trailing: Uint8Array.of(1, 2, 3) },
  ),
  bytes(
    'channel-reader/zlib-second-stream',
    'A second stream behind the first is not read.',
    ['channel-reader/zlib-stream-'],
    (s) => concatBytes([s.channel([honest(s)], ZLIB), s.channel([honest(s, 7)], ZLIB)]),
  ),
  bytes(
    'channel-reader/zlib-large-batch-then-wrong-checksum',
    'The only batch ends with the last byte and misses more than 4,096 bytes when the buffer is empty: lost (A43).',
    ['channel-reader/partial-output+', 'channel-reader/zlib-stream-'],
    (s) => s.channel([padded(s, 12_000)], ZLIB, { checksum: 1 }),
  ),
  bytes(
    'channel-reader/zlib-small-batch-then-wrong-checksum',
    'The same with a batch that comes from the buffer: used (A43).',
    ['channel-reader/partial-output-', 'channel-reader/zlib-stream-'],
    (s) => s.channel([padded(s, 5000)], ZLIB, { checksum: 1 }),
  ),
  bytes(
    'channel-reader/zlib-large-batch-then-another',
    'A large batch followed by a small one before the wrong checksum: both are used.',
    ['channel-reader/partial-output-', 'channel-reader/zlib-stream-'],
    (s) => s.channel([padded(s, 12_000), honest(s, 7)], ZLIB, { checksum: 1 }),
  ),
  bytes(
    'channel-reader/before-holocene-zlib-checksum-wrong',
    'The same before Holocene: the batch before the wrong checksum is used.',
    ['channel-reader/partial-output-', 'channel-reader/zlib-stream-'],
    (s) => s.channel([honest(s), honest(s, 7)], ZLIB, { checksum: 1 }),
    { era: 'before', forks: { fjord: null, granite: null } },
  ),
];
