/** A rule that does not exist: from a fork on a channel holds at most so many batches. */

import type { Variant } from '../../src/index.ts';

const FORK = 'holocene';
const MAX_BATCHES = 3;

const variant: Variant = {
  name: 'three-batches-a-channel',
  description: `from ${FORK} on, by the L1 origin, a channel holds at most ${MAX_BATCHES} batches: those behind are ignored`,
  extensions: {
    'channel-reader/batch': ({ spec, origin, index }) =>
      spec.isActive(FORK, origin.timestamp) && index >= MAX_BATCHES ? 'end-channel' : undefined,
  },
};

export default variant;
