/** Curated scenarios that tell a rule from its neighbours where nothing else does: the order of two rules, one second. */

import type { L2Block } from '../../src/chain/blocks.ts';
import type { Scenario, ScenarioOptions } from '../scenario/scenario.ts';
import type { CuratedScenario } from './curated.ts';
import { curated, honest, honestFrames, postRival } from './kit.ts';
import { chain } from './story.ts';

/** Time of an L1 block of the small chain. */
const l1Time = (number: number) => 1000 + (number - 10) * 12;

/** Before Fjord and Granite; what is said of drift and timeouts is as configured. */
const CONFIGURED = { fjord: null, granite: null };

/**
 * A span batch from block 5 on that is wrong from the start and undecided at its end, in front of the honest block 6,
 * all at L1 block 10, the newest one. Only an undecided batch keeps the one behind it waiting.
 */
function wrongBeforeUndecided(
  name: string,
  shows: string,
  rule: 'span/start-epoch-too-old+' | 'span/full-epoch+',
  options: ScenarioOptions,
  epochs: readonly number[],
): CuratedScenario {
  return curated(
    name,
    shows,
    [rule],
    (s: Scenario) => {
      const changes = epochs.map((epoch) => ({ epoch, transactions: [] }));
      const blocks: readonly [L2Block, ...L2Block[]] = chain(s, s.block(4), changes);
      s.postBatches(10, [s.span(blocks), honest(s)]);
    },
    { era: 'before', l1Start: 9, safeStart: 3, safeCount: 3, forks: CONFIGURED, ...options },
  );
}

export const mutantScenarios: readonly CuratedScenario[] = [
  curated(
    'channel-bank/canyon-one-second-later',
    'One second before Canyon a complete channel still waits behind one that is not.',
    ['channel-bank/first-ready-'],
    (s) => {
      const [open] = honestFrames(s, 2, 2);
      s.post(12, s.item(open!, ...honestFrames(s)));
    },
    { era: 'before', forks: { canyon: l1Time(12) + 1, delta: null, ecotone: null, ...CONFIGURED } },
  ),
  curated(
    'channel-bank/granite-one-second-later',
    "One second before Granite the configured timeout of one L1 block holds, not Granite's 50.",
    ['channel-bank/timeout-length-', 'channel-bank/timeout+'],
    (s) => {
      const [first, last] = honestFrames(s, 2);
      s.post(12, s.item(first!)).post(14, s.item(last!));
      postRival(s, 14);
    },
    { era: 'before', l1Count: 5, channelTimeout: 1, forks: { granite: l1Time(14) + 1 } },
  ),
  curated(
    'channel-bank/timed-out-id-used-again-at-once',
    'A timed-out channel is removed before the frames of the L1 block are loaded, so that its id is free for them.',
    ['channel-bank/read-before-load+', 'channel-bank/timed-out-head+', 'channel-bank/open+'],
    (s) => {
      const [first] = honestFrames(s, 2);
      s.post(12, s.item(first!)).post(14, s.item(...honestFrames(s)));
    },
    { era: 'before', l1Count: 5, channelTimeout: 1, forks: { granite: null } },
  ),
  wrongBeforeUndecided(
    'span/start-epoch-too-old-before-undecided-drift',
    'A start epoch below that of the block before drops the span batch at once, though its last block is undecided.',
    'span/start-epoch-too-old+',
    { l1Times: [1000, 1007, 1030, 1042], maxSequencerDrift: 6 },
    [9, 10, 10],
  ),
  wrongBeforeUndecided(
    'span/full-epoch-too-old-before-undecided-drift',
    "A new block with an epoch below the safe head's drops the span batch at once, though its last block is undecided.",
    'span/full-epoch+',
    { l1Times: [1000, 1009, 1030, 1042], maxSequencerDrift: 4 },
    [9, 9, 10, 10],
  ),
];
