import { describe, expect, test } from 'vitest';
import { derive, LIST_NAMES } from '../../src/derive.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import type { Variant } from '../../src/rules/rule-book.ts';
import type { Vector } from '../../src/vector.ts';
import type { Side } from '../compare/compare.ts';
import { CURATED } from '../curated/index.ts';
import { plain } from '../decode/paint.ts';
import { silentTrace, traceToJson } from '../trace.ts';
import { account } from './account.ts';
import { fold } from './fold.ts';
import { type Explanation, explain, type Step } from './model.ts';
import { ROW_LISTS } from './rows.ts';
import { explanationLines } from './text.ts';

function scenario(name: string): Vector {
  return CURATED.find((one) => one.name === name)!.build();
}

function side(implementation: string, vector: Vector, variant?: Variant): Side {
  const trace = traceToJson(derive(vector, variant === undefined ? {} : { variant }));
  return { implementation, trace: { ...trace, implementation: { name: implementation, version: '1' } } };
}

/** A vector explained with one implementation that decides a rule another way. */
function explained(name: string, rule: RuleId, how: 'never' | 'always' = 'never'): Explanation {
  const vector = scenario(name);
  const other = { name: 'other', rules: { [rule]: how } };
  return explain(vector, [side('typescript', vector), side('kona', vector, other), side('op-node', vector)]);
}

const lanes = (step: Step | undefined) => step?.lanes.join(' ');
const text = (explanation: Explanation, changes = {}) =>
  explanationLines(explanation, { paint: plain, width: 110, content: false, bytes: false, all: false, ...changes });

/** Scenarios that are not there for size. */
const SMALL = CURATED.filter((_, index) => index % 5 === 0).flatMap(({ name, build }) => {
  const vector = build();
  const size = vector.l1.reduce((sum, { data }) => sum + data.reduce((all, { length }) => all + length, 0), 0);
  return size < 20_000 ? [{ name, vector }] : [];
});

describe('the account of a run', () => {
  test('has every entry of the trace, in its order and at its L1 block', () => {
    for (const { name, vector } of SMALL) {
      const trace = derive(vector);
      const { rows, outcome } = account(vector);
      expect(outcome.kind, name).toBe(trace.outcome.kind);
      for (const list of LIST_NAMES) {
        const own = rows
          .filter((row) => ROW_LISTS[row.kind] === list && row.entry !== undefined)
          .sort((a, b) => a.entry! - b.entry!);
        expect(
          own.map(({ entry, origin }) => [entry, origin]),
          `${name} ${list}`,
        ).toEqual(trace[list].map(({ origin }, index) => [index, origin]));
      }
    }
  });

  test('says of each frame what became of it', () => {
    for (const { name, vector } of SMALL) {
      const { rows } = account(vector);
      const complete = rows.reduce((sum, row) => sum + (row.kind === 'channel' ? row.frames : 0), 0);
      let ignored = false;
      let kept = 0;
      for (const row of rows) {
        if (row.kind === 'item') ignored = row.reasons.length > 0;
        if (row.kind !== 'frame' || ignored) continue;
        if (row.reasons.length === 0 && row.channelLost === undefined) kept += 1;
      }
      expect(kept, name).toBe(complete);
    }
  });

  test('says of each decoded batch what became of it', () => {
    for (const { name, vector } of SMALL) {
      const { rows, outcome } = account(vector);
      // A run that stops in the middle leaves batches behind of which nothing can be said.
      if (outcome.kind !== 'drained') continue;
      for (const row of rows) {
        if (row.kind !== 'batch') continue;
        const told = row.reasons.length > 0 || row.emitted > 0;
        expect(told, `${name}: batch ${row.index} at ${row.origin}`).toBe(true);
      }
    }
  });

  test('gives each flush its rule', () => {
    for (const { name, vector } of SMALL) {
      for (const row of account(vector).rows) {
        if (row.kind === 'flush') expect(row.reasons.length, name).toBe(1);
      }
    }
  });
});

