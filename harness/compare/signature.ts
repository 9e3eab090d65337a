/**
 * The signature of a difference: the same for the same cause, whatever the numbers and whatever else a vector holds.
 *
 * It names the boundary at which the traces part, who stands alone, the decision of the TypeScript pipeline that is at
 * stake, and the shape of the difference. A known cause is found by imitating it and has one signature, wherever it
 * happens to show. Of any other difference the decision is found by experiment: the noteworthy ones that were taken
 * before the traces part are turned round one at a time, and the one after which the TypeScript trace goes along with
 * the outlier's for longest is the one on which they disagree.
 */

import { blockHash } from '../../src/chain/engine.ts';
import { drive, LIST_NAMES } from '../../src/derive.ts';
import { RlpCursor } from '../../src/encoding/rlp.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { type Rejection, RuleBook, type RuleContext } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import type { TraceJson } from '../trace.ts';
import { type Attribution, attribute } from './attribution.ts';
import { type Boundary, type Difference, type Side, same } from './compare.ts';
import { Follower, follow, type Lengths, type Reach } from './follow.ts';

export interface Signature {
  /**
   * The first boundary at which the traces part, `outcome` also where one run ends before the other without any entry
   * that differs; of a known cause the boundary at which it acts.
   */
  readonly boundary: Boundary;
  /** Who stands alone, `all`, or both names of a pair. */
  readonly outlier: string;
  /** The rule on which they disagree; `unknown` if no decision of the run accounts for the difference. */
  readonly rule: RuleId | 'unknown';
  /** How the TypeScript pipeline decided by the rule: `+` it fired, `-` it let pass, and what is remarkable about that. */
  readonly side: string;
  /** What the outlier has in that place, in terms that survive renumbering; or as which known cause it behaves. */
  readonly shape: string;
}

/** With this word begins the shape of what is attributed to a known cause: the id of its entry in the ledger follows. */
const AS = 'as ';

/** Whether a signature on one line is that of a known cause. */
export function isAttributed(signature: string): boolean {
  return signature.split(' | ')[3]?.startsWith(AS) === true;
}

function attributed({ cause, rest }: Attribution): Signature {
  const { boundary, reference, rule, side, id } = cause;
  const shape = rest === undefined ? `${AS}${id}` : `${AS}${id}, then ${rest} differ`;
  return { boundary, outlier: reference, rule, side, shape };
}

/** The signature on one line, as it stands in a ledger. */
export function formatSignature({ boundary, outlier, rule, side, shape }: Signature): string {
  return `${boundary} | ${outlier} | ${rule}${side} | ${shape}`;
}

/** What can be said of a difference without any experiment. */
export function coarseSignature(difference: Difference, sides: readonly Side[]): string {
  const { boundary, shape } = placeOf(difference, sides);
  return `${boundary} | ${outlierOf(difference)} | ${shape}`;
}

/**
 * The signature of the difference between the sides.
 *
 * @param vector - what the sides derived
 */
export function signatureOf(vector: Vector, difference: Difference, sides: readonly Side[]): Signature {
  const attribution = attribute(vector, difference, sides);
  if (attribution !== undefined) return attributed(attribution);
  const place = placeOf(difference, sides);
  const outlier = outlierOf(difference);
  const base = { boundary: place.boundary, outlier, shape: place.shape };
  return { ...base, ...findDecision(vector, place, opposite(difference, sides)) };
}

/** Who stands alone, `all`, or both names of a pair. */
export function outlierOf({ verdict, groups }: Difference): string {
  switch (verdict.kind) {
    case 'outlier':
    case 'typescript':
      return verdict.outlier;
    case 'all':
      return 'all';
    case 'pair':
      return groups
        .flatMap(({ implementations }) => implementations)
        .sort()
        .join(' / ');
    default:
      return verdict satisfies never;
  }
}

/** The trace that the TypeScript trace is to be brought to: the outlier's, or any other one that differs from it. */
function opposite({ verdict, groups }: Difference, sides: readonly Side[]): Side | undefined {
  const ofName = (name: string | undefined) => sides.find(({ implementation }) => implementation === name);
  if (verdict.kind === 'outlier') return ofName(verdict.outlier);
  const other = groups.find(({ implementations }) => !implementations.includes('typescript'));
  return ofName(other?.implementations[0]);
}

