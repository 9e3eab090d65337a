/** Decisions as reasons. */

import { toHex } from '../../src/encoding/bytes.ts';
import type { Decision } from '../../src/rules/rule-book.ts';
import type { Reason } from './rows.ts';

/** A decision as the reason for something. */
export function reasonOf({ rule, verdict, context }: Decision, effect: string): Reason {
  const facts: Record<string, string> = {};
  for (const [name, value] of Object.entries(context)) {
    const text = factOf(value);
    if (text !== undefined) facts[name] = text;
  }
  return verdict === undefined ? { rule, effect, facts } : { rule, effect, verdict, facts };
}

function factOf(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return value.length > 20 ? `${toHex(value.subarray(0, 16))}…` : toHex(value);
  switch (typeof value) {
    case 'bigint':
    case 'number':
    case 'boolean':
      return String(value);
    case 'string':
      return value;
    default:
      return undefined;
  }
}
