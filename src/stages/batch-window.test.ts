import { describe, expect, test } from 'vitest';
import { hashOf, l1, l2, type SpecOptions, specOf } from '../rules/fixtures/environment.ts';
import { BatchWindow } from './batch-window.ts';

/** A window that starts at L1 block 10 and has taken in those up to `last`. */
function windowOf(last: number, safeHead = l2(5), options: SpecOptions = {}): BatchWindow {
  const window = new BatchWindow(specOf(options), l1(10));
  for (let number = 11; number <= last; number++) window.update(l1(number), safeHead);
  return window;
}

const numbers = (window: BatchWindow) => window.blocks.map(({ number }) => Number(number));

describe('the window', () => {
  test('takes each origin once', () => {
    const window = new BatchWindow(specOf(), l1(10));
    const next = l1(11);
    window.update(next, l2(5));
    window.update(next, l2(5));
    expect(numbers(window)).toEqual([10, 11]);
  });

  test('lets blocks before the safe head’s epoch go', () => {
    const window = windowOf(12);
    const origin = window.environment(l2(5)).inclusionBlock;
    window.update(origin, l2(6, 11));
    expect(numbers(window)).toEqual([11, 12]);
    window.update(origin, l2(7, 13));
    expect(numbers(window)).toEqual([11, 12]);
  });

  test('stays empty while the origin is behind the safe head, and starts at its epoch', () => {
    const ahead = l2(20, 12);
    expect(numbers(windowOf(11, ahead))).toEqual([]);
    expect(numbers(windowOf(12, ahead))).toEqual([12]);
    expect(numbers(windowOf(13, ahead))).toEqual([12, 13]);
  });

  test('one block behind the safe head: the reset’s own block leaves with the next origin', () => {
    expect(numbers(windowOf(11, l2(8, 11)))).toEqual([11]);
  });

  test.each([
    ['same block', l2(5), true],
    ['same number, other hash', { ...l2(5), l1Origin: { number: 10n, hash: hashOf('l1', 99) } }, false],
    ['the block before, whatever its hash', { ...l2(5), l1Origin: { number: 9n, hash: hashOf('l1', 99) } }, true],
    ['two before', l2(5, 8), false],
    ['one after', l2(5, 11), false],
  ])('fits the safe head’s origin: %s', (_, safeHead, fits) => {
    expect(windowOf(10).checkEpoch(safeHead) === undefined).toBe(fits);
  });
});

describe('empty batches', () => {
  const emptyOf = (window: BatchWindow, outOfData: boolean, safeHead = l2(4)) => {
    const pulled = window.nextEmptyBatch(outOfData, safeHead);
    return pulled.kind === 'value' ? [pulled.value.epochNum, pulled.value.timestamp] : pulled.kind;
  };

  test.each([
    [11, true, 'endOfData'],
    [12, false, 'endOfData'],
    [12, true, [10n, 1010n]],
    [13, false, [10n, 1010n]],
  ])('a window of two blocks, origin %s, out of data: %s', (last, outOfData, expected) => {
    expect(emptyOf(windowOf(last, l2(4), { seqWindowSize: 2n }), outOfData)).toEqual(expected);
  });

  test('need the L1 block after the epoch', () => {
    expect(emptyOf(windowOf(10, l2(4), { seqWindowSize: 0n }), true)).toBe('endOfData');
  });

  test('carry the safe head as parent and no transactions', () => {
    const pulled = windowOf(12, l2(4), { seqWindowSize: 2n }).nextEmptyBatch(true, l2(4));
    expect(pulled).toEqual({
      kind: 'value',
      value: {
        kind: 'single',
        parentHash: hashOf('l2', 4),
        epochNum: 10n,
        epochHash: hashOf('l1', 10),
        timestamp: 1010n,
        transactions: [],
      },
    });
  });

  test('when the next L1 block could be adopted the epoch is given up, and nothing comes in this step', () => {
    const window = windowOf(12, l2(5), { seqWindowSize: 2n });
    expect(emptyOf(window, true, l2(5))).toBe('endOfData');
    expect(numbers(window)).toEqual([11, 12]);
    expect(emptyOf(window, true, l2(5))).toBe('endOfData');
    window.update(l1(13), l2(5));
    expect(emptyOf(window, true, l2(5))).toEqual([11n, 1012n]);
  });

  test('the first block of an epoch is made however late it is', () => {
    const window = windowOf(13, l2(50), { seqWindowSize: 1n });
    expect(emptyOf(window, true, l2(50))).toBe('endOfData');
    expect(emptyOf(window, true, l2(50))).toEqual([11n, 1102n]);
    expect(emptyOf(window, true, l2(51, 11))).toBe('endOfData');
    expect(numbers(window)).toEqual([12, 13]);
  });
});
