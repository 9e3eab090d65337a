/**
 * The signature of a difference: the same for the same cause, whatever the numbers and whatever else a vector holds.
 *
 * It names the first boundary at which the traces part, who stands alone, the decision of the TypeScript pipeline that
 * is at stake, and the shape of the difference. The decision is found by experiment: each one that was taken before the
 * traces part is turned round on its own, and the one after which the TypeScript trace goes along with the outlier's for
 * longest is the one on which they disagree.
 */

import { derive, LIST_NAMES } from '../../src/derive.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { REJECTIONS, type Rejection, RuleBook, type RuleContext } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import { type TraceJson, traceToJson } from '../trace.ts';
import { BOUNDARIES, type Boundary, compare, type Difference, type Side, same } from './compare.ts';

export interface Signature {
  readonly boundary: Boundary;
  /** Who stands alone, `all`, or both names of a pair. */
  readonly outlier: string;
  /** The rule on which they disagree; `unknown` if no decision of the run accounts for the difference. */
  readonly rule: RuleId | 'unknown';
  /**
   * How the TypeScript pipeline decided by the rule: `+` it fired, `-` it let pass, `+drop` it fired with a verdict in
   * whose place the outlier has another. `~`: the rule only stands near, since no single decision brings the traces
   * together.
   */
  readonly side: '+' | '-' | '~' | `+${Rejection}`;
  /** What the outlier has in that place, in terms that survive renumbering. */
  readonly shape: string;
}

/** The signature on one line, as it stands in a ledger. */
export function formatSignature({ boundary, outlier, rule, side, shape }: Signature): string {
  return `${boundary} | ${outlier} | ${rule}${side} | ${shape}`;
}

/**
 * What can be said of a difference without any experiment: enough to tell most causes apart in a running campaign.
 */
export function coarseSignature(difference: Difference, sides: readonly Side[]): string {
  return `${difference.boundary} | ${outlierOf(difference)} | ${shapeOf(difference, sides)}`;
}

/**
 * The signature of the difference between the sides.
 *
 * @param vector - what the sides derived
 */
export function signatureOf(vector: Vector, difference: Difference, sides: readonly Side[]): Signature {
  const outlier = outlierOf(difference);
  const base = { boundary: difference.boundary, outlier, shape: shapeOf(difference, sides) };
  return { ...base, ...findDecision(vector, difference, theirs(difference, sides)) };
}

function outlierOf({ verdict, groups }: Difference): string {
  switch (verdict.kind) {
    case 'outlier':
    case 'typescript':
      return verdict.outlier;
    case 'all':
      return 'all';
    case 'pair':
      return groups.flatMap(({ implementations }) => implementations).join(' / ');
    default:
      return verdict satisfies never;
  }
}

/** The trace that the TypeScript trace is to be brought to: the outlier's, or any other one that differs from it. */
function theirs({ verdict, groups }: Difference, sides: readonly Side[]): Side | undefined {
  const ofName = (name: string | undefined) => sides.find(({ implementation }) => implementation === name);
  if (verdict.kind === 'outlier') return ofName(verdict.outlier);
  const other = groups.find(({ implementations }) => !implementations.includes('typescript'));
  return ofName(other?.implementations[0]);
}

/** In the place of the difference: what the one that stands alone has against the others. */
function shapeOf({ boundary, index, verdict, groups }: Difference, sides: readonly Side[]): string {
  if (verdict.kind === 'all') return 'each differs';
  const alone =
    verdict.kind === 'pair' ? groups[1]! : groups.find(({ implementations }) => implementations.length === 1)!;
  const many = groups.find((group) => group !== alone)!;
  if (alone.silent) return `no trace: ${alone.outcome.kind}`;
  if (boundary === 'outcome') return `${String(many.value)} → ${String(alone.value)}`;
  if (boundary === 'safeHead' || index === undefined) return 'another block';
  const ended = alone.outcome.kind === many.outcome.kind ? '' : `, ${alone.outcome.kind}`;
  const list = (name: string | undefined): readonly unknown[] =>
    sides.find(({ implementation }) => implementation === name)?.trace[boundary] ?? [];
  const mine = list(alone.implementations[0]);
  const others = list(many.implementations[0]);
  if (mine.length <= index) return `missing${ended}`;
  if (others.length <= index) return `extra${ended}`;
  // Only the origin may shift when an entry was passed over; what it carries stays.
  if (sameContent(mine[index], others[index + 1])) return `skipped${ended}`;
  if (sameContent(mine[index + 1], others[index])) return `inserted${ended}`;
  return `other ${differingFields(mine[index], others[index]).join(', ')}${ended}`;
}

