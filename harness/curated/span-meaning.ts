/** Curated scenarios of what a span batch's columns mean: the times and epochs of its blocks. */

import { bitListLength } from '../../src/encoding/bit-list.ts';
import { columns, doubt } from './batch-kit.ts';
import type { CuratedScenario } from './curated.ts';

const MAX_U64 = 0xffff_ffff_ffff_ffffn;

export const spanMeaningScenarios: readonly CuratedScenario[] = [
  columns(
    'span/timestamp-that-wraps-around-at-once',
    'A relative timestamp of 2⁶⁴ − 1 is one second before genesis (A38).',
    ['span/timestamps+'],
    () => ({ relTimestamp: MAX_U64 }),
  ),
  columns(
    'span/timestamp-that-wraps-around-inside',
    'The first block at 2⁶⁴ − 2, the second at 0 (A38).',
    ['span/timestamps+'],
    () => ({ relTimestamp: MAX_U64 - 1001n }),
  ),
  columns(
    'span/timestamp-at-the-end',
    'The second block at 2⁶⁴ − 1 is the last that does not wrap around.',
    ['span/timestamps-'],
    () => ({
      relTimestamp: MAX_U64 - 1002n,
    }),
  ),
  columns(
    'span/before-holocene-timestamp-that-wraps-around',
    'The wrap-around before Holocene.',
    ['span/timestamps+'],
    () => ({ relTimestamp: MAX_U64 - 1001n }),
    { era: 'before' },
  ),
  columns(
    'span/first-origin-bit',
    'The first block’s origin bit has no effect.',
    ['span/epochs-', 'span/timestamps-'],
    () => ({
      originBits: Uint8Array.of(0b01),
    }),
  ),
  columns(
    'span/second-origin-bit',
    'The second block’s origin bit makes the first block keep L1 origin 10 of the safe head.',
    ['span/epochs+'],
    () => ({ originBits: Uint8Array.of(0b10) }),
  ),
  doubt(
    'span/origin-bits-of-a-real-step',
    'Seven blocks, the last of which takes up L1 block 12.',
    ['span/epochs+', 'span/epochs-'],
    (s) => s.span(s.blocks(7)),
  ),
  columns(
    'span/epoch-below-zero',
    'The last block has epoch 0 and its origin bit is set: the first block’s epoch is 2⁶⁴ − 1.',
    ['span/epochs+'],
    () => ({ l1OriginNum: 0n, originBits: Uint8Array.of(0b11) }),
  ),
  columns('span/many-steps-of-epoch', 'Every block takes up a new epoch.', ['span/epochs+'], () => ({
    blockCount: 9n,
    originBits: new Uint8Array(bitListLength(9)).fill(1),
    blockTxCounts: [1n, 0n, 0n, 2n, 0n, 0n, 0n, 0n, 0n],
    l1OriginNum: 12n,
  })),
];
