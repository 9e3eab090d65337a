/**
 * Curated scenarios of many megabytes: the sizes from which on frames, channels and the channel bank are too large. They
 * are a list of their own and stored compressed, since each costs as much as a thousand others.
 */

import type { Frame } from '../../src/frame.ts';
import { fillerItems, LONGEST_FRAME, sizeOf } from '../generate/filler.ts';
import { channelId, type Scenario } from '../scenario/scenario.ts';
import { bytes, padded, ZLIB } from './channel-kit.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';
import { curated, honest, POSTED, postRival } from './kit.ts';
import { wrappingTimes } from './wraps.ts';

/** Bytes that the bank holds before Fjord. */
const BANK_SIZE = 100_000_000;

/** Bytes that a channel may have from Fjord on, collected and read. */
const CHANNEL_SIZE = 100_000_000;

/** Number and time of the L1 block at which Fjord activates where the bank is filled. */
const FJORD = 14;
const FJORD_TIME = 1048;

const sizeOfAll = (frames: readonly Frame[]) => frames.reduce((total, frame) => total + sizeOf(frame), 0);

/** Block 6 in a frame of that many bytes: what stands behind the compressed stream is not read. */
function frameOf(length: number, shows: string, side: RuleSide): CuratedScenario {
  return bytes(`large/frame-of-${length}-bytes`, shows, [side], (s) => {
    const data = new Uint8Array(length);
    data.set(s.channel([honest(s)]));
    return data;
  });
}

/** Two frames that carry a planned block. */
function opened(s: Scenario, id: number, number: number): readonly [Frame, Frame] {
  return s.frames(s.channel([honest(s, number)]), 2, id) as unknown as readonly [Frame, Frame];
}

/**
 * Four channels that are opened first, one behind the other, and closed when the bank is full but for the closing frame,
 * or for all but one byte of it. The oldest one is what the bank drops. Filling it takes a hundred megabytes, so one
 * vector shows it all.
 */
function fillBank(s: Scenario): void {
  const [full, over] = [opened(s, 1, 6), opened(s, 2, 7)];
  const [fullLater, overLater] = [opened(s, 3, 7), opened(s, 4, 8)];
  // Never complete. From its closing frame on, which removes one behind it, frame 0 is held and does not count.
  const flawed = ([0, 3, 2] as const).map(
    (number): Frame => ({ channel: channelId(5), number, data: new Uint8Array(10), last: number === 2 }),
  );
  s.post(12, s.item(full[0], over[0], fullLater[0], overLater[0], ...flawed));
  let held = sizeOfAll([full[0], over[0], fullLater[0], overLater[0]]) + sizeOf(flawed[2]!);
  let filled = 0;
  /** Closes a channel with the frame that brings the bank to that size. */
  const close = (l1Number: number, channel: readonly [Frame, Frame], size: number) => {
    const filler = fillerItems(channelId(9), filled, size - held - sizeOf(channel[1]));
    filled += filler.length;
    s.post(l1Number, ...filler, s.item(channel[1]));
    // It is handed on or dropped, and leaves the bank either way.
    held = size - sizeOfAll(channel);
  };
  close(12, full, BANK_SIZE);
  close(13, over, BANK_SIZE + 1);
  close(FJORD, fullLater, BANK_SIZE);
  close(FJORD, overLater, BANK_SIZE + 1);
}

export const LARGE_SCENARIOS: readonly CuratedScenario[] = [
  frameOf(LONGEST_FRAME, 'A frame of 1,000,000 bytes is read.', 'frame/max-data-length-'),
  frameOf(
    LONGEST_FRAME + 1,
    'A frame of 1,000,001 bytes makes its item unparseable, though all of it is there.',
    'frame/max-data-length+',
  ),
  curated(
    'large/channel-bank-size',
    'Before Fjord the bank holds 100,000,000 bytes, and with one more it drops the oldest channel; from Fjord on it goes on.',
    [
      'channel-bank/prune+',
      'channel-bank/prune-',
      'channel-bank/size+',
      'channel-bank/close-drops-higher+',
      'channel-bank/close-drops-higher-',
    ],
    fillBank,
    { era: 'before', l1Count: 5, forks: { fjord: FJORD_TIME, granite: null } },
  ),
  curated(
    'large/channel-assembler-size-limit',
    'A staging channel that counts for 100,000,001 bytes is dropped, though its data in front is complete.',
    ['channel-assembler/size-limit+', 'channel-assembler/size-limit-'],
    (s) => {
      const [whole] = s.frames(s.channel([honest(s)]));
      const first: Frame = { ...whole!, last: false };
      const end = (number: number): Frame => ({ ...first, number, data: new Uint8Array(0), last: true });
      const filler = fillerItems(first.channel, 1, CHANNEL_SIZE + 1 - sizeOfAll([first, end(0)]));
      s.post(POSTED, s.item(first), ...filler, s.item(end(filler.length + 1)));
      postRival(s);
    },
  ),
  bytes(
    'large/channel-reader-fjord-limit',
    'From Fjord on a batch that ends with byte 100,000,000 of its channel is used.',
    ['channel-reader/limit-'],
    (s) => {
      const header = 5;
      return s.channel([padded(s, CHANNEL_SIZE - header - s.encode(honest(s)).length)], ZLIB);
    },
  ),
  {
    name: 'large/span-of-wrapping-times',
    shows: 'Before Holocene what is left of a span batch when its times have wrapped around does not fit any more.',
    rules: ['batch-queue/span-cache+'],
    build: () => wrappingTimes(null),
  },
];
