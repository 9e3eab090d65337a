import { expect, test } from 'vitest';
import { nearestFirst } from './op-geth.ts';

test('the same line first, there the next patch, of equals the earlier one', () => {
  const candidates = [
    'v1.101609.2',
    'v1.101701.0',
    'v1.101702.3-rc.7',
    'v1.101702.3-rc.2',
    'v1.101702.3',
    'v1.101702.1',
    'v1.9.0-odd',
  ];
  expect(nearestFirst('v1.101702.1-rc.1', candidates).slice(0, 5)).toEqual([
    'v1.101702.1',
    'v1.101702.3-rc.2',
    'v1.101702.3-rc.7',
    'v1.101702.3',
    'v1.101701.0',
  ]);
});

test('what is wanted is no candidate for itself, and what is no version has none', () => {
  expect(nearestFirst('v1.101702.3', ['v1.101702.3'])).toEqual([]);
  expect(nearestFirst('main', ['v1.101702.3'])).toEqual([]);
});
