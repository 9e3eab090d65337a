/**
 * An explanation: a vector's time line with what each implementation has of every step, the first difference marked,
 * and the rule behind everything that was lost. Data for people, shared by the terminal and the HTML report.
 */

import { isActive } from '../../src/chain/config.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import type { Variant } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { type Boundary, compare, type Difference, type Side } from '../compare/compare.ts';
import { describePlace, describeSides, describeVerdict } from '../compare/describe.ts';
import { formatSignature, signatureOf } from '../compare/signature.ts';
import type { BatchJson, ChannelJson, FrameJson, SingleJson } from '../trace.ts';
import { count } from '../words.ts';
import { account } from './account.ts';
import { type AlignedRow, align, type ForeignRow } from './align.ts';
import { type Content, type Reason, ROW_LISTS, type Row } from './rows.ts';

/** What an implementation has of a step: it has it, it has not, or the step concerns nobody in particular. */
export type Lane = 'has' | 'lacks' | 'none';

export interface Step {
  readonly kind: Row['kind'];
  /** How far it is indented: blocks 0, items and what comes of channels 1, frames and batches 2. */
  readonly depth: number;
  readonly title: string;
  readonly detail: string;
  /** One for each implementation. */
  readonly lanes: readonly Lane[];
  /** The traces part here. */
  readonly first: boolean;
  readonly reasons: readonly Reason[];
  readonly content?: Content;
}

interface ExplainedImplementation {
  readonly name: string;
  readonly version: string;
  /** It gave no trace. */
  readonly silent: boolean;
  /** How its run ended. */
  readonly outcome: string;
  readonly message: string;
  readonly safeHead: string;
  /** Whether it stands alone at the first difference. */
  readonly alone: boolean;
}

interface ExplainedDifference {
  readonly boundary: Boundary;
  /** The boundary's list and the place in it. */
  readonly place: string;
  /** Number of the L1 block; absent for the outcome and the safe head. */
  readonly origin?: string;
  readonly verdict: string;
  /** What each side has there. */
  readonly sides: string;
  readonly signature: string;
  /** The rule that they disagree on, as far as it could be found out. */
  readonly rule?: RuleId;
  /** How the TypeScript pipeline decided by it. */
  readonly decided: string;
}

export interface Explanation {
  readonly name: string;
  /** What the vector holds, in one line. */
  readonly summary: string;
  readonly implementations: readonly ExplainedImplementation[];
  readonly difference: ExplainedDifference | undefined;
  /** The difference lies in how the runs end. */
  readonly differsAtEnd: boolean;
  readonly steps: readonly Step[];
}

/** Explains what the sides made of the vector. The reasons are those of the TypeScript pipeline. */
export function explain(vector: Vector, sides: readonly Side[], variant?: Variant): Explanation {
  const { rows } = account(vector, variant);
  const difference = sides.length < 2 ? undefined : compare(sides);
  const aligned = align(rows, sides);
  const start = Number(vector.l2[vector.l2.length - 1]!.number);
  return {
    name: vector.name,
    summary: summaryOf(vector),
    implementations: sides.map((side) => implementationOf(side, difference)),
    difference: difference && describeDifference(vector, difference, sides),
    differsAtEnd: difference !== undefined && difference.index === undefined,
    steps: aligned.map((one) => stepOf(one, start, sides, difference)),
  };
}

function summaryOf({ l1, l2, config }: Vector): string {
  const items = l1.reduce((sum, { data }) => sum + data.length, 0);
  const last = l1[l1.length - 1]!;
  const head = l2[l2.length - 1]!;
  const before = isActive(config, 'holocene', l1[0].timestamp);
  const after = isActive(config, 'holocene', last.timestamp);
  const era = before ? 'from Holocene on' : after ? 'across the activation of Holocene' : 'before Holocene';
  const blocks = l1.length === 1 ? `L1 block ${last.number}` : `L1 blocks ${l1[0].number} to ${last.number}`;
  return `${blocks} with ${count(items, 'item')}, ${era}; safe head at the start: L2 block ${head.number}`;
}

