/** A sequence of single batches as one span batch, or the other way round. */

import type { SingleBatch, SpanBatch } from '../../../src/batch/batch.ts';
import { batchHash, encodeSingleBatch, encodeSpanBatch } from '../../../src/batch/codec.ts';
import { isActive } from '../../../src/chain/config.ts';
import { encodeChannel } from '../../../src/channel.ts';
import { derive } from '../../../src/derive.ts';
import { equalBytes, toHex } from '../../../src/encoding/bytes.ts';
import type { SingleEntry, Trace } from '../../../src/trace.ts';
import type { Vector } from '../../../src/vector.ts';
import { readBatch } from '../../minimise/batches.ts';
import { type Channel, withChannels } from '../../minimise/layout.ts';
import { type Relation, without } from '../relation.ts';
import { readableChannels, SIZES } from './readable-channels.ts';

export const span: Relation = {
  id: 'span',
  statement:
    'From Holocene on blocks are derived alike whether a channel holds them as single batches or as one span batch.',
  grounds: ['span/new-blocks', 'span/timestamps', 'span/epochs', 'batch-validator/lazy-span'],
  exceptions: [
    ...SIZES,
    {
      side: 'span/start-epoch-too-new+',
      why: 'a single batch counts epochs from w₀, which may be given up, a span batch from its parent (A44)',
    },
    {
      side: 'batch-decode/underivable-span-skipped+',
      why: 'a transaction that has no place in a span batch is no batch there, and a block that the engine judges as a single one',
    },
  ],
  change(vector) {
    const { config } = vector;
    const start = vector.l1[0].timestamp;
    const channels = readableChannels(vector);
    if (channels === undefined || !isActive(config, 'holocene', start) || !isActive(config, 'delta', start))
      return undefined;
    const trace = derive(vector);
    const changes = new Map<Channel, Uint8Array>();
    for (const [channel, { batches, tail }] of channels) {
      const emitted = tail.length === 0 ? emittedOf(batches, trace, vector) : undefined;
      const other = emitted && rewritten(emitted, readBatch(batches[0]!).kind === 'span', vector);
      if (other !== undefined) changes.set(channel, encodeChannel(other, { algorithm: 'zlib' }));
    }
    return changes.size === 0 ? undefined : withChannels(vector, changes);
  },
  view: ({ flushes, singles, outcome, safeHead }) => ({ flushes, singles, outcome: outcome.kind, safeHead }),
};

/** The emitted blocks that are those of a channel, one after the other; `undefined` if it was not all emitted. */
function emittedOf(
  batches: readonly Uint8Array[],
  trace: Trace,
  { config }: Vector,
): readonly SingleBatch[] | undefined {
  const { singles } = trace;
  const models = batches.map(readBatch);
  const [first] = models;
  let start: number;
  let count: number;
  if (first?.kind === 'span' && models.length === 1) {
    count = first.span.blocks.length;
    const timestamp = config.genesis.l2Time + first.span.relTimestamp;
    start = singles.findIndex(
      (single) =>
        single.timestamp === timestamp && equalBytes(single.parentHash.subarray(0, 20), first.span.parentCheck),
    );
  } else {
    const parsed = models.flatMap((model) => (model.kind === 'single' ? [model.batch] : []));
    if (parsed.length === 0 || parsed.length < models.length) return undefined;
    count = parsed.length;
    start = singles.findIndex((_, at) => parsed.every((batch, index) => isEmitted(batch, singles[at + index])));
  }
  const emitted = start < 0 ? [] : singles.slice(start, start + count);
  if (emitted.length < count) return undefined;
  const { origin, timestamp } = emitted[0]!;
  const blocks = emitted.map((single): SingleBatch => ({ kind: 'single', ...without(single, 'origin') }));
  // The stage makes empty batches too, and such a one may be what a batch that was dropped would have been.
  const decoded = trace.batches.filter((entry) => entry.origin === origin).map(({ hash }) => toHex(hash));
  const wanted = first?.kind === 'span' ? [spanOf(blocks)] : blocks;
  if (!wanted.every((batch) => decoded.includes(toHex(batchHash(batch))))) return undefined;
  // A batch that adopts its own inclusion block makes the stage drain what is behind it, but not a buffered span batch.
  const follows = emitted.every(
    (single, index) =>
      single.origin === origin &&
      single.epochNum < origin &&
      single.epochNum - emitted[Math.max(index - 1, 0)]!.epochNum <= 1n &&
      single.timestamp === timestamp + BigInt(index) * config.blockTime,
  );
  return follows ? blocks : undefined;
}

/** The span batch of consecutive blocks. */
function spanOf(blocks: readonly SingleBatch[]): SpanBatch {
  const [first, ...rest] = blocks;
  return {
    kind: 'span',
    parentCheck: first!.parentHash.subarray(0, 20),
    l1OriginCheck: blocks[blocks.length - 1]!.epochHash.subarray(0, 20),
    blocks: [first!, ...rest],
  };
}

function isEmitted(batch: SingleBatch, single: SingleEntry | undefined): boolean {
  return (
    single !== undefined &&
    batch.timestamp === single.timestamp &&
    batch.epochNum === single.epochNum &&
    equalBytes(batch.parentHash, single.parentHash) &&
    equalBytes(batch.epochHash, single.epochHash) &&
    batch.transactions.length === single.transactions.length &&
    batch.transactions.every((transaction, index) => equalBytes(transaction, single.transactions[index]!))
  );
}

function rewritten(blocks: readonly SingleBatch[], isSpan: boolean, { config }: Vector): Uint8Array[] | undefined {
  if (isSpan) return blocks.map((block) => encodeSingleBatch(block));
  try {
    return [encodeSpanBatch(spanOf(blocks), { genesisTime: config.genesis.l2Time })];
  } catch (error) {
    // A transaction that has no place in a span batch.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