/** Where the traces part, in terms of the TypeScript run's decisions. */
interface Place {
  readonly boundary: Boundary;
  readonly shape: string;
  /** How far before the parting a decision with these list lengths was taken: 0 in the last stretch, below 0 behind it. */
  readonly distance: (at: Lengths) => number;
}

function placeOf(difference: Difference, sides: readonly Side[]): Place {
  const { boundary, index, verdict, groups } = difference;
  const alone = aloneOf(difference);
  const many = groups.find((group) => group !== alone)!;
  const anywhere = () => 0;
  if (verdict.kind === 'all') return { boundary, shape: 'each differs', distance: anywhere };
  if (alone.silent) return { boundary: 'outcome', shape: `no trace: ${alone.outcome.kind}`, distance: anywhere };

  const traceOf = (name: string | undefined) => sides.find(({ implementation }) => implementation === name)!.trace;
  const mine = traceOf(alone.implementations[0]);
  const others = traceOf(many.implementations[0]);
  const shorter = ended(mine, others) ? mine : ended(others, mine) ? others : undefined;
  if (boundary === 'outcome' || shorter !== undefined) {
    const end = shorter ?? mine;
    return {
      boundary: 'outcome',
      shape: `${others.outcome.kind} → ${mine.outcome.kind}${remark(mine.outcome)}`,
      distance: (at) => {
        const gaps = LIST_NAMES.map((name) => end[name].length - at[name]);
        return gaps.some((gap) => gap < 0) ? -1 : gaps.reduce((sum, gap) => sum + gap, 0);
      },
    };
  }
  if (boundary === 'safeHead' || index === undefined) return { boundary, shape: 'another block', distance: anywhere };
  return {
    boundary,
    shape: shapeOf(mine[boundary], others[boundary], index),
    distance: (at) => index - at[boundary],
  };
}

/** The group that stands alone; of a pair, the second. */
function aloneOf({ verdict, groups }: Difference): Difference['groups'][number] {
  if (verdict.kind === 'pair') return groups[1]!;
  return groups.find(({ implementations }) => implementations.length === 1)!;
}

/** Whether a run stopped in the middle of what the other one did, with an outcome of its own. */
function ended(shorter: TraceJson, longer: TraceJson): boolean {
  if (shorter.outcome.kind === 'drained' || shorter.outcome.kind === longer.outcome.kind) return false;
  return LIST_NAMES.every((name) => {
    const theirs: readonly unknown[] = longer[name];
    return shorter[name].every((entry, index) => same(entry, theirs[index]));
  });
}

/** Of a crash the place in the source, of another end its reason without the numbers: what tells causes apart. */
function remark({ kind, message }: TraceJson['outcome']): string {
  if (message === undefined || kind === 'drained') return '';
  const place = /[\w-]+\.(?:rs|go):\d+/.exec(message)?.[0];
  if (place !== undefined) return ` at ${place}`;
  const words = message
    .replace(/0x[0-9a-f]*|\d+/g, '')
    .split(/[^A-Za-z]+/)
    .filter((word) => word.length > 2)
    .slice(0, 8);
  return ` (${words.join(' ')})`;
}

/** What the one that stands alone has: less than the others, more, or something else. */
function shapeOf(mine: readonly unknown[], others: readonly unknown[], index: number): string {
  const own = mine[index];
  const other = others[index];
  if (own === undefined) return 'less';
  if (other === undefined) return 'more';
  if (sameContent(own, other)) return (own as Entry).origin > (other as Entry).origin ? 'later' : 'earlier';
  // Where one passed an entry over, what stands there now comes later in the other list.
  if (others.slice(index + 1).some((entry) => sameContent(entry, own))) return 'less';
  if (mine.slice(index + 1).some((entry) => sameContent(entry, other))) return 'more';
  return `other ${differingFields(own, other).join(', ')}`;
}

interface Entry {
  readonly origin: number | bigint;
}

/** Whether two entries are the same but for the L1 origin at which they passed. */
function sameContent(a: unknown, b: unknown): boolean {
  return same({ ...(a as object), origin: 0 }, { ...(b as object), origin: 0 });
}

