/** Curated scenarios of span batches that overlap the safe chain. */

import type { L2Block } from '../../src/chain/blocks.ts';
import type { RollupConfig } from '../../src/chain/config.ts';
import { madeUpHash, transaction } from '../scenario/transactions.ts';
import type { CuratedScenario } from './curated.ts';
import { chain, onBothSides, postSuspect, story } from './story.ts';

/** The scenarios with the safe head as the block that has the number of L2 genesis, and what else genesis says. */
function withGenesis(
  scenarios: readonly CuratedScenario[],
  genesisOf: (head: L2Block) => Partial<RollupConfig['genesis']>,
): CuratedScenario[] {
  return scenarios.map((scenario) => ({
    ...scenario,
    build: () => {
      const vector = scenario.build();
      const head = vector.l2[vector.l2.length - 1]!;
      const l2 = { number: head.number, hash: head.hash };
      return { ...vector, config: { ...vector.config, genesis: { ...vector.config.genesis, l2, ...genesisOf(head) } } };
    },
  }));
}

export const spanOverlapScenarios: readonly CuratedScenario[] = [
  ...onBothSides({
    name: 'span/overlap-one-block',
    shows: 'a span batch repeats the safe head and goes on',
    rules: ['span/overlap-content-', 'span/new-blocks-', 'span/new-blocks+'],
    post: (s) => s.postBatches(12, [s.span(s.blocks(3, 5))]),
  }),
  ...onBothSides({
    name: 'span/overlap-across-epochs',
    shows: 'a span batch repeats blocks of two epochs and goes on into a third one',
    rules: ['span/overlap-content-'],
    post: (s) => {
      s.postBatches(12, [s.span(s.blocks(2))], { id: 1 });
      s.postBatches(13, [s.span(s.blocks(9, 4))], { id: 2 });
    },
  }),
  ...onBothSides({
    name: 'span/overlap-of-derived-blocks',
    shows: 'each span batch repeats all that was derived before',
    rules: ['span/overlap-content-'],
    post: (s) => {
      for (const [index, count] of [1, 2, 3].entries()) s.postBatches(12, [s.span(s.blocks(count))], { id: index });
    },
  }),
  ...onBothSides({
    name: 'span/overlap-of-empty-blocks',
    shows: 'overlapped blocks without transactions',
    rules: ['span/overlap-content-'],
    options: { transactions: (number) => (number < 6 ? [] : [transaction(number)]) },
    post: (s) => s.postBatches(12, [s.span(s.blocks(4, 4))]),
  }),
  ...onBothSides({
    name: 'span/overlap-other-transaction',
    shows: 'an overlapped block has another transaction in the span batch',
    rules: ['span/overlap-content+'],
    post: (s) => {
      const other = chain(s, s.block(4), [{ transactions: [transaction(99)] }, {}, {}]);
      postSuspect(s, 12, s.span(other), [s.span(s.blocks(2))]);
    },
  }),
  story('before', {
    name: 'span/overlap-of-undecodable-block-before-holocene',
    shows: 'the safe head holds a transaction of a type that nobody knows, and the span batch another one in its place',
    rules: ['span/overlap-content+'],
    options: { transactions: (number) => (number === 5 ? [Uint8Array.of(5)] : [transaction(number)]) },
    post: (s) => {
      const other = chain(s, s.block(4), [{ transactions: [transaction(99)] }, {}, {}]);
      postSuspect(s, 12, s.span(other), [s.span(s.blocks(2))]);
    },
  }),
  ...onBothSides({
    name: 'span/overlap-transaction-missing',
    shows: 'an overlapped block has fewer transactions in the span batch',
    rules: ['span/overlap-content+'],
    post: (s) => {
      const fewer = chain(s, s.block(4), [{ transactions: [] }, {}, {}]);
      postSuspect(s, 12, s.span(fewer), [s.span(s.blocks(2))]);
    },
  }),
  ...onBothSides({
    name: 'span/overlap-transaction-added',
    shows: 'an overlapped block has more transactions in the span batch',
    rules: ['span/overlap-content+'],
    post: (s) => {
      const more = chain(s, s.block(4), [{ transactions: [transaction(5), transaction(99)] }, {}, {}]);
      postSuspect(s, 12, s.span(more), [s.span(s.blocks(2))]);
    },
  }),
  ...onBothSides({
    name: 'span/overlap-transactions-swapped',
    shows: 'an overlapped block has its transactions in another order in the span batch',
    rules: ['span/overlap-content+'],
    options: { transactions: (number) => [transaction(number), transaction(number + 100, 'legacy')] },
    post: (s) => {
      const swapped = chain(s, s.block(4), [{ transactions: s.block(5).transactions.toReversed() }, {}, {}]);
      postSuspect(s, 12, s.span(swapped), [s.span(s.blocks(2))]);
    },
  }),
  ...onBothSides({
    name: 'span/overlap-other-epoch',
    shows: 'an overlapped block has an earlier L1 origin in the span batch',
    rules: ['span/overlap-content+'],
    before: ['span/full-epoch-'],
    post: (s) => {
      s.postBatches(12, [s.single(s.block(6)), s.single(s.block(7))], { id: 1 });
      // Block 6 is the first of epoch 11; here epoch 10 goes on until block 7.
      const stays = chain(s, s.block(5), [{ epoch: 10 }, { epoch: 11 }, {}, {}]);
      s.postBatches(12, [s.span(stays), s.span(s.blocks(2, 8))], { id: 2 });
      s.postBatches(14, [s.span(s.blocks(2, 8))], { id: 3 });
    },
  }),
  ...onBothSides({
    name: 'span/overlap-second-block-differs',
    shows: 'the first overlapped block is the same, the second one is not',
    rules: ['span/overlap-content-', 'span/overlap-content+'],
    post: (s) => {
      const other = [s.block(4), ...chain(s, s.block(4), [{ transactions: [] }, {}])] as const;
      postSuspect(s, 12, s.span([...other]), [s.span(s.blocks(2))]);
    },
  }),
  ...onBothSides({
    name: 'span/overlap-new-block-transactions-only',
    shows: 'only overlapped blocks are compared: a new block may carry anything',
    rules: ['span/overlap-content-'],
    post: (s) => {
      const free = chain(s, s.block(5), [{ transactions: [transaction(99), transaction(98)] }]);
      s.postBatches(12, [s.span([s.block(5), ...free])]);
    },
  }),
  ...onBothSides({
    name: 'span/overlap-of-empty-batches',
    shows: 'a late span batch repeats, as empty blocks, what the expired window filled in',
    rules: ['span/overlap-content-', 'empty/window-over+'],
    options: { safeCount: 2, seqWindowSize: 4 },
    post: (s) => {
      // Block 5 is filled in at L1 block 14; by its own epoch the span batch would be late, so it starts behind it.
      const filled = chain(s, s.block(4), [{ transactions: [] }]);
      const rest = chain(s, filled[0], [{ epoch: 11 }, {}, {}]);
      s.postBatches(15, [s.single(rest[0]), s.span(rest)]);
    },
  }),
  ...withGenesis(
    onBothSides({
      name: 'span/overlap-of-genesis',
      shows: 'a span batch repeats the block of L2 genesis',
      rules: ['span/overlap-content-'],
      post: (s) => s.postBatches(12, [s.span(s.blocks(3, 5))]),
    }),
    () => ({}),
  ),
  ...withGenesis(
    onBothSides({
      name: 'span/overlap-of-genesis-with-another-hash',
      shows: 'an overlapped block has the number of L2 genesis and not its hash',
      rules: ['span/overlap-content+'],
      post: (s) => postSuspect(s, 12, s.span(s.blocks(3, 5)), [s.span(s.blocks(2))]),
    }),
    ({ number }) => ({ l2: { number, hash: madeUpHash('another genesis', 0) } }),
  ),
  ...withGenesis(
    onBothSides({
      name: 'span/overlap-of-genesis-with-another-origin',
      shows: "an overlapped block is L2 genesis, and the span batch's epoch is not that of genesis",
      rules: ['span/overlap-content+'],
      post: (s) => postSuspect(s, 12, s.span(s.blocks(3, 5)), [s.span(s.blocks(2))]),
    }),
    ({ l1Origin }) => ({ l1: { number: l1Origin.number - 1n, hash: madeUpHash('l1', 9) } }),
  ),
];
