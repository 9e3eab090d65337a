import { describe, expect, test } from 'vitest';
import type { SingleBatch } from '../batch/batch.ts';
import { decisive, type EnvironmentOptions, environmentOf, hashOf, l1, l2, single } from './fixtures/environment.ts';
import { checkSingleBatch, judgedByHolocene } from './single.ts';

function judge(batch: SingleBatch, options: EnvironmentOptions = {}) {
  const environment = environmentOf(options);
  let verdict: string | undefined;
  const rule = decisive(environment.spec, () => {
    verdict = checkSingleBatch(environment, batch);
  });
  return rule === undefined ? verdict : `${verdict} ${rule}`;
}

const MAX = 0xffff_ffff_ffff_ffffn;
const tx = (...bytes: number[]) => Uint8Array.from(bytes);
const ANY = tx(2, 0xc0);

describe('single batches: timestamps', () => {
  test.each([
    ['next', 1012n, 'accept', 'accept'],
    ['one second later', 1013n, 'future single/too-early', 'drop single/too-early'],
    ['the largest', MAX, 'future single/too-early', 'drop single/too-early'],
    ['between safe head and next', 1011n, 'drop single/too-late', 'past single/too-late'],
    ["the safe head's", 1010n, 'drop single/too-late', 'past single/too-late'],
    ['zero', 0n, 'drop single/too-late', 'past single/too-late'],
  ])('%s', (_, timestamp, before, after) => {
    expect(judge(single({ timestamp }))).toBe(before);
    expect(judge(single({ timestamp }), { holocene: true })).toBe(after);
  });

  test('the inclusion block decides whose rules hold, not the batch', () => {
    const forks = { holocene: 1024n };
    expect(judge(single({ timestamp: 1013n }), { forks, inclusion: 11 })).toBe('future single/too-early');
    expect(judge(single({ timestamp: 1013n }), { forks, inclusion: 12 })).toBe('drop single/too-early');
    expect(judgedByHolocene(environmentOf({ forks, inclusion: 12 }), 1n)).toBe(true);
  });
});

describe('single batches: parent and epoch', () => {
  test.each([
    ['parent hash', single({ parentHash: hashOf('l2', 4) }), 'drop single/parent-hash'],
    ['epoch below the window', single({ epochNum: 9n, epochHash: hashOf('l1', 9) }), 'drop single/epoch-too-old'],
    ["the window's first", single({ epochNum: 10n, epochHash: hashOf('l1', 10) }), 'accept'],
    ['two after the first', single({ epochNum: 12n, epochHash: hashOf('l1', 12) }), 'drop single/epoch-too-new'],
    ['the largest epoch', single({ epochNum: MAX }), 'drop single/epoch-too-new'],
    ['hash of the epoch before', single({ epochHash: hashOf('l1', 10) }), 'drop single/epoch-hash'],
  ])('%s', (_, batch, expected) => {
    expect(judge(batch)).toBe(expected);
    expect(judge(batch, { holocene: true })).toBe(expected);
  });

  test.each([
    [0n, 11, 'accept'],
    [0n, 12, 'drop single/sequence-window'],
    [1n, 12, 'accept'],
    [1n, 13, 'drop single/sequence-window'],
  ])('a window of %s blocks, included at %s', (seqWindowSize, inclusion, expected) => {
    const window = [l1(10), l1(11), l1(12), l1(13)];
    expect(judge(single(), { seqWindowSize, inclusion, window })).toBe(expected);
  });

  test('epoch number + window size wraps around', () => {
    expect(judge(single({ epochNum: MAX }), { seqWindowSize: 3n })).toBe('drop single/sequence-window');
  });

  test('without L1 blocks nothing is decided, without the next one its epoch is not', () => {
    expect(judge(single(), { window: [] })).toBe('undecided');
    expect(judge(single(), { window: [l1(10)] })).toBe('undecided single/next-epoch-unknown');
  });

  test('epochs count from the window, also when it has left the safe head behind', () => {
    const window = [l1(11, 1010), l1(12, 1011)];
    expect(judge(single({ epochNum: 12n, epochHash: hashOf('l1', 12) }), { window })).toBe('accept');
  });

  test('the time of the L1 origin is a lower bound', () => {
    expect(judge(single(), { window: [l1(10), l1(11, 1012)] })).toBe('accept');
    expect(judge(single(), { window: [l1(10), l1(11, 1013)] })).toBe('drop single/min-time');
  });
});

