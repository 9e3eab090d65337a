/** Curated scenarios of the checks on the transactions of one single batch. */

import { concatBytes } from '../../src/encoding/bytes.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { transaction } from '../scenario/transactions.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';
import { chain, empties, onBothSides, postSuspect, safeHead, story } from './story.ts';

const bytes = (...values: readonly number[]) => Uint8Array.from(values);

/** A story in which the next block carries the transaction behind an ordinary one, and what a rule says of it. */
function withTransaction(name: string, shows: string, tx: Uint8Array, side: RuleSide): CuratedScenario[] {
  return onBothSides({
    name: `single/${name}`,
    shows,
    rules: [side],
    post: (s) => {
      const [suspect, behind] = chain(s, safeHead(s), [{ transactions: [transaction(1), tx] }, {}]);
      if (side.endsWith('+')) postSuspect(s, 12, s.single(suspect), [s.single(s.block(6)), s.single(s.block(7))]);
      else s.postBatches(12, [s.single(suspect), s.single(behind!)]);
    },
  });
}

const SET_CODE = transaction(7, 'set-code');

export const singleTransactionScenarios: readonly CuratedScenario[] = [
  ...withTransaction('tx-of-zero-bytes', 'a transaction of zero bytes', bytes(), 'single/tx-empty+'),
  ...withTransaction('tx-deposit', 'a deposit transaction', bytes(0x7e, 0xc0), 'single/tx-deposit+'),
  ...withTransaction(
    'tx-deposit-type-byte-alone',
    'a deposit type byte with nothing behind it',
    bytes(0x7e),
    'single/tx-deposit+',
  ),
  ...withTransaction(
    'tx-set-code-isthmus-never',
    'a set-code transaction without Isthmus',
    SET_CODE,
    'single/tx-set-code+',
  ),
  ...withTransaction(
    'tx-set-code-type-byte-alone',
    'a set-code type byte with nothing behind it',
    bytes(4),
    'single/tx-set-code+',
  ),
  ...withTransaction(
    'tx-post-exec',
    'a post-execution transaction before its fork',
    bytes(0x7d, 0xc0),
    'single/tx-post-exec+',
  ),
  ...[3, 5, 0x40, 0x7c, 0x7f].flatMap((type) =>
    withTransaction(
      `tx-type-${type.toString(16).padStart(2, '0')}`,
      `a transaction of the unknown type ${type} is left to the engine`,
      bytes(type, 0xc0),
      'single/tx-other-types-',
    ),
  ),
  ...withTransaction(
    'tx-no-type',
    'bytes from 0x80 on are no types: left to the engine',
    bytes(0xfe, 1, 2),
    'single/tx-other-types-',
  ),
  ...withTransaction(
    'tx-type-zero',
    'an explicit type 0 is left to the engine',
    bytes(0, 0xc0),
    'single/tx-other-types-',
  ),
  ...(
    [
      ['one-second-before', 1011, '-'],
      ['at-its-time', 1012, '-'],
      ['one-second-after', 1013, '+'],
    ] as const
  ).map(([name, isthmus, side]) =>
    story('after', {
      name: `single/tx-set-code-isthmus-${name}`,
      shows: `a set-code transaction in the block at 1012, Isthmus activates at ${isthmus}`,
      rules: [`single/tx-set-code${side}`],
      options: { forks: { isthmus } },
      post: (s: Scenario) => {
        const [suspect, next] = chain(s, safeHead(s), [{ transactions: [SET_CODE] }, { transactions: [SET_CODE] }]);
        s.postBatches(12, [s.single(suspect), s.single(next!)], { id: 1 });
        s.postBatches(12, [s.single(s.block(6)), s.single(chain(s, s.block(6), [{ transactions: [SET_CODE] }])[0])], {
          id: 2,
        });
      },
    }),
  ),
  story('before', {
    name: 'single/tx-set-code-isthmus-ahead-of-l1',
    shows: 'L2 time reaches Isthmus before L1 time does: the set-code transaction goes by L2 time',
    rules: ['single/tx-set-code-', 'single/tx-set-code+'],
    options: { forks: { holocene: 1026, isthmus: 1026 } },
    post: (s) => {
      const blocks = chain(s, safeHead(s), empties(6));
      const [early] = chain(s, blocks.at(-1)!, [{ transactions: [SET_CODE] }]);
      const [bare, allowed] = chain(s, blocks.at(-1)!, [{ transactions: [] }, { transactions: [SET_CODE] }]);
      s.postBatches(
        12,
        [...blocks, early, bare, allowed!].map((block) => s.single(block)),
      );
    },
  }),
  ...onBothSides({
    name: 'single/tx-longer-than-its-list',
    shows: 'only the first byte of a transaction is looked at',
    rules: ['single/tx-other-types-'],
    post: (s) => {
      const [odd] = chain(s, safeHead(s), [{ transactions: [concatBytes([transaction(1), bytes(0x7e, 4)])] }]);
      s.postBatches(12, [s.single(odd)]);
    },
  }),
];
