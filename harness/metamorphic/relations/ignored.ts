/** Transactions that hold no batcher data, between the others. */

import type { Vector } from '../../../src/vector.ts';
import { everything, type Relation } from '../relation.ts';

export const ignored: Relation = {
  id: 'ignored',
  statement: 'A transaction of another version, an empty one and a lone version byte between others change nothing.',
  grounds: ['frame/version-byte', 'frame/all-or-nothing', 'frame-queue/one-item'],
  exceptions: [],
  change(vector, choice) {
    const items = [Uint8Array.of(1, 2, 3), Uint8Array.of(), Uint8Array.of(0), Uint8Array.of(255, 0)];
    const l1 = vector.l1.map((block, index) => {
      const at = (choice + index) % (block.data.length + 1);
      const item = items[(choice + index) % items.length]!;
      return { ...block, data: [...block.data.slice(0, at), item, ...block.data.slice(at)] };
    });
    return { ...vector, l1: l1 as unknown as Vector['l1'] };
  },
  view: everything,
};
