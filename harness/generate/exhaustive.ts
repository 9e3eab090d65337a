/**
 * Small worlds, taken in whole: every vector of a scope can be got by its index, in any order and by any number of
 * machines, and the count says when nothing is left.
 */

import type { SpanBatch } from '../../src/batch/batch.ts';
import { encodeSingleBatch } from '../../src/batch/codec.ts';
import { columnsOf } from '../../src/batch/span.ts';
import { encodeSpanColumns } from '../../src/batch/span-columns.ts';
import type { L2Block } from '../../src/chain/blocks.ts';
import { encodeBitList } from '../../src/encoding/bit-list.ts';
import { concatBytes } from '../../src/encoding/bytes.ts';
import { adler32 } from '../../src/encoding/inflate.ts';
import { encodeRlp } from '../../src/encoding/rlp.ts';
import { encodeFrame, encodeItem } from '../../src/frame.ts';
import { channelId } from '../scenario/scenario.ts';
import type { Chain } from './chain.ts';
import { byteScopes } from './exhaustive-bytes.ts';
import {
  AFTER,
  BEFORE,
  built,
  chains,
  Digits,
  type ExhaustiveScope,
  fromL1,
  pack,
  partAt,
  singleBatch,
  sum,
  vectorOf,
} from './exhaustive-kit.ts';

import { planFromSeed, render } from './index.ts';
import type { ChainPlan, ForkPoint } from './plan.ts';

export type { ExhaustiveScope } from './exhaustive-kit.ts';

/** The scope of that name. @throws RangeError if there is none */
export function exhaustiveScope(name: string): ExhaustiveScope {
  const scope = Object.hasOwn(EXHAUSTIVE_SCOPES, name) ? EXHAUSTIVE_SCOPES[name] : undefined;
  if (scope === undefined) throw new RangeError(`no exhaustive scope is called ${name}`);
  return scope;
}

// ---- frames

/** How a frame stands behind the one before it. */
const CUTS = ['same item', 'next item', 'next L1 block'] as const;

/**
 * The frames of a channel whose content grows with its length: frame k holds batch k, and as a last frame it also ends
 * the compressed stream, so that a channel of frames 0 to k is valid whichever k closes it. The channels carry the same
 * batches under another hint in the zlib header, which tells them apart and changes nothing.
 */
function growingFrames(chain: Chain, id: number, count: number): readonly (readonly [Uint8Array, Uint8Array])[] {
  const flags = id << 6;
  const header = Uint8Array.of(0x78, flags | ((31 - ((0x7800 | flags) % 31)) % 31));
  let content = new Uint8Array(0);
  return built(chain, count).map((block, number) => {
    const item = encodeRlp(singleBatch(block));
    content = concatBytes([content, item]) as Uint8Array<ArrayBuffer>;
    const checksum = adler32(content);
    const stored = (final: number) => [
      number === 0 ? header : new Uint8Array(0),
      Uint8Array.of(final, item.length & 255, item.length >> 8, ~item.length & 255, (~item.length >> 8) & 255),
      item,
    ];
    const end = Uint8Array.of(checksum >>> 24, checksum >>> 16, checksum >>> 8, checksum);
    return [concatBytes(stored(0)), concatBytes([...stored(1), end])];
  });
}

/** All ways to give `length` frames to at most `channels` channels, which are named in the order in which they come. */
function assignments(length: number, channels: number): readonly (readonly number[])[] {
  let all: number[][] = [[]];
  for (let index = 0; index < length; index++) {
    all = all.flatMap((ids) => {
      const fresh = ids.length === 0 ? 0 : Math.max(...ids) + 1;
      return Array.from({ length: Math.min(fresh + 1, channels) }, (_, id) => [...ids, id]);
    });
  }
  return all;
}

interface FrameBounds {
  readonly name: string;
  readonly frames: number;
  readonly channels: number;
  /** How many frame numbers there are, from 0 on. */
  readonly numbers: number;
  readonly chains: readonly Partial<ChainPlan>[];
  /** Says in words what {@link chains} lists. */
  readonly where: string;
}

