import { expect, test } from 'vitest';
import { decodeItem, encodeFrame, encodeItem, type Frame } from './frame.ts';
import { RuleBook } from './rules/rule-book.ts';

const channel = new Uint8Array(16).fill(7);
const frame = (changes: Partial<Frame> = {}): Frame => ({
  channel,
  number: 3,
  data: Uint8Array.of(1, 2, 3),
  last: true,
  ...changes,
});
const decode = (item: Uint8Array) => decodeItem(item, new RuleBook());

test('the layout is id, number, length, data, is_last, big-endian', () => {
  const bytes = encodeFrame(frame({ number: 0x0102 }));
  expect([...bytes.subarray(16)]).toEqual([1, 2, 0, 0, 0, 3, 1, 2, 3, 1]);
});

test.each([
  ['an empty item', new Uint8Array(0)],
  ['a lone version byte', Uint8Array.of(0)],
  ['version 1', encodeItem([encodeFrame(frame())], 1)],
])('%s is ignored for its version', (_what, item) => {
  expect(decode(item)).toEqual({ kind: 'ignored', rule: 'frame/version-byte' });
});

test('one unparseable frame rejects all frames of its item', () => {
  const good = encodeFrame(frame());
  const bad = encodeFrame(frame(), { isLast: 2 });
  expect(decode(encodeItem([good, bad]))).toEqual({ kind: 'ignored', rule: 'frame/is-last-values' });
});

test('left-over bytes too few for a frame reject the item', () => {
  const item = encodeItem([encodeFrame(frame()), new Uint8Array(22)]);
  expect(decode(item)).toEqual({ kind: 'ignored', rule: 'frame/exact-tiling' });
});

test('a data length of 1,000,000 is valid and one more is not, whether the bytes are there or not', () => {
  const largest = encodeItem([encodeFrame(frame({ data: new Uint8Array(1_000_000) }))]);
  expect(decode(largest).kind).toBe('frames');
  const larger = encodeItem([encodeFrame(frame({ data: new Uint8Array(1_000_001) }))]);
  expect(decode(larger)).toEqual({ kind: 'ignored', rule: 'frame/max-data-length' });
  const pretended = encodeItem([encodeFrame(frame(), { length: 1_000_001 })]);
  expect(decode(pretended)).toEqual({ kind: 'ignored', rule: 'frame/max-data-length' });
});
