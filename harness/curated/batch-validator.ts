/** Curated scenarios of the batch stream and the batch validator, from Holocene on. */

import { madeUpHash } from '../scenario/transactions.ts';
import type { CuratedScenario } from './curated.ts';
import { chain, safeHead, story } from './story.ts';

const WRONG_CHECK = { parentCheck: madeUpHash('nobody', 1).subarray(0, 20) } as const;

const drain: readonly CuratedScenario[] = [
  story('after', {
    name: 'batch-validator/drain-valid-batches',
    shows: "good batches in the L1 block of the safe head's origin are thrown away, and used when they come again",
    rules: ['batch-validator/drain+', 'batch-validator/drain-'],
    options: { safeCount: 2 },
    post: (s) => {
      s.postBatches(10, [s.single(s.block(5)), s.span(s.blocks(2, 6))], { id: 1 });
      s.postBatches(11, [s.single(s.block(5))], { id: 2 });
      s.postBatches(12, [s.span(s.blocks(2, 6))], { id: 3 });
    },
  }),
  story('after', {
    name: 'batch-validator/drain-invalid-span',
    shows:
      'while batches are thrown away none of them is judged: an invalid span batch makes no flush, and its channel is read to the end',
    rules: ['batch-validator/drain+'],
    post: (s) => {
      s.postBatches(10, [s.span(s.blocks(2), WRONG_CHECK), s.single(s.block(6)), s.single(s.block(7))]);
      s.postBatches(12, [s.single(s.block(6))], { id: 2 });
    },
  }),
  story('after', {
    name: 'batch-validator/drain-valid-span',
    shows: 'a span batch that would be accepted is thrown away whole',
    rules: ['batch-validator/drain+'],
    options: { safeCount: 2 },
    post: (s) => {
      s.postBatches(10, [s.span(s.blocks(1)), s.single(s.block(6)), s.span(s.blocks(1))]);
      s.postBatches(12, [s.span(s.blocks(2))], { id: 2 });
    },
  }),
  story('after', {
    name: 'batch-validator/drain-keeps-staging-channel',
    shows: "a channel begun in the L1 block of the safe head's origin is completed later and used",
    rules: ['batch-validator/drain+'],
    post: (s) => {
      const [first, second] = s.frames(s.channel([s.span(s.blocks(3))]), 2);
      s.post(10, s.item(first!)).post(12, s.item(second!));
    },
  }),
  story('after', {
    name: 'batch-validator/own-epoch-single',
    shows: 'once a batch of the carrying L1 block as its epoch is used, the rest of that block is thrown away',
    rules: ['batch-validator/drain+', 'batch-validator/drain-'],
    post: (s) => {
      s.postBatches(11, [s.single(s.block(6)), s.single(s.block(7)), s.single(s.block(8))], { id: 1 });
      s.postBatches(12, [s.single(s.block(7)), s.single(s.block(8))], { id: 2 });
    },
  }),
  story('after', {
    name: 'batch-validator/own-epoch-span',
    shows: 'the rest of a span batch whose epoch is its own L1 block waits for the next L1 block',
    rules: ['batch-validator/drain+', 'batch-validator/lazy-span-'],
    post: (s) => s.postBatches(11, [s.span(s.blocks(3))]),
  }),
  story('after', {
    name: 'batch-validator/own-epoch-span-with-batches-behind',
    shows: 'while the rest of a span batch waits, batches behind it are thrown away, not judged',
    rules: ['batch-validator/drain+', 'batch-validator/lazy-span-'],
    post: (s) => {
      s.postBatches(11, [s.span(s.blocks(3)), s.single(s.block(9)), s.span(s.blocks(2, 9))], { id: 1 });
      s.postBatches(11, [s.span(s.blocks(2, 9), WRONG_CHECK)], { id: 2 });
      s.postBatches(12, [s.single(s.block(9))], { id: 3 });
    },
  }),
  story('after', {
    name: 'batch-validator/own-epoch-invalid-block-behind',
    shows: 'a block of the waiting span batch turns out invalid when its turn comes, one L1 block later',
    rules: ['batch-validator/drain+', 'batch-validator/single-drop+'],
    post: (s) => {
      // The third block claims epoch 12 before its time.
      const early = chain(s, s.block(7), [{ epoch: 12 }]);
      s.postBatches(12, [s.span([s.block(6), s.block(7), ...early])], { id: 1 });
      s.postBatches(13, [s.single(s.block(8))], { id: 2 });
    },
  }),
];

