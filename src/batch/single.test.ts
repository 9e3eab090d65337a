import { describe, expect, it } from 'vitest';
import { concatBytes } from '../encoding/bytes.ts';
import { encodeRlp, type RlpValue } from '../encoding/rlp.ts';
import { RuleBook } from '../rules/rule-book.ts';
import { decodeBatch, encodeSingleBatch } from './codec.ts';
import { bookWith, CONTEXT, fateOf, single } from './testing.ts';

const HASH = new Uint8Array(32).fill(7);
const MAX_U64 = 0xffff_ffff_ffff_ffffn;

function bytesOf(value: RlpValue): Uint8Array {
  return concatBytes([Uint8Array.of(0), encodeRlp(value)]);
}

it('decodes what it encodes', () => {
  const batch = single({ epochNum: MAX_U64, timestamp: 0n, transactions: [new Uint8Array(0), Uint8Array.of(5)] });
  expect(decodeBatch(encodeSingleBatch(batch), CONTEXT, new RuleBook())).toEqual({ kind: 'batch', batch });
});

describe('batch-decode/single-format', () => {
  const MALFORMED = 'malformed batch-decode/single-format';

  it.each<[string, RlpValue]>([
    ['a string', HASH],
    ['four items', [HASH, 1n, HASH, 2n]],
    ['six items', [HASH, 1n, HASH, 2n, [], []]],
    ['a short parent hash', [HASH.subarray(1), 1n, HASH, 2n, []]],
    ['a long epoch hash', [HASH, 1n, new Uint8Array(33), 2n, []]],
    ['an epoch number of 9 bytes', [HASH, 1n << 64n, HASH, 2n, []]],
    ['an epoch number with a leading zero', [HASH, { encoded: Uint8Array.of(0x82, 0, 200) }, HASH, 2n, []]],
    ['a timestamp that is the byte 0', [HASH, 1n, HASH, { encoded: Uint8Array.of(0) }, []]],
    ['a timestamp that is a list', [HASH, 1n, HASH, [], []]],
    ['a string for the transactions', [HASH, 1n, HASH, 2n, new Uint8Array(0)]],
    ['a list among the transactions', [HASH, 1n, HASH, 2n, [[]]]],
    ['a wrapped byte among the transactions', [HASH, 1n, HASH, 2n, [{ encoded: Uint8Array.of(0x81, 5) }]]],
  ])('refuses %s', (_, value) => {
    expect(fateOf(bytesOf(value))).toBe(MALFORMED);
  });

  it('refuses a batch that is cut off anywhere', () => {
    const bytes = encodeSingleBatch(single());
    for (let length = 1; length < bytes.length; length++) expect(fateOf(bytes.subarray(0, length))).toBe(MALFORMED);
  });

  it('refuses a list that pretends to be longer than its bytes', () => {
    expect(fateOf(Uint8Array.of(0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1))).toBe(MALFORMED);
  });

  it('takes what it can from a bad batch when a variant does not mind', () => {
    const rules = bookWith('batch-decode/single-format', 'never');
    expect(decodeBatch(bytesOf([HASH, 1n, HASH]), CONTEXT, rules)).toEqual({
      kind: 'batch',
      batch: single({ parentHash: HASH, epochNum: 1n, epochHash: HASH, timestamp: 0n, transactions: [] }),
    });
  });
});