function implementationOf({ implementation, trace, silent }: Side, difference?: Difference): ExplainedImplementation {
  const { verdict } = difference ?? {};
  const { outcome, safeHead } = trace;
  return {
    name: implementation,
    version: trace.implementation.version,
    silent: silent === true,
    outcome: outcome.kind,
    message: outcome.message?.split('\n', 1)[0] ?? '',
    safeHead: `L2 block ${safeHead.number} ${safeHead.hash.slice(0, 10)}…`,
    alone: verdict !== undefined && 'outlier' in verdict && verdict.outlier === implementation,
  };
}

function describeDifference(vector: Vector, difference: Difference, sides: readonly Side[]): ExplainedDifference {
  const signature = signatureOf(vector, difference, sides);
  const { origin } = difference;
  return {
    boundary: difference.boundary,
    place: describePlace(difference),
    ...(origin === undefined ? {} : { origin: String(origin) }),
    verdict: describeVerdict(difference),
    sides: describeSides(difference),
    signature: formatSignature(signature),
    ...(signature.rule === 'unknown' ? {} : { rule: signature.rule }),
    decided: decidedBy(signature.side),
  };
}

/** The side of a signature in words. */
function decidedBy(side: string): string {
  const rest = side.slice(1).trim();
  const more = rest === '' ? '' : `: ${rest}`;
  if (side.startsWith('~')) return `it stands nearest, but no single decision accounts for the difference${more}`;
  return `TypeScript says that it ${side.startsWith('+') ? 'fires' : 'does not fire'}${more}`;
}

function stepOf(
  { row, at }: AlignedRow,
  start: number,
  sides: readonly Side[],
  difference: Difference | undefined,
): Step {
  const list = row.kind === 'foreign' ? row.list : ROW_LISTS[row.kind];
  const lanes = sides.map(({ silent }, side): Lane => {
    if (list === undefined || silent === true) return 'none';
    return at[side] === undefined ? 'lacks' : 'has';
  });
  const first =
    list !== undefined &&
    difference?.boundary === list &&
    at.some((index) => index !== undefined && index === difference.index);
  if (row.kind === 'foreign') {
    const kind = (Object.keys(ROW_LISTS) as Row['kind'][]).find((name) => ROW_LISTS[name] === row.list)!;
    return {
      kind,
      depth: DEPTHS[kind],
      ...describeForeign(row, start + 1 + at.find((index) => index !== undefined)!),
      lanes,
      first,
      reasons: [],
    };
  }
  const { content, reasons } = row;
  return {
    kind: row.kind,
    depth: DEPTHS[row.kind],
    ...describeRow(row),
    lanes,
    first,
    reasons,
    ...(content === undefined ? {} : { content }),
  };
}

const DEPTHS: Readonly<Record<Row['kind'], number>> = {
  block: 0,
  item: 1,
  frame: 2,
  channel: 1,
  lost: 1,
  batch: 2,
  flush: 2,
  single: 3,
};

type Words = Pick<Step, 'title' | 'detail'>;

