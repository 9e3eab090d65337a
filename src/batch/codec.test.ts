import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../encoding/bytes.ts';
import { keccak256 } from '../encoding/keccak.ts';
import { encodeRlp } from '../encoding/rlp.ts';
import { RULE_IDS } from '../rules/catalogue.ts';
import { RuleBook } from '../rules/rule-book.ts';
import { batchHash, type DecodedBatch, decodeBatch, encodeSingleBatch, encodeSpanBatch } from './codec.ts';
import opNode from './op-node-answers.json' with { type: 'json' };
import { bookWith, CONTEXT, fate, fateOf, single, span, TRANSACTIONS } from './testing.ts';

describe('batch-decode/version', () => {
  const VERSION = 'malformed batch-decode/version';

  it('knows 0 and 1', () => {
    expect(fateOf(new Uint8Array(0))).toBe(VERSION);
    expect(fateOf(encodeSingleBatch(single(), { version: 2 }))).toBe(VERSION);
    expect(fateOf(encodeSpanBatch(span([]), CONTEXT, { version: 2 }))).toBe(VERSION);
    expect(fateOf(encodeSingleBatch(single()))).toBe('batch');
    expect(fateOf(encodeSpanBatch(span([]), CONTEXT))).toBe('batch');
  });

  it('reads other versions as single batches when a variant does not mind', () => {
    const rules = bookWith('batch-decode/version', 'never');
    expect(fate(decodeBatch(encodeSingleBatch(single(), { version: 9 }), CONTEXT, rules))).toBe('batch');
    expect(fate(decodeBatch(new Uint8Array(0), CONTEXT, rules))).toBe('malformed batch-decode/single-format');
  });
});

describe('batch-decode/tail-ignored', () => {
  const tail = Uint8Array.of(1, 2, 3);
  it.each([
    ['single', encodeSingleBatch(single(), { tail }), encodeSingleBatch(single())],
    ['span', encodeSpanBatch(span([]), CONTEXT, { tail }), encodeSpanBatch(span([]), CONTEXT)],
  ])('ignores bytes behind a %s batch, and counts that it did', (_, withTail, without) => {
    const rules = new RuleBook();
    const index = RULE_IDS.indexOf('batch-decode/tail-ignored');
    expect(decodeBatch(withTail, CONTEXT, rules)).toEqual(decodeBatch(without, CONTEXT, rules));
    expect([rules.fired[index], rules.passed[index]]).toEqual([1, 1]);
  });

  it('is an error for a variant', () => {
    const rules = bookWith('batch-decode/tail-ignored', 'never');
    const data = encodeSpanBatch(span([]), CONTEXT, { tail });
    expect(fate(decodeBatch(data, CONTEXT, rules))).toBe('malformed batch-decode/tail-ignored');
    expect(fate(decodeBatch(encodeSpanBatch(span([]), CONTEXT), CONTEXT, rules))).toBe('batch');
  });
});

describe('batch-decode/span-before-delta', () => {
  const before = { ...CONTEXT, deltaActive: false };
  it('passes over a span batch alone, after it was parsed and before it is rebuilt', () => {
    expect(fateOf(encodeSpanBatch(span([]), CONTEXT), before)).toBe('skipped batch-decode/span-before-delta');
    expect(fateOf(encodeSpanBatch(span([]), CONTEXT, { cut: -1 }), before)).toBe('malformed batch-decode/span-layout');
    const underivable = encodeSpanBatch(span([TRANSACTIONS.unprotected]), CONTEXT, {
      columns: (honest) => ({ ...honest, txDatas: [Uint8Array.of(0xc0)] }),
    });
    expect(fateOf(underivable)).toBe('skipped batch-decode/tx-fields');
    expect(fateOf(underivable, before)).toBe('skipped batch-decode/span-before-delta');
  });

  it('does not concern single batches', () => {
    expect(fateOf(encodeSingleBatch(single()), before)).toBe('batch');
  });
});

describe('batchHash', () => {
  it('is that of the RLP of the batch', () => {
    const batch = single();
    const { parentHash, epochNum, epochHash, timestamp, transactions } = batch;
    expect(batchHash(batch)).toEqual(keccak256(encodeRlp([parentHash, epochNum, epochHash, timestamp, transactions])));
    const two = span([TRANSACTIONS.creation], []);
    const blocks = [
      [10n, 1012n, [TRANSACTIONS.creation]],
      [10n, 1014n, []],
    ];
    expect(batchHash(two)).toEqual(keccak256(encodeRlp([two.parentCheck, two.l1OriginCheck, blocks])));
  });

  it('of a span batch that is hashed in pieces', () => {
    const [first] = span([]).blocks;
    const others = Array.from({ length: 9_000 }, (_, index) => ({
      epochNum: first.epochNum + BigInt(index >> 2),
      timestamp: first.timestamp + 2n * BigInt(index),
      transactions: index % 1_000 === 0 ? [TRANSACTIONS.dynamicFee] : [],
    }));
    const long = span([]);
    for (const length of [4_095, 4_096, 8_191, 8_192, 9_000]) {
      const blocks = [first, ...others.slice(0, length)] as const;
      const list = blocks.map((block) => [block.epochNum, block.timestamp, block.transactions]);
      const whole = keccak256(encodeRlp([long.parentCheck, long.l1OriginCheck, list]));
      expect(batchHash({ ...long, blocks }), String(length)).toEqual(whole);
    }
  });
});

describe(`op-node's answers`, () => {
  const answer = (decoded: DecodedBatch): string => {
    if (decoded.kind === 'malformed') return 'malformed';
    if (decoded.kind === 'skipped') return 'underivable';
    return `${decoded.batch.kind} ${toHex(batchHash(decoded.batch)).slice(2)}`;
  };

  it.each(opNode.cases.map((entry, index) => [index, entry] as const))('case %d', (_, entry) => {
    const context = {
      genesisTime: BigInt(entry.genesisTime),
      blockTime: BigInt(entry.blockTime),
      l2ChainId: BigInt(entry.l2ChainId),
      deltaActive: true,
    };
    expect(answer(decodeBatch(fromHex(`0x${entry.data}`), context, new RuleBook()))).toBe(entry.answer);
  });

  it('survive every rule fixed either way, without an exception', () => {
    const rules = RULE_IDS.filter((rule) => /^batch-decode\/|^span\/(timestamps|epochs)$/.test(rule));
    for (const rule of rules) {
      for (const override of ['never', 'always'] as const) {
        const book = bookWith(rule, override);
        for (const entry of opNode.cases) {
          const decoded = decodeBatch(fromHex(`0x${entry.data}`), CONTEXT, book);
          if (decoded.kind === 'batch') batchHash(decoded.batch);
        }
      }
    }
  });
});
