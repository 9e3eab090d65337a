/** Puts the entries of traces beside the rows of a time line. */

import { LIST_NAMES, type ListName } from '../../src/derive.ts';
import { toHex } from '../../src/encoding/bytes.ts';
import { keccak256 } from '../../src/encoding/keccak.ts';
import type { Side } from '../compare/compare.ts';
import type { BatchJson, ChannelJson, FlushJson, FrameJson, SingleJson, TraceInteger, TraceJson } from '../trace.ts';
import { ROW_LISTS, type Row } from './rows.ts';

/** An entry that no row of the pipeline's own run stands for: only other implementations have it. */
export interface ForeignRow {
  readonly kind: 'foreign';
  readonly origin: bigint;
  readonly list: ListName;
  readonly entry: TraceJson[ListName][number];
  /** The row of another L1 block at which the pipeline's own run has the same. */
  readonly elsewhere: Row | undefined;
}

/** A row with what each side has of it, by the side's position: an index of its list. */
export interface AlignedRow {
  readonly row: Row | ForeignRow;
  readonly at: (number | undefined)[];
}

/** Aligns each side's trace with the rows. Rows are added for entries that only other implementations have. */
export function align(rows: readonly Row[], sides: readonly Side[]): AlignedRow[] {
  let aligned: AlignedRow[] = rows.map((row) => ({ row, at: sides.map(() => undefined) }));
  for (const [side, { trace, silent, implementation }] of sides.entries()) {
    if (silent === true) continue;
    for (const list of LIST_NAMES) {
      if (implementation === 'typescript' && placeOwn(aligned, side, list, trace)) continue;
      aligned = place(aligned, side, list, trace[list], sides.length);
    }
  }
  return aligned;
}

/** The pipeline's own trace needs no search, if it is that of this very run. */
function placeOwn(aligned: readonly AlignedRow[], side: number, list: ListName, trace: TraceJson): boolean {
  const entries = trace[list];
  const own = aligned.filter(({ row }) => listOf(row) === list && row.kind !== 'foreign' && row.entry !== undefined);
  if (own.length !== entries.length) return false;
  const fits = own.every(({ row }, index) => {
    const entry = entries[index]!;
    return row.kind !== 'foreign' && BigInt(entry.origin) === row.origin && keyOf(row) === entryKey(list, entry);
  });
  if (!fits) return false;
  for (const [index, { at }] of own.entries()) at[side] = index;
  return true;
}

function listOf(row: Row | ForeignRow): ListName | undefined {
  return row.kind === 'foreign' ? row.list : ROW_LISTS[row.kind];
}

/** Aligns one list of one side, L1 block by L1 block. */
function place(
  aligned: readonly AlignedRow[],
  side: number,
  list: ListName,
  entries: readonly TraceJson[ListName][number][],
  sides: number,
): AlignedRow[] {
  const out: AlignedRow[] = [];
  const byOrigin = new Map<bigint, number[]>();
  for (const [index, { origin }] of entries.entries()) {
    const key = BigInt(origin);
    byOrigin.set(key, [...(byOrigin.get(key) ?? []), index]);
  }
  for (let start = 0; start < aligned.length; ) {
    const { origin } = aligned[start]!.row;
    let end = start;
    while (end < aligned.length && aligned[end]!.row.origin === origin) end += 1;
    const block = aligned.slice(start, end);
    const indices = byOrigin.get(origin) ?? [];
    byOrigin.delete(origin);
    out.push(...placeInBlock(block, aligned, side, list, entries, indices, sides));
    start = end;
  }
  // An L1 block at which the pipeline's own run never stood.
  for (const indices of byOrigin.values()) out.push(...placeInBlock([], aligned, side, list, entries, indices, sides));
  return out;
}

function placeInBlock(
  block: readonly AlignedRow[],
  all: readonly AlignedRow[],
  side: number,
  list: ListName,
  entries: readonly TraceJson[ListName][number][],
  indices: readonly number[],
  sides: number,
): AlignedRow[] {
  const candidates = block.filter(({ row }) => listOf(row) === list);
  const keys = candidates.map(({ row }) => (row.kind === 'foreign' ? entryKey(list, row.entry) : keyOf(row)));
  const matched = longestMatch(
    keys,
    indices.map((index) => entryKey(list, entries[index]!)),
    candidates.map(({ row }) => row.kind !== 'foreign' && row.entry !== undefined),
  );
  const extra = new Map<AlignedRow | undefined, AlignedRow[]>();
  let last: AlignedRow | undefined;
  for (const [position, index] of indices.entries()) {
    const match = matched[position];
    if (match !== undefined) {
      last = candidates[match]!;
      last.at[side] = index;
      continue;
    }
    const entry = entries[index]!;
    const elsewhere = list === 'flushes' ? undefined : sameElsewhere(all, list, entry);
    const row: ForeignRow = { kind: 'foreign', origin: BigInt(entry.origin), list, entry, elsewhere };
    const at = Array.from({ length: sides }, (_, other) => (other === side ? index : undefined));
    const anchor = anchorOf(entry, list, block, last);
    extra.set(anchor, [...(extra.get(anchor) ?? []), { row, at }]);
  }
  const out = [...(extra.get(undefined) ?? [])];
  for (const one of block) out.push(one, ...(extra.get(one) ?? []));
  return out;
}

/**
 * Behind which row an entry that only others have comes: behind the entry before it, or behind the batch that it is
 * made from; the first one behind all that the block has of earlier boundaries.
 */