/** All sequences of frames up to a length, in all ways of cutting them into items and L1 blocks. */
function frameScope({ name, frames, channels, numbers, chains: plans, where }: FrameBounds): ExhaustiveScope {
  const lengths = Array.from({ length: frames }, (_, index) => index + 1);
  const ids = lengths.map((length) => assignments(length, channels));
  const sizes = lengths.map(
    (length, index) => plans.length * ids[index]!.length * (2 * numbers) ** length * CUTS.length ** (length - 1),
  );
  const chainOf = chains();
  const contents = new Map<number, ReturnType<typeof growingFrames>>();
  const contentOf = (chain: Chain, id: number) => {
    const content = contents.get(id) ?? growingFrames(chain, id, numbers);
    contents.set(id, content);
    return content;
  };
  return {
    name,
    description: `every sequence of 1 to ${frames} frames (number 0 to ${numbers - 1}, last or not) over ${channels} channels, up to their names, in every cut into items and L1 blocks, ${where}`,
    count: sum(sizes),
    at(index) {
      const { part, offset } = partAt(sizes, index);
      const digits = new Digits(offset, sizes[part]!);
      const chain = chainOf(digits.of(plans));
      const channelIds = digits.of(ids[part]!);
      // The safe head's own L1 origin carries no data: from Holocene on it would be read past.
      const posted: Uint8Array[][] = [[]];
      let item: Uint8Array[] = [];
      const close = () => {
        if (item.length > 0) posted[posted.length - 1]!.push(encodeItem(item));
        item = [];
      };
      for (const [position, id] of channelIds.entries()) {
        const cut = position === 0 ? 'next L1 block' : digits.of(CUTS);
        if (cut !== 'same item') close();
        if (cut === 'next L1 block') posted.push([]);
        const number = digits.take(numbers);
        const last = digits.take(2);
        const data = contentOf(chain, id)[number]![last]!;
        item.push(encodeFrame({ channel: channelId(id), number, data, last: last === 1 }));
      }
      close();
      return vectorOf(`exhaustive/${name}/${index}`, chain, posted, posted.length + 1);
    },
  };
}

// ---- single batches

const TIMES = [0, -1, 1] as const;
const EPOCHS = [0, -1, 1, 2] as const;
const FILLINGS = ['one', 'none', 'deposit'] as const;

/** A single batch by what is wrong with it; zeros are right. */
interface Deviation {
  readonly parent: 0 | 1;
  readonly time: (typeof TIMES)[number];
  readonly epoch: (typeof EPOCHS)[number];
  readonly hash: 0 | 1;
  readonly filling: (typeof FILLINGS)[number];
}

const DEVIATIONS: readonly Deviation[] = ([0, 1] as const).flatMap((parent) =>
  TIMES.flatMap((time) =>
    EPOCHS.flatMap((epoch) =>
      ([0, 1] as const).flatMap((hash) => FILLINGS.map((filling) => ({ parent, time, epoch, hash, filling }))),
    ),
  ),
);

/** Those with at most two things wrong, for longer sequences. */
const SMALL_DEVIATIONS = DEVIATIONS.filter(({ parent, time, epoch, hash, filling }) => {
  const wrong = [parent === 1, time !== 0, epoch !== 0, hash === 1, filling !== 'one'];
  return wrong.filter(Boolean).length <= 2;
});