function describeRow(row: Row): Words {
  switch (row.kind) {
    case 'block': {
      const era = row.activates ? 'Holocene activates' : row.holocene ? 'Holocene' : 'before Holocene';
      return { title: `L1 block ${row.origin}`, detail: `time ${row.timestamp}, ${era}, ${count(row.items, 'item')}` };
    }
    case 'item': {
      const again = row.again ? ', read a second time' : '';
      return { title: `item ${row.index}`, detail: `${bytes(row.size)}, ${count(row.frames, 'frame')}${again}` };
    }
    case 'frame': {
      const detail = `of channel ${shortId(row.channel)}, ${bytes(row.data.length)}${row.last ? ', last' : ''}`;
      return { title: `frame ${row.number}`, detail };
    }
    case 'channel': {
      const id = row.channel === undefined ? '' : ` ${shortId(row.channel)}`;
      const how = row.compression ?? 'unknown compression';
      const detail = `${bytes(row.data.length)} from ${count(row.frames, 'frame')}, ${how}, ${count(row.batches, 'batch')} read`;
      return { title: `channel${id}`, detail };
    }
    case 'lost':
      return { title: `channel ${shortId(row.channel)} given up`, detail: `after ${count(row.frames, 'frame')}` };
    case 'batch':
      return describeBatch(row);
    case 'flush': {
      const why = row.cause === 'batch' ? 'an invalid batch' : 'a refused payload';
      return { title: 'flush', detail: `after ${why}: the rest of the channel is forgotten` };
    }
    case 'single': {
      const { batch, number } = row;
      const from = {
        single: 'from the single batch',
        span: 'from the span batch',
        empty: 'made empty: no batch came in time',
      };
      const transactions = count(batch.transactions.length, 'transaction');
      const detail = `time ${batch.timestamp}, epoch ${batch.epochNum}, ${transactions}, ${from[row.from]}`;
      return { title: `L2 block ${number}`, detail };
    }
    default:
      return row satisfies never;
  }
}

function describeBatch(row: Row & { kind: 'batch' }): Words {
  const title = row.form === 'unknown' ? `batch ${row.index}` : `${row.form} batch ${row.index}`;
  const { first, last } = row;
  if (first === undefined || last === undefined) return { title, detail: 'not decoded' };
  const transactions = count(row.transactions, 'transaction');
  if (row.form === 'single') return { title, detail: `time ${first.timestamp}, epoch ${first.epoch}, ${transactions}` };
  const epochs = first.epoch === last.epoch ? `epoch ${first.epoch}` : `epochs ${first.epoch} to ${last.epoch}`;
  const times = row.blocks === 1 ? `time ${first.timestamp}` : `times ${first.timestamp} to ${last.timestamp}`;
  const emitted = row.emitted === row.blocks ? '' : `, ${row.emitted} emitted`;
  return { title, detail: `${count(row.blocks, 'block')}, ${times}, ${epochs}, ${transactions}${emitted}` };
}

/**
 * Something that only other implementations have.
 *
 * @param number - of the L2 block, for an emitted batch
 */
function describeForeign({ list, entry, elsewhere, origin }: ForeignRow, number: number): Words {
  if (elsewhere !== undefined) {
    const { title, detail } = describeRow(elsewhere);
    const where = elsewhere.origin === origin ? 'once more' : `that of L1 block ${elsewhere.origin}`;
    return { title, detail: `${where}: ${detail}` };
  }
  switch (list) {
    case 'frames': {
      const { channel, number, size, last } = entry as FrameJson;
      return {
        title: `frame ${String(number)}`,
        detail: `of channel ${shortId(channel)}, ${bytes(Number(size))}${last ? ', last' : ''}`,
      };
    }
    case 'channels': {
      const { size, hash } = entry as ChannelJson;
      return { title: 'another channel', detail: `${bytes(Number(size))}, hash ${hash.slice(0, 10)}…` };
    }
    case 'batches': {
      const { kind, hash } = entry as BatchJson;
      return { title: `another ${kind} batch`, detail: `hash ${hash.slice(0, 10)}…` };
    }
    case 'flushes':
      return { title: 'flush', detail: `cause: ${(entry as { cause: string }).cause}` };
    case 'singles': {
      const { timestamp, epochNum, transactions } = entry as SingleJson;
      const detail = `another one: time ${String(timestamp)}, epoch ${String(epochNum)}, ${count(transactions.length, 'transaction')}`;
      return { title: `L2 block ${number}`, detail };
    }
    default:
      return list satisfies never;
  }
}

function bytes(number: number): string {
  return count(number, 'byte');
}

/** The end of a channel id tells channels of a vector apart; an id of eight digits or less stands whole. */
function shortId(id: string): string {
  const short = id.replace(/^0x0*/, '');
  return short.length <= 8 ? `#${short === '' ? '0' : short}` : `#…${id.slice(-6)}`;
}
