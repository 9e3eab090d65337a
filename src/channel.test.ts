import { brotliCompressSync, brotliDecompressSync, constants, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type ChannelCompression, type ChannelFaults, encodeChannel, type ItemForm, openChannel } from './channel.ts';
import { noise, prose } from './encoding/fixtures/channels.ts';
import type { RuleId } from './rules/catalogue.ts';
import { RuleBook, type RuleOverride } from './rules/rule-book.ts';

const ZLIB: ChannelCompression = { algorithm: 'zlib' };
const BROTLI: ChannelCompression = { algorithm: 'brotli', quality: 5 };
const BOTH = [ZLIB, BROTLI];
const NO_LIMIT = 100_000_000;

interface ReadOptions {
  readonly limit?: number;
  readonly brotliAllowed?: boolean;
  readonly rules?: Readonly<Partial<Record<RuleId, RuleOverride>>>;
}

/** The lengths of a channel's batches and what ended it. */
function read(
  data: Uint8Array,
  options: ReadOptions = {},
): { lengths: number[]; ended: RuleId | 'dropped' | undefined } {
  const { limit = NO_LIMIT, brotliAllowed = true, rules } = options;
  const book = new RuleBook(rules === undefined ? undefined : { name: 'test', rules });
  const content = openChannel(data, { limit, brotliAllowed }, book);
  if (content === undefined) return { lengths: [], ended: 'dropped' };
  const lengths: number[] = [];
  for (let batch = content.next(); batch !== undefined; batch = content.next()) lengths.push(batch.length);
  expect(content.next()).toBeUndefined();
  return { lengths, ended: content.ended };
}

const three = [prose(100, 1), prose(5000, 3), prose(200, 5)];

function channel(
  compression: ChannelCompression,
  faults?: ChannelFaults,
  batches: readonly Uint8Array[] = three,
): Uint8Array {
  return encodeChannel(batches, compression, faults);
}

describe('channel-reader/detect', () => {
  test('the low four bits 8 and 15 mean zlib, 1 means brotli, all else drops the channel', () => {
    for (let byte = 0; byte < 256; byte++) {
      const asked: RuleId[] = [];
      const book = new RuleBook();
      book.listener = ({ rule, fired }) => {
        if (fired) asked.push(rule);
      };
      openChannel(new Uint8Array([byte, 0, 0, 0]), { limit: NO_LIMIT, brotliAllowed: false }, book);
      const zlib = (byte & 15) === 8 || (byte & 15) === 15;
      const expected = zlib ? 'zlib-stream' : byte === 1 ? 'brotli-gate' : 'detect';
      expect(asked).toEqual([`channel-reader/${expected}`]);
    }
  });

  test('an empty channel is dropped', () => {
    expect(read(new Uint8Array(0)).ended).toBe('dropped');
  });
});

describe('channel-reader/zlib-stream', () => {
  test.each([
    ['a method of 15', [0x7f, 0x01]],
    ['a window code of 8', [0x88, 0x1c]],
    ['wrong check bits', [0x78, 0x9d]],
    ['one byte only', [0x78]],
    ['a dictionary with an id but 1', [0x78, 0xbb, 0, 0, 0, 2, 3, 0, 0, 0, 0, 1]],
    ['a cut dictionary id', [0x78, 0xbb, 0, 0, 0]],
  ])('%s drops the channel', (_, bytes) => {
    expect(read(new Uint8Array(bytes)).ended).toBe('dropped');
  });

  test('every window that the format knows is read', () => {
    for (let windowBits = 9; windowBits <= 15; windowBits++) {
      expect(read(channel({ algorithm: 'zlib', windowBits })).lengths).toEqual([100, 5000, 200]);
    }
  });

  test('the empty dictionary may be named (A13)', () => {
    expect(read(channel({ algorithm: 'zlib', dictionary: new Uint8Array(0) })).lengths).toEqual([100, 5000, 200]);
    expect(read(channel({ algorithm: 'zlib', dictionary: new Uint8Array(1) })).ended).toBe('dropped');
  });
});

