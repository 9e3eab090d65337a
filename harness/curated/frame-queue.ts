/** Curated scenarios of the frame queue: one item at a time, and Holocene's pruning inside one. */

import { encodeItem, type Frame } from '../../src/frame.ts';
import { channelId, type Era, type Scenario } from '../scenario/scenario.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';
import { curated, honest, honestFrames, POSTED, postRival } from './kit.ts';

/** The frames of channel A (block 6, in `count` frames), and of channel B (block 7). */
interface Channels {
  readonly a: readonly [Frame, Frame, Frame];
  readonly b: readonly [Frame, Frame, Frame];
}

function channels(s: Scenario): Channels {
  const [a, b] = [6, 7].map((number, index) => s.frames(s.channel([honest(s, number)]), 3, index + 1));
  return { a: a as unknown as Channels['a'], b: b as unknown as Channels['b'] };
}

/** The frames of one item, then block 6's rival. */
function item(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  frames: (channels: Channels) => readonly Frame[],
  era: Era = 'after',
): CuratedScenario {
  return curated(
    name,
    shows,
    rules,
    (s) => {
      s.post(POSTED, s.item(...frames(channels(s))));
      postRival(s);
    },
    { era },
  );
}

/** A frame without data, for places where only the number counts. */
function bare(id: number, number: number, last = false): Frame {
  return { channel: channelId(id), number, data: new Uint8Array(0), last };
}

/** Items that are judged by themselves, then block 6's rival. */
function items(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  frames: (channels: Channels) => readonly (readonly Frame[])[],
): CuratedScenario {
  return curated(name, shows, rules, (s) => {
    s.post(POSTED, ...frames(channels(s)).map((group) => s.item(...group)));
    postRival(s);
  });
}

/** One item of frames in reverse order at the L1 blocks 11 and 12, where 12 is the activation block. */
function acrossActivation(s: Scenario): void {
  const { a, b } = channels(s);
  s.post(11, s.item(a[2], a[1], a[0])).post(12, s.item(b[2], b[1], b[0]), s.item(...a));
  postRival(s, 13);
}