function anchorOf(
  entry: TraceJson[ListName][number],
  list: ListName,
  block: readonly AlignedRow[],
  last: AlignedRow | undefined,
): AlignedRow | undefined {
  const earliest = last === undefined ? 0 : block.indexOf(last) + 1;
  const batch = block.slice(0, earliest).findLast(({ row }) => row.kind === 'batch');
  // The others may go on with a span batch that the pipeline's own run has given up.
  const goesOn = batch !== undefined && 'form' in batch.row && batch.row.form === 'span';
  if (goesOn && isMadeFrom(entry, list, batch.row)) return last;
  const later = block.slice(earliest).find(({ row }) => isMadeFrom(entry, list, row));
  return later ?? last ?? block.findLast((one) => !isLater(one.row, list));
}

function sameElsewhere(
  all: readonly AlignedRow[],
  list: ListName,
  entry: TraceJson[ListName][number],
): Row | undefined {
  const key = entryKey(list, entry);
  for (const { row } of all) {
    if (row.kind !== 'foreign' && listOf(row) === list && row.entry !== undefined && keyOf(row) === key) return row;
  }
  return undefined;
}

/** Whether an emitted batch can come from this batch. */
function isMadeFrom(entry: TraceJson[ListName][number], list: ListName, row: Row | ForeignRow): boolean {
  if (list !== 'singles' || row.kind !== 'batch' || row.first === undefined || row.last === undefined) return false;
  const time = BigInt((entry as SingleJson).timestamp);
  return row.first.timestamp <= time && time <= row.last.timestamp;
}

function isLater(row: Row | ForeignRow, list: ListName): boolean {
  const own = listOf(row);
  return own !== undefined && LIST_NAMES.indexOf(own) > LIST_NAMES.indexOf(list);
}

/** More pairs than this are matched from the front, without looking for the best. */
const MAX_PAIRS = 4_000_000;

/**
 * For each entry the row it stands for, in order.
 *
 * @param preferred - rows that count a little more where several would do
 */
function longestMatch(
  rows: readonly (string | undefined)[],
  entries: readonly string[],
  preferred: readonly boolean[],
): (number | undefined)[] {
  const matched: (number | undefined)[] = entries.map(() => undefined);
  if (rows.length * entries.length > MAX_PAIRS) {
    let next = 0;
    for (const [index, key] of entries.entries()) {
      const found = rows.indexOf(key, next);
      if (found < 0) continue;
      matched[index] = found;
      next = found + 1;
    }
    return matched;
  }
  const width = rows.length + 1;
  const best = new Float64Array((entries.length + 1) * width);
  const gain = (row: number) => (preferred[row] === true ? 1.001 : 1);
  for (let entry = entries.length - 1; entry >= 0; entry--) {
    for (let row = rows.length - 1; row >= 0; row--) {
      const without = Math.max(best[(entry + 1) * width + row]!, best[entry * width + row + 1]!);
      const same = rows[row] === entries[entry];
      const taken = same ? best[(entry + 1) * width + row + 1]! + gain(row) : 0;
      best[entry * width + row] = Math.max(without, taken);
    }
  }
  for (let entry = 0, row = 0; entry < entries.length && row < rows.length; ) {
    const value = best[entry * width + row]!;
    const same = rows[row] === entries[entry];
    // Of several matches that are as good the first one, as what is repeated comes behind what it repeats.
    if (same && value === best[(entry + 1) * width + row + 1]! + gain(row)) matched[entry++] = row++;
    else if (value === best[entry * width + row + 1]!) row += 1;
    else entry += 1;
  }
  return matched;
}

/** What a row is known by in a trace, apart from its origin; `undefined` if it can be in none. */
function keyOf(row: Row): string | undefined {
  switch (row.kind) {
    case 'frame':
      return `${row.channel} ${row.number} ${row.data.length} ${row.last}`;
    case 'channel':
      return `${row.data.length} ${toHex(keccak256(row.data))}`;
    case 'batch':
      return row.hash === undefined ? undefined : `${row.form} ${row.hash}`;
    case 'flush':
      return row.cause;
    case 'single': {
      const { parentHash, epochNum, epochHash, timestamp, transactions } = row.batch;
      return singleKey(toHex(parentHash), epochNum, toHex(epochHash), timestamp, transactions.map(toHex));
    }
    case 'block':
    case 'item':
    case 'lost':
      return undefined;
    default:
      return row satisfies never;
  }
}

function entryKey(list: ListName, entry: TraceJson[ListName][number]): string {
  switch (list) {
    case 'frames': {
      const { channel, number, size, last } = entry as FrameJson;
      return `${channel} ${String(number)} ${String(size)} ${last}`;
    }
    case 'channels': {
      const { size, hash } = entry as ChannelJson;
      return `${String(size)} ${hash}`;
    }
    case 'batches': {
      const { kind, hash } = entry as BatchJson;
      return `${kind} ${hash}`;
    }
    case 'flushes':
      return (entry as FlushJson).cause;
    case 'singles': {
      const { parentHash, epochNum, epochHash, timestamp, transactions } = entry as SingleJson;
      return singleKey(parentHash, epochNum, epochHash, timestamp, transactions);
    }
    default:
      return list satisfies never;
  }
}

function singleKey(
  parentHash: string,
  epochNum: TraceInteger,
  epochHash: string,
  timestamp: TraceInteger,
  transactions: readonly string[],
): string {
  return `${parentHash} ${String(epochNum)} ${epochHash} ${String(timestamp)} ${transactions.join(' ')}`;
}
