/**
 * Vectors that are too large to be stored, or small ones for a rule set with smaller limits: they kill the mutants that
 * no stored vector can.
 */

import type { L2Block } from '../../src/chain/blocks.ts';
import { concatBytes } from '../../src/encoding/bytes.ts';
import type { Frame } from '../../src/frame.ts';
import type { Variant } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { channelId, type Era, Scenario, type ScenarioOptions } from '../scenario/scenario.ts';

export interface LargeCase {
  /** The rule set in place of the base. */
  readonly base?: Variant;
  readonly vector: Vector;
}

const BEDROCK = { fjord: null, granite: null };

function build(name: string, era: Era, post: (s: Scenario) => void, options: ScenarioOptions = {}): Vector {
  const scenario = new Scenario({ era, ...options });
  post(scenario);
  return scenario.vector(name);
}

const blockSix = (s: Scenario) => s.channel([s.single(s.block(6))]);

/** Block 6 in one frame that is filled up, behind the compressed stream, to a length. */
function longFrame(length: number): Vector {
  return build(`frame-of-${length}-bytes`, 'after', (s) => {
    const data = blockSix(s);
    const padded = concatBytes([data, new Uint8Array(length - data.length)]);
    s.post(12, s.item(...s.frames(padded)));
  });
}

/** Bytes of a bank of two channels that together count for 1,000 bytes: each frame counts 200 bytes besides its data. */
const SMALL_BANK: Variant = {
  name: 'small-bank',
  constants: { MAX_CHANNEL_BANK_SIZE_BEDROCK: 1000n, MAX_CHANNEL_BANK_SIZE_FJORD: 1000n },
};

function bank(name: string, options: ScenarioOptions, post: (data: Uint8Array) => readonly Frame[]): LargeCase {
  return {
    base: SMALL_BANK,
    vector: build(name, 'before', (s) => void s.post(12, s.item(...post(blockSix(s)))), options),
  };
}

function frame(id: number, number: number, data: Uint8Array, last = false): Frame {
  return { channel: channelId(id), number, data, last };
}

/** Channel 1's last frame fills the bank to a size. */
function filled(size: number, options: ScenarioOptions): LargeCase {
  return bank(`bank-of-${size}-bytes`, options, (data) => {
    const half = data.length >> 1;
    return [
      frame(1, 0, data.subarray(0, half)),
      frame(2, 0, new Uint8Array(size - 600 - data.length)),
      frame(1, 1, data.subarray(half), true),
    ];
  });
}

/**
 * Channel 1 is closed by frame 2, below or above whatever it holds, and complete behind a frame of channel 2. If its
 * frame 0 does not count, the bank holds 1,000 bytes in the end; if it does, 250 more.
 */
function closed(where: 'below' | 'above'): LargeCase {
  return bank(`channel-closed-${where}-held-frames`, {}, (data) => [
    frame(1, 0, data.subarray(0, 50)),
    ...(where === 'below' ? [frame(1, 3, new Uint8Array(10))] : []),
    frame(1, 2, data.subarray(50), true),
    frame(2, 0, new Uint8Array(450 - data.length)),
    frame(1, 1, new Uint8Array(0)),
  ]);
}

function span(blocks: number): LargeCase {
  return {
    base: { name: 'three-elements', constants: { MAX_SPAN_BATCH_ELEMENT_COUNT: 3n } },
    vector: build(`span-batch-of-${blocks}-blocks`, 'after', (s) => {
      const [first, ...rest] = s.blocks(blocks);
      const all: readonly [L2Block, ...L2Block[]] = [first, ...rest];
      s.postBatches(12, [s.span(all)]);
    }),
  };
}

/** Bytes of content of one channel, and the limit for it. */
const CONTENT = 500n;

/** Made when asked for: together they take some megabytes. */
export function largeCases(): LargeCase[] {
  return [
    { vector: longFrame(1_000_000) },
    { vector: longFrame(1_000_001) },
    ...[BEDROCK, {}].flatMap((forks) => [filled(1000, { forks }), filled(1001, { forks })]),
    closed('below'),
    closed('above'),
    {
      base: { name: 'small-channels', constants: { MAX_RLP_BYTES_PER_CHANNEL_FJORD: 300n } },
      vector: build(
        'staging-channel-above-the-limit',
        'after',
        (s) => void s.post(12, s.item(...s.frames(blockSix(s)))),
      ),
    },
    {
      base: { name: 'small-content', constants: { MAX_RLP_BYTES_PER_CHANNEL_FJORD: CONTENT } },
      vector: build('content-up-to-the-limit', 'before', (s) => {
        const batch = s.encode(s.single(s.block(6)));
        // A string of more than 255 bytes has a header of three.
        s.postBatches(12, [concatBytes([batch, new Uint8Array(Number(CONTENT) - 3 - batch.length)])]);
      }),
    },
    span(3),
    span(4),
  ];
}
