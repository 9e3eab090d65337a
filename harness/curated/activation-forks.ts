/** Curated scenarios of the step into Holocene (at L1 block 12) together with other forks. */

import type { Fork } from '../../src/chain/config.ts';
import { transaction } from '../scenario/transactions.ts';
import { postOutOfOrder } from './activation.ts';
import type { CuratedScenario } from './curated.ts';
import { chain, postSuspect, safeHead, story } from './story.ts';

/** The activation times of the forks from `first` on that step with Holocene; those between them follow. */
function together(first: Fork): Partial<Record<Fork, number | null>> {
  const order: Fork[] = ['canyon', 'delta', 'ecotone', 'fjord', 'granite', 'holocene'];
  return Object.fromEntries(order.slice(order.indexOf(first)).map((fork) => [fork, 1024]));
}

export const activationForkScenarios: readonly CuratedScenario[] = [
  ...(['canyon', 'delta', 'ecotone', 'fjord', 'granite'] as const).map((first) =>
    story('across', {
      name: `activation/with-${first}`,
      shows: `all forks from ${first} to Holocene activate at one step: the stages change all the same`,
      rules: ['activation/several-forks+', 'activation/trigger+'],
      options: { forks: together(first) },
      post: (s) => {
        const [first, second] = s.frames(s.channel([s.single(s.block(6))]), 2);
        s.post(11, s.item(first!)).post(12, s.item(second!));
        postOutOfOrder(s, 13);
      },
    }),
  ),
  story('across', {
    name: 'activation/with-granite-past-batch',
    shows: 'Granite and Holocene activate at one step, and a batch comes that was already used',
    rules: ['activation/several-forks+', 'single/too-late+', 'batch-validator/single-past+'],
    options: { forks: together('granite') },
    post: (s) => {
      s.postBatches(11, [s.single(s.block(6))], { id: 1 });
      s.postBatches(12, [s.single(s.block(6)), s.single(s.block(7))], { id: 2 });
    },
  }),
  story('across', {
    name: 'activation/with-granite-refused-payload',
    shows: 'Granite and Holocene activate at one step, and a payload is refused behind it',
    rules: ['activation/several-forks+', 'engine/deposits-only+'],
    options: { forks: together('granite'), invalidBlocks: [6] },
    post: (s) => s.postBatches(12, [s.single(s.block(6)), s.single(s.block(7))]),
  }),
  story('across', {
    name: 'activation/granite-one-block-earlier',
    shows: 'Granite activates one L1 block before Holocene: two steps',
    rules: ['activation/trigger+'],
    options: { forks: { granite: 1012 } },
    post: (s) => postOutOfOrder(s, 13),
  }),
  ...(['isthmus', 'jovian', 'karst'] as const).map((last) =>
    story('across', {
      name: `activation/with-${last}`,
      shows: `all forks from Holocene to ${last} activate at one step`,
      rules: ['activation/trigger+'],
      options: {
        forks: Object.fromEntries(
          (['isthmus', 'jovian', 'karst'] as const)
            .slice(0, ['isthmus', 'jovian', 'karst'].indexOf(last) + 1)
            .map((fork) => [fork, 1024]),
        ),
      },
      post: (s) => postOutOfOrder(s, 12),
    }),
  ),
  story('after', {
    name: 'activation/jovian-without-isthmus',
    shows:
      'a later fork without an earlier one: each is judged by its own time, so set-code transactions stay forbidden',
    rules: ['single/tx-set-code+'],
    options: { forks: { jovian: 1000 } },
    post: (s) => {
      const [suspect] = chain(s, safeHead(s), [{ transactions: [transaction(7, 'set-code')] }]);
      postSuspect(s, 12, s.single(suspect), [s.single(s.block(6))]);
    },
  }),
  story('after', {
    name: 'activation/isthmus-after-jovian',
    shows:
      'two forks in the wrong order: between them set-code transactions are forbidden, behind both they are allowed',
    rules: ['single/tx-set-code+', 'single/tx-set-code-'],
    options: { forks: { jovian: 1000, isthmus: 1014 } },
    post: (s) => {
      const [suspect] = chain(s, safeHead(s), [{ transactions: [transaction(7, 'set-code')] }]);
      const [allowed] = chain(s, s.block(6), [{ transactions: [transaction(8, 'set-code')] }]);
      postSuspect(s, 12, s.single(suspect), [s.single(s.block(6)), s.single(allowed)]);
    },
  }),
];
