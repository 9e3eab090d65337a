import { describe, expect, it } from 'vitest';
import { concatBytes, fromHex, toHex } from './bytes.ts';
import { encodeRlp, integerBytes, RlpCursor, type RlpValue, readRlpHeader } from './rlp.ts';

function cursor(hex: string): RlpCursor {
  const bytes = fromHex(hex);
  return new RlpCursor(bytes, 0, bytes.length);
}

describe('encodeRlp', () => {
  const cases: [RlpValue, string][] = [
    [new Uint8Array(0), '0x80'],
    [Uint8Array.of(0), '0x00'],
    [Uint8Array.of(0x7f), '0x7f'],
    [Uint8Array.of(0x80), '0x8180'],
    [0n, '0x80'],
    [127n, '0x7f'],
    [128n, '0x8180'],
    [1024n, '0x820400'],
    [(1n << 64n) - 1n, '0x88ffffffffffffffff'],
    [[], '0xc0'],
    [[[], [[]], [[], [[]]]], '0xc7c0c1c0c3c0c1c0'],
    [[Uint8Array.of(1), { encoded: Uint8Array.of(0x81, 0x05) }], '0xc3018105'],
  ];
  it.each(cases)('encodes %s', (value, hex) => {
    expect(toHex(encodeRlp(value))).toBe(hex);
  });

  it('writes long lengths', () => {
    expect(encodeRlp(new Uint8Array(55)).subarray(0, 2)).toEqual(Uint8Array.of(0xb7, 0));
    expect(encodeRlp(new Uint8Array(56)).subarray(0, 2)).toEqual(Uint8Array.of(0xb8, 56));
    expect(encodeRlp(new Uint8Array(65_536)).subarray(0, 4)).toEqual(Uint8Array.of(0xba, 1, 0, 0));
    expect(encodeRlp([new Uint8Array(255)]).subarray(0, 3)).toEqual(Uint8Array.of(0xf9, 1, 1));
    expect(encodeRlp(1n << 480n).subarray(0, 3)).toEqual(Uint8Array.of(0xb8, 61, 1));
  });
});

describe('integerBytes', () => {
  it.each([
    [0n, '0x'],
    [255n, '0xff'],
    [256n, '0x0100'],
    [1n << 53n, '0x20000000000000'],
    [1n << 64n, '0x010000000000000000'],
  ])('of %d', (value, hex) => {
    expect(toHex(integerBytes(value))).toBe(hex);
  });
});

describe('RlpCursor', () => {
  it('walks strings and lists without copying', () => {
    const walk = cursor(`0x05820400c20102b838${'07'.repeat(56)}`);
    expect(walk.nextInteger(8)).toBeUndefined();
    expect(walk.integer()).toBe(5n);
    expect(walk.nextInteger(8)).toBeUndefined();
    expect(walk.integer()).toBe(1024n);
    expect(walk.nextList()).toBeUndefined();
    const inside = walk.inside();
    expect([inside.nextString(), inside.nextString(), inside.nextString()]).toEqual([undefined, undefined, 'missing']);
    expect(walk.nextFixed(56)).toBeUndefined();
    expect(walk.payload().buffer).toBe(walk.bytes.buffer);
    expect(walk.done).toBe(true);
  });

  it('reads integers of 8 bytes exactly', () => {
    const walk = cursor('0x88ffffffffffffffff87ffffffffffffff');
    walk.nextInteger(8);
    expect(walk.integer()).toBe((1n << 64n) - 1n);
    walk.nextInteger(8);
    expect(walk.integer()).toBe((1n << 56n) - 1n);
  });

  it.each([
    ['0x', 'missing'],
    ['0x81', 'truncated'],
    ['0x8205', 'truncated'],
    ['0xb8', 'truncated'],
    ['0xb93800', 'truncated'],
    ['0xbfffffffffffffffff00', 'truncated'],
    ['0x8105', 'not canonical'],
    ['0xb800', 'not canonical'],
    [`0xb837${'00'.repeat(55)}`, 'not canonical'],
    [`0xb90038${'00'.repeat(56)}`, 'not canonical'],
    ['0xc0', 'a list'],
    [`0xf838${'00'.repeat(56)}`, 'a list'],
  ])('finds %s no string: %s', (hex, problem) => {
    expect(cursor(hex).nextString()).toBe(problem);
  });

  it.each([
    ['0x05', 'not a list'],
    ['0x80', 'not a list'],
    ['0xc101', undefined],
    ['0xc2', 'truncated'],
    ['0xf800', 'not canonical'],
    [`0xb838${'00'.repeat(56)}`, 'not a list'],
  ])('asks whether %s is a list', (hex, problem) => {
    expect(cursor(hex).nextList()).toBe(problem);
  });

  it.each([
    ['0x00', 8, 'leading zero'],
    ['0x820005', 8, 'leading zero'],
    ['0x89010000000000000000', 8, 'width'],
    ['0x89010000000000000000', undefined, undefined],
    ['0x80', 8, undefined],
    ['0x820100', 1, 'width'],
  ])('checks the integer %s of at most %s bytes', (hex, width, problem) => {
    expect(cursor(hex).nextInteger(width)).toBe(problem);
  });

  it('checks a fixed width', () => {
    expect(cursor('0x820102').nextFixed(2)).toBeUndefined();
    expect(cursor('0x820102').nextFixed(3)).toBe('width');
    expect(cursor('0x05').nextFixed(1)).toBeUndefined();
  });

  it('keeps the items of a list inside it', () => {
    const walk = cursor('0xc2820105');
    expect(walk.nextList()).toBeUndefined();
    expect(walk.inside().nextString()).toBe('truncated');
  });
});

it('readRlpHeader does not say that the payload fits', () => {
  const bytes = concatBytes([Uint8Array.of(0xfb), Uint8Array.of(1, 0, 0, 0)]);
  expect(readRlpHeader(bytes, 0, bytes.length)).toEqual({ list: true, start: 5, length: 16_777_216, canonical: true });
  expect(readRlpHeader(bytes, 0, 4)).toBeUndefined();
  expect(readRlpHeader(bytes, 5, 5)).toBeUndefined();
});
