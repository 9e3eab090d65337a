/** Plans as fast-check draws them: all shares of the random mode stand in this file and in `parts.ts`. */

import fc from 'fast-check';
import { corner, costlyCorner, largeCorner } from './corners.ts';
import {
  chain,
  channel,
  compression,
  contentsOf,
  fault,
  faults,
  holocene,
  kind,
  lateFork,
  oneOf,
  tail,
} from './parts.ts';
import type { BatchPlan, ChannelPlan, VectorPlan } from './plan.ts';

/** Anything: most of these plans have something wrong somewhere. */
const anyPlan: fc.Arbitrary<VectorPlan> = fc.record({
  chain,
  channels: fc.array(channel, { minLength: 1, maxLength: 4, size: 'max' }),
  faults,
  tail,
});

const validBatch: fc.Arbitrary<BatchPlan> = fc.record({
  kind: oneOf<BatchPlan['kind']>('single', 'span'),
  skip: fc.constant(0),
  length: oneOf(1, 2, 3, 4),
  pace: oneOf<BatchPlan['pace']>('eager', 'eager', 'behind', 'lazy'),
  branch: fc.constant(false),
});

const validChannel: fc.Arbitrary<ChannelPlan> = fc.record({
  base: oneOf<ChannelPlan['base']>('continue', 'derived'),
  id: oneOf(1, 2, 0),
  delay: oneOf(0, 1, 2),
  early: fc.constant(false),
  batches: fc.array(validBatch, { minLength: 1, maxLength: 3 }),
  compression,
  frames: oneOf(1, 2, 3),
  perItem: oneOf(4, 2, 1),
  // A channel that lies in one L1 block is never cut by Holocene's activation.
  gap: fc.constant(0),
  interleaved: fc.constant(false),
});

/** All is well: every batch is accepted, and every planned block derived. */
export function validVectorPlan(): fc.Arbitrary<VectorPlan> {
  return fc.record({
    chain: fc.record({
      blockTime: oneOf(2, 1, 3, 4),
      l1Gaps: fc.array(oneOf(12, 4, 3, 6), { minLength: 1, maxLength: 3 }),
      lead: oneOf(0, 1, 2, 4),
      maxSequencerDrift: fc.constant(600),
      safeHead: oneOf(5, 3, 0, 8),
      shown: oneOf(4, 2, 1),
      catchUp: oneOf(...new Array<number>(24).fill(0), 1),
      seqWindowSize: oneOf(3600, 100),
      channelTimeout: oneOf(300, 4),
      holocene,
      forks: lateFork.map(([fork, point]) => (fork === 'isthmus' ? { isthmus: point } : {})),
      contents: contentsOf(kind),
      refused: fc.constant([]),
    }),
    channels: fc.array(validChannel, { minLength: 1, maxLength: 4, size: 'max' }),
    faults: fc.constant([]),
    tail: oneOf(1, 0, 2),
  });
}

/** One thing is wrong in a story where nothing else is. */
const oneFault: fc.Arbitrary<VectorPlan> = fc
  .record({ story: validVectorPlan(), fault })
  .map(({ story, fault: wrong }) => ({ ...story, faults: [wrong] }));

/** How many of a hundred thousand plans are of which sort. */
const SHARES = { anything: 70_332, valid: 11_000, oneFault: 9_000, corner: 9_600, costly: 66, large: 2 } as const;

/** A plan. */
export function vectorPlan(): fc.Arbitrary<VectorPlan> {
  return fc.oneof(
    { weight: SHARES.anything, arbitrary: anyPlan },
    { weight: SHARES.valid, arbitrary: validVectorPlan() },
    { weight: SHARES.oneFault, arbitrary: oneFault },
    { weight: SHARES.corner, arbitrary: corner },
    { weight: SHARES.costly, arbitrary: costlyCorner },
    { weight: SHARES.large, arbitrary: largeCorner },
  );
}
