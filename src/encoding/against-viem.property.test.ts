/** RLP and keccak held against viem's, which share no code with ours. */

import * as fc from 'fast-check';
import { fromRlp, toRlp, keccak256 as viemKeccak } from 'viem';
import { expect, test } from 'vitest';
import { toHex } from './bytes.ts';
import { keccak256 } from './keccak.ts';
import { encodeRlp, RlpCursor, type RlpProblem } from './rlp.ts';

type Nested = Uint8Array | Nested[];

const nested = fc.letrec<{ value: Nested; list: Nested[] }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.uint8Array({ maxLength: 80 }), tie('list')),
  list: fc.array(tie('value'), { maxLength: 5 }),
})).value;

test('values are encoded as viem encodes them', () => {
  fc.assert(
    fc.property(nested, (value) => {
      expect(encodeRlp(value)).toEqual(toRlp(value, 'bytes'));
    }),
  );
});

/** The first problem of one whole item, all the way down. */
function problemOf(cursor: RlpCursor, bytes: Uint8Array): RlpProblem | 'trailing' | undefined {
  const list = (bytes[cursor.end] ?? 0) >= 0xc0;
  const problem = list ? cursor.nextList() : cursor.nextString();
  if (problem !== undefined || !list) return problem;
  const items = new RlpCursor(bytes, cursor.start, cursor.end);
  while (items.end < cursor.end) {
    const inner = problemOf(items, bytes);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

test('bytes are one strict item for us exactly when they are for viem', () => {
  const bent = fc.tuple(nested, fc.nat({ max: 40 }), fc.nat({ max: 255 })).map(([value, at, byte]) => {
    const bytes = encodeRlp(value);
    if (at < bytes.length) bytes[at] = byte;
    return bytes;
  });
  fc.assert(
    fc.property(fc.oneof(bent, fc.uint8Array({ minLength: 1, maxLength: 70 })), (bytes) => {
      const cursor = new RlpCursor(bytes, 0, bytes.length);
      const ours = problemOf(cursor, bytes) === undefined && cursor.end === bytes.length;
      let theirs = true;
      try {
        fromRlp(bytes, 'bytes');
      } catch {
        theirs = false;
      }
      expect(ours, toHex(bytes)).toBe(theirs);
    }),
    { numRuns: 1000 },
  );
});

test('keccak256 is viem’s', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 }), (parts) => {
      const whole = Uint8Array.from(parts.flatMap((part) => [...part]));
      expect(toHex(keccak256(...parts))).toBe(viemKeccak(whole));
    }),
  );
});
