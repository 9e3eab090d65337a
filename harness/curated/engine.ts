/** Curated scenarios of what the execution engine answers: payloads that it refuses. */

import type { CuratedScenario } from './curated.ts';
import { chain, onBothSides, safeHead, story } from './story.ts';

export const engineScenarios: readonly CuratedScenario[] = [
  ...onBothSides({
    name: 'engine/single-refused',
    shows: 'the payload of a single batch is refused: replaced and flushed from Holocene on, without effect before it',
    rules: [],
    before: ['engine/deposits-only-', 'engine/replacement-flushes-'],
    after: ['engine/deposits-only+', 'engine/replacement-flushes+'],
    options: { invalidBlocks: [6] },
    post: (s) => s.postBatches(12, [s.single(s.block(6)), s.single(s.block(7))]),
  }),
  ...onBothSides({
    name: 'engine/middle-of-span-refused',
    shows: 'the payload of a block in the middle of a span batch is refused: the rest of it is lost from Holocene on',
    rules: [],
    before: ['engine/deposits-only-'],
    after: ['engine/deposits-only+', 'batch-validator/flush-scope+'],
    options: { invalidBlocks: [7] },
    post: (s) => {
      s.postBatches(12, [s.span(s.blocks(4))], { id: 1 });
      s.postBatches(13, [s.span(s.blocks(2, 8))], { id: 2 });
    },
  }),
  story('after', {
    name: 'engine/last-of-span-refused',
    shows: 'the payload of the last block of a span batch is refused: the flush hits the rest of the channel',
    rules: ['engine/deposits-only+', 'engine/replacement-flushes+'],
    options: { invalidBlocks: [7] },
    post: (s) => {
      const replaced = chain(s, s.block(6), [{ transactions: [] }, {}]);
      s.postBatches(12, [s.span(s.blocks(2)), s.single(replaced[1]!)], { id: 1 });
    },
  }),
  story('after', {
    name: 'engine/next-channel-on-replacement',
    shows: 'the next channel of the same L1 block builds on the replacement and is used',
    rules: ['engine/deposits-only+'],
    options: { invalidBlocks: [6] },
    post: (s) => {
      const [, follows] = chain(s, safeHead(s), [{ transactions: [] }, {}]);
      s.postBatches(12, [s.single(s.block(6)), s.single(s.block(7))], { id: 1 });
      s.postBatches(12, [s.single(follows!)], { id: 2 });
    },
  }),
  story('after', {
    name: 'engine/next-span-on-refused-block',
    shows: 'a span batch that builds on the refused block is dropped: the safe head is its replacement',
    rules: ['engine/deposits-only+', 'span/parent-check+'],
    options: { invalidBlocks: [6] },
    post: (s) => {
      s.postBatches(12, [s.single(s.block(6))], { id: 1 });
      s.postBatches(13, [s.span(s.blocks(2, 7))], { id: 2 });
    },
  }),
  story('after', {
    name: 'engine/span-repeats-refused-block',
    shows: 'a later span batch repeats the refused block with its transactions: it differs from the replacement',
    rules: ['engine/deposits-only+', 'span/overlap-content+'],
    options: { invalidBlocks: [6] },
    post: (s) => {
      s.postBatches(12, [s.span(s.blocks(3))], { id: 1 });
      s.postBatches(13, [s.span(s.blocks(3))], { id: 2 });
    },
  }),
  story('after', {
    name: 'engine/span-repeats-replacement',
    shows: 'a later span batch repeats the replacement, without transactions, and goes on',
    rules: ['engine/deposits-only+', 'span/overlap-content-'],
    options: { invalidBlocks: [6] },
    post: (s) => {
      const replaced = chain(s, safeHead(s), [{ transactions: [] }, {}, {}]);
      s.postBatches(12, [s.span(s.blocks(3))], { id: 1 });
      s.postBatches(13, [s.span(replaced)], { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'engine/empty-batch-for-refused-number',
    shows: 'an empty batch is never refused',
    rules: ['engine/deposits-only-', 'engine/replacement-flushes-'],
    options: { invalidBlocks: [6, 7] },
    post: (s) =>
      s.postBatches(
        12,
        chain(s, safeHead(s), [{ transactions: [] }, { transactions: [] }, {}]).map((block) => s.single(block)),
      ),
  }),
  ...onBothSides({
    name: 'engine/filled-up-batch-for-refused-number',
    shows: 'an empty batch of an expired window is never refused',
    rules: ['engine/deposits-only-', 'empty/window-over+'],
    options: { invalidBlocks: [5, 6], safeCount: 2, seqWindowSize: 2, l1Count: 4 },
    post: () => {},
  }),
  story('after', {
    name: 'engine/every-block-refused',
    shows: 'every payload is refused: one block a channel',
    rules: ['engine/deposits-only+', 'engine/replacement-flushes+'],
    options: { invalidBlocks: [6, 7, 8] },
    post: (s) => {
      const replaced = chain(s, safeHead(s), [{ transactions: [] }, { transactions: [] }, { transactions: [] }]);
      s.postBatches(12, [s.single(s.block(6)), s.single(s.block(7))], { id: 1 });
      s.postBatches(12, [s.single(s.build(replaced[0]))], { id: 2 });
      s.postBatches(12, [s.single(s.build(replaced[1]!))], { id: 3 });
    },
  }),
  story('after', {
    name: 'engine/refused-at-own-epoch',
    shows:
      'a refused block of the carrying L1 block as its epoch: replaced, flushed, and the rest of the L1 block thrown away',
    rules: ['engine/deposits-only+', 'batch-validator/drain+'],
    options: { invalidBlocks: [6] },
    post: (s) => {
      s.postBatches(11, [s.span(s.blocks(3))], { id: 1 });
      s.postBatches(11, [s.single(s.block(7))], { id: 2 });
    },
  }),
  ...(
    [
      ['one-second-before', 1023, '+'],
      ['at-its-time', 1024, '+'],
      ['one-second-after', 1025, '-'],
    ] as const
  ).map(([name, holocene, side]) =>
    story('across', {
      name: `engine/holocene-${name}`,
      shows: `the L1 block derived from decides: it lies at 1024 and Holocene activates at ${holocene}`,
      rules: [`engine/deposits-only${side}`],
      options: { invalidBlocks: [7], forks: { holocene } },
      post: (s) => s.postBatches(12, [s.span(s.blocks(3))]),
    }),
  ),
  story('across', {
    name: 'engine/refused-before-and-after-activation',
    shows: 'the same span batch continues across the activation: a refusal counts only in the L1 blocks behind it',
    rules: ['engine/deposits-only-', 'engine/deposits-only+'],
    options: { invalidBlocks: [6, 8] },
    post: (s) => {
      s.postBatches(11, [s.span(s.blocks(2))], { id: 1 });
      s.postBatches(12, [s.span(s.blocks(2, 8))], { id: 2 });
      s.postBatches(13, [s.span(s.blocks(2, 9))], { id: 3 });
    },
  }),
];
