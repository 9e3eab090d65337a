import { expect, it } from 'vitest';
import { bitAt, bitListLength, encodeBitList, hasExtraBits } from './bit-list.ts';

it('takes whole bytes', () => {
  expect([0, 1, 8, 9, 10_000_000].map(bitListLength)).toEqual([0, 1, 1, 2, 1_250_000]);
});

it('puts element 0 into the lowest bit of the last byte', () => {
  const bits = Array.from({ length: 10 }, (_, index) => index === 0 || index === 9);
  const list = encodeBitList(bits);
  expect(list).toEqual(Uint8Array.of(0b10, 0b1));
  expect(bits.map((_, index) => bitAt(list, index))).toEqual(bits);
});

it('knows no bit beyond its bytes', () => {
  expect(bitAt(Uint8Array.of(0xff), 8)).toBe(false);
  expect(bitAt(new Uint8Array(0), 0)).toBe(false);
});

it('sees bits at the count or above', () => {
  expect(hasExtraBits(Uint8Array.of(0b111), 3)).toBe(false);
  expect(hasExtraBits(Uint8Array.of(0b1000), 3)).toBe(true);
  expect(hasExtraBits(Uint8Array.of(0b10, 0xff), 9)).toBe(true);
  expect(hasExtraBits(Uint8Array.of(0xff), 8)).toBe(false);
  expect(hasExtraBits(new Uint8Array(0), 0)).toBe(false);
});
