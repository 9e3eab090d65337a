import { describe, expect, test } from 'vitest';
import { sampleVector } from '../testing.ts';
import { silentTrace, type TraceJson } from '../trace.ts';
import { compare, type Difference, type Side, type Verdict } from './compare.ts';
import { describePlace, describeSides, describeVerdict } from './describe.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const OTHER_HASH = `0x${'cd'.repeat(32)}`;
const CHANNEL = `0x${'00'.repeat(15)}01`;

const BASE: TraceJson = {
  format: 1,
  implementation: { name: 'x', version: '1' },
  frames: [
    { origin: 11, channel: CHANNEL, number: 0, size: 120, last: false },
    { origin: 12, channel: CHANNEL, number: 1, size: 80, last: true },
  ],
  channels: [{ origin: 12, size: 200, hash: HASH }],
  batches: [{ origin: 12, kind: 'span', hash: HASH }],
  flushes: [],
  singles: [
    { origin: 12, parentHash: HASH, epochNum: 11, epochHash: HASH, timestamp: 1012, transactions: ['0x01', '0x02'] },
  ],
  outcome: { kind: 'drained' },
  safeHead: { number: 6, hash: HASH },
};

function side(implementation: string, edit: Partial<TraceJson> = {}): Side {
  return { implementation, trace: { ...BASE, implementation: { name: implementation, version: '1' }, ...edit } };
}

function three(kona: Partial<TraceJson>, opNode: Partial<TraceJson> = {}, typescript: Partial<TraceJson> = {}) {
  return compare([side('kona', kona), side('op-node', opNode), side('typescript', typescript)]);
}

function text(difference: Difference | undefined): string {
  if (difference === undefined) return 'agree';
  return `${describePlace(difference)}: ${describeVerdict(difference)}: ${describeSides(difference)}`;
}

test('implementation and message are not compared', () => {
  expect(text(three({ outcome: { kind: 'drained', message: 'done' } }))).toBe('agree');
});

describe('the first boundary that differs', () => {
  test.each<[string, Partial<TraceJson>, string]>([
    [
      'frames: one more',
      { frames: [...BASE.frames, { origin: 13, channel: CHANNEL, number: 2, size: 1, last: true }] },
      'frames[2]: kona alone: kona hands on frame 2 of channel …0001 (at L1 block 13) where op-node and typescript hand on nothing',
    ],
    [
      'frames: one less, and later lists too',
      { frames: BASE.frames.slice(0, 1), channels: [], outcome: { kind: 'reset' } },
      'frames[1]: kona alone: kona hands on nothing (its run ends as reset) where op-node and typescript hand on frame 1 of channel …0001 (at L1 block 12)',
    ],
    [
      'frames: another size',
      { frames: [{ ...BASE.frames[0]!, size: 119 }, BASE.frames[1]!] },
      'frames[0]: kona alone: kona hands on frame 0 of channel …0001 (size 119) where op-node and typescript hand on frame 0 of channel …0001 (size 120)',
    ],
    [
      'channels',
      { channels: [{ origin: 13, size: 200, hash: OTHER_HASH }], batches: [] },
      'channels[0]: kona alone: kona hands on a channel of 200 bytes (at L1 block 13, hash 0xcdcdcdcd…) where op-node and typescript hand on a channel of 200 bytes (at L1 block 12, hash 0xabababab…)',
    ],
    [
      'batches',
      { batches: [] },
      'batches[0]: kona alone: kona decodes nothing where op-node and typescript decode a span batch (at L1 block 12)',
    ],
    [
      'flushes',
      { flushes: [{ origin: 12, cause: 'batch' }] },
      'flushes[0]: kona alone: kona signals a flush (batch) (at L1 block 12) where op-node and typescript signal nothing',
    ],
    [
      'singles: a transaction',
      { singles: [{ ...BASE.singles[0]!, transactions: ['0x01', '0x03'] }] },
      'singles[0]: kona alone: kona emits the batch for time 1012 (transactions[1] 0x03) where op-node and typescript emit the batch for time 1012 (transactions[1] 0x02)',
    ],
    [
      'singles: fewer transactions',
      { singles: [{ ...BASE.singles[0]!, transactions: [] }] },
      'singles[0]: kona alone: kona emits the batch for time 1012 (0 transactions) where op-node and typescript emit the batch for time 1012 (2 transactions)',
    ],
    [
      'outcome',
      { outcome: { kind: 'critical', message: 'overflow' }, safeHead: { number: 1, hash: HASH } },
      'outcome: kona alone: kona ends as critical: overflow where op-node and typescript end as drained',
    ],
    [
      'safe head',
      { safeHead: { number: 6, hash: OTHER_HASH } },
      'safeHead: kona alone: kona ends at L2 block 6 0xcdcdcdcd… where op-node and typescript end at L2 block 6 0xabababab…',
    ],
  ])('%s', (_, kona, expected) => {
    expect(text(three(kona))).toBe(expected);
  });

  test('carries the place for others to use', () => {
    expect(three({ channels: [] })).toMatchObject({ boundary: 'channels', index: 0, origin: 12 });
  });
});

describe('who stands alone', () => {
  const changed: Partial<TraceJson> = { batches: [] };

  test.each<[Partial<TraceJson>, Partial<TraceJson>, Partial<TraceJson>, Verdict]>([
    [changed, {}, {}, { kind: 'outlier', outlier: 'kona' }],
    [{}, changed, {}, { kind: 'outlier', outlier: 'op-node' }],
    [{}, {}, changed, { kind: 'typescript', outlier: 'typescript' }],
    [changed, { batches: [{ origin: 12, kind: 'single', hash: HASH }] }, {}, { kind: 'all' }],
  ])('%#', (kona, opNode, typescript, verdict) => {
    expect(three(kona, opNode, typescript)?.verdict).toEqual(verdict);
  });

  test('of two nobody can tell', () => {
    expect(compare([side('kona'), side('typescript', changed)])?.verdict).toEqual({ kind: 'pair' });
  });
});

describe('an implementation that gave no trace', () => {
  const trace = silentTrace({ name: 'kona', version: '1' }, 'timeout', 'timeout: no answer', sampleVector('v'));
  const silent: Side = { implementation: 'kona', trace, silent: true };

  test('is compared by its outcome alone', () => {
    expect(text(compare([silent, side('op-node'), side('typescript')]))).toBe(
      'outcome: kona alone: kona gives no trace (timeout: timeout: no answer) where op-node and typescript end as drained',
    );
  });

  test('does not hide a difference between the others', () => {
    const difference = compare([silent, side('op-node', { batches: [] }), side('typescript')]);
    expect(difference).toMatchObject({ boundary: 'batches', verdict: { kind: 'all' } });
  });
});
