/**
 * The single batches that a span batch yields: one for each block later than the safe head.
 *
 * Specification: delta/span-batches.md#batch-queue, holocene/derivation.md#span-batches.
 */

import type { SingleBatch, SpanBatch, SpanBlock } from '../batch/batch.ts';
import type { BatchEnvironment } from './single.ts';

/** A single batch of a span batch before its turn: its parent is known only when it is about to be built. */
export type SpanSingle = Omit<SingleBatch, 'parentHash'>;

/** Single batches by their place; made when asked for, since a span batch may have ten million blocks. */
export interface SpanSingles {
  readonly length: number;
  at(index: number): SpanSingle | undefined;
}

const NO_HASH = new Uint8Array(32);

/** The new blocks in order, or `undefined` when one of them has an epoch behind the safe head's or outside the window. */
export function newBlocks(environment: BatchEnvironment, batch: SpanBatch): SpanSingles | undefined {
  const { spec, window, safeHead } = environment;
  const blocks: SpanBlock[] = [];
  const hashes: Uint8Array[] = [];
  // Forwards only: an epoch that lies before one already found is not looked for again.
  let searched = 0;
  for (const block of batch.blocks) {
    const overlaps = block.timestamp <= safeHead.timestamp;
    if (!spec.rules.fires('span/new-blocks', !overlaps)) continue;
    let found = searched;
    while (found < window.length && window[found]!.number !== block.epochNum) found += 1;
    const epoch = window[found];
    const behind = block.epochNum < safeHead.l1Origin.number;
    const context = spec.rules.watched ? () => ({ timestamp: block.timestamp, epochNum: block.epochNum }) : undefined;
    if (spec.rules.fires('span/new-block-origin', behind || epoch === undefined, context)) return undefined;
    if (epoch !== undefined) searched = found;
    blocks.push(block);
    hashes.push(epoch?.hash ?? NO_HASH);
  }
  return {
    length: blocks.length,
    at(index) {
      const block = blocks[index];
      return block && { kind: 'single', ...block, epochHash: hashes[index]! };
    },
  };
}
