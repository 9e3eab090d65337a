import { describe, expect, it } from 'vitest';
import { RuleBook, type RuleOverride } from '../rules/rule-book.ts';
import type { SpanBatch } from './batch.ts';
import { decodeBatch, encodeSpanBatch, type SpanFaults } from './codec.ts';
import { columnsOf } from './span.ts';
import { bookWith, CONTEXT, span, TRANSACTIONS } from './testing.ts';

function decoded(faults: SpanFaults, context = CONTEXT, rules = new RuleBook()): SpanBatch {
  const outcome = decodeBatch(encodeSpanBatch(span([], [], []), CONTEXT, faults), context, rules);
  if (outcome.kind !== 'batch' || outcome.batch.kind !== 'span') throw new Error(`not a span batch: ${outcome.kind}`);
  return outcome.batch;
}

function columns(changes: Partial<ReturnType<typeof columnsOf>>): SpanFaults {
  return { columns: (honest) => ({ ...honest, ...changes }) };
}

it('deals out the transactions to their blocks', () => {
  const { creation, dynamicFee, setCode } = TRANSACTIONS;
  const batch = span([creation, dynamicFee], [], [setCode]);
  const outcome = decodeBatch(encodeSpanBatch(batch, CONTEXT), CONTEXT, new RuleBook());
  expect(outcome).toEqual({ kind: 'batch', batch });
});

describe('span/timestamps', () => {
  const timestamps = (batch: SpanBatch) => batch.blocks.map((block) => block.timestamp);

  it('counts from genesis in steps of the block time', () => {
    expect(timestamps(decoded({}))).toEqual([1012n, 1014n, 1016n]);
    expect(timestamps(decoded({}, { ...CONTEXT, genesisTime: 0n, blockTime: 5n }))).toEqual([12n, 17n, 22n]);
  });

  it('wraps around at 64 bits', () => {
    const wrapping = columns({ relTimestamp: (1n << 64n) - 1003n });
    expect(timestamps(decoded(wrapping))).toEqual([(1n << 64n) - 3n, (1n << 64n) - 1n, 1n]);
    const saturating = bookWith('span/timestamps', 'never');
    expect(timestamps(decoded(wrapping, CONTEXT, saturating))).toEqual([
      (1n << 64n) - 3n,
      (1n << 64n) - 1n,
      (1n << 64n) - 1n,
    ]);
  });
});

describe('span/epochs', () => {
  const epochs = (bits: number, l1OriginNum = 10n, override: RuleOverride = (base) => base) =>
    decoded(
      columns({ originBits: Uint8Array.of(bits), l1OriginNum }),
      CONTEXT,
      bookWith('span/epochs', override),
    ).blocks.map((block) => block.epochNum);

  it('counts back from the last block', () => {
    expect(epochs(0b000)).toEqual([10n, 10n, 10n]);
    expect(epochs(0b010)).toEqual([9n, 10n, 10n]);
    expect(epochs(0b110)).toEqual([8n, 9n, 10n]);
  });

  it("does not look at the first block's bit", () => {
    expect(epochs(0b101)).toEqual([9n, 9n, 10n]);
  });

  it('wraps around below zero', () => {
    expect(epochs(0b110, 1n)).toEqual([(1n << 64n) - 1n, 0n, 1n]);
  });

  it('can be fixed by a variant', () => {
    expect(epochs(0b110, 10n, 'never')).toEqual([10n, 10n, 10n]);
    expect(epochs(0b000, 10n, 'always')).toEqual([8n, 9n, 10n]);
  });
});

describe('columnsOf', () => {
  it('sets an origin bit where the epoch changes', () => {
    const batch = span([], [], []);
    const blocks = batch.blocks.map((block, index) => ({ ...block, epochNum: index < 2 ? 9n : 10n }));
    const changed = { ...batch, blocks: blocks as [(typeof blocks)[0], ...typeof blocks] };
    expect(columnsOf(changed, CONTEXT)).toMatchObject({ l1OriginNum: 10n, originBits: Uint8Array.of(0b100) });
    expect(columnsOf(changed, { ...CONTEXT, startsEpoch: true })).toMatchObject({ originBits: Uint8Array.of(0b101) });
  });

  it('wraps a timestamp before genesis', () => {
    expect(columnsOf(span([]), { genesisTime: 1013n }).relTimestamp).toBe((1n << 64n) - 1n);
  });
});
