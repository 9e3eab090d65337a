/** Frames of one L1 block's data, cut into other transactions. */

import { DERIVATION_VERSION } from '../../../src/frame.ts';
import { type Item, layoutOf, withItems } from '../../minimise/layout.ts';
import { vectorToLine } from '../../vector.ts';
import { everything, type Relation } from '../relation.ts';

export const cut: Relation = {
  id: 'cut',
  statement: 'The same frames in other transactions of the same L1 block give the same trace.',
  grounds: ['frame/layout', 'frame/exact-tiling', 'frame-queue/one-item'],
  exceptions: (
    [
      'frame-queue/contiguous+',
      'frame-queue/after-close+',
      'frame-queue/foreign-non-first+',
      'frame-queue/new-first-drops-open+',
    ] as const
  ).map((side) => ({
    side,
    why: 'from Holocene on frames are held against their neighbours in the same transaction only',
  })),
  change(vector, choice) {
    const way = [apart, together, regrouped][choice % 3]!;
    const other = withItems(
      vector,
      layoutOf(vector).blocks.map((items) => way(items, choice)),
    );
    return vectorToLine(other) === vectorToLine(vector) ? undefined : other;
  },
  view: everything,
};

/** Each frame in a transaction of its own. */
function apart(items: readonly Item[]): Item[] {
  return items.flatMap((item) =>
    isRead(item) ? item.frames.map((frame): Item => ({ ...item, frames: [frame] })) : [item],
  );
}

/** The frames of neighbours in one transaction. */
function together(items: readonly Item[]): Item[] {
  const joined: Item[] = [];
  for (const item of items) {
    const before = joined[joined.length - 1];
    if (before !== undefined && isRead(before) && isRead(item)) {
      joined[joined.length - 1] = { ...before, frames: [...before.frames, ...item.frames] };
    } else joined.push(item);
  }
  return joined;
}

/** The frames of neighbours in transactions of one to three. */
function regrouped(items: readonly Item[], choice: number): Item[] {
  return together(items).flatMap((item, at) => {
    if (!isRead(item)) return [item];
    const groups: Item[] = [];
    for (let from = 0; from < item.frames.length; ) {
      const to = from + 1 + ((choice + at + groups.length) % 3);
      groups.push({ ...item, frames: item.frames.slice(from, to) });
      from = to;
    }
    return groups;
  });
}

/** Whether derivation reads the item: frames behind another version byte are none. */
function isRead(item: Item): item is Item & { readonly kind: 'frames' } {
  return item.kind === 'frames' && item.version === DERIVATION_VERSION;
}