export const frameQueueScenarios: readonly CuratedScenario[] = [
  items(
    'frame-queue/items-keep-their-order',
    'Frames of one channel in three items of one L1 block come in the order of the items.',
    ['frame-queue/one-item+', 'channel-assembler/complete+', 'channel-assembler/complete-'],
    ({ a }) => [[a[0]], [a[1]], [a[2]]],
  ),
  curated(
    'frame-queue/unparseable-item-between',
    'An unparseable item between two frames of a channel is a retry, not the end of the L1 block.',
    ['frame-queue/one-item+', 'frame-queue/one-item-', 'frame/version-byte+'],
    (s) => {
      const [first, ...rest] = honestFrames(s, 3) as [Frame, Frame, Frame];
      s.post(POSTED, s.item(first), encodeItem([], 0), Uint8Array.of(0xff, 0xff), s.item(...rest));
      postRival(s);
    },
  ),
  items(
    'frame-queue/items-are-not-compared',
    'The first frame of an item is not compared with the frame before it: a stray frame 2 is handed on.',
    ['frame-queue/prune-on-load+', 'channel-assembler/in-order+'],
    ({ a }) => [[a[0]], [a[2]], [a[1], a[2]]],
  ),
  item(
    'frame-queue/lone-frame-is-not-pruned',
    'A single frame has no neighbour: frame 5 of an unknown channel is handed on and dropped later.',
    ['frame-queue/prune-on-load+', 'channel-assembler/stray-frame+'],
    () => [bare(7, 5)],
  ),
  item(
    'frame-queue/before-holocene-nothing-is-pruned',
    'Before Holocene frames in reverse order, with a foreign one between, are all handed on.',
    ['frame-queue/prune-on-load-', 'channel-bank/ready+'],
    ({ a, b }) => [a[2], b[1], a[1], a[0]],
    'before',
  ),
  item(
    'frame-queue/reverse-order',
    'From Holocene on only the first of three frames in reverse order stays.',
    ['frame-queue/after-close+', 'frame-queue/prune-on-load+'],
    ({ a }) => [a[2], a[1], a[0]],
  ),
  item(
    'frame-queue/open-frames-in-the-wrong-order',
    'Frames 1, 0, 2: frame 0 is removed and frame 2 follows frame 1, so that nothing comes of the channel.',
    ['frame-queue/contiguous+', 'frame-queue/contiguous-'],
    ({ a }) => [a[1], a[0], a[2]],
  ),
  curated(
    'frame-queue/reverse-order-across-activation',
    'Reverse order before the activation block is taken, in it not: the origin at which the item is loaded decides.',
    ['frame-queue/prune-on-load+', 'frame-queue/prune-on-load-', 'frame-queue/after-close+'],
    acrossActivation,
    { era: 'across' },
  ),
  item('frame-queue/gap', 'Frame 2 behind frame 0 is removed.', ['frame-queue/contiguous+'], ({ a }) => [a[0], a[2]]),
  item(
    'frame-queue/gap-closed-later',
    'Frames 0, 2, 1, 2: the early frame 2 is removed, the late one completes the channel.',
    ['frame-queue/contiguous+', 'frame-queue/contiguous-'],
    ({ a }) => [a[0], a[2], a[1], a[2]],
  ),
  item(
    'frame-queue/duplicate-with-other-data',
    'Of two frames 1 the first one stays, whatever the second one holds.',
    ['frame-queue/contiguous+', 'frame-queue/contiguous-'],
    ({ a }) => [a[0], a[1], { ...a[1], data: a[2].data }, a[2]],
  ),
  item(
    'frame-queue/frame-0-behind-open-frame-of-the-same-channel',
    'A frame 0 behind an open frame of the same id is removed, the older ones stay (A5).',
    ['frame-queue/contiguous+'],
    ({ a, b }) => [a[0], a[1], { ...b[0], channel: a[0].channel }, a[2]],
  ),
  item(
    'frame-queue/frame-0-twice',
    'A channel that starts twice in one item: the second frame 0 is removed, the rest completes the first.',
    ['frame-queue/contiguous+'],
    ({ a }) => [{ ...a[0], data: a[0].data.subarray(1) }, a[0], a[1], a[2]],
  ),
  item(
    'frame-queue/number-65535-then-0',
    'The number wraps around: frame 0 is the successor of frame 65535 of the same id, and starts the channel again.',
    ['frame-queue/contiguous-', 'channel-assembler/first-frame+'],
    ({ a }) => [bare(1, 65_535), ...a],
  ),
  item(
    'frame-queue/number-65535-then-1',
    'After frame 65535 comes 0 and nothing else.',
    ['frame-queue/contiguous+'],
    ({ a }) => [bare(1, 65_535), a[1], a[2]],
  ),
  item(
    'frame-queue/last-frame-65535-then-0',
    'Frame 0 behind a closing frame 65535 of the same id is removed.',
    ['frame-queue/after-close+'],
    ({ a }) => [bare(1, 65_535, true), ...a],
  ),
  item(
    'frame-queue/successor-behind-the-last',
    'Frame 3 behind the closing frame 2 is removed.',
    ['frame-queue/after-close+', 'frame-queue/after-close-'],
    ({ a }) => [...a, bare(1, 3, true)],
  ),
  item(
    'frame-queue/frame-0-behind-the-last-of-the-same-channel',
    'A frame 0 of the same id directly behind its closing frame is removed (A6), and with it the rest.',
    ['frame-queue/after-close+'],
    ({ a, b }) => [...a, ...b.map((frame) => ({ ...frame, channel: a[0].channel }))],
  ),
  item(
    'frame-queue/same-id-again-behind-another-channel',
    'With a closed channel between, an id may start again in the same item.',
    ['frame-queue/after-close-', 'frame-queue/foreign-non-first-', 'frame-queue/new-first-drops-open-'],
    ({ a, b }) => [...a, bare(9, 0, true), ...b.map((frame) => ({ ...frame, channel: a[0].channel }))],
  ),
  item(
    'frame-queue/foreign-frame-between',
    'Frame 1 of another channel between the frames of a channel is removed.',
    ['frame-queue/foreign-non-first+', 'frame-queue/contiguous-'],
    ({ a, b }) => [a[0], b[1], a[1], a[2]],
  ),
  item(
    'frame-queue/foreign-frame-behind-a-closed-channel',
    'A frame that is not the first is removed also behind a closed channel.',
    ['frame-queue/foreign-non-first+'],
    ({ a, b }) => [...a, b[1], b[2]],
  ),
  item(
    'frame-queue/foreign-closing-frame-first',
    'A closing frame of another channel in front stays, as nothing is before it.',
    ['frame-queue/foreign-non-first-', 'frame-queue/new-first-drops-open-', 'channel-assembler/stray-frame+'],
    ({ a, b }) => [b[2], ...a],
  ),
  item(
    'frame-queue/new-channel-drops-the-open-one',
    'Frame 0 of another channel removes the open channel before it.',
    ['frame-queue/new-first-drops-open+'],
    ({ a, b }) => [a[0], a[1], ...b],
  ),
  item(
    'frame-queue/open-channel-goes-on-in-the-next-item',
    'The open channel at the end of an item stays, though another channel comes with the next item.',
    ['frame-queue/new-first-drops-open-', 'channel-assembler/first-frame+'],
    ({ a }) => [a[0], a[1]],
  ),
  item(
    'frame-queue/open-channel-behind-a-closed-one',
    'The open channel before a new frame 0 is removed, the closed channel before that stays.',
    ['frame-queue/new-first-drops-open+', 'frame-queue/new-first-drops-open-'],
    ({ a, b }) => [...a, bare(9, 0), bare(9, 1), ...b],
  ),
  item(
    'frame-queue/open-channel-of-an-id-closed-before',
    'Closed channel 1, closed channel 9, channel 1 again and open: only the open part is removed.',
    ['frame-queue/new-first-drops-open+'],
    ({ a, b }) => [...a, bare(9, 0, true), bare(1, 0), bare(1, 1), ...b],
  ),
  item(
    'frame-queue/two-open-channels-in-a-row',
    'Each new frame 0 removes the open channel before it.',
    ['frame-queue/new-first-drops-open+'],
    ({ a, b }) => [bare(8, 0), bare(8, 1), bare(9, 0), ...a, ...b],
  ),
  item(
    'frame-queue/stray-tail-before-a-new-channel',
    'An open frame that is not the first is removed like any other open channel.',
    ['frame-queue/new-first-drops-open+'],
    ({ a }) => [bare(9, 4), bare(9, 5), ...a],
  ),
  item(
    'frame-queue/removal-makes-new-neighbours',
    'After the open channel has gone, the frame behind it is compared with what stands before: the closing frame.',
    ['frame-queue/new-first-drops-open+', 'frame-queue/after-close+'],
    ({ a, b }) => [...a, bare(9, 0), { ...b[0], channel: a[0].channel }, ...b],
  ),
];
