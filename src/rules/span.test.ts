import { describe, expect, test } from 'vitest';
import type { SpanBatch } from '../batch/batch.ts';
import { SafeChain } from '../chain/safe-chain.ts';
import { decisive, type EnvironmentOptions, environmentOf, l1, l2, span } from './fixtures/environment.ts';
import type { Variant } from './rule-book.ts';
import { checkSpanBatchFull } from './span-full.ts';
import { newBlocks } from './span-new-blocks.ts';
import { checkSpanBatchOverlap } from './span-overlap.ts';
import { checkSpanBatchPrefix } from './span-prefix.ts';

const ANY = Uint8Array.of(2, 0xc0);
/** The safe chain: blocks 3 and 4, and the safe head. */
const safeChain = (head = l2(5)) => new SafeChain([l2(3), l2(4, 10, [ANY]), head]);

/** The verdict and the rule that decided, of the prefix checks or of all of them. */
function judge(batch: SpanBatch, options: EnvironmentOptions = {}, checks: 'prefix' | 'full' = 'prefix') {
  const environment = environmentOf(options);
  const chain = safeChain(environment.safeHead);
  let verdict: string | undefined;
  const rule = decisive(environment.spec, () => {
    if (checks === 'full') {
      verdict = checkSpanBatchFull(environment, batch, chain);
      return;
    }
    const result = checkSpanBatchPrefix(environment, batch, chain);
    verdict = result.kind === 'passed' ? `on ${result.parent.number}` : result.verdict;
  });
  return rule === undefined ? verdict : `${verdict} ${rule}`;
}

/** The span batch with its first timestamp moved; the reader gives the later ones in step. */
const moved = (batch: SpanBatch, seconds: bigint): SpanBatch => ({
  ...batch,
  blocks: batch.blocks.map((block) => ({ ...block, timestamp: block.timestamp + seconds })) as [
    SpanBatch['blocks'][0],
    ...SpanBatch['blocks'],
  ],
});

describe('prefix checks', () => {
  const two = span(5, [11, 11]);

  test('a batch that starts before the safe head is on no block where blocks take no time', () => {
    const variant: Variant = { name: 'old batches too', rules: { 'span/no-new-block': 'never' } };
    expect(judge(moved(two, -4n), { blockTime: 0n, variant })).toBe('drop span/aligned');
  });

  test.each([
    ['on the safe head', two, 'on 5', 'on 5'],
    ['with overlap', span(3, [10, 10, 11]), 'on 3', 'on 3'],
    ['one second early', moved(two, 1n), 'future span/too-early', 'drop span/too-early'],
    ['nothing new', span(3, [10, 10]), 'drop span/no-new-block', 'past span/no-new-block'],
    ['ends between', moved(span(4, [10, 10]), -1n), 'drop span/no-new-block', 'past span/no-new-block'],
    ['starts between', moved(two, -1n), 'drop span/aligned', 'drop span/aligned'],
    ['out of step', moved(span(4, [10, 11, 11]), -1n), 'drop span/aligned', 'drop span/aligned'],
    ['unknown parent', span(2, [10, 10, 10, 11]), 'undecided span/parent-known', 'undecided span/parent-known'],
  ])('%s', (_, batch, before, after) => {
    expect(judge(batch)).toBe(before);
    expect(judge(batch, { holocene: true })).toBe(after);
  });

  test.each([
    ['parent check', span(5, [11], { parentCheck: l2(4).hash.subarray(0, 20) }), 'drop span/parent-check'],
    ['start epoch two after', span(5, [12, 12]), 'drop span/start-epoch-too-new'],
    ['origin check', span(5, [11], { l1OriginCheck: l1(10).hash.subarray(0, 20) }), 'drop span/origin-check'],
    ['last epoch after the window', span(5, [11, 12, 13]), 'undecided span/origin-unknown'],
    ['last epoch before the window', span(5, [9]), 'undecided span/origin-unknown'],
    ['start epoch before the parent', span(5, [9, 10]), 'drop span/start-epoch-too-old'],
  ])('%s', (_, batch, expected) => {
    expect(judge(batch)).toBe(expected);
    expect(judge(batch, { holocene: true })).toBe(expected);
  });

  test('the start epoch decides about the sequencing window', () => {
    const overlap = span(4, [10, 11]);
    expect(judge(overlap, { seqWindowSize: 2n })).toBe('on 4');
    expect(judge(overlap, { seqWindowSize: 1n })).toBe('drop span/sequence-window');
    expect(judge(span(5, [11]), { seqWindowSize: 1n })).toBe('on 5');
  });

  test('the next epoch may not be known yet', () => {
    expect(judge(two, { window: [l1(10)] })).toBe('undecided span/next-epoch-unknown');
    expect(judge(two, { window: [] })).toBe('undecided');
  });

  test.each([
    [1000n, 'on 5', 'on 5'],
    [1001n, 'on 5', 'drop span/delta'],
    [1012n, 'on 5', 'drop span/delta'],
    [1013n, 'drop span/delta', 'drop span/delta'],
  ])("Delta at %s goes by the first block's L1 origin", (delta, next, same) => {
    expect(judge(two, { forks: { delta } })).toBe(next);
    expect(judge(span(5, [10, 11]), { forks: { delta } })).toBe(same);
  });
});

