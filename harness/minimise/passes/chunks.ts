/** What passes over lists share: which pieces to take away, in which order. */

import type { Vector } from '../../../src/vector.ts';
import { withReferences } from '../references.ts';
import type { Cursor, Proposal } from '../search.ts';

export interface Chunk {
  readonly start: number;
  readonly end: number;
  /** Goes on before this chunk, with the same size, once it has been taken away. */
  readonly cursor: Cursor;
}

/**
 * Chunks of a list of that length: the whole of it, then halves, quarters and so on down to `smallest`; of each size
 * from the back, since what comes later depends on what comes before.
 */
export function* chunks(length: number, cursor?: Cursor, smallest = 1): Generator<Chunk, void, undefined> {
  let size = Math.min(cursor?.[0] ?? length, length);
  let end = Math.min(cursor?.[1] ?? length, length);
  while (length > 0) {
    for (; end > 0; end -= size) {
      const start = Math.max(end - size, 0);
      yield { start, end, cursor: [size, start] };
    }
    if (size <= smallest) return;
    size = Math.max(smallest, size >> 1);
    end = length;
  }
}

/** The same for several lists, one after the other. */
export function* chunksOf(
  lengths: readonly number[],
  cursor?: Cursor,
  smallest: (length: number) => number = () => 1,
): Generator<Chunk & { readonly list: number }, void, undefined> {
  for (let list = cursor?.[0] ?? 0; list < lengths.length; list++) {
    const inner = list === cursor?.[0] ? cursor.slice(1) : undefined;
    const length = lengths[list]!;
    for (const chunk of chunks(length, inner, smallest(length)))
      yield { ...chunk, list, cursor: [list, ...chunk.cursor] };
  }
}

/** The list without a chunk. */
export function without<T>(list: readonly T[], { start, end }: Pick<Chunk, 'start' | 'end'>): T[] {
  return [...list.slice(0, start), ...list.slice(end)];
}

/** The candidate with its references brought up to date, and as it is where that is something else. */
export function* withAndWithoutReferences(
  original: Vector,
  candidate: Vector,
  cursor?: Cursor,
): Generator<Proposal, void, undefined> {
  const updated = withReferences(original, candidate);
  yield propose(updated, cursor);
  if (updated !== candidate) yield propose(candidate, cursor);
}

/** A proposal, with a cursor where there is one. */
export function propose(vector: Vector, cursor?: Cursor): Proposal {
  return cursor === undefined ? { vector } : { vector, cursor };
}
