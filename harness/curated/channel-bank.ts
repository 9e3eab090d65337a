/** Curated scenarios of the channel bank: before Holocene, frames in any order, several channels at once. */

import { concatBytes } from '../../src/encoding/bytes.ts';
import type { Frame } from '../../src/frame.ts';
import { channelId, type Scenario, type ScenarioOptions } from '../scenario/scenario.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';
import { curated, honest, POSTED, postRival, rivalBlock } from './kit.ts';

type Three = readonly [Frame, Frame, Frame];

/** The frames of channel 1 (block 6), and of channel 2 (block 6's rival). */
function channels(s: Scenario): { a: Three; b: Three } {
  const [a, b] = [honest(s), s.single(rivalBlock(s))].map((batch, index) => s.frames(s.channel([batch]), 3, index + 1));
  return { a: a as unknown as Three, b: b as unknown as Three };
}

/** Frames in one item. */
function item(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  frames: (channels: { a: Three; b: Three }) => readonly Frame[],
  options: ScenarioOptions = {},
): CuratedScenario {
  return curated(name, shows, rules, (s) => void s.post(POSTED, s.item(...frames(channels(s)))), {
    era: 'before',
    ...options,
  });
}

/** The frames of a channel at L1 blocks: the first two at `opened`, the closing one at `closed`. */
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
    { era: 'before', l1Count: closed - 9, ...options },
  );
}

function bare(id: number, number: number, last = false): Frame {
  return { channel: channelId(id), number, data: new Uint8Array(0), last };
}

const BEFORE_GRANITE = { forks: { granite: null } };
const BEFORE_CANYON = {
  forks: { canyon: null, delta: null, ecotone: null, fjord: null, granite: null },
};

