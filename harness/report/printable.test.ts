import { expect, test } from 'vitest';
import { CURATED } from '../curated/index.ts';
import { plain } from '../decode/paint.ts';
import { explain } from '../explain/model.ts';
import { explanationLines } from '../explain/text.ts';
import { silentTrace } from '../trace.ts';
import { onOneLine } from './printable.ts';

const HOSTILE = 'a\u001b[31mb\r\n::error::c\u2028d\u202ee\u0000';
const TAME = 'a\ufffd[31mb / ::error::c / d\ufffde\ufffd';

test('what would end a line, paint it or turn it around does not come through', () => {
  expect(onOneLine(HOSTILE)).toBe(TAME);
  expect(onOneLine('frames[0]: « é 漢 \u{1f600} »')).toBe('frames[0]: « é 漢 \u{1f600} »');
});

test('nor does it from the name of a vector, or from what an implementation says, in an explanation', () => {
  const vector = { ...CURATED[0]!.build(), name: HOSTILE };
  const trace = silentTrace({ name: 'kona', version: '1' }, 'crash', HOSTILE, vector);
  const options = { paint: plain, width: 110, content: false, bytes: false, all: false };
  const lines = explanationLines(explain(vector, [{ implementation: 'kona', trace }]), options);
  expect(lines[0]).toBe(TAME);
  // Of a message the first line.
  expect(lines).toContainEqual(expect.stringMatching(/^ends crash \(a\ufffd\[31mb\) at /));
  expect(lines.filter((line) => line.startsWith('::'))).toEqual([]);
});
