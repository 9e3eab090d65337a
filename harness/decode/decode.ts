/**
 * Anything that a batcher writes, decoded: what it is, is found out unless it is told. Of items also what becomes of
 * their frames: the channels they make, as op-node's `batch_decoder` puts them together, and what Holocene keeps.
 */

import { FORKS, type RollupConfig } from '../../src/chain/config.ts';
import { concatBytes } from '../../src/encoding/bytes.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { RULES } from '../../src/rules/catalogue.ts';
import { CONSTANTS } from '../../src/rules/constants.ts';
import type { Vector } from '../../src/vector.ts';
import { account } from '../explain/account.ts';
import type { FrameRow, Reason } from '../explain/rows.ts';
import { decodeBatch } from './batch.ts';
import { type ChannelContext, decodeChannel } from './channel.ts';
import {
  DECODED_FORMAT,
  type Decoded,
  type DecodedChannel,
  type DecodedEnvelope,
  type DecodedItem,
} from './decoded.ts';
import { decodeFrames, decodeItem } from './item.ts';
import { describeTransaction, transactionFields } from './transaction.ts';

/** What bytes can be. */
export type DecodeKind = 'item' | 'frame' | 'channel' | 'batch' | 'transaction';

/** What of the chain decoding needs to know. */
export interface ChainFacts {
  readonly l2ChainId: bigint;
  /** Seconds. */
  readonly genesisTime: bigint;
  /** Seconds. */
  readonly blockTime: bigint;
}

/** What became of a frame. */
export interface FrameFate {
  /** The rule by which it is lost, with its statement; `null` if it is part of a complete channel. */
  readonly lost: {
    readonly rule: RuleId;
    readonly effect: string;
    readonly statement: string;
    readonly specification: readonly string[];
  } | null;
}

/** The frames of one channel id, put together in any order. */
interface AssembledChannel {
  readonly channel: string;
  /** Numbers of its frames in the order in which they came. */
  readonly frames: readonly number[];
  /** Numbers that are missing below the closing frame, or `null` if there is no closing frame. */
  readonly missing: readonly number[] | null;
  /** Decoded if it is complete. */
  readonly content: DecodedChannel | null;
}

/** All that is decoded of the inputs together. */
export interface DecodedDocument {
  readonly format: typeof DECODED_FORMAT;
  readonly inputs: readonly Decoded[];
  /** Channels that the items' frames make when order does not matter, as before Holocene. */
  readonly channels: readonly AssembledChannel[];
  /** For each item that parses, for each of its frames, what Holocene's rules make of it. */
  readonly holocene: readonly (readonly FrameFate[])[];
  /** How many channels come to be complete by Holocene's rules. */
  readonly holoceneChannels: number;
}

/**
 * Decodes the inputs, in order.
 *
 * @param kind - what they are, if that is known
 */
export function decodeInputs(inputs: readonly Uint8Array[], facts: ChainFacts, kind?: DecodeKind): DecodedDocument {
  const context = contextOf(facts);
  return assemble(
    inputs.map((bytes) => decodeOne(bytes, context, kind)),
    inputs,
    facts,
  );
}

/** Decodes all items of a vector. */
export function decodeVector(vector: Vector): DecodedDocument {
  const items = vector.l1.flatMap(({ data }) => data);
  const { genesis, l2ChainId, blockTime } = vector.config;
  const facts = { l2ChainId, genesisTime: genesis.l2Time, blockTime };
  return assemble(items.map(decodeItem), items, facts);
}

function contextOf({ l2ChainId, genesisTime, blockTime }: ChainFacts): ChannelContext {
  const limit = Number(CONSTANTS.MAX_RLP_BYTES_PER_CHANNEL_FJORD);
  return { l2ChainId, genesisTime, blockTime, deltaActive: true, limit, brotliAllowed: true };
}

function decodeOne(bytes: Uint8Array, context: ChannelContext, kind?: DecodeKind): Decoded {
  switch (kind) {
    case undefined:
      return detect(bytes, context);
    case 'item':
      return decodeItem(bytes);
    case 'frame':
      return decodeFrames(bytes);
    case 'channel':
      return decodeChannel(bytes, context);
    case 'batch':
      return decodeBatch(bytes, context);
    case 'transaction':
      return decodeEnvelope(bytes) ?? decodeItem(bytes);
    default:
      return kind satisfies never;
  }
}

/**
 * Finds out what bytes are: what decodes to its end comes first, and if nothing does, what the first byte makes most
 * likely.
 */
function detect(bytes: Uint8Array, context: ChannelContext): Decoded {
  const envelope = decodeEnvelope(bytes);
  if (envelope !== undefined) return envelope;
  const first = bytes[0];
  const item = decodeItem(bytes);
  const frames = decodeFrames(bytes);
  const framesAlone = frames.ending === null && frames.frames.length > 0;
  if (first === 0) {
    if (item.ending === null) return item;
    if (framesAlone) return frames;
    if ((bytes[1] ?? 0) < 0xc0) return item;
    // A version byte and a list: a single batch, which could only be an item by chance.
    return decodeBatch(bytes, context);
  }
  if (first === 1) {
    const batch = decodeBatch(bytes, context);
    if (batch.effect !== 'malformed') return batch;
    const channel = decodeChannel(bytes, context);
    return channel.batches.length > 0 ? channel : batch;
  }
  if (framesAlone) return frames;
  const low = (first ?? 0) & 15;
  if (low === 8 || low === 15) return decodeChannel(bytes, context);
  return frames.frames.length > 0 ? frames : item;
}

