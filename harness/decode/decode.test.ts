import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodeSingleBatch, encodeSpanBatch } from '../../src/batch/codec.ts';
import { single, span } from '../../src/batch/testing.ts';
import { encodeChannel } from '../../src/channel.ts';
import { concatBytes, fromHex } from '../../src/encoding/bytes.ts';
import { encodeFrame, encodeItem, type Frame } from '../../src/frame.ts';
import { CURATED } from '../curated/index.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { channelId } from '../scenario/scenario.ts';
import { sampleVector } from '../testing.ts';
import { vectorToJson } from '../vector.ts';
import { type DecodedDocument, type DecodeKind, decodeInputs, decodeVector } from './decode.ts';
import type { Decoded, Part } from './decoded.ts';
import { hexLines } from './hex.ts';
import { readInput } from './input.ts';
import { plain } from './paint.ts';
import { documentLines } from './text.ts';

const FACTS = { l2ChainId: 901n, genesisTime: 1000n, blockTime: 2n };
const MAINNET = { l2ChainId: 10n, genesisTime: 1686068903n, blockTime: 2n };
const GENESIS = { genesisTime: 1000n };

function decode(bytes: Uint8Array, kind?: DecodeKind): Decoded {
  return decodeInputs([bytes], FACTS, kind).inputs[0]!;
}

function frame(number: number, last = false, id = 1, data: Uint8Array = Uint8Array.of(7, 8)): Frame {
  return { channel: channelId(id), number, data, last };
}

const itemOf = (...frames: Frame[]) => encodeItem(frames.map((one) => encodeFrame(one)));
const SINGLE = encodeSingleBatch(single());
const SPAN = encodeSpanBatch(span([...single().transactions], []), GENESIS);

/** Whether the parts follow each other from the first byte to the last. */
function tile(parts: readonly Part[], size: number): boolean {
  let offset = 0;
  for (const { start, end } of parts) {
    if (start !== offset || end < start) return false;
    offset = end;
  }
  return offset === size;
}

describe('what bytes are is found out', () => {
  test.each([
    ['an item', itemOf(frame(0, true)), 'item'],
    ['frames alone', encodeFrame(frame(0, true)), 'frames'],
    ['a zlib channel', encodeChannel([SINGLE], { algorithm: 'zlib' }), 'channel'],
    ['a brotli channel', encodeChannel([SINGLE], { algorithm: 'brotli' }), 'channel'],
    ['a single batch', SINGLE, 'batch'],
    ['a span batch', SPAN, 'batch'],
    ['an item of an unknown version', Uint8Array.of(5, 1, 2), 'item'],
    ['no bytes', new Uint8Array(0), 'item'],
  ])('%s', (_, bytes, kind) => {
    expect(decode(bytes).kind).toBe(kind);
  });
});

describe('every byte belongs to a part', () => {
  test.each([
    ['an item', itemOf(frame(0), frame(1, true))],
    ['a cut item', itemOf(frame(0), frame(1, true)).subarray(0, 40)],
    ['an item of another version', Uint8Array.of(1, 2, 3)],
    ['a single batch', SINGLE],
    ['a cut single batch', SINGLE.subarray(0, 50)],
    ['a single batch with a tail', concatBytes([SINGLE, Uint8Array.of(1, 2)])],
    ['a span batch', SPAN],
    ['a cut span batch', SPAN.subarray(0, SPAN.length - 3)],
    ['a channel', encodeChannel([SINGLE, SPAN], { algorithm: 'zlib' })],
    ['a channel with a tail', encodeChannel([SINGLE], { algorithm: 'zlib' }, { trailing: Uint8Array.of(1) })],
    ['a channel without its checksum', encodeChannel([SINGLE], { algorithm: 'zlib' }, { truncate: 30 })],
  ])('%s', (_, bytes) => {
    const decoded = decode(bytes);
    expect(tile(decoded.kind === 'transaction' ? [] : decoded.parts, bytes.length)).toBe(true);
  });

  test('of every item and every batch of curated scenarios', () => {
    for (const scenario of CURATED.filter((_, index) => index % 4 === 0)) {
      const vector = scenario.build();
      const bytes = vector.l1.flatMap(({ data }) => data);
      // The largest scenarios are there for limits and would only take time.
      if (bytes.reduce((sum, { length }) => sum + length, 0) > 50_000) continue;
      const { inputs, channels } = decodeVector(vector);
      for (const [index, one] of inputs.entries()) {
        expect(one.kind === 'item' && tile(one.parts, bytes[index]!.length), scenario.name).toBe(true);
      }
      for (const { content } of channels) {
        for (const { batch, start, payload, end } of content?.batches ?? []) {
          expect(tile(batch.parts, batch.size), scenario.name).toBe(true);
          expect(end - payload).toBe(batch.size);
          expect(payload).toBeGreaterThanOrEqual(start);
        }
      }
    }
  });
});

