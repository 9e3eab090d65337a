import { describe, expect, it } from 'vitest';
import { encodeRlp, type RlpValue } from '../encoding/rlp.ts';
import { RuleBook } from '../rules/rule-book.ts';
import { columnsOf } from './span.ts';
import { rebuildTransactions, transactionColumns } from './span-transactions.ts';
import { ADDRESS, bookWith, CONTEXT, DATA, KEY, span, TRANSACTIONS, typed } from './testing.ts';

const TYPES = 'batch-decode/tx-types';
const FIELDS = 'batch-decode/tx-fields';

/** What becomes of one transaction with this data, everything else in order. */
function rebuild(data: Uint8Array, rules = new RuleBook(), raw = TRANSACTIONS.unprotected): Uint8Array | string {
  const columns = { ...columnsOf(span([raw]), CONTEXT), txDatas: [data] };
  const rebuilt = rebuildTransactions(columns, CONTEXT.l2ChainId, rules);
  return rebuilt.kind === 'skipped' ? rebuilt.rule : (rebuilt.transactions[0] as Uint8Array);
}

it.each(Object.entries(TRANSACTIONS))('rebuilds %s byte for byte', (_, raw) => {
  const columns = columnsOf(span([raw]), CONTEXT);
  expect(rebuildTransactions(columns, CONTEXT.l2ChainId, new RuleBook())).toEqual({
    kind: 'transactions',
    transactions: [raw],
  });
});

it('leaves only value, price, data and lists in the transaction data', () => {
  const { txDatas } = transactionColumns(Object.values(TRANSACTIONS));
  expect(txDatas).toEqual([
    encodeRlp([7n, 9n, DATA]),
    encodeRlp([7n, 9n, DATA]),
    encodeRlp([7n, 9n, DATA]),
    typed(1, [7n, 9n, DATA, [[ADDRESS, [KEY, KEY]]]]),
    typed(2, [0n, 1n, 9n, new Uint8Array(0), []]),
    typed(4, [7n, 1n, 9n, DATA, [], [[0n, ADDRESS, 6n, 1n, 3n << 200n, 5n]]]),
    TRANSACTIONS.postExec,
  ]);
});

it('counts recipients and protected bits among those that have them', () => {
  const { creation, dynamicFee, protected: bound, unprotected } = TRANSACTIONS;
  const columns = transactionColumns([creation, unprotected, dynamicFee, bound]);
  expect(columns.contractCreationBits).toEqual(Uint8Array.of(0b0001));
  expect(columns.protectedBits).toEqual(Uint8Array.of(0b100));
  expect(columns.txTos).toHaveLength(60);
});

describe('batch-decode/tx-types', () => {
  it.each([3, 5, 0x7c, 0x7e, 0x7f])('does not rebuild type %d', (type) => {
    const data = typed(type, [7n, 9n, DATA]);
    expect(rebuild(data)).toBe(TYPES);
    expect(rebuild(data, bookWith(TYPES, 'never'))).toEqual(data);
  });

  it('does not rebuild an explicit type 0', () => {
    const data = typed(0, [7n, 9n, DATA]);
    expect(rebuild(data)).toBe(TYPES);
    expect(rebuild(data, bookWith(TYPES, 'never'))).toEqual(TRANSACTIONS.unprotected);
  });

  it('does not rebuild a type 4 without recipient', () => {
    const data = transactionColumns([TRANSACTIONS.setCode]).txDatas[0] as Uint8Array;
    expect(rebuild(data, new RuleBook(), TRANSACTIONS.creation)).toBe(TYPES);
    expect(rebuild(data, bookWith(TYPES, 'never'), TRANSACTIONS.creation)).toBeInstanceOf(Uint8Array);
  });

  it('lets a variant decide by type', () => {
    const rules = bookWith(TYPES, (base, facts) => base || facts['type'] === 0x7d);
    expect(rebuild(TRANSACTIONS.postExec, rules)).toBe(TYPES);
    expect(rebuild(encodeRlp([7n, 9n, DATA]), rules)).toEqual(TRANSACTIONS.unprotected);
  });
});