describe('an explanation', () => {
  test('of implementations that agree has full lanes and no difference', () => {
    for (const { name, vector } of SMALL) {
      const { difference, steps } = explain(vector, [side('typescript', vector), side('op-node', vector)]);
      expect(difference, name).toBeUndefined();
      for (const step of steps) expect(new Set(step.lanes).size, `${name}: ${step.title}`).toBe(1);
    }
  });

  test('marks the first difference and who stands alone', () => {
    const { steps, difference, implementations } = explained(
      'frame-queue/open-channel-of-an-id-closed-before',
      'frame-queue/new-first-drops-open',
    );
    expect(difference).toMatchObject({
      place: 'frames[4]',
      verdict: 'kona alone',
      rule: 'frame-queue/new-first-drops-open',
      origin: '12',
    });
    expect(implementations.map(({ alone }) => alone)).toEqual([false, true, false]);
    const first = steps.filter((step) => step.first);
    expect(first.map(({ kind }) => kind)).toEqual(['frame', 'frame']);
    expect(first.map(lanes)).toEqual(['lacks has lacks', 'has has has']);
    expect(first[0]?.reasons).toMatchObject([{ rule: 'frame-queue/new-first-drops-open', effect: 'frame dropped' }]);
  });

  test('puts what only others have in its place, and says where the same stands', () => {
    const { steps } = explained('single/parent-hash-of-rival-after-holocene', 'single/parent-hash');
    const extra = steps.filter((step) => lanes(step) === 'lacks has lacks');
    expect(extra.map(({ kind, title, detail }) => [kind, title, detail.split(':')[0]])).toEqual([
      ['single', 'L2 block 7', 'that of L1 block 13'],
      ['batch', 'single batch 0', 'that of L1 block 13'],
    ]);
  });

  test('shows frames of an item that is ignored, for those who keep them', () => {
    const { steps } = explained('frame/second-frame-is-last-3', 'frame/is-last-values');
    const item = steps.findIndex(({ kind }) => kind === 'item');
    expect(steps[item]?.reasons).toMatchObject([{ rule: 'frame/is-last-values', effect: 'item ignored' }]);
    expect(lanes(steps[item + 1])).toBe('lacks has lacks');
  });

  test('keeps the lanes of one that gives no trace empty', () => {
    const vector = scenario('frame-queue/open-channel-of-an-id-closed-before');
    const trace = silentTrace({ name: 'kona', version: '1' }, 'crash', 'panicked\nat a.rs', vector);
    const silent: Side = { implementation: 'kona', trace, silent: true };
    const explanation = explain(vector, [side('typescript', vector), silent, side('op-node', vector)]);
    expect(explanation.differsAtEnd).toBe(true);
    expect(explanation.implementations[1]).toMatchObject({ silent: true, outcome: 'crash', message: 'panicked' });
    expect(explanation.steps.every((step) => step.lanes[1] === 'none')).toBe(true);
    expect(text(explanation).join('\n')).toContain('kona ends crash (panicked)');
  });
});

describe('folding', () => {
  test('joins L1 blocks at which nothing happens, and leaves the others', () => {
    const { steps } = explained('single/parent-hash-of-rival-after-holocene', 'single/parent-hash');
    const blocks = fold(steps).filter(({ kind }) => kind === 'block');
    expect(blocks.map(({ title, folded }) => [title, folded])).toEqual([
      ['L1 blocks 10 to 11', 2],
      ['L1 block 12', 1],
      ['L1 block 13', 1],
      ['L1 blocks 14 to 15', 2],
    ]);
  });

  test('keeps both ends of a long run of like steps, and every marked one', () => {
    const like = (title: string, first = false): Step => ({
      kind: 'frame',
      depth: 2,
      title,
      detail: '',
      lanes: ['has'],
      first,
      reasons: [],
    });
    const steps = Array.from({ length: 30 }, (_, number) => like(`frame ${number}`, number === 20));
    const titles = fold(steps).map(({ title, folded }) => [title, folded]);
    expect(titles).toEqual([
      ['frame 0', 1],
      ['frame 1', 1],
      ['frame 2', 1],
      ['frame 3', 1],
      ['…', 15],
      ['frame 19', 1],
      ['frame 20', 1],
      ['frame 21', 1],
      ['frame 22', 1],
      ['frame 23', 1],
      ['frame 24', 1],
      ['…', 4],
      ['frame 29', 1],
    ]);
    expect(fold(steps).reduce((sum, { folded }) => sum + folded, 0)).toBe(30);
  });
});