describe('overlap', () => {
  const environment = environmentOf({ holocene: true });
  const chain = safeChain();
  const repeats = span(3, [10, 10, 11]);
  const withFirst = (transactions: readonly Uint8Array[], epochNum = 10n): SpanBatch => ({
    ...repeats,
    blocks: [{ ...repeats.blocks[0], transactions, epochNum }, ...repeats.blocks.slice(1)],
  });
  const verdict = (batch: SpanBatch) => checkSpanBatchOverlap(environment, batch, l2(3), chain);

  test('equal blocks pass', () => expect(verdict(withFirst([ANY]))).toBeUndefined());
  test('a missing transaction', () => expect(verdict(withFirst([]))).toBe('drop'));
  test('one too many', () => expect(verdict(withFirst([ANY, ANY]))).toBe('drop'));
  test('another transaction', () => expect(verdict(withFirst([Uint8Array.of(2, 0xc1, 0)]))).toBe('drop'));
  test('another epoch', () => expect(verdict(withFirst([ANY], 9n))).toBe('drop'));
  test('a safe block that cannot be got', () => {
    expect(checkSpanBatchOverlap(environment, withFirst([ANY]), l2(3), new SafeChain([l2(5)]))).toBe('undecided');
  });
});

describe('full check before Holocene', () => {
  const full = (batch: SpanBatch, options: EnvironmentOptions = {}) => judge(batch, options, 'full');
  const withTransactions = (batch: SpanBatch, index: number, ...transactions: Uint8Array[]): SpanBatch => ({
    ...batch,
    blocks: batch.blocks.map((block, at) => (at === index ? { ...block, transactions } : block)) as [
      SpanBatch['blocks'][0],
      ...SpanBatch['blocks'],
    ],
  });

  test('a new block behind the safe head’s epoch', () => {
    const options = { safeHead: l2(5, 11), window: [l1(11), l1(12)], inclusion: 12 };
    expect(full(span(3, [10, 10, 10, 11]), options)).toBe('drop span/full-epoch');
  });

  test('a block before its L1 origin', () => {
    expect(full(span(5, [11, 11]), { window: [l1(10), l1(11, 1012)] })).toBe('accept');
    expect(full(span(5, [11, 11]), { window: [l1(10), l1(11, 1013)] })).toBe('drop span/full-min-time');
  });

  test('drift: with transactions, without them, and without the next L1 block', () => {
    const forks = { fjord: null, granite: null };
    const stays = span(5, [10, 10]);
    const options = { forks, maxSequencerDrift: 12n, window: [l1(10), l1(11, 1015)] };
    expect(full(withTransactions(stays, 0, ANY), options)).toBe('accept');
    expect(full(withTransactions(stays, 1, ANY), options)).toBe('drop span/full-drift');
    expect(full(stays, { ...options, window: [l1(10), l1(11, 1014)] })).toBe('drop span/full-drift');
    expect(full(stays, { ...options, window: [l1(10)] })).toBe('undecided span/full-drift');
  });

  test('drift: the first block advances by comparison with its parent, later ones with the block before', () => {
    const options = { forks: { fjord: null, granite: null }, maxSequencerDrift: 0n };
    const window = [l1(10), l1(11, 1001), l1(12, 1002)];
    expect(full(span(5, [11]), { ...options, window })).toBe('accept');
    expect(full(span(5, [11, 11]), { ...options, window })).toBe('drop span/full-drift');
  });

  test('a forbidden transaction counts in new blocks only', () => {
    const setCode = Uint8Array.of(4, 0xc0);
    expect(full(withTransactions(span(5, [11, 11]), 1, setCode))).toBe('drop span/full-transactions');
    expect(full(withTransactions(span(5, [11, 11]), 1, setCode), { forks: { isthmus: 1014n } })).toBe('accept');
    const safeHead = l2(5, 10, [setCode]);
    expect(full(withTransactions(span(4, [10, 11]), 0, setCode), { safeHead })).toBe('accept');
  });

  test('activation blocks are not looked at', () => {
    expect(full(withTransactions(span(5, [11]), 0, ANY), { forks: { jovian: 1012n } })).toBe('accept');
  });

  test('the first verdict wins, in the order of the blocks', () => {
    const options = { forks: { fjord: null, granite: null }, maxSequencerDrift: 12n, window: [l1(10)] };
    const fault = withTransactions(span(5, [10, 10, 10]), 2, Uint8Array.of(0x7e));
    expect(full(fault, options)).toBe('undecided span/full-drift');
  });
});

describe('new blocks', () => {
  test('only blocks later than the safe head, with the hash of their epoch', () => {
    const singles = newBlocks(environmentOf(), span(3, [10, 10, 11]));
    expect(singles).toHaveLength(1);
    expect(singles?.at(0)).toMatchObject({ kind: 'single', timestamp: 1012n, epochHash: l1(11).hash });
    expect(singles?.at(1)).toBeUndefined();
  });

  test('an epoch behind the safe head, or outside the window, yields nothing', () => {
    const safeHead = l2(5, 11);
    expect(newBlocks(environmentOf({ safeHead }), span(5, [10, 11]))).toBeUndefined();
    expect(newBlocks(environmentOf({ window: [l1(11), l1(12)] }), span(5, [10, 11]))).toBeUndefined();
    expect(newBlocks(environmentOf(), span(5, [13]))).toBeUndefined();
  });
});
