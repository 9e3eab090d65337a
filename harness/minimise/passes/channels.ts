/** Fewer channels, items and frames, and channels in a simpler form. */

import { equalBytes } from '../../../src/encoding/bytes.ts';
import type { Frame } from '../../../src/frame.ts';
import type { Vector } from '../../../src/vector.ts';
import { isPlain, PLAIN, readContent, writeContent } from '../content.ts';
import {
  type Channel,
  frameAt,
  type Item,
  layoutOf,
  type Place,
  withChannels,
  withFrames,
  withItems,
} from '../layout.ts';
import type { Pass } from '../search.ts';
import { chunks, propose, withAndWithoutReferences } from './chunks.ts';

/** Bytes; a channel of plain zlib that is longer than this might be shorter in brotli, which has no limit to its ratio. */
const LONG_CHANNEL = 2_000;

/** Channels compressed anew: as plain zlib, or as they are but with their faults written in the shortest way. */
export const recompress: Pass = function* (vector) {
  const { channels } = layoutOf(vector);
  const plain = new Map<Channel, Uint8Array>();
  const same = new Map<Channel, Uint8Array>();
  const brotli = new Map<Channel, Uint8Array>();
  for (const channel of channels) {
    const content = readContent(channel.data);
    if (content === undefined) continue;
    const { envelope } = content;
    const zlib = writeContent({ ...content, envelope: PLAIN });
    plain.set(channel, zlib);
    if (zlib.length > LONG_CHANNEL) {
      brotli.set(channel, writeContent({ ...content, envelope: { ...PLAIN, algorithm: 'brotli' } }));
    }
    if (!isPlain(envelope)) same.set(channel, writeContent(content));
  }
  for (const forms of [brotli, plain, same]) {
    if (forms.size > 1) yield propose(withChannels(vector, forms));
    for (const [channel, data] of forms) {
      if (!equalBytes(data, channel.data)) yield propose(withChannels(vector, new Map([[channel, data]])));
    }
  }
};

/** Channels in one frame, at the place of their last one or of their first. */
export const joinFrames: Pass = function* (vector) {
  const layout = layoutOf(vector);
  const several = layout.channels.filter(({ places }) => places.length > 1);
  for (const end of ['last', 'first'] as const) {
    for (const channels of several.length > 1
      ? [several, ...several.map((one) => [one])]
      : several.map((one) => [one])) {
      const frames = new Map<Place, Frame | undefined>();
      for (const { places, data } of channels) {
        // By where they stand, not by their numbers: frames may be out of order.
        const sorted = places.toSorted((a, b) => a.block - b.block || a.item - b.item || a.frame - b.frame);
        const target = end === 'last' ? sorted[sorted.length - 1]! : sorted[0]!;
        for (const place of places) frames.set(place, undefined);
        frames.set(target, { ...frameAt(layout, target), number: 0, data, last: true });
      }
      yield propose(withFrames(vector, frames));
    }
  }
};

/** Without some of the channels. */
export const dropChannels: Pass = function* (vector, cursor) {
  const { channels } = layoutOf(vector);
  for (const chunk of chunks(channels.length, cursor)) {
    const dropped = channels.slice(chunk.start, chunk.end);
    const candidate = withChannels(vector, new Map(dropped.map((channel) => [channel, undefined])));
    yield* withAndWithoutReferences(vector, candidate, chunk.cursor);
  }
};

/** Without some of the items. */
export const dropItems: Pass = function* (vector, cursor) {
  const { blocks } = layoutOf(vector);
  const count = blocks.reduce((sum, items) => sum + items.length, 0);
  for (const chunk of chunks(count, cursor)) {
    let index = 0;
    const kept = blocks.map((items) =>
      items.filter(() => {
        index += 1;
        return index <= chunk.start || index > chunk.end;
      }),
    );
    yield* withAndWithoutReferences(vector, withItems(vector, kept), chunk.cursor);
  }
};

/** Without some of the frames; a frame of a whole channel leaves the others with their numbers. */
export const dropFrames: Pass = function* (vector, cursor) {
  const places = allPlaces(vector);
  for (const chunk of chunks(places.length, cursor)) {
    const dropped = places.slice(chunk.start, chunk.end);
    const candidate = withFrames(vector, new Map(dropped.map((place) => [place, undefined])));
    yield* withAndWithoutReferences(vector, candidate, chunk.cursor);
  }
};

/** All items of a block in one. */
export const joinItems: Pass = function* (vector) {
  const { blocks } = layoutOf(vector);
  for (let block = blocks.length - 1; block >= 0; block--) {
    const frames = blocks[block]!.flatMap((item) => (item.kind === 'frames' && item.version === 0 ? item.frames : []));
    if (blocks[block]!.length < 2 || blocks[block]!.some((item) => item.kind === 'raw' || item.version !== 0)) continue;
    const joined: Item = { kind: 'frames', version: 0, frames };
    const edited = blocks.map((items, index) => (index === block ? [joined] : items));
    yield propose(withItems(vector, edited));
  }
};

function allPlaces(vector: Vector): Place[] {
  return layoutOf(vector).blocks.flatMap((items, block) =>
    items.flatMap((content, item) =>
      content.kind === 'raw' ? [] : content.frames.map((_, frame) => ({ block, item, frame })),
    ),
  );
}