describe('channel-reader/brotli-gate', () => {
  test('brotli is dropped before Fjord, zlib is not', () => {
    expect(read(channel(BROTLI), { brotliAllowed: false }).ended).toBe('dropped');
    expect(read(channel(ZLIB), { brotliAllowed: false }).lengths).toEqual([100, 5000, 200]);
  });
});

describe('channel-reader/rlp-strings', () => {
  test.each(BOTH)('strings of every length of header come back: $algorithm', (compression) => {
    const batches = [0, 1, 55, 56, 255, 256, 65_535, 65_536].map((length) => prose(length, length + 1));
    batches.push(new Uint8Array([0x7f]), new Uint8Array([0x80]));
    const content = openChannel(
      encodeChannel(batches, compression),
      { limit: NO_LIMIT, brotliAllowed: true },
      new RuleBook(),
    );
    for (const batch of batches) expect(Buffer.compare(content?.next() ?? new Uint8Array(0), batch)).toBe(0);
    expect(content?.next()).toBeUndefined();
    expect(content?.ended).toBe('channel-reader/end');
  });

  const forms: [ItemForm, Uint8Array][] = [
    ['long-length', prose(55, 7)],
    ['padded-length', prose(200, 9)],
    ['padded-length', prose(300, 9)],
    ['wrapped', new Uint8Array([0x7f])],
    ['list', prose(40, 11)],
    ['list', prose(4000, 11)],
  ];

  test.each(forms)('%s ends the channel', (form, batch) => {
    const data = channel(ZLIB, { forms: { 1: form } }, [prose(10, 1), batch, prose(10, 1)]);
    expect(read(data)).toEqual({ lengths: [10], ended: 'channel-reader/rlp-strings' });
    // Without the rule, what the header says is taken.
    const lenient = read(data, { rules: { 'channel-reader/rlp-strings': 'never' } });
    expect(lenient).toEqual({ lengths: [10, batch.length, 10], ended: 'channel-reader/end' });
  });

  test('a byte of 0x80 and above has a header', () => {
    expect(read(channel(ZLIB, { forms: { 0: 'wrapped' } }, [new Uint8Array([0x80])])).lengths).toEqual([1]);
  });

  test('a header that promises 2⁶⁴ − 1 bytes passes the limit', () => {
    const contentTail = new Uint8Array(9).fill(0xff).fill(0xbf, 0, 1);
    for (const compression of BOTH) {
      expect(read(channel(compression, { contentTail }))).toEqual({
        lengths: [100, 5000, 200],
        ended: 'channel-reader/limit',
      });
      const { ended } = read(channel(compression, { contentTail }), { rules: { 'channel-reader/limit': 'never' } });
      expect(ended).toBe('channel-reader/end');
    }
  });

  test.each([[[0xb9, 1]], [[0x83, 1, 2]], [[0xb8]]])('a cut-off item %s ends the channel without a fault', (tail) => {
    const data = channel(BROTLI, { contentTail: new Uint8Array(tail) });
    expect(read(data)).toEqual({ lengths: [100, 5000, 200], ended: 'channel-reader/end' });
  });
});