function differingFields(a: unknown, b: unknown): string[] {
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  return Object.keys(left).filter((key) => key !== 'origin' && !same(left[key], right[key]));
}

/** A decision of the TypeScript run before the traces part. */
interface Taken {
  /** The how manieth decision of the run it was, from 0. */
  readonly ordinal: number;
  readonly rule: RuleId;
  readonly fired: boolean;
  /** What it said, where it is a check on a batch that fired. */
  readonly verdict: Rejection | undefined;
  /** How many entries before the traces part; 0 is the stretch in which they do, below 0 what comes later. */
  readonly distance: number;
  /** How many channels had been handed on. */
  readonly channel: number;
  /** What is remarkable about it; `undefined` for what happens in any run. */
  readonly remark: string | undefined;
}

/** So many decisions are tried at the most. */
const MAX_TRIED = 16;

/** The first words of the rules that decide what passes a boundary, given that all before it is the same. */
const DECIDING: Readonly<Record<Boundary, RegExp>> = {
  frames: /^(frame|frame-queue|reset|activation)\//,
  channels: /^(channel-bank|channel-assembler|activation)\//,
  batches: /^(channel-reader|batch-decode|span\/(timestamps|epochs))/,
  flushes: /^(single|span|batch-queue|batch-validator|empty|engine|activation)\//,
  singles: /^(single|span|batch-queue|batch-validator|empty|engine|activation)\//,
  outcome: /./,
  safeHead: /./,
};

function findDecision(
  vector: Vector,
  { boundary, distance }: Place,
  target: Side | undefined,
): Pick<Signature, 'rule' | 'side'> {
  const heard = target === undefined || target.silent === true ? undefined : target.trace;
  const { run, reach } = baseRun(vector, distance, heard);
  // The nearest stretch first, and inside a stretch what was decided first: later decisions follow from it.
  const before = run
    .filter((decision) => decision.distance >= 0)
    .sort((a, b) => a.distance - b.distance || a.ordinal - b.ordinal);
  const noteworthy = before.filter(({ remark, rule }) => remark !== undefined && !HARMLESS.has(rule));
  const harmless = before.filter(({ remark, rule }) => remark !== undefined && HARMLESS.has(rule));
  const here = before.filter((decision) => decision.distance === 0 && DECIDING[boundary].test(decision.rule));
  const turn = heard === undefined ? () => undefined : turner(vector, heard, reach);
  const near = (decision: Taken | undefined) =>
    decision && { rule: decision.rule, side: sideOf(decision.fired, decision.remark) };
  const own = noteworthy.filter(({ rule }) => DECIDING[boundary].test(rule));
  // Frames and channels pass when a later stage pulls: if nothing of their own explains the difference, somebody behind
  // them pulled at another moment, and no decision of ours is like that.
  const pulled = boundary === 'frames' || boundary === 'channels';
  return (
    (boundary === 'outcome' && heard?.outcome.kind === 'crash' ? near(crashing(here)) : undefined) ??
    turn(own) ??
    near(here.find((decision) => own.includes(decision))) ??
    near(boundary === 'batches' ? laterFault(run) : undefined) ??
    near(pulled ? lastBefore(noteworthy) : undefined) ??
    turn(noteworthy) ??
    turn(harmless) ??
    turn(here) ?? { rule: 'unknown', side: '' }
  );
}

