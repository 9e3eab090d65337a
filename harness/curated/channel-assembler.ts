/** Curated scenarios of the channel assembler: from Holocene on, one channel at a time, its frames in order. */

import { concatBytes } from '../../src/encoding/bytes.ts';
import type { Frame } from '../../src/frame.ts';
import { channelId, type Scenario, type ScenarioOptions } from '../scenario/scenario.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';
import { curated, honest, POSTED, postRival } from './kit.ts';

type Three = readonly [Frame, Frame, Frame];

/** The frames of channel 1 (block 6), and of channel 2 (block 7). */
function channels(s: Scenario): { a: Three; b: Three } {
  const [a, b] = [6, 7].map((number, index) => s.frames(s.channel([honest(s, number)]), 3, index + 1));
  return { a: a as unknown as Three, b: b as unknown as Three };
}

/** Each frame in an item of its own, so that the frame queue compares none, then block 6's rival. */
function frames(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  list: (channels: { a: Three; b: Three }) => readonly Frame[],
): CuratedScenario {
  return curated(name, shows, rules, (s) => {
    s.post(POSTED, ...list(channels(s)).map((frame) => s.item(frame)));
    postRival(s);
  });
}

/** Two frames at `opened`, the closing one at `closed`. */
function timeout(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  opened: number,
  closed: number,
  options: ScenarioOptions,
): CuratedScenario {
  return curated(
    name,
    shows,
    rules,
    (s) => {
      const { a } = channels(s);
      s.post(opened, s.item(a[0], a[1])).post(closed, s.item(a[2]));
      postRival(s, closed);
    },
    { l1Count: closed - 9, ...options },
  );
}

function bare(id: number, number: number, last = false): Frame {
  return { channel: channelId(id), number, data: new Uint8Array(0), last };
}

