/** Curated scenarios of the channel reader: what kind of compression, which forks allow it, and how a channel ends. */

import { concatBytes } from '../../src/encoding/bytes.ts';
import type { Scenario, ScenarioOptions } from '../scenario/scenario.ts';
import { BROTLI, bytes, channel, ZLIB } from './channel-kit.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';
import { curated, honest, postRival } from './kit.ts';

/** Block 6 by brotli, included at the first L1 block that may carry it, with Fjord at a time of its own. */
function gate(name: string, shows: string, side: RuleSide, fjord: number | null, included: number): CuratedScenario {
  return curated(
    name,
    shows,
    [side],
    (s) => {
      s.postBatches(included, [honest(s)], { compression: BROTLI });
      postRival(s, included);
    },
    { era: 'before', forks: { fjord, granite: null } },
  );
}

/**
 * Blocks 6 and 7 as batches, the first one with so many zeros behind it that both have `total` bytes with their RLP
 * headers.
 */
function filled(s: Scenario, total: number): readonly Uint8Array[] {
  const [first, second] = [s.encode(honest(s)), s.encode(honest(s, 7))] as [Uint8Array, Uint8Array];
  const headers = 2 + (total > 0x100_0000 ? 5 : 4);
  const zeros = new Uint8Array(total - first.length - second.length - headers);
  return [concatBytes([first, zeros]), second];
}

const NO_FJORD: ScenarioOptions = { era: 'before', forks: { fjord: null, granite: null } };