describe('channel-reader/limit', () => {
  // 102 bytes of the first batch with its header, 5003 of the second, 202 of the third.
  test.each(BOTH)('counts headers and lets a batch end at it: $algorithm', (compression) => {
    const data = channel(compression);
    const ends = [101, 102, 5104, 5105, 5306, 5307].map((limit) => read(data, { limit }));
    expect(ends.map(({ lengths }) => lengths.length)).toEqual([0, 1, 1, 2, 2, 3]);
    expect(ends.map(({ ended }) => ended?.replace('channel-reader/', ''))).toEqual([
      ...['limit', 'limit', 'limit', 'limit', 'limit'],
      'end',
    ]);
  });

  test.each(BOTH)(
    'does nothing when a variant drops it, and ends at once when it always fires: $algorithm',
    (compression) => {
      const data = channel(compression);
      const never = read(data, { limit: 200, rules: { 'channel-reader/limit': 'never' } });
      expect(never).toEqual({ lengths: [100, 5000, 200], ended: 'channel-reader/end' });
      const always = read(data, { rules: { 'channel-reader/limit': 'always' } });
      expect(always).toEqual({ lengths: [], ended: 'channel-reader/limit' });
    },
  );

  test.each([0, 1, 2])('a limit of %i bytes', (limit) => {
    for (const compression of BOTH) {
      const { lengths } = read(channel(compression, {}, [new Uint8Array(1), new Uint8Array(1)]), { limit });
      expect(lengths.length).toBe(limit);
    }
  });

  test('a bomb ends quickly', () => {
    const bomb = new Uint8Array(300_000_000);
    // One item of 90 MB, then one that would pass the limit.
    bomb.set([0xbb, 0x05, 0x5d, 0x4a, 0x80]);
    bomb.set([0xbb, 0x05, 0x5d, 0x4a, 0x80], 90_000_005);
    const started = process.cpuUsage();
    expect(read(new Uint8Array(deflateSync(bomb, { level: 1 }))).lengths).toEqual([90_000_000]);
    const brotli = brotliCompressSync(bomb, { params: { 1: 1 } });
    expect(read(new Uint8Array([1, ...brotli])).lengths).toEqual([90_000_000]);
    const { user, system } = process.cpuUsage(started);
    // Compressing the two takes most of it.
    expect((user + system) / 1e6).toBeLessThan(20);
  });
});

describe('channel-reader/partial-output', () => {
  test('a wrong or missing checksum, or one in part, costs nothing that came before', () => {
    const data = channel(ZLIB);
    const faulty = [channel(ZLIB, { checksum: 1 }), data.subarray(0, -1), data.subarray(0, -4)];
    for (const form of faulty) {
      expect(read(form)).toEqual({ lengths: [100, 5000, 200], ended: 'channel-reader/partial-output' });
    }
  });

  test('bytes behind a zlib stream are not met', () => {
    expect(read(channel(ZLIB, { trailing: noise(9, 1) }))).toEqual({
      lengths: [100, 5000, 200],
      ended: 'channel-reader/end',
    });
  });

  test('bytes behind a brotli stream are met, at the end', () => {
    expect(read(channel(BROTLI, { trailing: noise(9, 1) }))).toEqual({
      lengths: [100, 5000, 200],
      ended: 'channel-reader/partial-output',
    });
  });

  // The buffer of 4,096 bytes takes the 3 bytes of the header and 4,093 of the batch. Missing then: 4,095 or 4,096.
  test.each([
    [4093 + 4095, 1],
    [4093 + 4096, 0],
  ])('a batch of %i bytes that ends with the faulty end: %i is left (A43)', (length, left) => {
    const batch = [prose(length, 1)];
    for (const data of [
      channel(ZLIB, { checksum: 1 }, batch),
      channel(ZLIB, {}, batch).subarray(0, -2),
      channel(BROTLI, { trailing: noise(1, 1) }, batch),
    ]) {
      expect(read(data)).toEqual({ lengths: left === 1 ? [length] : [], ended: 'channel-reader/partial-output' });
      expect(read(data, { rules: { 'channel-reader/partial-output': 'never' } }).lengths).toEqual([length]);
    }
    // Not the last thing that comes out: nothing is lost.
    expect(read(channel(ZLIB, { checksum: 1 }, [...batch, new Uint8Array(1)])).lengths).toEqual([length, 1]);
  });

  test('a full window leaves before the fault, and so does an empty stored block (A43)', () => {
    const batch = prose(32_768 - 3, 1);
    expect(read(channel(ZLIB, { checksum: 1 }, [batch])).lengths).toEqual([batch.length]);
    expect(read(channel(ZLIB, { checksum: 1 }, [prose(32_768 - 4, 1)])).lengths).toEqual([]);
    const flushed: ChannelCompression = { algorithm: 'zlib', blocks: [{ kind: 'compressed', length: 20_003 }] };
    expect(read(channel(flushed, { checksum: 1 }, [prose(20_000, 1)])).lengths).toEqual([20_000]);
  });

  test('what a variant can ask: a fault anywhere costs the whole channel', () => {
    const rules = {
      'channel-reader/partial-output': (base: boolean, { fault }: Readonly<Record<string, unknown>>) =>
        base || fault !== undefined,
    } as const;
    expect(read(channel(ZLIB, { checksum: 1 }), { rules }).lengths).toEqual([]);
    expect(read(channel(BROTLI, { trailing: noise(9, 1) }), { rules }).lengths).toEqual([]);
    expect(read(channel(BROTLI).subarray(0, -1), { rules }).lengths).toEqual([]);
    expect(read(channel(ZLIB), { rules }).lengths).toEqual([100, 5000, 200]);
  });
});