export const channelAssemblerScenarios: readonly CuratedScenario[] = [
  curated(
    'channel-assembler/frames-from-many-l1-blocks',
    'The frames of a channel may come from several items and L1 blocks, as long as they come in order.',
    ['channel-assembler/first-frame+', 'channel-assembler/first-frame-', 'channel-assembler/complete+'],
    (s) => {
      const { a } = channels(s);
      s.post(11, s.item(a[0])).post(12, s.item(a[1])).post(13, s.item(a[2]));
      postRival(s, 13);
    },
  ),
  frames(
    'channel-assembler/new-channel-discards-the-open-one',
    'Frame 0 of another id starts anew; the rest of the first channel is stray.',
    ['channel-assembler/first-frame+', 'channel-assembler/stray-frame+'],
    ({ a, b }) => [a[0], a[1], b[0], a[2], b[1], b[2]],
  ),
  frames(
    'channel-assembler/same-id-starts-again',
    'Frame 0 of the same id starts anew, and the frames behind it complete the second try.',
    ['channel-assembler/first-frame+', 'channel-assembler/in-order-'],
    ({ a }) => [{ ...a[0], data: a[2].data }, a[1], ...a],
  ),
  frames(
    'channel-assembler/same-id-starts-again-at-the-end',
    'Frame 0 of the same id discards what was there, so that the frame that was still missing is out of order.',
    ['channel-assembler/first-frame+', 'channel-assembler/in-order+'],
    ({ a }) => [a[0], a[1], a[0], a[2]],
  ),
  frames(
    'channel-assembler/stray-frames-without-a-channel',
    'Frames 1 and 2 of a channel whose frame 0 never came are dropped.',
    ['channel-assembler/stray-frame+', 'channel-assembler/stray-frame-'],
    ({ a }) => [a[1], a[2]],
  ),
  frames(
    'channel-assembler/frame-0-last-of-all',
    'Frame 0 behind its successors comes too late for them.',
    ['channel-assembler/stray-frame+', 'channel-assembler/complete-'],
    ({ a }) => [a[1], a[2], a[0]],
  ),
  frames(
    'channel-assembler/foreign-frame-leaves-the-channel',
    'A frame of another id is dropped and the staging channel goes on.',
    ['channel-assembler/stray-frame+', 'channel-assembler/complete+'],
    ({ a, b }) => [a[0], b[1], a[1], b[2], a[2]],
  ),
  frames(
    'channel-assembler/gap-filled-later',
    'Frame 2 before frame 1 is dropped; frame 1 alone does not complete the channel.',
    ['channel-assembler/in-order+', 'channel-assembler/complete-'],
    ({ a }) => [a[0], a[2], a[1]],
  ),
  frames(
    'channel-assembler/gap-filled-and-sent-again',
    'Frames 0, 2, 1, 2: the second frame 2 is in order.',
    ['channel-assembler/in-order+', 'channel-assembler/complete+'],
    ({ a }) => [a[0], { ...a[2], data: a[0].data }, a[1], a[2]],
  ),
  frames(
    'channel-assembler/early-close-does-not-close',
    'A closing frame 2 out of order is dropped, so frame 1 may close the channel.',
    ['channel-assembler/in-order+', 'channel-assembler/complete+'],
    ({ a }) => [a[0], bare(1, 2, true), { ...a[1], data: concatBytes([a[1].data, a[2].data]), last: true }],
  ),
  frames(
    'channel-assembler/frame-above-an-early-close',
    'Frame 3 behind an early closing frame 2: neither counts, and the channel runs to frame 3.',
    ['channel-assembler/in-order+'],
    ({ a }) => [a[0], bare(1, 2, true), a[1], { ...a[2], last: false }, bare(1, 3, true)],
  ),
  frames(
    'channel-assembler/duplicate-number',
    'A second frame 1 is out of order, whatever it holds.',
    ['channel-assembler/in-order+'],
    ({ a }) => [a[0], a[1], { ...a[1], data: a[0].data }, a[2]],
  ),
  frames(
    'channel-assembler/duplicate-number-that-closes',
    'A second frame 1 is out of order also if it closes.',
    ['channel-assembler/in-order+', 'channel-assembler/complete+'],
    ({ a }) => [a[0], a[1], { ...a[1], last: true }, a[2]],
  ),
  frames(
    'channel-assembler/frame-65535-early',
    'The highest number is as much out of order as any other.',
    ['channel-assembler/in-order+'],
    ({ a }) => [a[0], bare(1, 65_535), a[1], a[2]],
  ),
  frames(
    'channel-assembler/closing-frame-65535-early',
    'A closing frame with the highest number neither closes the channel nor blocks it.',
    ['channel-assembler/in-order+', 'channel-assembler/complete+'],
    ({ a }) => [a[0], bare(1, 65_535, true), a[1], a[2]],
  ),
  frames(
    'channel-assembler/frame-behind-a-complete-channel',
    'Once the channel is handed on, its id is unknown.',
    ['channel-assembler/complete+', 'channel-assembler/stray-frame+'],
    ({ a }) => [...a, bare(1, 3, true)],
  ),
  frames(
    'channel-assembler/empty-channel',
    'A channel of one closing frame without data is handed on with no bytes; the reader drops it.',
    ['channel-assembler/complete+', 'channel-reader/detect+'],
    () => [bare(1, 0, true)],
  ),
  frames(
    'channel-assembler/size-far-below-the-limit',
    'A small channel passes the limit of its size.',
    ['channel-assembler/size-limit-', 'channel-assembler/complete+'],
    ({ a }) => a,
  ),
  timeout(
    'channel-assembler/timeout-equality-lives',
    'From Granite on a staging channel lives for 50 L1 blocks, whatever the configured timeout.',
    ['channel-assembler/timeout-', 'channel-bank/timeout-length+'],
    11,
    61,
    { l1Times: 1, channelTimeout: 2 },
  ),
  timeout(
    'channel-assembler/timeout-one-block-later',
    'After 51 L1 blocks the staging channel is dropped, and its closing frame is stray.',
    ['channel-assembler/timeout+', 'channel-assembler/stray-frame+'],
    11,
    62,
    { l1Times: 1 },
  ),
];
