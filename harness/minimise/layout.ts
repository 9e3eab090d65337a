/**
 * What the data of a vector's L1 blocks consists of: items, frames, and the channels that whole sets of frames make up.
 *
 * This looks at the bytes alone and asks no pipeline: a channel is a set of frames of one id that are all there,
 * whether or not any implementation would read it.
 */

import { concatBytes, toHex } from '../../src/encoding/bytes.ts';
import { DERIVATION_VERSION, decodeItem, encodeFrame, encodeItem, type Frame } from '../../src/frame.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';

/** One item of L1 data; `raw` if it holds no frames. With a version other than 0 nobody reads the frames. */
export type Item =
  | { readonly kind: 'frames'; readonly version: number; readonly frames: readonly Frame[] }
  | { readonly kind: 'raw'; readonly bytes: Uint8Array };

/** Where a frame stands: positions in the vector's L1 blocks, in the block's data, and in the item. */
export interface Place {
  readonly block: number;
  readonly item: number;
  readonly frame: number;
}

/** A channel of which every frame is there. */
export interface Channel {
  /** Where its frames stand, in the order of their numbers. */
  readonly places: readonly Place[];
  /** The frames' data joined. */
  readonly data: Uint8Array;
}

export interface Layout {
  /** The items of each L1 block. */
  readonly blocks: readonly (readonly Item[])[];
  readonly channels: readonly Channel[];
  /** Frames of no whole channel. */
  readonly loose: readonly Place[];
}

const layouts = new WeakMap<Vector, Layout>();
const rules = new RuleBook();

/** The layout of a vector; computed once. */
export function layoutOf(vector: Vector): Layout {
  let layout = layouts.get(vector);
  if (layout === undefined) {
    const blocks = vector.l1.map(({ data }) => data.map(readItem));
    layout = { blocks, ...findChannels(blocks) };
    layouts.set(vector, layout);
  }
  return layout;
}

const items = new WeakMap<Uint8Array, Item>();

function readItem(bytes: Uint8Array): Item {
  let item = items.get(bytes);
  if (item === undefined) {
    const [version = DERIVATION_VERSION] = bytes;
    const parsed = decodeItem(version === DERIVATION_VERSION ? bytes : bytes.with(0, DERIVATION_VERSION), rules);
    item = parsed.kind === 'frames' ? { kind: 'frames', version, frames: parsed.frames } : { kind: 'raw', bytes };
    items.set(bytes, item);
    encoded.set(item, bytes);
  }
  return item;
}

/** The frames of one id that were met so far and make up one channel. */
interface Open {
  readonly frames: Map<number, { readonly frame: Frame; readonly place: Place }>;
  last: number | undefined;
}

function findChannels(blocks: Layout['blocks']): Pick<Layout, 'channels' | 'loose'> {
  const open = new Map<string, Open>();
  const done: Open[] = [];
  const channels: Channel[] = [];
  const loose: Place[] = [];
  for (const [block, data] of blocks.entries()) {
    for (const [item, content] of data.entries()) {
      if (content.kind === 'raw') continue;
      for (const [index, frame] of content.frames.entries()) {
        if (content.version !== DERIVATION_VERSION) {
          loose.push({ block, item, frame: index });
          continue;
        }
        const id = toHex(frame.channel);
        let channel = open.get(id);
        // A number that is there already, or any frame behind a whole channel, is the next channel of this id.
        if (channel === undefined || channel.frames.has(frame.number) || isWhole(channel)) {
          channel = { frames: new Map(), last: undefined };
          open.set(id, channel);
          done.push(channel);
        }
        channel.frames.set(frame.number, { frame, place: { block, item, frame: index } });
        if (frame.last) channel.last = frame.number;
      }
    }
  }
  for (const channel of done) {
    const sorted = [...channel.frames.values()].sort((a, b) => a.frame.number - b.frame.number);
    const places = sorted.map(({ place }) => place);
    if (isWhole(channel)) channels.push({ places, data: concatBytes(sorted.map(({ frame }) => frame.data)) });
    else loose.push(...places);
  }
  return { channels, loose };
}

function isWhole({ frames, last }: Open): boolean {
  if (last === undefined || frames.size !== last + 1) return false;
  for (const number of frames.keys()) if (number > last) return false;
  return true;
}

const encoded = new WeakMap<Item, Uint8Array>();

/** The vector with other items in its L1 blocks; items without frames are left out. */
export function withItems(vector: Vector, blocks: readonly (readonly Item[])[]): Vector {
  const l1 = vector.l1.map((block, index) => {
    const kept = (blocks[index] ?? []).filter((item) => item.kind === 'raw' || item.frames.length > 0);
    return { ...block, data: kept.map(writeItem) };
  });
  return { ...vector, l1: l1 as unknown as Vector['l1'] };
}

function writeItem(item: Item): Uint8Array {
  if (item.kind === 'raw') return item.bytes;
  let bytes = encoded.get(item);
  if (bytes === undefined) {
    bytes = encodeItem(
      item.frames.map((frame) => encodeFrame(frame)),
      item.version,
    );
    encoded.set(item, bytes);
  }
  return bytes;
}

/** The frame at a place. */
export function frameAt({ blocks }: Layout, { block, item, frame }: Place): Frame {
  const found = blocks[block]![item]!;
  if (found.kind === 'raw') throw new RangeError('there are no frames in this item');
  return found.frames[frame]!;
}

/** The vector with other frames at some places; without those for which `undefined` is given. */
export function withFrames(vector: Vector, changes: ReadonlyMap<Place, Frame | undefined>): Vector {
  const { blocks } = layoutOf(vector);
  // By position, since the same item may stand in two places.
  const changed = new Map<string, Map<number, Frame | undefined>>();
  for (const [{ block, item, frame }, value] of changes) {
    const key = `${block}/${item}`;
    const frames = changed.get(key) ?? new Map<number, Frame | undefined>();
    changed.set(key, frames.set(frame, value));
  }
  const edited = blocks.map((data, block) =>
    data.map((item, position): Item => {
      const edits = changed.get(`${block}/${position}`);
      if (edits === undefined || item.kind === 'raw') return item;
      const frames = item.frames.flatMap((frame, index) => {
        const next = edits.has(index) ? edits.get(index) : frame;
        return next === undefined ? [] : [next];
      });
      return { ...item, frames };
    }),
  );
  return withItems(vector, edited);
}

/** The vector with other data in some channels, cut into as many frames as before; or without them. */
export function withChannels(vector: Vector, changes: ReadonlyMap<Channel, Uint8Array | undefined>): Vector {
  const layout = layoutOf(vector);
  const frames = new Map<Place, Frame | undefined>();
  for (const [{ places }, data] of changes) {
    const size = data === undefined ? 0 : Math.ceil(data.length / places.length);
    for (const [number, place] of places.entries()) {
      const piece = data?.subarray(number * size, (number + 1) * size);
      frames.set(place, piece && { ...frameAt(layout, place), data: piece });
    }
  }
  return withFrames(vector, frames);
}