describe('single batches: activation blocks', () => {
  const full = single({ transactions: [ANY] });
  const empty = 'drop single/activation-block-empty';

  test.each(['jovian', 'karst'] as const)('%s', (fork) => {
    expect(judge(full, { forks: { [fork]: 1010n } })).toBe('accept');
    expect(judge(full, { forks: { [fork]: 1011n } })).toBe(empty);
    expect(judge(full, { forks: { [fork]: 1012n } })).toBe(empty);
    expect(judge(full, { forks: { [fork]: 1013n } })).toBe('accept');
    expect(judge(single(), { forks: { [fork]: 1012n } })).toBe('accept');
  });

  test('isthmus has none', () => {
    expect(judge(full, { forks: { isthmus: 1012n } })).toBe('accept');
  });
});

describe('single batches: drift', () => {
  const epoch = { epochNum: 10n, epochHash: hashOf('l1', 10) };
  const full = single({ ...epoch, transactions: [ANY] });
  const bare = single(epoch);
  const forks = { fjord: null, granite: null };

  test.each([
    [12n, 'accept', 'accept'],
    [11n, 'drop single/drift-with-transactions', 'drop single/drift-empty'],
  ])('configured: %s seconds', (maxSequencerDrift, withTransactions, without) => {
    expect(judge(full, { maxSequencerDrift, forks })).toBe(withTransactions);
    expect(judge(bare, { maxSequencerDrift, forks })).toBe(without);
  });

  test('an empty batch stays in its epoch as long as the next one could not be adopted', () => {
    const options = { maxSequencerDrift: 11n, forks };
    expect(judge(bare, { ...options, window: [l1(10), l1(11, 1013)] })).toBe('accept');
    expect(judge(bare, { ...options, window: [l1(10)] })).toBe('undecided single/drift-empty');
  });

  test('an empty batch that advances is never too late', () => {
    expect(judge(single(), { maxSequencerDrift: 0n, forks, window: [l1(10), l1(11, 1001), l1(12, 1002)] })).toBe(
      'accept',
    );
  });

  test('from Fjord on, by the time of the L1 origin, 1800 seconds', () => {
    const late = { window: [l1(10), l1(11, 5000)], safeHead: { ...l2(5), timestamp: 2798n } };
    const batch = { ...full, timestamp: 2800n };
    expect(judge(batch, late)).toBe('accept');
    expect(judge({ ...batch, timestamp: 2801n }, { ...late, safeHead: { ...l2(5), timestamp: 2799n } })).toBe(
      'drop single/drift-with-transactions',
    );
    expect(judge(batch, { ...late, forks: { fjord: 1000n } })).toBe('accept');
    expect(judge(batch, { ...late, forks: { fjord: 1001n } })).toBe('drop single/drift-with-transactions');
  });
});

describe('single batches: transactions', () => {
  test.each([
    ['no bytes', tx(), 'drop single/tx-empty', 'drop single/tx-empty'],
    ['deposit', tx(0x7e), 'drop single/tx-deposit', 'drop single/tx-deposit'],
    ['set code', tx(4, 0xc0), 'drop single/tx-set-code', 'accept'],
    ['post-execution', tx(0x7d), 'drop single/tx-post-exec', 'drop single/tx-post-exec'],
    ['type 3', tx(3), 'accept', 'accept'],
    ['type 5', tx(5), 'accept', 'accept'],
    ['type 0x7f', tx(0x7f), 'accept', 'accept'],
    ['legacy', tx(0xc0), 'accept', 'accept'],
  ])('%s', (_, raw, before, isthmus) => {
    const batch = single({ transactions: [ANY, raw] });
    expect(judge(batch)).toBe(before);
    expect(judge(batch, { forks: { isthmus: 1012n } })).toBe(isthmus);
    expect(judge(batch, { forks: { isthmus: 1013n } })).toBe(before);
  });
});
