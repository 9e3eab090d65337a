import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeItem, encodeFrame, encodeItem, type Frame } from './frame.ts';
import { RuleBook } from './rules/rule-book.ts';

const frame: fc.Arbitrary<Frame> = fc.record({
  channel: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  number: fc.nat({ max: 0xffff }),
  data: fc.uint8Array({ maxLength: 300 }),
  last: fc.boolean(),
});

test('decoding an encoded item gives its frames back', () => {
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 5 }), (frames) => {
      const item = encodeItem(frames.map((one) => encodeFrame(one)));
      expect(decodeItem(item, new RuleBook())).toEqual({ kind: 'frames', frames });
    }),
  );
});

test('any bytes are frames or are ignored, and frames tile the item exactly', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const item = Uint8Array.of(0, ...bytes);
      const parsed = decodeItem(item, new RuleBook());
      if (parsed.kind === 'ignored') return;
      const again = encodeItem(parsed.frames.map((one) => encodeFrame(one)));
      expect(again).toEqual(item);
    }),
  );
});
