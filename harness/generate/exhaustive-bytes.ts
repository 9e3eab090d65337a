/** Small worlds of bytes: every small change of an item, of a channel and of a batch. */

import type { SpanBatch } from '../../src/batch/batch.ts';
import { columnsOf } from '../../src/batch/span.ts';
import { encodeSpanColumns } from '../../src/batch/span-columns.ts';
import { encodeChannel } from '../../src/channel.ts';
import { concatBytes } from '../../src/encoding/bytes.ts';
import { encodeFrame, encodeItem } from '../../src/frame.ts';
import { channelId } from '../scenario/scenario.ts';
import type { Chain } from './chain.ts';
import {
  AFTER,
  BEFORE,
  built,
  chains,
  Digits,
  type ExhaustiveScope,
  pack,
  partAt,
  singleBatch,
  sum,
  vectorOf,
} from './exhaustive-kit.ts';

/** What stands behind the bytes, or replaces the first of them. */
const TAILS = [0x00, 0x01, 0x80, 0xff] as const;
const BYTE_VALUES = 256;

/** How many ways there are to change so many bytes a little. */
const editsOf = (length: number) => 8 * length + length + TAILS.length + BYTE_VALUES;

/** One bit flipped, all behind some byte cut off, one byte more, or another first byte. */
function edited(bytes: Uint8Array, edit: number): Uint8Array {
  const { length } = bytes;
  if (edit < 8 * length) {
    const out = bytes.slice();
    out[edit >>> 3]! ^= 1 << (edit & 7);
    return out;
  }
  const cut = edit - 8 * length;
  if (cut < length) return bytes.subarray(0, cut);
  const tail = cut - length;
  if (tail < TAILS.length) return concatBytes([bytes, Uint8Array.of(TAILS[tail]!)]);
  return concatBytes([Uint8Array.of(tail - TAILS.length), bytes.subarray(1)]);
}

interface ByteBounds {
  readonly name: string;
  /** What is changed, in words. */
  readonly what: string;
  /** The things that are changed, on a chain. */
  readonly subjects: (chain: Chain) => readonly Uint8Array[];
  /** The items of the L1 block that carries the changed thing. */
  readonly items: (changed: Uint8Array, chain: Chain) => readonly Uint8Array[];
}

/** Every small change of some bytes, with the honest chain sent again behind it. */
function byteScope({ name, what, subjects, items }: ByteBounds): ExhaustiveScope {
  const eras = [BEFORE, AFTER];
  const chainOf = chains();
  // The bytes do not depend on the era.
  const all = subjects(chainOf({ holocene: BEFORE }));
  const sizes = all.map((bytes) => eras.length * editsOf(bytes.length));
  return {
    name,
    description: `${what}: every bit flipped, every cut, a byte behind it and every first byte, before and after Holocene`,
    count: sum(sizes),
    at(index) {
      const { part, offset } = partAt(sizes, index);
      const digits = new Digits(offset, sizes[part]!);
      const chain = chainOf({ holocene: digits.of(eras) });
      const bytes = all[part]!;
      const changed = edited(bytes, digits.take(editsOf(bytes.length)));
      const honest = itemOfChannel(2, pack(built(chain, 2).map(singleBatch)));
      return vectorOf(`exhaustive/${name}/${index}`, chain, [[], items(changed, chain), [honest]], 5);
    },
  };
}

function itemOfChannel(id: number, data: Uint8Array): Uint8Array {
  return encodeItem([encodeFrame({ channel: channelId(id), number: 0, data, last: true })]);
}

/** The first block by itself, or two as a span batch. */
function firstBatches(chain: Chain): readonly Uint8Array[] {
  const [first, second] = built(chain, 2);
  const span: SpanBatch = {
    kind: 'span',
    parentCheck: first!.parentHash.subarray(0, 20),
    l1OriginCheck: second!.l1Origin.hash.subarray(0, 20),
    blocks: [first!, second!].map(({ l1Origin, timestamp, transactions }) => ({
      epochNum: l1Origin.number,
      timestamp,
      transactions,
    })) as unknown as SpanBatch['blocks'],
  };
  const columns = columnsOf(span, { genesisTime: chain.config.genesis.l2Time });
  return [singleBatch(first!), concatBytes([Uint8Array.of(1), encodeSpanColumns(columns)])];
}

const firstTwo = (chain: Chain) => built(chain, 2).map(singleBatch);

export const byteScopes: readonly ExhaustiveScope[] = (
  [
    {
      name: 'item-bytes',
      what: 'an item with the two frames of a channel',
      subjects(chain) {
        const data = pack(firstTwo(chain));
        const half = data.length >> 1;
        const frame = { channel: channelId(1), last: false };
        return [
          encodeItem([
            encodeFrame({ ...frame, number: 0, data: data.subarray(0, half) }),
            encodeFrame({ ...frame, number: 1, data: data.subarray(half), last: true }),
          ]),
        ];
      },
      items: (item) => [item],
    },
    {
      name: 'channel-bytes',
      what: 'a channel of two batches, compressed by zlib, by brotli, and stored',
      subjects: (chain) => [
        pack(firstTwo(chain)),
        encodeChannel(firstTwo(chain), { algorithm: 'brotli', quality: 1, window: 16 }),
        encodeChannel(firstTwo(chain), { algorithm: 'zlib', level: 0, memLevel: 1 }),
      ],
      items: (channel) => [itemOfChannel(1, channel)],
    },
    {
      name: 'batch-bytes',
      what: 'a single batch and a span batch, with another batch behind it in the channel',
      subjects: firstBatches,
      items: (batch, chain) => [itemOfChannel(1, pack([batch, ...firstTwo(chain)]))],
    },
  ] satisfies ByteBounds[]
).map(byteScope);