const partial: readonly CuratedScenario[] = [
  story('after', {
    name: 'batch-validator/partly-invalid-span',
    shows:
      'a later block of a span batch is invalid: those before it stay, it and those behind it are lost with their channel',
    rules: [
      'batch-validator/lazy-span-',
      'batch-validator/single-drop+',
      'batch-validator/flush-scope+',
      'single/min-time+',
    ],
    post: (s) => {
      const early = chain(s, s.block(7), [{ epoch: 12 }, {}]);
      s.postBatches(13, [s.span([s.block(6), s.block(7), ...early]), s.single(s.block(8))], { id: 1 });
      s.postBatches(13, [s.single(s.block(8)), s.single(s.block(9))], { id: 2 });
    },
  }),
  story('after', {
    name: 'batch-validator/first-block-of-span-invalid',
    shows: 'the first block of an accepted span batch is invalid: nothing of it is used',
    rules: ['batch-validator/single-drop+', 'single/min-time+'],
    options: { l1Times: [1000, 1013, 1025, 1037, 1049, 1061] },
    post: (s) => {
      const early = chain(s, safeHead(s), [{ epoch: 11 }, {}]);
      s.postBatches(12, [s.span(early)], { id: 1 });
      s.postBatches(12, [s.single(s.block(6))], { id: 2 });
    },
  }),
  story('after', {
    name: 'batch-validator/last-block-of-span-invalid',
    shows:
      'only the last block of a span batch is invalid: the flush hits no further block, but the rest of the channel',
    rules: ['batch-validator/single-drop+', 'single/min-time+'],
    post: (s) => {
      const early = chain(s, s.block(7), [{ epoch: 12 }]);
      s.postBatches(13, [s.span([s.block(6), s.block(7), ...early]), s.single(s.block(8))], { id: 1 });
    },
  }),
  story('after', {
    name: 'batch-validator/drift-in-span',
    shows: 'a span batch runs past the drift with transactions: it is cut there',
    rules: ['single/drift-with-transactions+', 'batch-validator/single-drop+'],
    options: { blockTime: 900, safeStart: 0, safeCount: 1, l1Times: [1000, 6000, 6012, 6024] },
    post: (s) => {
      s.postBatches(11, [s.span(s.blocks(4))], { id: 1 });
      s.postBatches(12, [s.single(chain(s, s.block(2), [{ transactions: [] }])[0])], { id: 2 });
    },
  }),
  story('after', {
    name: 'batch-validator/next-span-overlaps-used-part',
    shows: 'after a partly invalid span batch the next one repeats the used part and goes on',
    rules: ['batch-validator/single-drop+', 'span/overlap-content-'],
    post: (s) => {
      const early = chain(s, s.block(7), [{ epoch: 12 }]);
      s.postBatches(13, [s.span([s.block(6), s.block(7), ...early])], { id: 1 });
      s.postBatches(13, [s.span(s.blocks(4))], { id: 2 });
    },
  }),
];