/** Sequences of single batches, in one channel or each in its own, before, across and after Holocene. */
function singleScope(): ExhaustiveScope {
  const eras = [BEFORE, fromL1(2), AFTER];
  const alphabets = [DEVIATIONS, DEVIATIONS, SMALL_DEVIATIONS];
  const sizes = alphabets.map((alphabet, index) => eras.length * 2 * alphabet.length ** (index + 1));
  const chainOf = chains();
  return {
    name: 'singles',
    description:
      'every sequence of up to 3 single batches (parent, time, epoch, epoch hash, transactions right or wrong; of three, each with at most two wrong), in one channel or several, before, across and after Holocene',
    count: sum(sizes),
    at(index) {
      const { part, offset } = partAt(sizes, index);
      const digits = new Digits(offset, sizes[part]!);
      const chain = chainOf({ holocene: digits.of(eras), contents: [['dynamic-fee']] });
      const together = digits.take(2) === 0;
      const honest = built(chain, alphabets.length);
      let due = 0;
      const batches = Array.from({ length: part + 1 }, () => {
        const deviation = digits.of(alphabets[part]!);
        const batch = deviating(chain, honest[due]!, deviation);
        if (deviation === DEVIATIONS[0]) due += 1;
        return batch;
      });
      const parts = together ? [batches] : batches.map((batch) => [batch]);
      const items = parts.map((content, id) =>
        encodeItem([encodeFrame({ channel: channelId(id), number: 0, data: pack(content), last: true })]),
      );
      // Separate channels lie in L1 blocks of their own, so that an activation can come between them.
      const posted = together ? [[], [], items] : [[], ...items.map((item) => [item])];
      return vectorOf(`exhaustive/singles/${index}`, chain, posted, 6);
    },
  };
}

function deviating(chain: Chain, block: L2Block, { parent, time, epoch, hash, filling }: Deviation): Uint8Array {
  const epochNum = block.l1Origin.number + BigInt(epoch);
  const wrong = (right: Uint8Array) => right.map((byte, index) => (index === 31 ? byte ^ 1 : byte));
  const epochHash = chain.l1Hash(epochNum);
  return encodeSingleBatch({
    kind: 'single',
    parentHash: parent === 1 ? wrong(block.parentHash) : block.parentHash,
    epochNum,
    epochHash: hash === 1 ? wrong(epochHash) : epochHash,
    timestamp: block.timestamp + BigInt(time) * chain.config.blockTime,
    transactions: { one: block.transactions, none: [], deposit: [Uint8Array.of(0x7e)] }[filling],
  });
}

// ---- span batches

const STARTS = [-4, -3, -2, -1, 0, 1, 2] as const;
const LENGTHS = [1, 2, 3, 4] as const;
/** Every length with every way in which epochs may change inside it. */
const SHAPES = LENGTHS.flatMap((length) =>
  Array.from({ length: 2 ** (length - 1) }, (_, bits) => ({
    length,
    // The first block's bit says nothing.
    originBits: Array.from({ length }, (_, index) => index > 0 && ((bits >> (index - 1)) & 1) === 1),
  })),
);

/** A span batch at every place around the safe head, right and wrong in each check, with two batches behind it. */
function spanScope(): ExhaustiveScope {
  const eras = [BEFORE, fromL1(3), AFTER];
  const windows = [3600, 2];
  const shifts = [0, 1];
  const epochs = [0, -2, -1, 1, 2];
  const binary = [false, true];
  const chainOf = chains();
  const count = eras.length * windows.length * STARTS.length * SHAPES.length * epochs.length * shifts.length * 2 ** 3;
  return {
    name: 'span-overlap',
    description:
      'a span batch of 1 to 4 blocks from 4 before to 2 behind the block that is due, with every pattern of epochs and last epoch, parent check, origin check, content and alignment right or wrong, inside and outside of the sequencing window, before, across and after Holocene',
    count,
    at(index) {
      const digits = new Digits(index, count);
      const chain = chainOf({ holocene: digits.of(eras), seqWindowSize: digits.of(windows) });
      const start = digits.of(STARTS);
      const { length, originBits } = digits.of(SHAPES);
      const lastEpoch = digits.of(epochs);
      const shift = digits.of(shifts);
      const wrongParent = digits.of(binary);
      const wrongOrigin = digits.of(binary);
      const otherContent = digits.of(binary);

      const honest = [...chain.safe, ...built(chain, 6)];
      const first = chain.safe.length + start;
      const blocks = honest.slice(first, first + length);
      const batch: SpanBatch = {
        kind: 'span',
        parentCheck: (wrongParent ? blocks[0]! : honest[first - 1]!).hash.subarray(0, 20),
        l1OriginCheck: new Uint8Array(20),
        blocks: blocks.map((block) => ({
          epochNum: block.l1Origin.number,
          timestamp: block.timestamp + BigInt(shift),
          transactions: otherContent ? [] : block.transactions,
        })) as unknown as SpanBatch['blocks'],
      };
      const columns = columnsOf(batch, { genesisTime: chain.config.genesis.l2Time });
      const l1OriginNum = columns.l1OriginNum + BigInt(lastEpoch);
      const originHash = chain.l1Hash(wrongOrigin ? l1OriginNum - 1n : l1OriginNum);
      const span = concatBytes([
        Uint8Array.of(1),
        encodeSpanColumns({
          ...columns,
          l1OriginNum,
          originBits: encodeBitList(originBits),
          l1OriginCheck: originHash.subarray(0, 20),
        }),
      ]);
      // A batch behind it in the same channel shows a flush, one in the next channel what has become of the chain.
      const due = built(chain, 2);
      const channel = (id: number, batches: readonly Uint8Array[]) =>
        encodeItem([encodeFrame({ channel: channelId(id), number: 0, data: pack(batches), last: true })]);
      const posted = [[], [], [], [channel(1, [span, singleBatch(due[0]!)])], [channel(2, due.map(singleBatch))]];
      return vectorOf(`exhaustive/span-overlap/${index}`, chain, posted, 7);
    },
  };
}

