/** Curated scenarios of parsing items into frames. */

import { concatBytes } from '../../src/encoding/bytes.ts';
import { encodeFrame, encodeItem, type Frame, type FrameFaults } from '../../src/frame.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';
import { curated, honest, honestFrames, POSTED, postRival } from './kit.ts';

/** Block 6 in one item that is changed, then its rival. */
function item(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  change: (item: Uint8Array) => Uint8Array,
): CuratedScenario {
  return curated(name, shows, rules, (s) => {
    s.post(POSTED, change(s.item(...honestFrames(s))));
    postRival(s);
  });
}

/** Block 6 in one frame that is written wrong, then its rival. */
function frame(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  faults: FrameFaults,
  change: Partial<Frame> = {},
): CuratedScenario {
  return curated(name, shows, rules, (s) => {
    const [only] = honestFrames(s);
    s.post(POSTED, encodeItem([encodeFrame({ ...(only as Frame), ...change }, faults)]));
    postRival(s);
  });
}

/** Two channels in one item, the second one's frame written wrong: what becomes of the first? */
function pair(name: string, shows: string, rules: readonly RuleSide[], faults: FrameFaults): CuratedScenario {
  return curated(name, shows, rules, (s) => {
    const [first] = honestFrames(s, 1, 1);
    const [second] = s.frames(s.channel([honest(s, 7)]), 1, 2);
    s.post(POSTED, encodeItem([encodeFrame(first as Frame), encodeFrame(second as Frame, faults)]));
    postRival(s);
  });
}

const version = (byte: number) => (bytes: Uint8Array) => concatBytes([Uint8Array.of(byte), bytes.subarray(1)]);
const tail =
  (...bytes: number[]) =>
  (sound: Uint8Array) =>
    concatBytes([sound, Uint8Array.from(bytes)]);

/** Block 6 split at a frame whose channel id and data are the least that the format allows. */
function plainIds(s: Scenario): void {
  const data = s.channel([honest(s)]);
  const channel = new Uint8Array(16);
  s.post(
    POSTED,
    s.item(
      { channel, number: 0, data: new Uint8Array(0), last: false },
      { channel, number: 1, data, last: false },
      { channel, number: 2, data: new Uint8Array(0), last: true },
    ),
  );
  postRival(s);
}