describe('malformed bytes are shown as far as they are valid', () => {
  test.each([
    ['a frame that runs past the end', itemOf(frame(0), frame(1)).subarray(0, 40), 'frame/exact-tiling', 26],
    ['is_last of 2', concatBytes([itemOf(frame(0)), encodeFrame(frame(1), { isLast: 2 })]), 'frame/is-last-values', 26],
    ['a lone version byte', Uint8Array.of(0), 'frame/version-byte', 0],
    ['another version', Uint8Array.of(5, 1, 2), 'frame/version-byte', 0],
  ])('%s', (_, bytes, rule, offset) => {
    expect(decode(bytes, 'item')).toMatchObject({ ending: { rule, offset } });
  });

  test('a span batch that is cut inside a field ends with the field before', () => {
    const decoded = decode(SPAN.subarray(0, 30));
    expect(decoded).toMatchObject({
      effect: 'malformed',
      ending: { rule: 'batch-decode/span-layout', specification: ['delta/span-batches.md#span-batch-format'] },
    });
    expect(decoded.kind === 'batch' && decoded.parts.map(({ name }) => name)).toEqual([
      'version',
      'rel_timestamp',
      'l1_origin_num',
      'parent_check',
      'unread',
    ]);
  });

  test('what stands behind a malformed batch is shown as not read', () => {
    const decoded = decode(encodeChannel([SINGLE, SINGLE.subarray(0, 20), SPAN], { algorithm: 'zlib' }));
    const batches = decoded.kind === 'channel' ? decoded.batches : [];
    expect(batches.map(({ read, batch }) => [read, batch.effect])).toEqual([
      [true, null],
      [true, 'malformed'],
      [false, null],
    ]);
  });

  test('a faulty stream ends the channel behind the last whole batch', () => {
    const whole = encodeChannel([SINGLE, SPAN], { algorithm: 'zlib', level: 0 });
    const decoded = decode(whole.subarray(0, 250));
    expect(decoded).toMatchObject({ kind: 'channel', ending: { offset: SINGLE.length + 2 } });
  });

  test.each([
    ['no compression that is known', Uint8Array.of(2, 3), 'channel-reader/detect'],
    ['no zlib header', Uint8Array.of(0x78, 0), 'channel-reader/zlib-stream'],
  ])('%s', (_, bytes, rule) => {
    expect(decode(bytes, 'channel')).toMatchObject({ ending: { rule, offset: 0 } });
  });
});

describe('frames are put together', () => {
  const rules = ({ holocene }: DecodedDocument) => holocene.map((fates) => fates.map(({ lost }) => lost?.rule ?? null));

  test('in any order, and what Holocene keeps is said', () => {
    const data = encodeChannel([SINGLE], { algorithm: 'zlib' });
    const first = frame(0, false, 1, data.subarray(0, 50));
    const second = frame(1, true, 1, data.subarray(50));
    const backwards = decodeInputs([itemOf(second), itemOf(first)], FACTS);
    expect(backwards.channels).toMatchObject([{ missing: [], frames: [1, 0], content: { batches: [{}] } }]);
    expect(rules(backwards)).toEqual([['channel-assembler/stray-frame'], ['channel-assembler/complete']]);
    expect(backwards.holoceneChannels).toBe(0);
    const forwards = decodeInputs([itemOf(first), itemOf(second)], FACTS);
    expect(rules(forwards)).toEqual([[null], [null]]);
    expect(forwards.holoceneChannels).toBe(1);
  });

  test('missing numbers are named, and a missing closing frame', () => {
    expect(decodeInputs([itemOf(frame(0), frame(3, true))], FACTS).channels).toMatchObject([{ missing: [1, 2] }]);
    expect(decodeInputs([itemOf(frame(0), frame(1))], FACTS).channels).toMatchObject([{ missing: null }]);
  });

  test('a channel that another one displaces takes its frames along', () => {
    const document = decodeInputs([itemOf(frame(0, false, 1)), itemOf(frame(0, true, 2))], FACTS);
    expect(rules(document)).toEqual([['channel-assembler/first-frame'], [null]]);
  });

  test('pruned and ignored frames have their rules', () => {
    const document = decodeInputs([itemOf(frame(0), frame(2)), itemOf(frame(0)).subarray(0, 20)], FACTS);
    expect(rules(document)).toEqual([['channel-assembler/complete', 'frame-queue/contiguous'], []]);
  });
});

