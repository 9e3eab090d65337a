/** Frames that say nothing and take much room: what brings a channel or a bank to its limit. */

import { encodeFrame, encodeItem, FRAME_ENVELOPE_LENGTH, type Frame } from '../../src/frame.ts';

/** Bytes that each frame counts for besides its data. */
const OVERHEAD = 200;

/** Bytes of data of the longest frame. */
export const LONGEST_FRAME = 1_000_000;

/** Bytes of an item of one frame besides the frame's data, all but the last of them in front. */
const AROUND = FRAME_ENVELOPE_LENGTH + 1;

/** What a frame counts for in its channel's size. */
export function sizeOf({ data }: Frame): number {
  return data.length + OVERHEAD;
}

/**
 * Items of one frame each, of zeros, that together count for `size` bytes: frames of that channel from the number
 * `first` on. They are views of one array, each a few bytes behind the one before, so a hundred megabytes take one: the
 * header of one lies in the data of those before it.
 */
export function fillerItems(channel: Uint8Array, first: number, size: number): Uint8Array[] {
  const lengths = frameLengths(size);
  const shared = new Uint8Array(AROUND * lengths.length + LONGEST_FRAME);
  return lengths.map((length, index) => {
    const frame = { channel, number: first + index, last: false };
    if (length < LONGEST_FRAME) return encodeItem([encodeFrame({ ...frame, data: new Uint8Array(length) })]);
    const start = AROUND * index;
    // The item of an empty frame is its header and the last byte, which is zero as the shared bytes are.
    const header = encodeItem([encodeFrame({ ...frame, data: new Uint8Array(0) }, { length })]);
    shared.set(header.subarray(0, -1), start);
    return shared.subarray(start, start + AROUND + length);
  });
}

/** Lengths of frames that count for so many bytes together; at least what one frame without data does. */
function frameLengths(size: number): number[] {
  const most = LONGEST_FRAME + OVERHEAD;
  const lengths: number[] = [];
  let left = Math.max(size, OVERHEAD);
  // What stays must do for one more frame.
  while (left >= most + OVERHEAD) {
    lengths.push(LONGEST_FRAME);
    left -= most;
  }
  if (left > most) {
    lengths.push(0);
    left -= OVERHEAD;
  }
  return [...lengths, left - OVERHEAD];
}