export const frameScenarios: readonly CuratedScenario[] = [
  item(
    'frame/version-1-is-ignored',
    'Version 1, kept for alternative data availability, makes an item ignored.',
    ['frame/version-byte+', 'frame/version-byte-'],
    version(1),
  ),
  item(
    'frame/version-255-is-ignored',
    'An unknown version makes an item ignored.',
    ['frame/version-byte+'],
    version(255),
  ),
  item(
    'frame/empty-item-is-ignored',
    'An item of no bytes is passed over.',
    ['frame/version-byte+'],
    () => new Uint8Array(0),
  ),
  item(
    'frame/lone-version-byte-is-ignored',
    'A version byte without a frame is not an item of no frames.',
    ['frame/version-byte+'],
    () => Uint8Array.of(0),
  ),
  curated(
    'frame/zero-id-and-empty-data',
    'A channel id of zeros is like any other, and frames may be empty, also the closing one.',
    ['frame/exact-tiling-', 'frame/max-data-length-', 'frame/is-last-values-', 'frame/all-or-nothing-'],
    plainIds,
  ),
  curated(
    'frame/before-holocene-zero-id-and-empty-data',
    'The same frames through the channel bank.',
    ['frame/exact-tiling-', 'channel-bank/ready+'],
    plainIds,
    { era: 'before' },
  ),
  frame(
    'frame/length-one-above-the-maximum',
    'A data length of 1,000,001 is refused from the header alone.',
    ['frame/max-data-length+', 'frame/max-data-length-'],
    { length: 1_000_001 },
  ),
  frame(
    'frame/length-of-all-ones',
    'A data length of 2³² − 1 must not be added to anything that wraps around.',
    ['frame/max-data-length+'],
    { length: 0xffff_ffff },
  ),
  frame(
    'frame/length-at-the-maximum-without-data',
    'A data length of 1,000,000 is allowed, but the item ends before it.',
    ['frame/exact-tiling+', 'frame/max-data-length-'],
    { length: 1_000_000 },
  ),
  curated(
    'frame/length-one-too-long',
    'The length takes is_last in as data, so that is_last is missing.',
    ['frame/exact-tiling+'],
    (s) => {
      const [only] = honestFrames(s) as [Frame];
      s.post(POSTED, encodeItem([encodeFrame(only, { length: only.data.length + 1 })]));
      postRival(s);
    },
  ),
  curated(
    'frame/length-one-too-short',
    'The last byte of data is read as is_last, and one byte is left over.',
    ['frame/all-or-nothing+'],
    (s) => {
      const [only] = honestFrames(s) as [Frame];
      const data = concatBytes([only.data, Uint8Array.of(1)]);
      s.post(POSTED, encodeItem([encodeFrame({ ...only, data }, { length: only.data.length })]));
      postRival(s);
    },
  ),
  item(
    'frame/one-byte-left-over',
    'A single byte behind the last frame makes the item unparseable.',
    ['frame/exact-tiling+', 'frame/all-or-nothing+'],
    tail(0),
  ),
  item(
    'frame/header-without-is-last-left-over',
    'A header of a frame without data that lacks is_last, behind a sound frame.',
    ['frame/exact-tiling+', 'frame/all-or-nothing+'],
    tail(...new Array<number>(22).fill(0)),
  ),
  item(
    'frame/empty-frame-behind-the-last',
    'Twenty-three zero bytes are a sound frame: number 0 of channel 0, without data, not the last.',
    ['frame/exact-tiling-', 'frame/all-or-nothing-'],
    tail(...new Array<number>(23).fill(0)),
  ),
  item(
    'frame/cut-before-is-last',
    'The item ends with the data: is_last is missing.',
    ['frame/exact-tiling+'],
    (sound) => sound.subarray(0, -1),
  ),
  item('frame/cut-inside-the-header', 'The item ends inside the data length.', ['frame/exact-tiling+'], (sound) =>
    sound.subarray(0, 20),
  ),
  frame('frame/is-last-2', 'is_last of 2 is neither yes nor no.', ['frame/is-last-values+'], { isLast: 2 }),
  frame('frame/is-last-128', 'is_last of 128: only its highest bit is set.', ['frame/is-last-values+'], {
    isLast: 128,
  }),
  frame('frame/is-last-255', 'is_last of 255 is not taken for true.', ['frame/is-last-values+'], { isLast: 255 }),
  curated(
    'frame/is-last-2-on-an-open-frame',
    'Frame 0 with is_last of 2: who takes it for not the last goes on with frame 1 of the next item.',
    ['frame/is-last-values+', 'frame/all-or-nothing+'],
    (s) => {
      const [first, last] = honestFrames(s, 2) as [Frame, Frame];
      s.post(POSTED, encodeItem([encodeFrame(first, { isLast: 2 })]), s.item(last));
      postRival(s);
    },
  ),
  curated(
    'frame/before-holocene-is-last-2',
    'The same before Holocene, where frame 1 may come first.',
    ['frame/is-last-values+', 'channel-bank/ready-'],
    (s) => {
      const [first, last] = honestFrames(s, 2) as [Frame, Frame];
      s.post(POSTED, s.item(last), encodeItem([encodeFrame(first, { isLast: 2 })]));
      postRival(s);
    },
    { era: 'before' },
  ),
  pair(
    'frame/second-frame-is-last-3',
    'A bad is_last in the second frame of an item loses the sound first frame as well.',
    ['frame/all-or-nothing+', 'frame/is-last-values+', 'frame/is-last-values-'],
    { isLast: 3 },
  ),
  pair(
    'frame/second-frame-too-long',
    'A length too large in the second frame of an item loses the sound first frame as well.',
    ['frame/all-or-nothing+', 'frame/max-data-length+', 'frame/max-data-length-'],
    { length: 2_000_000 },
  ),
  pair(
    'frame/second-frame-past-the-end',
    'A second frame that runs past the end loses the sound first frame as well.',
    ['frame/all-or-nothing+', 'frame/exact-tiling+', 'frame/exact-tiling-'],
    { length: 500_000 },
  ),
];