export const channelReaderScenarios: readonly CuratedScenario[] = [
  channel(
    'channel-reader/zlib',
    'A zlib channel of two batches.',
    [
      'channel-reader/detect-',
      'channel-reader/zlib-stream-',
      'channel-reader/rlp-strings-',
      'channel-reader/limit-',
      'channel-reader/end+',
      'channel-reader/end-',
    ],
    ZLIB,
  ),
  channel(
    'channel-reader/brotli',
    'A brotli channel of two batches.',
    [
      'channel-reader/detect-',
      'channel-reader/brotli-stream-',
      'channel-reader/brotli-gate-',
      'channel-reader/partial-output-',
    ],
    BROTLI,
  ),
  channel(
    'channel-reader/before-holocene-brotli',
    'The same from Fjord on and before Holocene.',
    ['channel-reader/brotli-gate-', 'channel-reader/brotli-stream-'],
    BROTLI,
    {},
    { era: 'before' },
  ),
  ...[0x00, 0x02, 0x07, 0x11, 0x21, 0x79].map((byte) =>
    channel(
      `channel-reader/first-byte-${byte.toString(16).padStart(2, '0')}`,
      `First byte ${byte.toString(16).padStart(2, '0')}: neither a low nibble of 8 or 15 nor exactly 1.`,
      ['channel-reader/detect+'],
      BROTLI,
      { versionByte: byte },
    ),
  ),
  channel(
    'channel-reader/low-nibble-15',
    'A low nibble of 15 is taken for zlib, and no zlib stream has that method.',
    ['channel-reader/detect-', 'channel-reader/zlib-stream+'],
    ZLIB,
    { versionByte: 0x7f },
  ),
  bytes(
    'channel-reader/zlib-header-cut',
    'A channel of one byte that says zlib.',
    ['channel-reader/zlib-stream+'],
    () => Uint8Array.of(0x78),
  ),
  bytes(
    'channel-reader/brotli-version-byte-alone',
    'A channel that says brotli and has no stream.',
    ['channel-reader/detect-', 'channel-reader/partial-output+'],
    () => Uint8Array.of(1),
  ),
  bytes(
    'channel-reader/no-content',
    'A sound stream of no bytes holds no batch.',
    ['channel-reader/end+', 'channel-reader/zlib-stream-'],
    (s) => s.channel([], ZLIB),
  ),
  gate(
    'channel-reader/brotli-before-fjord',
    'Without Fjord a brotli channel is dropped.',
    'channel-reader/brotli-gate+',
    null,
    12,
  ),
  gate(
    'channel-reader/brotli-one-block-before-fjord',
    'A brotli channel in the last L1 block before Fjord is dropped.',
    'channel-reader/brotli-gate+',
    1036,
    12,
  ),
  gate(
    'channel-reader/brotli-with-blocks-from-fjord-on',
    'Fjord at block 6’s own time, but the L1 block that carries it is older: dropped. The L1 origin decides, not the batch.',
    'channel-reader/brotli-gate+',
    1012,
    10,
  ),
  gate(
    'channel-reader/brotli-with-blocks-before-fjord',
    'The L1 block that carries the channel is the first one of Fjord, its batch is older: taken.',
    'channel-reader/brotli-gate-',
    1024,
    12,
  ),
  curated(
    'channel-reader/brotli-completed-at-fjord',
    'Begun before Fjord, completed in its first L1 block: the origin at which the channel is taken up decides.',
    ['channel-reader/brotli-gate-'],
    (s) => {
      const [first, last] = s.frames(s.channel([honest(s)], BROTLI), 2);
      s.post(12, s.item(first!)).post(13, s.item(last!));
      postRival(s, 13);
    },
    { era: 'before', forks: { fjord: 1036, granite: null } },
  ),

  channel(
    'channel-reader/rlp-list',
    'A list in place of the first string ends the channel.',
    ['channel-reader/rlp-strings+'],
    ZLIB,
    { forms: { 0: 'list' } },
  ),
  channel(
    'channel-reader/rlp-list-second',
    'The batch before a list is used, the list ends the channel.',
    ['channel-reader/rlp-strings+', 'channel-reader/rlp-strings-'],
    ZLIB,
    { forms: { 1: 'list' } },
  ),
  channel(
    'channel-reader/rlp-padded-length',
    'A string whose length has a leading zero ends the channel.',
    ['channel-reader/rlp-strings+'],
    ZLIB,
    { forms: { 0: 'padded-length' } },
  ),
  channel(
    'channel-reader/rlp-padded-length-by-brotli',
    'The same in a brotli channel.',
    ['channel-reader/rlp-strings+', 'channel-reader/brotli-stream-'],
    BROTLI,
    { forms: { 1: 'padded-length' } },
  ),
  bytes(
    'channel-reader/rlp-long-length',
    'A string of 30 bytes whose length stands in a byte of its own ends the channel.',
    ['channel-reader/rlp-strings+'],
    (s) => s.channel([new Uint8Array(30), honest(s)], ZLIB, { forms: { 0: 'long-length' } }),
  ),
  bytes(
    'channel-reader/rlp-wrapped-byte',
    'A single byte below 0x80 with a header ends the channel.',
    ['channel-reader/rlp-strings+'],
    (s) => s.channel([Uint8Array.of(0), honest(s)], ZLIB, { forms: { 0: 'wrapped' } }),
  ),
  bytes(
    'channel-reader/rlp-bare-byte',
    'A byte below 0x80 is a batch of one byte: malformed, which ends the channel as well.',
    ['channel-reader/rlp-strings-', 'batch-decode/malformed-ends-channel+'],
    (s) => s.channel([Uint8Array.of(0), honest(s)], ZLIB),
  ),
  bytes(
    'channel-reader/rlp-string-past-the-end',
    'A string that says more bytes than there are ends the channel; the batch before it is used.',
    ['channel-reader/end+', 'channel-reader/end-'],
    (s) => s.channel([honest(s)], ZLIB, { contentTail: Uint8Array.of(0xb9, 0x01, 0x00, 0x00) }),
  ),
  bytes(
    'channel-reader/rlp-string-of-2-to-the-64',
    'A length of eight bytes with all bits set must not wrap around.',
    ['channel-reader/limit+', 'channel-reader/limit-'],
    (s) => s.channel([honest(s)], ZLIB, { contentTail: Uint8Array.of(0xbf, ...new Array<number>(8).fill(0xff), 0, 0) }),
  ),
  bytes(
    'channel-reader/rlp-header-cut',
    'The content ends inside the length of a string.',
    ['channel-reader/end+', 'channel-reader/limit-'],
    (s) => s.channel([honest(s)], ZLIB, { contentTail: Uint8Array.of(0xba, 0x01) }),
  ),

  bytes(
    'channel-reader/limit-reached',
    'Before Fjord: the second batch ends with byte 10,000,000 and is used.',
    ['channel-reader/limit-', 'batch-decode/tail-ignored+'],
    (s) => s.channel(filled(s, 10_000_000), ZLIB),
    NO_FJORD,
  ),
  bytes(
    'channel-reader/limit-passed-by-one-byte',
    'Before Fjord: the second batch ends with byte 10,000,001 and is lost, the first one is used.',
    ['channel-reader/limit+', 'channel-reader/limit-'],
    (s) => s.channel(filled(s, 10_000_001), ZLIB),
    NO_FJORD,
  ),
  bytes(
    'channel-reader/limit-behind-the-batches',
    'Before Fjord: both batches lie below the limit, the bytes behind them do not matter.',
    ['channel-reader/limit-', 'channel-reader/limit+'],
    (s) => s.channel([honest(s), honest(s, 7), new Uint8Array(10_000_000)], ZLIB),
    NO_FJORD,
  ),
  bytes(
    'channel-reader/fjord-lifts-the-limit',
    'From Fjord on the content of 10,000,001 bytes is far below the limit.',
    ['channel-reader/limit-'],
    (s) => s.channel(filled(s, 10_000_001), BROTLI),
  ),
  bytes(
    'channel-reader/fjord-limit-reached',
    'From Fjord on the second batch ends with byte 100,000,000 and is used.',
    ['channel-reader/limit-'],
    (s) => s.channel(filled(s, 100_000_000), { algorithm: 'brotli', quality: 5, window: 24 }),
  ),
  bytes(
    'channel-reader/fjord-limit-passed-by-one-byte',
    'From Fjord on the second batch ends with byte 100,000,001 and is lost.',
    ['channel-reader/limit+', 'channel-reader/limit-'],
    (s) => s.channel(filled(s, 100_000_001), { algorithm: 'brotli', quality: 5, window: 24 }),
  ),
];