/** A signed transaction with an item as its data. */
function decodeEnvelope(bytes: Uint8Array): DecodedEnvelope | undefined {
  const fields = transactionFields(bytes);
  if (fields === undefined) return undefined;
  const { start, end } = fields.data;
  return {
    kind: 'transaction',
    size: bytes.length,
    transaction: describeTransaction(bytes),
    parts: [
      { name: 'before the data', start: 0, end: start },
      { name: 'data', start, end, value: `${end - start} bytes: an item` },
      { name: 'behind the data', start: end, end: bytes.length },
    ],
    item: decodeItem(bytes.subarray(start, end)),
  };
}

function assemble(decoded: readonly Decoded[], inputs: readonly Uint8Array[], facts: ChainFacts): DecodedDocument {
  const items: { item: DecodedItem; bytes: Uint8Array }[] = [];
  for (const [index, one] of decoded.entries()) {
    const bytes = inputs[index]!;
    if (one.kind === 'item') items.push({ item: one, bytes });
    else if (one.kind === 'frames') items.push({ item: one, bytes: concatBytes([Uint8Array.of(0), bytes]) });
    else if (one.kind === 'transaction') {
      const data = one.parts[1]!;
      items.push({ item: one.item, bytes: bytes.subarray(data.start, data.end) });
    }
  }
  const run = account(vectorOf(items.map(({ bytes }) => bytes)));
  const frames = run.rows.filter((row) => row.kind === 'frame');
  let next = 0;
  const holocene = items.map(({ item }) => item.frames.map(() => fateOf(frames[next++]!, item)));
  return {
    format: DECODED_FORMAT,
    inputs: decoded,
    channels: assembleChannels(items, contextOf(facts)),
    holocene,
    holoceneChannels: run.rows.filter(({ kind }) => kind === 'channel').length,
  };
}

function fateOf({ reasons, channelLost }: FrameRow, { ending }: DecodedItem): FrameFate {
  const why: Pick<Reason, 'rule' | 'effect'> | undefined =
    ending === null ? (reasons[0] ?? channelLost) : { rule: ending.rule, effect: 'item ignored' };
  if (why === undefined) return { lost: null };
  const { statement, specification } = RULES[why.rule];
  return { lost: { rule: why.rule, effect: why.effect, statement, specification } };
}

/** By id, in the order in which the ids come up. An id that is used again after its closing frame is one channel here. */
function assembleChannels(
  items: readonly { readonly item: DecodedItem; readonly bytes: Uint8Array }[],
  context: ChannelContext,
): AssembledChannel[] {
  const channels = new Map<string, { numbers: number[]; data: Map<number, Uint8Array>; end: number | undefined }>();
  for (const { item, bytes } of items) {
    if (item.ending !== null) continue;
    const base = item.kind === 'frames' ? 1 : 0;
    for (const { channel, number, end, size, last } of item.frames) {
      const held = channels.get(channel) ?? { numbers: [], data: new Map<number, Uint8Array>(), end: undefined };
      channels.set(channel, held);
      held.numbers.push(number);
      const dataEnd = base + end - 1;
      if (!held.data.has(number)) held.data.set(number, bytes.subarray(dataEnd - size, dataEnd));
      if (last) held.end ??= number;
    }
  }
  return [...channels].map(([channel, { numbers, data, end }]) => {
    const wanted = end === undefined ? [] : Array.from({ length: end + 1 }, (_, number) => number);
    const missing = wanted.filter((number) => !data.has(number));
    const complete = end !== undefined && missing.length === 0;
    const content = complete ? decodeChannel(concatBytes(wanted.map((number) => data.get(number)!)), context) : null;
    return { channel, frames: numbers, missing: end === undefined ? null : missing, content };
  });
}

/**
 * A vector that posts the items at one L1 block, all forks up to Holocene active. The safe head has this block as its L1
 * origin, so batches are read and thrown away unjudged, and no flush touches the frames.
 */
function vectorOf(items: readonly Uint8Array[]): Vector {
  const hash = (number: number) => new Uint8Array(32).fill(number);
  const later = new Set(['isthmus', 'jovian', 'karst']);
  const forks = Object.fromEntries(FORKS.map((fork) => [fork, later.has(fork) ? null : 0n])) as RollupConfig['forks'];
  const l1 = { number: 1n, hash: hash(1) };
  const start = { number: 0n, hash: hash(2) };
  const common = { parentHash: hash(0), timestamp: 0n };
  return {
    name: 'decode',
    config: {
      genesis: { l1, l2: start, l2Time: 0n },
      l2ChainId: 1n,
      blockTime: 2n,
      maxSequencerDrift: 600n,
      seqWindowSize: 3600n,
      channelTimeout: 300n,
      forks,
    },
    l1: [{ ...l1, ...common, data: items }],
    l2: [{ ...start, ...common, l1Origin: l1, sequenceNumber: 0n, transactions: [] }],
    invalidBlocks: [],
  };
}