/** A crash comes of bytes that cannot be read, if there are any. */
function crashing(here: readonly Taken[]): Taken | undefined {
  return here.find(({ rule, remark }) => remark !== undefined && /^(frame|channel-reader|batch-decode)\//.test(rule));
}

function sideOf(fired: boolean, remark: string | undefined): string {
  return fired ? '+' : `-${remark ?? ''}`;
}

/** A fault further down the channel in which the traces part: who drops a channel as a whole has looked ahead. */
function laterFault(run: readonly Taken[]): Taken | undefined {
  const parting = run.findLast(({ distance }) => distance >= 0);
  return run.find(
    ({ distance, rule, fired, channel }) =>
      distance < 0 && fired && channel === parting?.channel && LOOKED_AHEAD.has(rule),
  );
}

const LOOKED_AHEAD: ReadonlySet<RuleId> = new Set<RuleId>([
  'channel-reader/limit',
  'channel-reader/partial-output',
  'channel-reader/zlib-stream',
  'channel-reader/brotli-stream',
]);

/** What was last decided out of the ordinary, by a later stage that did not pull on as it should. */
function lastBefore(noteworthy: readonly Taken[]): Taken | undefined {
  const nearest = noteworthy.filter(({ distance }) => distance === noteworthy[0]?.distance);
  return nearest.findLast(({ rule }) => rule !== 'batch-validator/flush-scope');
}

/** All decisions of the base run, in order, and how far it goes along with the trace. */
function baseRun(
  vector: Vector,
  distance: Place['distance'],
  heard: TraceJson | undefined,
): { readonly run: readonly Taken[]; readonly reach: Reach } {
  const follower = new Follower(heard);
  const rules = new TakingRuleBook(follower.lengths, distance);
  const { outcome, safeHead } = drive(vector, rules, follower, blockHash);
  return { run: rules.taken, reach: follower.end(outcome, safeHead) };
}

/**
 * Finds among candidates the decision whose turn brings our trace furthest along with theirs; `undefined` if none brings
 * it any further. What was tried in vain is not tried again.
 */
function turner(
  vector: Vector,
  theirs: TraceJson,
  base: Reach,
): (candidates: readonly Taken[]) => Pick<Signature, 'rule' | 'side'> | undefined {
  const vain = new Set<number>();
  return (candidates) => {
    let reach = base;
    let best: Pick<Signature, 'rule' | 'side'> | undefined;
    for (const decision of candidates.slice(0, MAX_TRIED)) {
      if (vain.has(decision.ordinal)) continue;
      vain.add(decision.ordinal);
      for (const instead of alternatives(decision)) {
        const reached = follow(vector, new TurningRuleBook(decision.ordinal, instead), theirs, reach);
        if (reached === undefined) continue;
        reach = reached;
        best = { rule: decision.rule, side: sideOf(decision.fired, decision.remark) };
      }
      if (reach === Number.POSITIVE_INFINITY) break;
    }
    return best;
  };
}

/** What may come in the place of a decision: its contrary, or another verdict. */
type Instead = 'turned' | Rejection;

function alternatives({ verdict }: Taken): readonly Instead[] {
  // The two verdicts that differ by a flush and nothing else are what implementations take for one another.
  if (verdict === 'drop') return ['turned', 'past'];
  return verdict === 'past' ? ['turned', 'drop'] : ['turned'];
}

/** Rules that fire in the ordinary course of things. */
const ORDINARY: ReadonlySet<RuleId> = new Set<RuleId>([
  'frame-queue/one-item',
  'frame-queue/prune-on-load',
  'channel-bank/read-before-load',
  'channel-bank/open',
  'channel-bank/ready',
  'channel-bank/first-ready',
  'channel-bank/timeout-length',
  'channel-assembler/first-frame',
  'channel-assembler/complete',
  'channel-reader/end',
  'batch-decode/protected-bits',
  'batch-decode/signature-v',
  'single/drift-limit',
  'span/new-blocks',
  'span/epochs',
  'batch-queue/first-accepted',
  'batch-queue/origin-behind',
  'batch-queue/window',
  'batch-validator/drain',
  'activation/trigger',
  'activation/channels-dropped',
  'activation/batches-dropped',
  'activation/window-kept',
  'activation/old-batches-new-rules',
  'reset/stages',
  'reset/first-block-twice',
]);

/** Rules whose firing is out of the ordinary and yet asks nothing of anybody: looked at when nothing else explains. */
const HARMLESS: ReadonlySet<RuleId> = new Set<RuleId>([
  'batch-decode/tail-ignored',
  'channel-reader/brotli-gate',
  'empty/window-over',
  'empty/same-epoch',
  'empty/next-epoch',
]);

/** Rules of which it can be remarkable that they let pass. */
const REMARKABLE: ReadonlySet<RuleId> = new Set<RuleId>([
  'batch-decode/uvarint',
  'batch-decode/tx-types',
  'batch-decode/tx-fields',
  'channel-reader/brotli-gate',
  'channel-reader/zlib-stream',
]);

/** Remarkable things about decisions that let pass; an empty string where the firing itself is what is remarkable. */
function remarkOn(rule: RuleId, fired: boolean, facts: (() => RuleContext) | undefined): string | undefined {
  if (fired) return ORDINARY.has(rule) ? undefined : '';
  if (!REMARKABLE.has(rule)) return undefined;
  const context = facts?.() ?? {};
  switch (rule) {
    case 'batch-decode/uvarint':
      return context['redundant'] === true ? ' redundant groups' : undefined;
    case 'batch-decode/tx-types':
      return context['type'] === 0x7d ? ' type 0x7d' : undefined;
    case 'batch-decode/tx-fields':
      return widthRemark(context['data']);
    case 'channel-reader/brotli-gate':
      return ' brotli';
    case 'channel-reader/zlib-stream':
      if (context['dictionary'] === true) return ' dictionary';
      // Nobody may have read as far as the fault, but who drops a faulty channel as a whole has seen it.
      return typeof context['fault'] === 'string' ? ' faulty' : undefined;
    default:
      return undefined;
  }
}

/** Amounts wider than the machine types that an implementation may keep them in. */
function widthRemark(data: unknown): string | undefined {
  if (!(data instanceof Uint8Array)) return undefined;
  const list = new RlpCursor(data, data[0]! < 0x80 ? 1 : 0, data.length);
  if (list.nextList() !== undefined) return undefined;
  const items = new RlpCursor(data, list.start, list.end);
  // Value, then one price or two: what comes behind is data of any width.
  const amounts = data[0] === 2 || data[0] === 4 ? 3 : 2;
  let widest = 0;
  for (let index = 0; index < amounts && items.nextString() === undefined; index++) {
    widest = Math.max(widest, items.end - items.start);
  }
  if (widest > 32) return ' over 256 bits';
  return widest > 16 ? ' over 128 bits' : undefined;
}

/** Takes down every decision. */
class TakingRuleBook extends RuleBook {
  readonly taken: Taken[] = [];
  readonly #lengths: Lengths;
  readonly #distance: Place['distance'];

  /** @param lengths - where the run stands, at any moment */
  constructor(lengths: Lengths, distance: Place['distance']) {
    super();
    this.#lengths = lengths;
    this.#distance = distance;
  }

  override get watched(): boolean {
    return true;
  }

  override fires(rule: RuleId, base: boolean, context?: () => RuleContext): boolean {
    this.#take(rule, base, undefined, context);
    return base;
  }

  override rejects(
    rule: RuleId,
    base: boolean,
    verdict: Rejection,
    context?: () => RuleContext,
  ): Rejection | undefined {
    const said = base ? verdict : undefined;
    this.#take(rule, base, said, context);
    return said;
  }

  #take(rule: RuleId, fired: boolean, verdict: Rejection | undefined, context: (() => RuleContext) | undefined): void {
    this.taken.push({
      ordinal: this.taken.length,
      rule,
      fired,
      verdict,
      distance: this.#distance(this.#lengths),
      channel: this.#lengths.channels,
      remark: remarkOn(rule, fired, context),
    });
  }
}

/** Decides one time otherwise, by the number of the decision in the order in which they are taken. */
class TurningRuleBook extends RuleBook {
  #left: number;
  readonly #instead: Instead;

  constructor(ordinal: number, instead: Instead) {
    super();
    this.#left = ordinal;
    this.#instead = instead;
  }

  override fires(rule: RuleId, base: boolean, context?: () => RuleContext): boolean {
    return super.fires(rule, this.#isIt() ? !base : base, context);
  }

  override rejects(
    rule: RuleId,
    base: boolean,
    verdict: Rejection,
    context?: () => RuleContext,
  ): Rejection | undefined {
    if (!this.#isIt()) return super.rejects(rule, base, verdict, context);
    if (this.#instead === 'turned') return super.rejects(rule, !base, verdict, context);
    return super.rejects(rule, base, this.#instead, context);
  }

  #isIt(): boolean {
    this.#left -= 1;
    return this.#left === -1;
  }
}
