/**
 * What the scenarios of decoding have in common: a channel of two batches, the first one in doubt, and what it shows.
 *
 * A batch that is good gives block 6; if it is skipped, the second batch of the channel gives a sibling; if it ends the
 * channel, the rival in the next channel is emitted.
 */

import type { Batch, SpanBatch } from '../../src/batch/batch.ts';
import type { SpanFaults } from '../../src/batch/codec.ts';
import type { SpanColumns } from '../../src/batch/span-columns.ts';
import { concatBytes } from '../../src/encoding/bytes.ts';
import { encodeRlp, type RlpValue } from '../../src/encoding/rlp.ts';
import type { Scenario, ScenarioOptions } from '../scenario/scenario.ts';
import { transaction } from '../scenario/transactions.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';
import { curated, POSTED, postRival } from './kit.ts';

/**
 * Number of the L1 block of the next channel. The block between has no data, so that an implementation that goes astray
 * after a flush still shows what it said of the batch.
 */
export const NEXT = POSTED + 2;

/**
 * A batch in doubt in front of a sibling of block 6, then block 6's rival.
 *
 * @param name - below `batch-decode/`, unless it names a stage
 */
export function doubt(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  batch: (s: Scenario) => Batch | Uint8Array,
  options: ScenarioOptions = {},
): CuratedScenario {
  return curated(
    name.includes('/') ? name : `batch-decode/${name}`,
    shows,
    rules,
    (s) => {
      const sibling = s.build(s.block(5), { transactions: [transaction(98)] });
      s.postBatches(POSTED, [batch(s), s.single(sibling)]);
      postRival(s, NEXT);
    },
    { l1Count: 5, ...options },
  );
}

/** The span batch of blocks from block 6 on, with these transactions in each. */
export function spanOf(s: Scenario, ...transactions: readonly (readonly Uint8Array[])[]): SpanBatch {
  const blocks = [];
  let parent = s.block(5);
  for (const list of transactions) {
    parent = s.build(parent, { transactions: list });
    blocks.push(parent);
  }
  return s.span(blocks as [typeof parent, ...(typeof parent)[]]);
}

/** Two blocks with a transaction each of the kinds that take part in every column. */
export function everyColumn(s: Scenario): SpanBatch {
  return spanOf(s, [transaction(1, 'legacy'), transaction(2, 'dynamic-fee')], [transaction(3, 'access-list')]);
}

/** A span batch of every column, written wrong. */
export function wrongSpan(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  faults: SpanFaults,
  options: ScenarioOptions = {},
): CuratedScenario {
  return doubt(name, shows, rules, (s) => s.encodeSpan(everyColumn(s), faults), options);
}

/** A span batch of every column with some of them edited. */
export function columns(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  edit: (honest: SpanColumns) => Partial<SpanColumns>,
  options: ScenarioOptions = {},
): CuratedScenario {
  return wrongSpan(name, shows, rules, { columns: (found) => ({ ...found, ...edit(found) }) }, options);
}

/** A span batch of block 6 with one transaction whose element of transaction data is replaced. */
export function element(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  data: Uint8Array,
  options: ScenarioOptions & { readonly columns?: Partial<SpanColumns> } = {},
): CuratedScenario {
  const { columns, ...rest } = options;
  const edit = (honest: SpanColumns): SpanColumns => ({ ...honest, txDatas: [data], ...columns });
  return doubt(name, shows, rules, (s) => s.encodeSpan(spanOf(s, [transaction(2)]), { columns: edit }), rest);
}

/** An element of transaction data: a type byte, unless it is a legacy transaction, and a list. */
export function typed(type: number | undefined, fields: readonly RlpValue[]): Uint8Array {
  const list = encodeRlp(fields);
  return type === undefined ? list : concatBytes([Uint8Array.of(type), list]);
}