export const channelBankScenarios: readonly CuratedScenario[] = [
  item(
    'channel-bank/frames-in-any-order',
    'The closing frame may come first; the channel is handed on as soon as the last gap is filled.',
    ['channel-bank/open+', 'channel-bank/open-', 'channel-bank/ready+', 'channel-bank/ready-'],
    ({ a, b }) => [a[2], a[0], a[1], ...b],
  ),
  item(
    'channel-bank/interleaved-channels',
    'Two channels are collected side by side; the one that is complete first is read first.',
    ['channel-bank/open+', 'channel-bank/first-ready+', 'channel-bank/read-before-load+'],
    ({ a, b }) => [a[0], b[0], a[1], b[1], b[2], a[2]],
  ),
  curated(
    'channel-bank/frames-from-many-l1-blocks',
    'Frames of a channel may come from several items and L1 blocks.',
    ['channel-bank/open-', 'channel-bank/timeout-', 'channel-bank/timed-out-frame-'],
    (s) => {
      const { a, b } = channels(s);
      s.post(11, s.item(a[1])).post(12, s.item(a[2]), s.item(b[0])).post(13, s.item(a[0]), s.item(b[1], b[2]));
    },
    { era: 'before' },
  ),
  item(
    'channel-bank/id-used-again',
    'An id is free again once its channel has been read.',
    ['channel-bank/open+', 'channel-bank/after-close-'],
    ({ a, b }) => [...a, ...b.map((frame) => ({ ...frame, channel: a[0].channel }))],
  ),
  item(
    'channel-bank/duplicate-number',
    'Of two frames 1 the first stays, whatever the second one holds.',
    ['channel-bank/duplicate-number+', 'channel-bank/duplicate-number-'],
    ({ a, b }) => [a[0], a[1], { ...b[1], channel: a[0].channel }, a[2], ...b],
  ),
  item(
    'channel-bank/duplicate-closing-frame',
    'A frame 1 that closes does not replace the open frame 1: the channel goes on to frame 2.',
    ['channel-bank/duplicate-number+'],
    ({ a, b }) => [a[0], a[1], { ...a[1], last: true }, a[2], ...b],
  ),
  item(
    'channel-bank/second-closing-frame',
    'A second closing frame with a lower number is dropped: the channel still ends at frame 2.',
    ['channel-bank/after-close+', 'channel-bank/after-close-'],
    ({ a, b }) => [a[2], { ...a[1], data: a[0].data, last: true }, a[0], a[1], ...b],
  ),
  item(
    'channel-bank/frame-above-the-closing-one',
    'A frame numbered above the closing frame is dropped and does not keep the channel from being ready.',
    ['channel-bank/after-close+'],
    ({ a, b }) => [a[2], bare(1, 3), a[0], a[1], ...b],
  ),
  item(
    'channel-bank/open-frame-with-the-closing-number',
    'An open frame with the number of the closing one is a duplicate.',
    ['channel-bank/duplicate-number+'],
    ({ a, b }) => [a[2], { ...a[2], last: false }, a[1], a[0], ...b],
  ),
  item(
    'channel-bank/closing-frame-drops-higher-ones',
    'The closing frame 2 removes the frames 3 and 7 that came before it, or the channel would never be ready.',
    ['channel-bank/close-drops-higher+', 'channel-bank/close-drops-higher-', 'channel-bank/size+'],
    ({ a, b }) => [a[0], bare(1, 3), bare(1, 7), a[2], a[1], ...b],
  ),
  item(
    'channel-bank/highest-number-65535',
    'The highest number of a frame stands open until the closing frame 2 removes it.',
    ['channel-bank/close-drops-higher+', 'channel-bank/ready-'],
    ({ a, b }) => [bare(1, 65_535), ...a, ...b],
  ),
  item(
    'channel-bank/closing-frame-65535',
    'A channel that closes with frame 65535 has room for every number: 65,536 frames, of which all but four are missing.',
    ['channel-bank/ready-', 'channel-bank/after-close+'],
    ({ a, b }) => [bare(1, 65_535, true), ...a, ...b],
  ),
  item(
    'channel-bank/closing-frame-0',
    'A closing frame 0 removes the open frames 1 and 2 and is the whole channel.',
    ['channel-bank/close-drops-higher+', 'channel-bank/ready+'],
    ({ a, b }) => [bare(1, 1), bare(1, 2), { ...a[0], data: concatBytes(a.map(({ data }) => data)), last: true }, ...b],
  ),
  item(
    'channel-bank/before-canyon-only-the-head',
    'Before Canyon the complete second channel waits behind the incomplete first one.',
    ['channel-bank/first-ready-', 'channel-bank/ready-'],
    ({ a, b }) => [a[0], ...b, a[1], a[2]],
    BEFORE_CANYON,
  ),
  item(
    'channel-bank/from-canyon-the-first-ready',
    'From Canyon on the complete second channel is read although the first one is incomplete.',
    ['channel-bank/first-ready+'],
    ({ a, b }) => [a[0], ...b, a[1], a[2]],
    { forks: { delta: null, ecotone: null, fjord: null, granite: null } },
  ),
  curated(
    'channel-bank/canyon-frees-the-second-channel',
    'A complete channel that waits behind an incomplete one is read at the first L1 block of Canyon, which carries no frame.',
    ['channel-bank/first-ready+', 'channel-bank/first-ready-'],
    (s) => {
      const { a, b } = channels(s);
      s.post(12, s.item(a[0], ...b)).post(14, s.item(a[1], a[2]));
    },
    { era: 'before', l1Count: 5, forks: { ...BEFORE_CANYON.forks, canyon: 1036 } },
  ),
  timeout(
    'channel-bank/timeout-equality-lives',
    'A channel opened at block 11 with a timeout of 2 still lives at block 13.',
    ['channel-bank/timeout-', 'channel-bank/timed-out-head-', 'channel-bank/timeout-length-'],
    11,
    13,
    { channelTimeout: 2, ...BEFORE_GRANITE },
  ),
  timeout(
    'channel-bank/timeout-one-block-later',
    'At block 14 the same channel is timed out; its closing frame opens a new one.',
    ['channel-bank/timeout+', 'channel-bank/timed-out-head+'],
    11,
    14,
    { channelTimeout: 2, ...BEFORE_GRANITE },
  ),
  timeout(
    'channel-bank/timeout-of-zero',
    'With a timeout of 0 a channel must be complete in the block that opens it.',
    ['channel-bank/timeout+'],
    11,
    12,
    { channelTimeout: 0, ...BEFORE_GRANITE },
  ),
  timeout(
    'channel-bank/granite-lengthens-a-timeout-of-two',
    'From Granite on the timeout is 50, also where the configured one is 2 and the channel was opened before.',
    ['channel-bank/timeout-length+', 'channel-bank/timeout-length-', 'channel-bank/timeout-'],
    11,
    14,
    { channelTimeout: 2, forks: { granite: 1048 } },
  ),
  timeout(
    'channel-bank/granite-at-fifty-blocks',
    'From Granite on a channel lives for 50 L1 blocks.',
    ['channel-bank/timeout-length+', 'channel-bank/timeout-'],
    11,
    61,
    { l1Times: 1 },
  ),
  timeout(
    'channel-bank/granite-cuts-an-open-channel-off',
    'Opened before Granite with a timeout of 300, closed 51 blocks later in the first block of Granite: timed out.',
    ['channel-bank/timeout-length+', 'channel-bank/timeout-length-', 'channel-bank/timeout+'],
    11,
    62,
    { l1Times: 1, forks: { granite: 1052 } },
  ),
  curated(
    'channel-bank/timed-out-head-frees-the-second-channel',
    'Before Canyon the complete second channel is read once the incomplete first one has timed out.',
    ['channel-bank/timed-out-head+', 'channel-bank/timed-out-head-', 'channel-bank/first-ready-'],
    (s) => {
      const { a, b } = channels(s);
      s.post(11, s.item(a[0])).post(12, s.item(...b));
    },
    { era: 'before', channelTimeout: 2, l1Count: 5, ...BEFORE_CANYON },
  ),
  curated(
    'channel-bank/two-timed-out-heads',
    'Timed-out channels leave the head of the queue one by one before the closing frames of both are loaded.',
    ['channel-bank/timed-out-head+', 'channel-bank/open+'],
    (s) => {
      const { a, b } = channels(s);
      s.post(11, s.item(a[0], b[0])).post(14, s.item(a[1], a[2], b[1], b[2]));
      postRival(s, 14);
    },
    { era: 'before', channelTimeout: 2, l1Count: 5, ...BEFORE_GRANITE },
  ),
  item(
    'channel-bank/small-channels-are-not-pruned',
    'Far below the largest bank size every channel stays.',
    ['channel-bank/prune-', 'channel-bank/timed-out-frame-'],
    ({ a, b }) => [a[0], b[0], bare(3, 0), bare(4, 0), a[1], a[2], b[1], b[2]],
  ),
  item(
    'channel-bank/empty-channel',
    'A channel of one closing frame without data is handed on with no bytes; the reader drops it.',
    ['channel-bank/ready+', 'channel-reader/detect+'],
    ({ b }) => [bare(1, 0, true), ...b],
  ),
];