describe('data of OP Mainnet', () => {
  const read = (name: string) => {
    const input = readInput(path.join(PACKAGE_ROOT, 'vectors/real', name), () => new Uint8Array(0));
    return input.kind === 'bytes' ? input.bytes : new Uint8Array(0);
  };

  test('a channel of June 2024', () => {
    const { inputs } = decodeInputs([read('op-mainnet-june-2024-channel.hex')], MAINNET);
    const [channel] = inputs;
    expect(channel).toMatchObject({ kind: 'channel', compression: 'zlib', contentSize: 1409463, ending: null });
    const blocks = channel?.kind === 'channel' ? channel.batches[0]!.batch.blocks : [];
    expect(blocks.length).toBe(143);
    expect(blocks[0]).toMatchObject({ timestamp: 1718364637, epoch: 20089746 });
    expect(blocks.reduce((sum, { transactions }) => sum + transactions.length, 0)).toBe(1766);
  });

  test('a signed batcher transaction of March 2024', () => {
    const document = decodeInputs([read('op-mainnet-march-2024-batcher-transaction.hex')], MAINNET);
    const { inputs, channels } = document;
    expect(inputs).toMatchObject([{ kind: 'transaction', transaction: { type: 2, nonce: 1104454 } }]);
    expect(channels[0]?.content?.batches[0]?.batch.blocks.length).toBe(27);
    expect(channels[0]?.content?.ending).toMatchObject({ rule: 'channel-reader/partial-output' });
    const text = documentLines(document, plain).join('\n');
    expect(text).toContain('1 channel complete in any order; 1 channel by Holocene');
  });
});

describe('input', () => {
  const none = () => new Uint8Array(0);
  const bytesOf = (given: string, standard = none) => {
    const input = readInput(given, standard);
    return input.kind === 'bytes' ? Buffer.from(input.bytes).toString('hex') : 'vector';
  };

  test('is hex with or without 0x, in any case, with spaces', () => {
    expect(bytesOf('0xAB cd')).toBe('abcd');
    expect(bytesOf('abcd')).toBe('abcd');
    expect(bytesOf('-', () => Buffer.from('0xab\ncd\n'))).toBe('abcd');
  });

  test('is bytes where it is no text', () => {
    expect(bytesOf('-', () => Uint8Array.of(0, 1, 200))).toBe('0001c8');
  });

  test('is a compressed vector where the name says so', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'holodiff-decode-'));
    try {
      const file = path.join(folder, 'some.vector.json.gz');
      writeFileSync(file, gzipSync(vectorToJson(sampleVector('packed'))));
      expect(readInput(file, () => new Uint8Array(0))).toEqual({ kind: 'vector', vector: sampleVector('packed') });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([
    ['0xabc', /^0xabc: no such file, and as hex it lacks a digit$/],
    ['no/such/file', /^no\/such\/file: no such file, and not hex$/],
    ['vectors', /^vectors: is a folder$/],
    ['LICENSE', /^LICENSE: expected hex, bytes, or a vector$/],
    ['package.json', /^package\.json: .+: (missing|unknown field)$/],
  ])('%s is refused on one line', (given, message) => {
    expect(() => bytesOf(given)).toThrow(message);
  });
});

test('a dump has a line for each part, and says what it leaves out', () => {
  const bytes = fromHex(`0x${'ab'.repeat(100)}`);
  const parts = [
    { name: 'first', start: 0, end: 2, value: '7' },
    { name: 'empty', start: 2, end: 2 },
    { name: 'rest', start: 2, end: 100, value: '0xabab' },
  ];
  expect(hexLines(bytes, parts, 2).map(({ offset, label, part }) => [offset, label, part])).toEqual([
    [0, 'first: 7', 0],
    [2, 'rest', 2],
    [34, '', 2],
    [66, '', 2],
  ]);
  expect(hexLines(bytes, parts, 2).at(-1)?.hex).toBe('… 34 more bytes');
});