describe('variants', () => {
  const asked: RuleId[] = [
    'detect',
    'zlib-stream',
    'brotli-stream',
    'brotli-gate',
    'rlp-strings',
    'limit',
    'partial-output',
  ].map((name) => `channel-reader/${name}` as RuleId);
  const hostile = [
    new Uint8Array(0),
    new Uint8Array([1]),
    new Uint8Array([8]),
    new Uint8Array([0x78, 0x9c]),
    noise(100, 1),
    channel(ZLIB),
    channel(BROTLI),
    channel(ZLIB, { versionByte: 0x7f }),
    channel(ZLIB, { versionByte: 0 }),
    channel(BROTLI, { flips: [60, 400] }),
    channel(ZLIB, { flips: [60, 400] }),
    channel(BROTLI, { truncate: 300, trailing: noise(5, 1) }),
  ];

  test.each(asked)('%s: whatever it is forced to, reading ends', (rule) => {
    for (const override of ['never', 'always'] as const) {
      for (const data of hostile) {
        for (const brotliAllowed of [false, true]) {
          expect(read(data, { brotliAllowed, limit: 1000, rules: { [rule]: override } }).ended).toBeDefined();
        }
      }
    }
  });

  test('a forced rule decides', () => {
    const forced = (rule: RuleId, override: RuleOverride, data: Uint8Array, brotliAllowed = true) =>
      read(data, { brotliAllowed, rules: { [rule]: override } });
    expect(forced('channel-reader/detect', 'always', channel(ZLIB)).ended).toBe('dropped');
    expect(forced('channel-reader/zlib-stream', 'always', channel(ZLIB)).ended).toBe('dropped');
    expect(forced('channel-reader/zlib-stream', 'never', channel(ZLIB, { versionByte: 0x88 })).lengths.length).toBe(3);
    expect(forced('channel-reader/brotli-stream', 'always', channel(BROTLI)).ended).toBe('dropped');
    expect(forced('channel-reader/brotli-gate', 'never', channel(BROTLI), false).lengths.length).toBe(3);
    expect(forced('channel-reader/brotli-gate', 'always', channel(BROTLI)).ended).toBe('dropped');
    expect(forced('channel-reader/rlp-strings', 'always', channel(BROTLI)).ended).toBe('channel-reader/rlp-strings');
    expect(forced('channel-reader/partial-output', 'always', channel(ZLIB)).lengths).toEqual([]);
  });

  test('both sides of a corrupt stream are told', () => {
    const corrupt = channel(BROTLI, { flips: [100, 101, 102, 103] });
    const fired: RuleId[] = [];
    const book = new RuleBook();
    book.listener = (decision) => {
      if (decision.fired) fired.push(decision.rule);
    };
    const content = openChannel(corrupt, { limit: NO_LIMIT, brotliAllowed: true }, book);
    while (content?.next() !== undefined);
    expect(fired).toEqual(['channel-reader/brotli-stream', 'channel-reader/partial-output']);
  });
});

