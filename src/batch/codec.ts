/**
 * Batches and their bytes: a version byte, then the content of a single batch (0) or of a span batch (1).
 *
 * Specification: derivation.md#batch-format, delta/span-batches.md#span-batch-format.
 */

import { concatBytes } from '../encoding/bytes.ts';
import type { RuleBook } from '../rules/rule-book.ts';
import type { SingleBatch, SpanBatch } from './batch.ts';
import type { DecodeContext, DecodedBatch, Malformed } from './outcome.ts';
import { encodeSingleList, parseSingleBatch } from './single.ts';
import { columnsOf, type SpanEncodeContext, spanBatchOf } from './span.ts';
import { encodeSpanColumns, parseSpanColumns, type SpanColumns, type SpanField } from './span-columns.ts';

export { batchHash } from './hash.ts';
export type { DecodeContext, DecodedBatch } from './outcome.ts';

const SINGLE_VERSION = 0;
const SPAN_VERSION = 1;

/**
 * Decodes one batch: the content of one RLP string of a channel.
 *
 * As in op-node the bytes are parsed to the end first, then Delta is asked for, and last the blocks are rebuilt; so a
 * malformed span batch ends its channel also before Delta. The result shares memory with `data`.
 */
export function decodeBatch(data: Uint8Array, context: DecodeContext, rules: RuleBook): DecodedBatch {
  const version = data[0];
  const known = version === SINGLE_VERSION || version === SPAN_VERSION;
  if (rules.fires('batch-decode/version', !known, () => ({ version }))) {
    return {
      kind: 'malformed',
      rule: 'batch-decode/version',
      detail: version === undefined ? 'no bytes' : `version ${version}`,
    };
  }
  // A variant that accepts other versions reads them as single batches.
  if (version !== SPAN_VERSION) {
    const parsed = parseSingleBatch(data, 1, rules);
    if (parsed.kind === 'malformed') return parsed;
    return refusedTail(data, parsed.end, rules) ?? { kind: 'batch', batch: parsed.batch };
  }

  const parsed = parseSpanColumns(data, 1, rules);
  if (parsed.kind === 'malformed') return parsed;
  const tail = refusedTail(data, parsed.end, rules);
  if (tail !== undefined) return tail;
  if (rules.fires('batch-decode/span-before-delta', !context.deltaActive)) {
    return { kind: 'skipped', rule: 'batch-decode/span-before-delta', detail: 'span batch before Delta' };
  }
  const batch = spanBatchOf(parsed.columns, context, rules);
  return batch.kind === 'skipped' ? batch : { kind: 'batch', batch };
}

/** `batch-decode/tail-ignored`: fires when there are bytes behind the batch, which then have no effect. */
function refusedTail(data: Uint8Array, end: number, rules: RuleBook): Malformed | undefined {
  const length = Math.max(data.length - end, 0);
  if (rules.fires('batch-decode/tail-ignored', length > 0, () => ({ length })) || length === 0) return undefined;
  return { kind: 'malformed', rule: 'batch-decode/tail-ignored', detail: `${length} bytes behind the batch` };
}

/** Ways to write any batch wrong. */
export interface BatchFaults {
  /** The version byte. */
  readonly version?: number;
  /** Bytes behind the batch. */
  readonly tail?: Uint8Array;
  /** Cuts the batch, version byte included and tail excluded, to its first so many bytes; a negative number cuts off so many. */
  readonly cut?: number;
}

/** Ways to write a span batch wrong. */
export interface SpanFaults extends BatchFaults {
  /** Edits the honest columns. */
  readonly columns?: (honest: SpanColumns) => SpanColumns;
  /** Bytes in place of a field's own, for instance a number with redundant groups. */
  readonly bytes?: Readonly<Partial<Record<SpanField, Uint8Array>>>;
}

/** Encodes a single batch with its version byte. */
export function encodeSingleBatch(batch: SingleBatch, faults: BatchFaults = {}): Uint8Array {
  return assemble(SINGLE_VERSION, encodeSingleList(batch), faults);
}

/**
 * Encodes a span batch with its version byte.
 *
 * @throws RangeError for a transaction that has no place in a span batch
 */
export function encodeSpanBatch(batch: SpanBatch, context: SpanEncodeContext, faults: SpanFaults = {}): Uint8Array {
  const honest = columnsOf(batch, context);
  const columns = faults.columns?.(honest) ?? honest;
  return assemble(SPAN_VERSION, encodeSpanColumns(columns, faults.bytes), faults);
}

function assemble(version: number, content: Uint8Array, faults: BatchFaults): Uint8Array {
  const batch = concatBytes([Uint8Array.of(faults.version ?? version), content]);
  const cut = faults.cut === undefined ? batch : batch.subarray(0, faults.cut);
  return faults.tail === undefined ? cut : concatBytes([cut, faults.tail]);
}