const flushes: readonly CuratedScenario[] = [
  story('after', {
    name: 'batch-validator/span-dropped-same-block',
    shows: 'an invalid span batch flushes, and reading goes on with the next channel of the same L1 block',
    rules: ['batch-validator/span-drop+', 'batch-validator/flush-scope+'],
    post: (s) => {
      s.postBatches(12, [s.span(s.blocks(2), WRONG_CHECK), s.span(s.blocks(2))], { id: 1 });
      s.postBatches(12, [s.span(s.blocks(2))], { id: 2 });
    },
  }),
  story('after', {
    name: 'batch-validator/span-dropped-same-item',
    shows: 'frames of later channels in the same item survive the flush of an invalid span batch',
    rules: ['batch-validator/span-drop+', 'batch-validator/flush-scope+'],
    post: (s) => {
      const bad = s.frames(s.channel([s.span(s.blocks(2), WRONG_CHECK)]), 1, 1);
      const good = s.frames(s.channel([s.span(s.blocks(2))]), 2, 2);
      s.post(12, s.item(...bad, ...good));
    },
  }),
  story('after', {
    name: 'batch-validator/span-dropped-next-block',
    shows: 'the data of the L1 block behind the one with an invalid span batch is read as ever',
    rules: ['batch-validator/span-drop+'],
    post: (s) => {
      s.postBatches(12, [s.span(s.blocks(2), WRONG_CHECK)], { id: 1 });
      s.postBatches(13, [s.span(s.blocks(2))], { id: 2 });
    },
  }),
  story('after', {
    name: 'batch-validator/span-dropped-twice',
    shows: 'two invalid span batches in one L1 block, each in its own channel: two flushes',
    rules: ['batch-validator/span-drop+'],
    post: (s) => {
      for (const id of [1, 2]) s.postBatches(12, [s.span(s.blocks(2), WRONG_CHECK)], { id });
      s.postBatches(15, [s.single(s.block(6))], { id: 3 });
    },
  }),
  story('after', {
    name: 'batch-validator/single-dropped-same-item',
    shows: 'frames of later channels in the same item survive the flush of an invalid single batch',
    rules: ['batch-validator/single-drop+', 'batch-validator/flush-scope+'],
    post: (s) => {
      const wrong = { ...s.single(s.block(6)), epochHash: madeUpHash('other l1', 11) };
      const bad = s.frames(s.channel([wrong, s.single(s.block(6))]), 1, 1);
      const good = s.frames(s.channel([s.single(s.block(6))]), 2, 2);
      s.post(12, s.item(...bad, ...good));
    },
  }),
  story('after', {
    name: 'batch-validator/good-batches-before-dropped-one',
    shows: 'batches in front of an invalid one in the same channel stay',
    rules: ['batch-validator/single-drop+'],
    post: (s) => {
      const [first, second, third] = s.blocks(3).map((block) => s.single(block));
      s.postBatches(12, [first!, { ...second!, epochHash: madeUpHash('other l1', 11) }, second!, third!], { id: 1 });
      s.postBatches(13, [second!], { id: 2 });
    },
  }),
  story('after', {
    name: 'batch-validator/span-behind-dropped-single',
    shows: 'a good span batch behind an invalid single batch is lost with the channel',
    rules: ['batch-validator/single-drop+'],
    post: (s) => {
      const wrong = { ...s.single(s.block(6)), epochHash: madeUpHash('other l1', 11) };
      s.postBatches(12, [wrong, s.span(s.blocks(2))], { id: 1 });
      s.postBatches(13, [s.single(s.block(6))], { id: 2 });
    },
  }),
  story('after', {
    name: 'batch-validator/flush-then-staging-channel',
    shows: 'a channel begun behind a flush in the same L1 block is completed in the next one',
    rules: ['batch-validator/flush-scope+', 'batch-validator/single-drop+'],
    post: (s) => {
      const wrong = { ...s.single(s.block(6)), epochHash: madeUpHash('other l1', 11) };
      const [first, second] = s.frames(s.channel([s.single(s.block(6)), s.single(s.block(7))]), 2, 2);
      s.postBatches(12, [wrong], { id: 1 }).post(12, s.item(first!)).post(13, s.item(second!));
    },
  }),
  story('after', {
    name: 'batch-validator/flushed-channel-sent-again',
    shows: 'the flushed channel may be sent again under the same id',
    rules: ['batch-validator/flush-scope+'],
    post: (s) => {
      const wrong = { ...s.single(s.block(6)), epochHash: madeUpHash('other l1', 11) };
      s.postBatches(12, [wrong, s.single(s.block(6))], { id: 1 });
      s.postBatches(13, [s.single(s.block(6)), s.single(s.block(7))], { id: 1 });
    },
  }),
];

const passedOver: readonly CuratedScenario[] = [
  story('after', {
    name: 'batch-validator/past-batches-between-good-ones',
    shows: 'past single and span batches are passed over without a flush, wherever they stand in a channel',
    rules: ['batch-validator/single-past+', 'batch-validator/span-past+'],
    post: (s) => {
      s.postBatches(12, [
        s.single(s.block(5)),
        s.span(s.blocks(2)),
        s.span(s.blocks(1)),
        s.single(s.block(7)),
        s.single(s.block(8)),
        s.span(s.blocks(2, 4)),
        s.single(s.block(9)),
      ]);
    },
  }),
  story('after', {
    name: 'batch-validator/past-span-with-wrong-checks',
    shows: 'a span batch without new blocks is past whatever its parent and origin checks say',
    rules: ['batch-validator/span-past+'],
    post: (s) =>
      s.postBatches(12, [
        s.span(s.blocks(1, 5), { ...WRONG_CHECK, l1OriginCheck: new Uint8Array(20) }),
        s.single(s.block(6)),
      ]),
  }),
  story('after', {
    name: 'batch-validator/undecided-span-is-lost',
    shows:
      'an undecided span batch is passed over, its channel goes on, and it does not come back when it could be judged',
    rules: ['batch-validator/span-undecided+'],
    post: (s) => s.postBatches(11, [s.span(s.blocks(8)), s.span(s.blocks(8)), s.span(s.blocks(1))]),
  }),
  story('after', {
    name: 'batch-validator/candidates-before-reading-on',
    shows: 'all blocks of a span batch come before the next batch of its channel is read',
    rules: ['batch-validator/lazy-span-'],
    post: (s) => s.postBatches(13, [s.span(s.blocks(3)), s.single(s.block(9)), s.span(s.blocks(2, 10))]),
  }),
  story('after', {
    name: 'batch-validator/two-spans-two-channels',
    shows: 'two channels in one item, each with a span batch',
    rules: ['batch-validator/lazy-span-'],
    post: (s) => {
      const one = s.frames(s.channel([s.span(s.blocks(2))]), 1, 1);
      const two = s.frames(s.channel([s.span(s.blocks(2, 8))]), 1, 2);
      s.post(12, s.item(...one, ...two));
    },
  }),
];

export const batchValidatorScenarios: readonly CuratedScenario[] = [...drain, ...partial, ...flushes, ...passedOver];
