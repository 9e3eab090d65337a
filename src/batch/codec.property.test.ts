import fc from 'fast-check';
import { expect, it } from 'vitest';
import { concatBytes } from '../encoding/bytes.ts';
import { encodeRlp, type RlpValue } from '../encoding/rlp.ts';
import { RULE_IDS } from '../rules/catalogue.ts';
import { RuleBook } from '../rules/rule-book.ts';
import type { SingleBatch, SpanBatch, SpanBlock } from './batch.ts';
import { batchHash, decodeBatch, encodeSingleBatch, encodeSpanBatch } from './codec.ts';
import { encodeSpanColumns, parseSpanColumns } from './span-columns.ts';
import { CONTEXT } from './testing.ts';

const RUNS = { numRuns: Number(process.env['FAST_CHECK_RUNS'] ?? 100) };

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const u256 = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
const amount = fc.bigInt({ min: 0n, max: (1n << 600n) - 1n });
const data = fc.uint8Array({ maxLength: 80 });
const recipient = fc.oneof(bytes(20), fc.constant(new Uint8Array(0)));
const parity = fc.bigInt({ min: 0n, max: 1n });
const accessList: fc.Arbitrary<RlpValue> = fc.array(fc.tuple(bytes(20), fc.array(bytes(32), { maxLength: 2 })), {
  maxLength: 2,
});
const authorisations: fc.Arbitrary<RlpValue> = fc.array(
  fc.tuple(u256, bytes(20), u64, fc.bigInt({ min: 0n, max: 255n }), u256, u256),
  { maxLength: 2 },
);
const chainId = fc.constant(CONTEXT.l2ChainId);
const legacyV = fc.constantFrom(27n, 28n, 2n * CONTEXT.l2ChainId + 35n, 2n * CONTEXT.l2ChainId + 36n);

function typed(type: number, list: fc.Arbitrary<RlpValue>): fc.Arbitrary<Uint8Array> {
  return list.map((value) => concatBytes([Uint8Array.of(type), encodeRlp(value)]));
}

const transaction: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.tuple(u64, amount, u64, recipient, amount, data, legacyV, u256, u256).map((items) => encodeRlp(items)),
  typed(1, fc.tuple(chainId, u64, amount, u64, recipient, amount, data, accessList, parity, u256, u256)),
  typed(2, fc.tuple(chainId, u64, amount, amount, u64, recipient, amount, data, accessList, parity, u256, u256)),
  typed(
    4,
    fc.tuple(chainId, u64, u256, u256, u64, bytes(20), u256, data, accessList, authorisations, parity, u256, u256),
  ),
  typed(0x7d, fc.array(data, { maxLength: 3 })),
);

const singleBatch: fc.Arbitrary<SingleBatch> = fc.record({
  kind: fc.constant('single' as const),
  parentHash: bytes(32),
  epochNum: u64,
  epochHash: bytes(32),
  timestamp: u64,
  transactions: fc.array(fc.oneof(data, transaction), { maxLength: 5 }),
});

/** Blocks as the format can tell them: times in steps of the block time, epochs in steps of one, both modulo 2⁶⁴. */
const spanBatch: fc.Arbitrary<SpanBatch> = fc
  .record({
    parentCheck: bytes(20),
    l1OriginCheck: bytes(20),
    timestamp: u64,
    epoch: u64,
    blocks: fc.array(fc.tuple(fc.boolean(), fc.array(transaction, { maxLength: 2 })), { minLength: 1, maxLength: 10 }),
  })
  .map(({ parentCheck, l1OriginCheck, timestamp, epoch, blocks }) => {
    let epochNum = epoch;
    const built = blocks.map(([changes, transactions], index): SpanBlock => {
      if (changes) epochNum = BigInt.asUintN(64, epochNum + 1n);
      const time = BigInt.asUintN(64, timestamp + BigInt(index) * CONTEXT.blockTime);
      return { epochNum, timestamp: time, transactions };
    });
    return { kind: 'span', parentCheck, l1OriginCheck, blocks: built as [SpanBlock, ...SpanBlock[]] };
  });

it('decodes every single batch to what was encoded', () => {
  fc.assert(
    fc.property(singleBatch, (batch) => {
      expect(decodeBatch(encodeSingleBatch(batch), CONTEXT, new RuleBook())).toEqual({ kind: 'batch', batch });
    }),
    RUNS,
  );
});

it('decodes every span batch to what was encoded', () => {
  fc.assert(
    fc.property(spanBatch, (batch) => {
      expect(decodeBatch(encodeSpanBatch(batch, CONTEXT), CONTEXT, new RuleBook())).toEqual({ kind: 'batch', batch });
    }),
    RUNS,
  );
});

const rules = fc.record({
  rule: fc.constantFrom(...RULE_IDS.filter((rule) => /^batch-decode\/|^span\/(timestamps|epochs)$/.test(rule))),
  override: fc.constantFrom('never' as const, 'always' as const, undefined),
});

/** An encoded batch with a few bytes changed, and perhaps cut off. */
const damaged = fc
  .tuple(
    fc.oneof(
      singleBatch.map((batch) => encodeSingleBatch(batch)),
      spanBatch.map((batch) => encodeSpanBatch(batch, CONTEXT)),
    ),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
    fc.option(fc.nat()),
  )
  .map(([honest, edits, cut]) => {
    const batch = new Uint8Array(honest);
    for (const [place, value] of edits) batch[place % batch.length] = value;
    return cut === null ? batch : batch.subarray(0, cut % batch.length);
  });

const anyBytes = fc.oneof(
  damaged,
  fc.uint8Array({ maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }).map((tail) => concatBytes([Uint8Array.of(1), tail])),
);

it('gives an outcome for any bytes under any variant, and hashes what it decoded', () => {
  fc.assert(
    fc.property(anyBytes, rules, (batch, { rule, override }) => {
      const book = new RuleBook(override === undefined ? undefined : { name: 'test', rules: { [rule]: override } });
      const decoded = decodeBatch(batch, CONTEXT, book);
      if (decoded.kind === 'batch') expect(batchHash(decoded.batch)).toHaveLength(32);
      else expect(decoded.rule).toMatch(/^batch-decode\//);
    }),
    { numRuns: 20 * RUNS.numRuns },
  );
});

it('loses nothing but redundant groups of varints between bytes and columns', () => {
  fc.assert(
    fc.property(damaged, (batch) => {
      const parsed = parseSpanColumns(batch, 1, new RuleBook());
      if (parsed.kind === 'malformed') return;
      const written = encodeSpanColumns(parsed.columns);
      expect(parseSpanColumns(written, 0, new RuleBook())).toEqual({ ...parsed, end: written.length });
      expect(written.length).toBeLessThanOrEqual(parsed.end - 1);
    }),
    RUNS,
  );
});
