/**
 * Stands in for a reference on a processor of its own: gives answers that are there already, each after as many
 * milliseconds as the reference takes, and needs next to no processor itself.
 *
 * Arguments: a file with the lines of the reference, its handshake first, and the milliseconds.
 */

import { readFileSync } from 'node:fs';

const [, , file, pace] = process.argv;
const LINE_FEED = 10;

const text = readFileSync(file);
const lines = [];
for (let start = 0, end = text.indexOf(LINE_FEED); end >= 0; start = end + 1, end = text.indexOf(LINE_FEED, start)) {
  lines.push(text.subarray(start, end + 1));
}

/** When each vector that was asked about is answered. */
const due = [];
let answered = 0;
let last = 0;
let waiting = false;

function answer() {
  const ready = [];
  // The handshake is line 0.
  while (due[answered] <= performance.now()) ready.push(lines[++answered]);
  if (ready.length > 0) process.stdout.write(Buffer.concat(ready));
  waiting = answered < due.length;
  if (waiting) setTimeout(answer, Math.max(1, due[answered] - performance.now()));
}

process.stdout.write(lines[0]);
process.stdin.on('data', (chunk) => {
  for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) {
    last = Math.max(last, performance.now()) + Number(pace);
    due.push(last);
  }
  if (waiting || answered === due.length) return;
  waiting = true;
  setTimeout(answer, 1);
});
