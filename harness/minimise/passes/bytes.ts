/**
 * Fewer and plainer bytes where nothing can be taken apart: items without frames, frames of broken channels, broken
 * streams, malformed batches, content behind the last batch.
 */

import { spanBatchLayout } from '../../../src/batch/span-columns.ts';
import { concatBytes } from '../../../src/encoding/bytes.ts';
import { RuleBook } from '../../../src/rules/rule-book.ts';
import type { Vector } from '../../../src/vector.ts';
import { readBatch } from '../batches.ts';
import { readContent, writeContent } from '../content.ts';
import { frameAt, layoutOf, withChannels, withFrames, withItems } from '../layout.ts';
import type { Pass } from '../search.ts';
import { chunksOf, propose, withAndWithoutReferences } from './chunks.ts';

/** A row of bytes inside of a vector, and how another one is put in its place. */
interface Piece {
  readonly bytes: Uint8Array;
  /** Offsets of parts that belong together, besides the start and the end. */
  readonly seams: readonly number[];
  readonly put: (bytes: Uint8Array) => Vector;
}

/** Pieces are cut down to single bytes only if that takes no more tests than this for each size. */
const MAX_STEPS = 96;

const smallest = (length: number) => Math.ceil(length / MAX_STEPS);

/** Without some of the bytes. */
export const cutBytes: Pass = function* (vector, cursor) {
  const pieces = piecesOf(vector);
  const lengths = pieces.map(({ bytes }) => bytes.length);
  for (const { list, start, end, cursor: next } of chunksOf(lengths, cursor, smallest)) {
    const { bytes, put } = pieces[list]!;
    yield* withAndWithoutReferences(vector, put(concatBytes([bytes.subarray(0, start), bytes.subarray(end)])), next);
  }
};

/** Without whole fields of malformed batches, and without all that follows a field. */
export const cutFields: Pass = function* (vector) {
  for (const { bytes, seams, put } of piecesOf(vector)) {
    for (const [index, seam] of seams.entries()) {
      const end = seams[index + 1] ?? bytes.length;
      yield propose(put(bytes.subarray(0, seam)));
      yield propose(put(concatBytes([bytes.subarray(0, seam), bytes.subarray(end)])));
      yield propose(put(zeroed(bytes, seam, end)));
    }
  }
};

/** With some of the bytes set to zero. */
export const clearBytes: Pass = function* (vector, cursor) {
  const pieces = piecesOf(vector);
  const lengths = pieces.map(({ bytes }) => bytes.length);
  for (const { list, start, end, cursor: next } of chunksOf(lengths, cursor, smallest)) {
    const { bytes, put } = pieces[list]!;
    if (bytes.subarray(start, end).every((byte) => byte === 0)) continue;
    yield propose(put(zeroed(bytes, start, end)), next);
  }
};

function zeroed(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return bytes.map((byte, index) => (index >= start && index < end ? 0 : byte));
}

function piecesOf(vector: Vector): Piece[] {
  const layout = layoutOf(vector);
  const pieces: Piece[] = [];
  for (const channel of layout.channels) {
    const replace = (data: Uint8Array) => withChannels(vector, new Map([[channel, data]]));
    const content = readContent(channel.data);
    if (content === undefined || content.envelope.missing === 'content') {
      pieces.push({ bytes: channel.data, seams: [], put: replace });
    }
    if (content === undefined) continue;
    const { batches, tail, envelope } = content;
    if (tail.length > 0) {
      pieces.push({ bytes: tail, seams: [], put: (bytes) => replace(writeContent({ ...content, tail: bytes })) });
    }
    if (envelope.trailing.length > 0) {
      const put = (trailing: Uint8Array) => replace(writeContent({ ...content, envelope: { ...envelope, trailing } }));
      pieces.push({ bytes: envelope.trailing, seams: [], put });
    }
    for (const [index, batch] of batches.entries()) {
      if (readBatch(batch).kind !== 'raw') continue;
      const put = (bytes: Uint8Array) => {
        const others = batches.map((other, place) => (place === index ? bytes : other));
        return replace(writeContent({ ...content, batches: others }));
      };
      pieces.push({ bytes: batch, seams: seamsOf(batch), put });
    }
  }
  for (const [block, items] of layout.blocks.entries()) {
    for (const [position, item] of items.entries()) {
      if (item.kind === 'frames') continue;
      const put = (bytes: Uint8Array) => {
        const edited = layout.blocks.map((all, index) =>
          index === block ? all.map((one, place) => (place === position ? { ...item, bytes } : one)) : all,
        );
        return withItems(vector, edited);
      };
      pieces.push({ bytes: item.bytes, seams: [], put });
    }
  }
  for (const place of layout.loose) {
    const frame = frameAt(layout, place);
    const put = (data: Uint8Array) => withFrames(vector, new Map([[place, { ...frame, data }]]));
    pieces.push({ bytes: frame.data, seams: [], put });
  }
  return pieces;
}

/** Where the fields of a span batch start, as far as they can be read. */
function seamsOf(batch: Uint8Array): number[] {
  if (batch[0] !== 1) return [];
  const fields = spanBatchLayout(batch, new RuleBook());
  return [...fields.map(({ start }) => start), fields[fields.length - 1]?.end ?? 1];
}