describe('batch-decode/tx-fields', () => {
  const zeroFirst = { encoded: Uint8Array.of(0x82, 0, 200) };
  const tuple = [ADDRESS, [KEY]];
  const grant = [1n, ADDRESS, 2n, 1n, 3n, 4n];
  const wide = 1n << 256n;

  it.each<[string, number, RlpValue]>([
    ['too few items', 0, [7n, 9n]],
    ['too many items', 0, [7n, 9n, DATA, DATA]],
    ['an amount with a leading zero', 0, [zeroFirst, 9n, DATA]],
    ['an amount that is a zero byte', 0, [7n, { encoded: Uint8Array.of(0) }, DATA]],
    ['an amount that is a list', 0, [7n, [], DATA]],
    ['data that is a list', 0, [7n, 9n, []]],
    ['data that is a wrapped byte', 0, [7n, 9n, { encoded: Uint8Array.of(0x81, 5) }]],
    ['no access list', 1, [7n, 9n, DATA]],
    ['an access list that is a string', 1, [7n, 9n, DATA, DATA]],
    ['an access tuple without keys', 1, [7n, 9n, DATA, [[ADDRESS]]]],
    ['an access tuple of three', 1, [7n, 9n, DATA, [[...tuple, []]]]],
    ['a short address', 1, [7n, 9n, DATA, [[ADDRESS.subarray(1), []]]]],
    ['a long key', 1, [7n, 9n, DATA, [tuple, [ADDRESS, [new Uint8Array(33)]]]]],
    ['the shape of another type', 2, [7n, 9n, DATA, []]],
    ['no authorisation list', 4, [7n, 1n, 9n, DATA, []]],
    ['a value above 256 bits', 4, [wide, 1n, 9n, DATA, [], []]],
    ['a tip cap above 256 bits', 4, [7n, wide, 9n, DATA, [], []]],
    ['a fee cap above 256 bits', 4, [7n, 1n, wide, DATA, [], []]],
    ['an authorisation of five', 4, [7n, 1n, 9n, DATA, [], [grant.slice(1)]]],
    ['an authorisation of seven', 4, [7n, 1n, 9n, DATA, [], [[...grant, 5n]]]],
    ['an authorisation chain id above 256 bits', 4, [7n, 1n, 9n, DATA, [], [[wide, ...grant.slice(1)]]]],
    ['an authorisation nonce above 64 bits', 4, [7n, 1n, 9n, DATA, [], [[1n, ADDRESS, 1n << 64n, 1n, 3n, 4n]]]],
    ['an authorisation parity above a byte', 4, [7n, 1n, 9n, DATA, [], [[1n, ADDRESS, 2n, 256n, 3n, 4n]]]],
    ['an authorisation r above 256 bits', 4, [7n, 1n, 9n, DATA, [], [[1n, ADDRESS, 2n, 1n, wide, 4n]]]],
  ])('refuses %s', (_, type, list) => {
    const data = type === 0 ? encodeRlp(list) : typed(type, list);
    expect(rebuild(data)).toBe(FIELDS);
    expect(rebuild(data, bookWith(FIELDS, 'never'))).toBeInstanceOf(Uint8Array);
  });

  it.each<[string, number, RlpValue]>([
    ['legacy', 0, [wide, wide << 4000n, DATA]],
    ['type 1', 1, [wide, wide, DATA, []]],
    ['type 2', 2, [wide, wide, wide, DATA, []]],
    [
      'the widest of type 4',
      4,
      [wide - 1n, wide - 1n, wide - 1n, DATA, [], [[wide - 1n, ADDRESS, 2n, 255n, wide - 1n, 0n]]],
    ],
  ])('copies amounts of any width: %s', (_, type, list) => {
    const data = type === 0 ? encodeRlp(list) : typed(type, list);
    const raw = rebuild(data);
    expect(raw).toBeInstanceOf(Uint8Array);
    expect(transactionColumns([raw as Uint8Array]).txDatas[0]).toEqual(data);
  });

  it('does not look at type 0x7d', () => {
    const data = typed(0x7d, [{ encoded: Uint8Array.of(0xb8) }]);
    expect(rebuild(data)).toEqual(data);
  });

  it('fills in what a variant does not miss', () => {
    const raw = rebuild(typed(2, [7n]), bookWith(FIELDS, 'never'));
    const empty = new Uint8Array(0);
    expect(raw).toEqual(typed(2, [901n, 0n, 0n, 0n, 21_000n, ADDRESS, 7n, empty, [], 1n, 3n << 200n, 5n]));
  });
});

describe('batch-decode/signature-v', () => {
  const v = (raw: Uint8Array, rules = new RuleBook()): Uint8Array | string => {
    const columns = columnsOf(span([raw]), CONTEXT);
    const rebuilt = rebuildTransactions(columns, 10n, rules);
    return rebuilt.kind === 'skipped' ? rebuilt.rule : (rebuilt.transactions[0] as Uint8Array);
  };
  const legacy = (vValue: bigint) => encodeRlp([1n, 9n, 21_000n, ADDRESS, 7n, DATA, vValue, 3n << 200n, 5n]);

  it("puts in the chain's own id, whatever the transaction was signed for", () => {
    expect(v(legacy(2n * 901n + 35n))).toEqual(legacy(55n));
    expect(v(legacy(2n * 901n + 36n))).toEqual(legacy(56n));
    expect(v(legacy(28n))).toEqual(legacy(28n));
  });

  it('is the parity alone for a variant that knows no other', () => {
    const rules = bookWith('batch-decode/signature-v', 'never');
    expect(v(legacy(27n), rules)).toEqual(legacy(0n));
    expect(v(legacy(28n), rules)).toEqual(legacy(1n));
  });

  it('does not mind r and s of zero', () => {
    const columns = { ...columnsOf(span([TRANSACTIONS.protected]), CONTEXT), txSigs: new Uint8Array(64) };
    expect(rebuildTransactions(columns, 901n, new RuleBook())).toEqual({
      kind: 'transactions',
      transactions: [encodeRlp([1n, 9n, 21_000n, ADDRESS, 7n, DATA, 2n * 901n + 35n, 0n, 0n])],
    });
  });

  it('unbinds protected transactions when protected bits do not count', () => {
    expect(v(legacy(2n * 901n + 35n), bookWith('batch-decode/protected-bits', 'never'))).toEqual(legacy(27n));
  });
});

describe('transactionColumns', () => {
  it('puts in unknown types as they are', () => {
    const raw = typed(0x7e, [1n]);
    const columns = transactionColumns([raw]);
    expect(columns).toMatchObject({ txDatas: [raw], contractCreationBits: Uint8Array.of(1), txNonces: [0n] });
  });

  it.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array(0)],
    ['a string', encodeRlp(DATA)],
    ['bytes behind the list', Uint8Array.of(2, 0xc0, 0)],
    ['a list of the wrong shape', typed(2, [901n])],
    ['a recipient of 19 bytes', encodeRlp([0n, 9n, 21_000n, ADDRESS.subarray(1), 7n, DATA, 28n, 1n, 1n])],
    ['an item too many', encodeRlp([0n, 9n, 21_000n, ADDRESS, 7n, DATA, 28n, 1n, 1n, 1n])],
  ])('throws for %s', (_, raw) => {
    expect(() => transactionColumns([raw])).toThrow(RangeError);
  });
});
