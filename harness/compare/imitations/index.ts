/** All imitations. */

import type { Imitation } from './imitation.ts';
import { KONA_CHANNELS } from './kona-channels.ts';
import { KONA_DECODING } from './kona-decoding.ts';
import { KONA_VALIDITY } from './kona-validity.ts';
import { OP_NODE } from './op-node.ts';

/** One for each cause that is known, of both references. */
export const IMITATIONS: readonly Imitation[] = [...KONA_CHANNELS, ...KONA_DECODING, ...KONA_VALIDITY, ...OP_NODE];
