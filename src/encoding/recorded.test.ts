/**
 * Cut and damaged channels against what op-node read of them. The recording also watches the one undocumented thing the
 * reader leans on, Node's brotli handle: a Node whose decoder pushes out its bytes at other moments fails here.
 */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openChannel } from '../channel.ts';
import { RuleBook } from '../rules/rule-book.ts';
import { buildChannel, CHANNELS, faultyForms, runs } from './fixtures/channels.ts';
import recorded from './fixtures/recorded.json' with { type: 'json' };

interface Recorded {
  /** The channel in base64, unless it is built. */
  readonly data?: string;
  readonly forms: number;
  /** The number of batches of each form, as runs. */
  readonly counts: string;
  /** SHA-256 over a line for each form: its batches' lengths and the start of their SHA-256. */
  readonly digest: string;
}

const RECORDED = recorded.channels as Readonly<Record<string, Recorded>>;

/** The batches of a channel as the recording writes them. */
function read(data: Uint8Array, limit: number): string[] {
  const content = openChannel(data, { limit, brotliAllowed: true }, new RuleBook());
  const batches: string[] = [];
  for (let batch = content?.next(); batch !== undefined; batch = content?.next()) {
    batches.push(`${batch.length}:${createHash('sha256').update(batch).digest('hex').slice(0, 12)}`);
  }
  return batches;
}

describe('what op-node read', () => {
  test('every recorded channel is known, and every known one recorded', () => {
    expect(Object.keys(RECORDED)).toEqual(Object.keys(CHANNELS));
  });

  test.each(Object.keys(RECORDED))('%s', (name) => {
    const channel = CHANNELS[name]!;
    const { data: stored, forms, counts, digest } = RECORDED[name]!;
    const data = stored === undefined ? buildChannel(channel) : new Uint8Array(Buffer.from(stored, 'base64'));
    const results = [...faultyForms(data, channel.steps)].map((form) => read(form, channel.limit ?? 100_000_000));
    expect(results.length).toBe(forms);
    expect(runs(results.map((batches) => batches.length))).toBe(counts);
    expect(
      createHash('sha256')
        .update(results.map((batches) => batches.join(' ')).join('\n'))
        .digest('hex'),
    ).toBe(digest);
  });
});