describe('encodeChannel', () => {
  test('the same input gives the same bytes, whatever is compressed', () => {
    for (const compression of BOTH) expect(channel(compression)).toEqual(channel(compression));
  });

  test('without blocks of its own, a zlib channel is what zlib writes', () => {
    const content = new Uint8Array([0x82, 1, 2]);
    for (let level = 0; level <= 9; level++) {
      const written = new Uint8Array(deflateSync(content, { level }));
      expect(channel({ algorithm: 'zlib', level }, {}, [new Uint8Array([1, 2])])).toEqual(written);
    }
  });

  test('a large window, which RFC 7932 does not know, is written on request and refused by the reader', () => {
    const large = channel({ algorithm: 'brotli', quality: 5, window: 25, largeWindow: true });
    expect(read(large)).toEqual({ lengths: [], ended: 'channel-reader/partial-output' });
  });

  test.each([
    ['longest', 3],
    ['byte-first', 4],
  ] as const)('brotli in uncompressed meta-blocks, %s, in a window of 22 bits or a large one', (metaBlocks, count) => {
    const batches = [prose(150_000, 1)];
    const plain = channel({ algorithm: 'brotli', metaBlocks }, {}, batches);
    expect(read(plain)).toEqual({ lengths: [150_000], ended: 'channel-reader/end' });
    // The version, a header of three bytes for each, an RLP header of four, and the last meta-block.
    expect(plain.length).toBe(1 + 3 * count + 150_004 + 1);

    const large = channel({ algorithm: 'brotli', metaBlocks, window: 30, largeWindow: true }, {}, batches);
    const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: true };
    expect(brotliDecompressSync(large.subarray(1), { params })).toEqual(brotliDecompressSync(plain.subarray(1)));
    expect(read(large).ended).toBe('channel-reader/partial-output');
    for (const options of [{}, { largeWindow: true, window: 25 }]) {
      const empty = channel({ algorithm: 'brotli', metaBlocks, ...options }, {}, []);
      expect(brotliDecompressSync(empty.subarray(1), { params })).toHaveLength(0);
    }
  });

  test('blocks that do not fit are refused', () => {
    const blocks = [{ kind: 'stored', length: 65_536 }] as const;
    expect(() => channel({ algorithm: 'zlib', blocks }, {}, [new Uint8Array(70_000)])).toThrow(RangeError);
    expect(() => channel({ algorithm: 'brotli', metaBlocks: [1] })).toThrow(RangeError);
    expect(() => channel({ algorithm: 'brotli', metaBlocks: [0, 5307] })).toThrow(RangeError);
  });

  test('faults apply in order: version byte, flips, truncation, bytes behind', () => {
    const faults = { versionByte: 0, flips: [0, 1_000_000], truncate: 2, trailing: new Uint8Array([7]) };
    const clean = channel(ZLIB);
    expect(channel(ZLIB, faults)).toEqual(new Uint8Array([1, clean[1]!, 7]));
  });

  test('forms that do not apply give the canonical one', () => {
    const batches = [prose(56, 1), prose(55, 1)];
    const forms = { 0: 'long-length', 1: 'padded-length' } as const;
    expect(channel(ZLIB, { forms }, batches)).toEqual(channel(ZLIB, {}, batches));
  });

  test('a bare batch is a sequence of items of its own', () => {
    expect(read(channel(ZLIB, { forms: { 0: 'bare' } }, [new Uint8Array([1, 2, 0x82, 3, 4])])).lengths).toEqual([
      1, 1, 2,
    ]);
  });
});
