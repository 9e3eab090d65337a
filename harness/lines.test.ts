import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { writeLine } from './lines.ts';

test('a line in pieces waits for a slow reader before it makes the next piece', async () => {
  let made = 0;
  let taken = 0;
  let ahead = 0;
  let text = '';
  const slow = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      text += chunk;
      taken += 1;
      setImmediate(done);
    },
  });
  function* pieces() {
    for (; made < 20; made += 1) {
      ahead = Math.max(ahead, made - taken);
      yield 'x';
    }
  }
  await writeLine(slow, pieces());
  await writeLine(slow, 'whole');
  expect(text).toBe(`${'x'.repeat(20)}\nwhole\n`);
  expect(ahead).toBe(0);
});
