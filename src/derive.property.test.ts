import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Era, Scenario } from '../harness/scenario/scenario.ts';
import { derive } from './derive.ts';
import { encodeFrame, encodeItem } from './frame.ts';
import { RULE_IDS } from './rules/catalogue.ts';
import type { Trace } from './trace.ts';

const ERAS: readonly Era[] = ['before', 'across', 'after'];

/** Items of three depths: any bytes, any channel data in a good frame, and batch bytes in a good channel. */
const item = fc.oneof(
  fc.uint8Array({ maxLength: 120 }),
  fc.uint8Array({ maxLength: 120 }).map((data) => {
    const frame = { channel: new Uint8Array(16), number: 0, data, last: true };
    return encodeItem([encodeFrame(frame)]);
  }),
  fc.tuple(fc.constantFrom(0, 1), fc.uint8Array({ maxLength: 200 })).map(([version, content]) => {
    const scenario = new Scenario();
    return scenario.item(...scenario.frames(scenario.channel([Uint8Array.of(version, ...content)])));
  }),
);

function deriveItems(era: Era, items: readonly Uint8Array[], options = {}): Trace {
  const scenario = new Scenario({ era });
  for (const [index, bytes] of items.entries()) scenario.post(11 + (index % 3), bytes);
  return derive(scenario.vector('any bytes'), options);
}

test('no bytes make the pipeline throw, and none change what was safe', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ERAS), fc.array(item, { maxLength: 6 }), (era, items) => {
      const trace = deriveItems(era, items);
      expect(trace.outcome.kind).toBe('drained');
      expect(trace.safeHead.number).toBe(5n + BigInt(trace.singles.length));
    }),
    { numRuns: 300 },
  );
});

test('no variant of one rule makes the pipeline throw', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...RULE_IDS),
      fc.constantFrom('never' as const, 'always' as const),
      fc.constantFrom(...ERAS),
      fc.array(item, { maxLength: 4 }),
      (rule, override, era, items) => {
        const variant = { name: `${rule} ${override}`, rules: { [rule]: override } };
        expect(() => deriveItems(era, items, { variant })).not.toThrow();
      },
    ),
    { numRuns: 1500 },
  );
});

test('a run that would emit for ever ends as a timeout', () => {
  const scenario = new Scenario({ seqWindowSize: 1 });
  const variant = { name: 'empty batches without end', rules: { 'empty/same-epoch': 'always' as const } };
  expect(derive(scenario.vector('endless'), { variant }).outcome.kind).toBe('timeout');
});
