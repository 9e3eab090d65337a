/** A shorter and emptier safe L2 chain. */

import type { L2Block } from '../../../src/chain/blocks.ts';
import type { Vector } from '../../../src/vector.ts';
import { type BatchModel, epochsOf, readBatch, writeBatch } from '../batches.ts';
import { readContent, writeContent } from '../content.ts';
import { type Channel, layoutOf, withChannels } from '../layout.ts';
import { derivedChain } from '../references.ts';
import type { Pass } from '../search.ts';
import { chunks, propose, without } from './chunks.ts';

/**
 * A later start: some of the blocks that were derived are safe from the beginning, and what batches say of them is gone.
 */
export const advanceSafeHead: Pass = function* (vector) {
  const { blocks } = derivedChain(vector);
  for (let index = blocks.length - 1; index >= vector.l2.length; index--) {
    for (const from of new Set([index, index - 1, 0])) {
      const l2 = blocks.slice(from, index + 1) as unknown as Vector['l2'];
      const changes = new Map<Channel, Uint8Array | undefined>();
      for (const channel of layoutOf(vector).channels) {
        const content = readContent(channel.data);
        if (content === undefined) continue;
        const batches = content.batches.flatMap((bytes) => {
          const model = readBatch(bytes);
          const later = behind(vector, model, blocks[index]!);
          return later === undefined ? [] : [later === model ? bytes : writeBatch(later)];
        });
        const empty = batches.length === 0 && content.tail.length === 0;
        if (batches.length < content.batches.length || batches.some((bytes, i) => bytes !== content.batches[i])) {
          changes.set(channel, empty ? undefined : writeContent({ ...content, batches }));
        }
      }
      yield propose({ ...withChannels(vector, changes), l2 });
    }
  }
};

/** What a batch says of the blocks behind `head`; nothing if it only speaks of older ones. */
function behind(vector: Vector, model: BatchModel, head: L2Block): BatchModel | undefined {
  if (model.kind === 'raw') return model;
  if (model.kind === 'single') return model.batch.timestamp > head.timestamp ? model : undefined;
  const { blockTime, genesis } = vector.config;
  const { span } = model;
  if (blockTime === 0n) return model;
  const ahead = head.timestamp - (genesis.l2Time + span.relTimestamp);
  if (ahead < 0n) return model;
  const old = Number(ahead / blockTime) + 1;
  if (old >= span.blocks.length) return undefined;
  return {
    ...model,
    span: {
      ...span,
      relTimestamp: span.relTimestamp + BigInt(old) * blockTime,
      parentCheck: head.hash.subarray(0, 20),
      l1OriginNum: epochsOf(span)[span.blocks.length - 1]!,
      blocks: span.blocks.slice(old),
    },
  };
}

/** Without the oldest safe blocks. */
export const dropSafeBlocks: Pass = function* (vector, cursor) {
  const { length } = vector.l2;
  for (let size = Math.min(cursor?.[0] ?? length, length - 1); size >= 1; size >>= 1) {
    yield propose({ ...vector, l2: vector.l2.slice(size) as unknown as Vector['l2'] }, [size]);
  }
};

/** Safe blocks with fewer transactions, and with shorter ones. */
export const emptySafeBlocks: Pass = function* (vector, cursor) {
  const count = vector.l2.reduce((sum, { transactions }) => sum + transactions.length, 0);
  for (const chunk of chunks(count, cursor)) {
    yield propose(
      withTransactions(vector, chunk.start, chunk.end, () => []),
      chunk.cursor,
    );
    if (chunk.end - chunk.start > 1) continue;
    yield propose(
      withTransactions(vector, chunk.start, chunk.end, (bytes) => [bytes.subarray(0, 1)]),
      chunk.cursor,
    );
  }
};

function withTransactions(
  vector: Vector,
  start: number,
  end: number,
  edit: (transaction: Uint8Array) => readonly Uint8Array[],
): Vector {
  let index = -1;
  const l2 = vector.l2.map((block) => {
    const transactions = block.transactions.flatMap((transaction) => {
      index += 1;
      return index >= start && index < end ? edit(transaction) : [transaction];
    });
    return { ...block, transactions };
  });
  return { ...vector, l2: l2 as unknown as Vector['l2'] };
}

/** Fewer blocks that the engine refuses. */
export const dropInvalidBlocks: Pass = function* (vector, cursor) {
  for (const chunk of chunks(vector.invalidBlocks.length, cursor)) {
    yield propose({ ...vector, invalidBlocks: without(vector.invalidBlocks, chunk) }, chunk.cursor);
  }
};