describe('the text', () => {
  const explanation = explained('single/activation-block-jovian-in-span', 'single/activation-block-empty');

  test('tells the whole story', () => {
    expect(text(explanation).join('\n')).toMatchInlineSnapshot(`
      "single/activation-block-jovian-in-span
      L1 blocks 10 to 15 with 2 items, from Holocene on; safe head at the start: L2 block 5

      FIRST DIFFERENCE  flushes[0] at L1 block 12: kona alone
        kona signals nothing where typescript and op-node signal a flush (batch) (at L1 block 12)
        on the rule single/activation-block-empty (TypeScript says that it fires)
          “The batch is for the first L2 block of Jovian, Karst or Lagoon (active at T,
          not at T − block time) and has transactions: drop (A30).”
          specs: jovian/derivation.md#activation-block-rules, interop/derivation.md#activation-block
          A30: only Jovian's and interop's texts make it a batch rule; Ecotone, Fjord and Isthmus speak to the
          sequencer; Karst's text is silent: enforced for Jovian, Karst and Lagoon on single batches; not in the
          full span check; not for earlier forks
        signature: flushes | kona | single/activation-block-empty+ | as activation-block-transactions
        compared: typescript 1, kona 1, op-node 1

      typescript  kona  op-node   ● has it  ○ has not
          │        │       │
          │        │       │      L1 blocks 10 to 11  nothing happens
          │        │       │
          │        │       │      L1 block 12  time 1024, Holocene, 2 items
          │        │       │        item 0  379 bytes, 1 frame
          ●        ●       ●          frame 0  of channel #1, 355 bytes, last
          ●        ●       ●        channel #1  355 bytes from 1 frame, zlib, 1 batch read
          ●        ●       ●          span batch 0  4 blocks, times 1012 to 1018, epoch 11, 4 transactions, 2 emitted
          │        │       │            ↳ block of the span batch dropped: single/activation-block-empty says
          │        │       │                drop (timestamp 1016, next 1016, safe time 1014, inclusion 12, holocene
          │        │       │                true, fork jovian)
          ●        ●       ●            L2 block 6  time 1012, epoch 11, 1 transaction, from the span batch
          ●        ●       ●            L2 block 7  time 1014, epoch 11, 1 transaction, from the span batch
          ○        ●       ○            L2 block 8  another one: time 1016, epoch 11, 1 transaction
          ○        ●       ○            L2 block 9  another one: time 1018, epoch 11, 1 transaction
          ●        ○       ●          flush  after an invalid batch: the rest of the channel is forgotten  ◀ FIRST DIFFERENCE
          │        │       │            ↳ flush: batch-validator/single-drop
          │        │       │                “An invalid single batch (a future one included) is dropped with a
          │        │       │                flush; reading goes on in the same L1 block (retry).”
          │        │       │                specs: holocene/derivation.md#batch-queue, holocene/derivation.md#fast-channel-invalidation
          │        │       │        item 1  166 bytes, 1 frame
          ●        ●       ●          frame 0  of channel #2, 142 bytes, last
          ●        ●       ●        channel #2  142 bytes from 1 frame, zlib, 1 batch read
          ●        ●       ●          span batch 0  2 blocks, times 1016 to 1018, epoch 11, 1 transaction
          ●        ○       ●            L2 block 8  time 1016, epoch 11, 0 transactions, from the span batch
          ●        ○       ●            L2 block 9  time 1018, epoch 11, 1 transaction, from the span batch
          │        │       │
          │        │       │      L1 blocks 13 to 15  nothing happens
          │        │       │
      typescript ends drained at L2 block 9 0xc373ef5e…
      kona ends drained at L2 block 9 0x86c2063a…
      op-node ends drained at L2 block 9 0xc373ef5e…"
    `);
  });

  test('states each rule once and keeps to its width where it can', () => {
    const lines = text(explanation);
    expect(lines.filter((line) => line.includes('“The batch is for the first L2 block')).length).toBe(1);
    expect(lines.filter((line) => /“|”/.test(line)).every((line) => line.length <= 110)).toBe(true);
  });

  test('shows content and bytes on demand', () => {
    expect(text(explanation).join('\n')).not.toContain('rel_timestamp');
    expect(text(explanation, { content: true }).join('\n')).toMatch(/rel_timestamp +12/);
    expect(text(explanation, { bytes: true }).join('\n')).toMatch(/0c {2}rel_timestamp: 12/);
  });
});