// ---- the boundary

const BOUNDARY_PLANS = 2_000;
const BOUNDARY_BLOCKS = 12;
const BOUNDARY_SEED = 1;

/** Generated plans, each with Holocene at, one second before and one second after every L1 block, and without it. */
function boundaryScope(): ExhaustiveScope {
  const points: readonly ForkPoint[] = [
    BEFORE,
    ...Array.from({ length: BOUNDARY_BLOCKS }, (_, block) => block).flatMap((block) =>
      [0, -1, 1].map((shift) => ({ at: 'l1' as const, block, shift })),
    ),
  ];
  const count = BOUNDARY_PLANS * points.length;
  return {
    name: 'boundary',
    description: `${BOUNDARY_PLANS} generated plans, each with Holocene's activation at, one second before and one second after each of the first ${BOUNDARY_BLOCKS} L1 blocks, and without it`,
    count,
    at(index) {
      const digits = new Digits(index, count);
      const holocene = digits.of(points);
      const plan = planFromSeed(BOUNDARY_SEED, digits.take(BOUNDARY_PLANS));
      return render({ ...plan, chain: { ...plan.chain, holocene } }, `exhaustive/boundary/${index}`);
    },
  };
}

/** Every scope by name. */
export const EXHAUSTIVE_SCOPES: Readonly<Record<string, ExhaustiveScope>> = Object.fromEntries(
  [
    frameScope({
      name: 'frames',
      frames: 4,
      channels: 3,
      numbers: 3,
      chains: [{ holocene: BEFORE }, { holocene: AFTER }],
      where: 'before and after Holocene',
    }),
    frameScope({
      name: 'frames-across',
      frames: 4,
      channels: 3,
      numbers: 3,
      chains: [{ holocene: fromL1(2) }, { holocene: fromL1(3) }],
      where: 'with Holocene at the second and at the third L1 block with data',
    }),
    frameScope({
      name: 'frames-six',
      frames: 6,
      channels: 3,
      numbers: 3,
      chains: [{ holocene: BEFORE }, { holocene: AFTER }],
      where: 'before and after Holocene; more than one machine takes in a night',
    }),
    frameScope({
      name: 'frames-timeout',
      frames: 3,
      channels: 2,
      numbers: 2,
      chains: [0, 1].map((channelTimeout) => ({ channelTimeout, forks: { granite: BEFORE } })),
      where: 'before Granite with a channel timeout of no L1 block and of one',
    }),
    ...byteScopes,
    spanScope(),
    singleScope(),
    boundaryScope(),
  ].map((scope) => [scope.name, scope]),
);
