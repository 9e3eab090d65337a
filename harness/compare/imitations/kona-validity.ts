/** Kona from the decoded batch to the emitted one: kona-derive, kona-protocol and kona-genesis 0.4.5. */

import { transactionColumns } from '../../../src/batch/span-transactions.ts';
import { ImitatedEnd, type Imitation } from './imitation.ts';

const kona = { reference: 'kona' } as const;

export const KONA_VALIDITY: readonly Imitation[] = [
  {
    ...kona,
    id: 'catch-up-window',
    rule: 'batch-queue/window',
    side: '+',
    boundary: 'outcome',
    // Old blocks leave the window before the new one comes in, so they stay if the new one is the safe head's origin.
    change: () => ({
      rules: {
        'batch-queue/window': (base, { moved, epoch, origin, holocene }) =>
          base && (holocene === true || moved !== true || epoch !== origin),
      },
    }),
  },
  {
    ...kona,
    id: 'span-epoch-behind-safe-head',
    rule: 'span/full-epoch',
    side: '+',
    boundary: 'singles',
    change: () => ({ rules: { 'span/full-epoch': 'never' } }),
  },
  {
    ...kona,
    id: 'wrapped-span-rest',
    rule: 'batch-validator/lazy-span',
    side: '+',
    boundary: 'flushes',
    change: () => ({ rules: { 'batch-validator/lazy-span': 'never' } }),
  },
  {
    ...kona,
    id: 'span-without-origin-critical',
    rule: 'span/new-block-origin',
    side: '+',
    boundary: 'outcome',
    change: () => ({
      rules: {
        'span/new-block-origin': (base) => {
          if (base) throw new ImitatedEnd('critical', 'Missing L1 origin');
          return base;
        },
      },
    }),
  },
  {
    ...kona,
    id: 'overlap-content',
    rule: 'span/overlap-content',
    side: '+',
    boundary: 'flushes',
    change: () => ({ rules: { 'span/overlap-content': (base, { holocene }) => base && holocene !== true } }),
  },
  {
    ...kona,
    id: 'undecodable-overlap',
    rule: 'span/overlap-content',
    side: '+',
    boundary: 'singles',
    // From Holocene on it does not look at them at all.
    change: () => ({
      rules: {
        'span/overlap-content': (base, { holocene, safe }) => base || (holocene !== true && !isDecodable(safe)),
      },
      verdicts: {
        'span/overlap-content': (base, { holocene, safe }) =>
          holocene !== true && !isDecodable(safe) ? 'undecided' : base,
      },
    }),
  },
  {
    ...kona,
    id: 'span-drop-ends-block',
    rule: 'batch-validator/span-drop',
    side: '+',
    boundary: 'frames',
    change: () => ({ extensions: { 'batch-stream/dropped': () => 'end-of-data' } }),
  },
  {
    ...kona,
    id: 'drain-judges-batches',
    rule: 'batch-validator/drain',
    side: '+',
    boundary: 'flushes',
    change: () => ({ extensions: { 'batch-validator/drain': () => 'judge' } }),
  },
  {
    ...kona,
    id: 'single-parent-hash',
    rule: 'single/parent-hash',
    side: '+',
    boundary: 'flushes',
    change: () => ({ rules: { 'single/parent-hash': (base, { holocene }) => base && holocene !== true } }),
  },
  {
    ...kona,
    id: 'activation-block-transactions',
    rule: 'single/activation-block-empty',
    side: '+',
    boundary: 'flushes',
    change: () => ({ rules: { 'single/activation-block-empty': 'never' } }),
  },
  {
    ...kona,
    id: 'post-exec-single',
    rule: 'single/tx-post-exec',
    side: '+',
    boundary: 'flushes',
    change: () => ({ rules: { 'single/tx-post-exec': 'never' } }),
  },
  {
    ...kona,
    id: 'activation-data-twice',
    rule: 'activation/data-once',
    side: '+',
    boundary: 'frames',
    // Without data nothing comes of it.
    change: () => ({ rules: { 'activation/data-once': (base, { items }) => base && items === 0 } }),
  },
  {
    ...kona,
    id: 'jovian-implies-isthmus',
    rule: 'activation/fork-order',
    side: '+',
    boundary: 'flushes',
    change: ({ config }) => {
      const { jovian } = config.forks;
      return { activations: { isthmus: (base, time) => base || (jovian !== null && time >= jovian) } };
    },
  },
];

/** Whether kona has types for all of a safe block's transactions. */
function isDecodable(safe: unknown): boolean {
  if (safe === undefined) return true;
  const transactions = safe as readonly Uint8Array[];
  if (!transactions.every(([type = 0]) => type >= 0xc0 || type === 1 || type === 2 || type === 4)) return false;
  try {
    transactionColumns(transactions);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
