/** Op-node 1.19.6 where it departs from the rules, which follow it in the rest. */

import type { RuleOverride } from '../../../src/rules/rule-book.ts';
import { ImitatedEnd, type Imitation } from './imitation.ts';

export const OP_NODE: readonly Imitation[] = [
  {
    id: 'several-forks-at-once',
    reference: 'op-node',
    rule: 'activation/several-forks',
    side: '+',
    boundary: 'channels',
    change: () => {
      let unchanged = false;
      let flushed = false;
      // The batch queue of before Holocene cannot be flushed: what is decided next is not decided any more.
      const panics: RuleOverride = (base) => {
        if (flushed) throw new ImitatedEnd('crash', 'BatchQueue: invalid FlushChannel call');
        return base;
      };
      return {
        rules: {
          'activation/several-forks': () => {
            unchanged = true;
            return false;
          },
          'engine/replacement-flushes': (base) => {
            flushed = base && unchanged;
            return base;
          },
          'batch-queue/span-cache': panics,
          'batch-queue/window': panics,
        },
      };
    },
  },
];
