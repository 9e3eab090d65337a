import { describe, expect, it } from 'vitest';
import { ByteReader } from './byte-reader.ts';
import { encodeUvarint, readUvarint } from './uvarint.ts';

const MAX_U64 = 0xffff_ffff_ffff_ffffn;

describe('readUvarint', () => {
  it.each([
    [[0x00], 0n],
    [[0x7f], 127n],
    [[0x80, 0x01], 128n],
    [[0xff, 0x01], 255n],
    [[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01], 1n << 42n],
    [[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01], 1n << 49n],
    [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], MAX_U64],
  ])('reads %j', (bytes, value) => {
    const padded = Uint8Array.from([9, ...bytes, 9]);
    expect(readUvarint(padded, 1)).toEqual({ value, end: 1 + bytes.length, problem: undefined, redundant: false });
  });

  it.each([
    [[0x80, 0x00], 0n],
    [[0x85, 0x80, 0x00], 5n],
    [[0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], 1n],
  ])('notes the redundant group of %j', (bytes, value) => {
    const read = readUvarint(Uint8Array.from(bytes), 0);
    expect(read).toEqual({ value, end: bytes.length, problem: undefined, redundant: true });
  });

  it('refuses a tenth byte above 1, and a tenth byte that wants an eleventh', () => {
    const nine = new Array<number>(9).fill(0xff);
    expect(readUvarint(Uint8Array.from([...nine, 0x02]), 0)).toMatchObject({ problem: 'overflow', end: 10 });
    expect(readUvarint(Uint8Array.from([...nine, 0x81, 0x00]), 0)).toMatchObject({ problem: 'overflow', end: 10 });
  });

  it.each([0, 1, 6, 7, 9])('runs out of bytes after %d', (length) => {
    const read = readUvarint(new Uint8Array(length).fill(0x80), 0);
    expect(read).toMatchObject({ problem: 'short', end: length });
  });
});

describe('encodeUvarint', () => {
  it('writes the shortest form, or pads it with groups of zeros', () => {
    expect(encodeUvarint(300n)).toEqual(Uint8Array.of(0xac, 0x02));
    expect(encodeUvarint(5n, 3)).toEqual(Uint8Array.of(0x85, 0x80, 0x00));
    expect(encodeUvarint(0n, 2)).toEqual(Uint8Array.of(0x80, 0x00));
  });

  it('writes what no reader accepts', () => {
    expect(readUvarint(encodeUvarint(1n << 64n), 0).problem).toBe('overflow');
    expect(readUvarint(encodeUvarint(1n, 11), 0).problem).toBe('overflow');
  });

  it.each([0n, 127n, 128n, (1n << 49n) - 1n, 1n << 49n, (1n << 53n) - 1n, 1n << 53n, MAX_U64])(
    'round-trips %d',
    (value) => {
      expect(readUvarint(encodeUvarint(value), 0)).toMatchObject({ value, problem: undefined, redundant: false });
    },
  );
});

describe('ByteReader', () => {
  it('gives views, and zeros beyond the end', () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const reader = new ByteReader(bytes);
    expect(reader.take(2).buffer).toBe(bytes.buffer);
    expect([reader.remaining, reader.short]).toEqual([1, false]);
    expect(reader.take(3)).toEqual(Uint8Array.of(3, 0, 0));
    expect([reader.remaining, reader.short]).toEqual([0, true]);
    expect(reader.uvarint()).toBe(0n);
  });

  it('collects what its varints did until the flags are cleared', () => {
    const reader = new ByteReader(Uint8Array.from([0x80, 0x00, ...encodeUvarint(1n << 64n)]));
    reader.uvarint();
    expect([reader.redundant, reader.overflow]).toEqual([true, false]);
    reader.uvarint();
    expect([reader.redundant, reader.overflow]).toEqual([true, true]);
    reader.clearFlags();
    expect([reader.redundant, reader.overflow]).toEqual([false, false]);
  });
});