function sameContent(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return false;
  return same({ ...(a as object), origin: 0 }, { ...(b as object), origin: 0 });
}

function differingFields(a: unknown, b: unknown): string[] {
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  return Object.keys(left).filter((key) => !same(left[key], right[key]));
}

/** A decision of a run, and how the base decided. */
interface Taken {
  /** The how manieth decision of the run it was, from 0. */
  readonly ordinal: number;
  readonly rule: RuleId;
  readonly fired: boolean;
  /** What it said, where it is a check on a batch that fired. */
  readonly verdict: Rejection | undefined;
  /** How many entries behind the last one on which the traces agree; 0 is the stretch in which they part. */
  readonly distance: number;
}

/** So many decisions are tried at the most; those nearest to the place where the traces part come first. */
const MAX_TRIED = 150;

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
  difference: Difference,
  target: Side | undefined,
): Pick<Signature, 'rule' | 'side'> {
  const { boundary, index } = difference;
  const list = LIST_NAMES.find((name) => name === boundary);
  const taken: Taken[] = [];
  let ordinal = -1;
  const trace = traceToJson(
    derive(vector, {
      onDecision: ({ rule, fired, verdict, at }) => {
        ordinal += 1;
        const distance = list === undefined ? 0 : (index ?? 0) - at[list];
        // What is decided after the traces part explains nothing.
        if (distance >= 0 && DECIDING[boundary].test(rule)) taken.push({ ordinal, rule, fired, verdict, distance });
      },
    }),
  );
  // The nearest stretch first, and inside a stretch what was decided first: later decisions follow from it.
  const candidates = taken.toSorted((a, b) => a.distance - b.distance || a.ordinal - b.ordinal).slice(0, MAX_TRIED);
  if (target !== undefined && target.silent !== true) {
    const start = agreement(trace, target.trace);
    let best: (Pick<Signature, 'rule' | 'side'> & { readonly reach: number }) | undefined;
    for (const decision of candidates) {
      if (best?.reach === Number.POSITIVE_INFINITY) break;
      for (const instead of alternatives(decision)) {
        const flipped = traceToJson(derive(vector, { rules: new FlippedRuleBook(decision.ordinal, instead) }));
        const reach = agreement(flipped, target.trace);
        if (reach <= (best?.reach ?? start)) continue;
        const side = instead === 'turned' ? (decision.fired ? '+' : '-') : (`+${decision.verdict!}` as const);
        best = { rule: decision.rule, side, reach };
      }
    }
    if (best !== undefined) return { rule: best.rule, side: best.side };
  }
  const near = candidates.findLast(({ rule, fired, distance }) => distance === 0 && fired && !ALWAYS_FIRES.has(rule));
  return { rule: near?.rule ?? 'unknown', side: '~' };
}

/** What may come in the place of a decision: its contrary, or another verdict. */
type Instead = 'turned' | Rejection;

function alternatives({ verdict }: Taken): readonly Instead[] {
  if (verdict === undefined) return ['turned'];
  return ['turned', ...REJECTIONS.filter((other) => other !== verdict)];
}

/** Rules that fire in the ordinary course of things and so explain nothing. */
const ALWAYS_FIRES: ReadonlySet<RuleId> = new Set<RuleId>([
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
  'single/drift-limit',
  'span/new-blocks',
  'span/timestamps',
  'span/epochs',
  'batch-queue/first-accepted',
  'batch-queue/window',
  'batch-validator/drain',
  'reset/stages',
  'reset/first-block-twice',
]);

/**
 * How far two traces go together: larger is further, infinite is all the way. An earlier boundary weighs more than any
 * number of entries of a later one.
 */
function agreement(ours: TraceJson, theirs: TraceJson): number {
  const difference = compare([
    { implementation: 'a', trace: ours },
    { implementation: 'b', trace: theirs },
  ]);
  if (difference === undefined) return Number.POSITIVE_INFINITY;
  return BOUNDARIES.indexOf(difference.boundary) * 2 ** 32 + (difference.index ?? 0);
}

/** Decides one time otherwise, by the number of the decision in the order in which they are taken. */
class FlippedRuleBook extends RuleBook {
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
