/** All imitations. */

import type { Imitation } from './imitation.ts';
import { KONA_BATCHES } from './kona-batches.ts';
import { KONA_READING } from './kona-reading.ts';
import { OP_NODE } from './op-node.ts';

/** One for each cause that is known, of both references. */
export const IMITATIONS: readonly Imitation[] = [...KONA_READING, ...KONA_BATCHES, ...OP_NODE];
