/** Curated scenarios that tell a rule from its neighbours where nothing else does: the order of two rules, one second. */

import type { SpanColumns } from '../../src/batch/span-columns.ts';
import type { L2Block } from '../../src/chain/blocks.ts';
import { concatBytes } from '../../src/encoding/bytes.ts';
import type { Scenario, ScenarioOptions } from '../scenario/scenario.ts';
import { transaction } from '../scenario/transactions.ts';
import { NEXT, spanOf, typed } from './batch-kit.ts';
import { bytes, padded, ZLIB } from './channel-kit.ts';
import type { CuratedScenario } from './curated.ts';
import { curated, honest, honestFrames, POSTED, postRival } from './kit.ts';
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

/** The last block before a fork whose first block has to be empty, one second before the fork. */
function justBefore(fork: 'jovian' | 'karst'): CuratedScenario {
  // Block 6 has time 1012.
  const later = fork === 'jovian' ? { jovian: 1013, karst: null } : { jovian: 0, karst: 1013 };
  return curated(
    `single/last-block-before-${fork}`,
    `One second before ${fork === 'jovian' ? 'Jovian' : 'Karst'} a block may carry transactions.`,
    ['single/activation-block-empty-'],
    (s) => s.postBatches(POSTED, [honest(s)]),
    { forks: { isthmus: 0, ...later } },
  );
}

/** A span batch of block 6 that cannot be rebuilt, with nothing behind it in its channel. */
function alone(
  name: string,
  shows: string,
  rule: 'batch-decode/tx-types+' | 'batch-decode/tx-fields+',
  edit: (data: Uint8Array) => Uint8Array,
): CuratedScenario {
  return curated(
    name,
    shows,
    [rule, 'batch-decode/underivable-span-skipped+'],
    (s) => {
      const columns = (honest: SpanColumns): SpanColumns => ({ ...honest, txDatas: honest.txDatas.map(edit) });
      s.postBatches(POSTED, [s.encodeSpan(spanOf(s, [transaction(2)]), { columns })]);
      postRival(s, NEXT);
    },
    { l1Count: 5 },
  );
}

/** One batch, block 6 with zeros behind it, such that its string ends with the byte of that number. */
function filledUp(s: Scenario, total: number): Uint8Array {
  const header = total > 0x100_0000 ? 5 : 4;
  return padded(s, total - header - s.encode(honest(s)).length);
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
  curated(
    'span/overlap-other-transaction-with-other-new-block-before-holocene',
    'A span batch that tells another story of a safe block is dropped whole: its new block is not emitted either.',
    ['span/overlap-content+'],
    (s) => {
      const other = chain(s, s.block(4), [{ transactions: [transaction(99)] }, { transactions: [transaction(98)] }]);
      s.postBatches(POSTED, [s.span(other), honest(s)]);
    },
    { era: 'before', safeStart: 4, safeCount: 2 },
  ),
  justBefore('jovian'),
  justBefore('karst'),
  alone(
    'batch-decode/transaction-type-3-alone-in-its-channel',
    'A span batch with a blob transaction gives nothing.',
    'batch-decode/tx-types+',
    (data) => concatBytes([Uint8Array.of(3), data.subarray(1)]),
  ),
  alone(
    'batch-decode/transaction-without-fields-alone-in-its-channel',
    'A span batch with a transaction of no fields gives nothing.',
    'batch-decode/tx-fields+',
    () => typed(2, []),
  ),
  bytes(
    'channel-reader/limit-passed-by-the-only-batch',
    'Before Fjord: the only batch ends with byte 10,000,001 and is lost.',
    ['channel-reader/limit+'],
    (s) => s.channel([filledUp(s, 10_000_001)], ZLIB),
    { era: 'before', forks: CONFIGURED },
  ),
  bytes(
    'channel-reader/fjord-limit-passed-by-the-only-batch',
    'From Fjord on the only batch ends with byte 100,000,001 and is lost.',
    ['channel-reader/limit+'],
    (s) => s.channel([filledUp(s, 100_000_001)], { algorithm: 'brotli', quality: 5, window: 24 }),
  ),
];
