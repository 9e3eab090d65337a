/** A rule that does not exist: from Holocene on a channel holds at most three batches. */

import type { Variant } from 'holodiff';

const MAX_BATCHES = 3;

const variant: Variant = {
  name: 'three-batches-a-channel',
  description: 'from Holocene on, by the L1 origin, the fourth batch of a channel and all behind it are ignored',
  extensions: {
    'channel-reader/batch': ({ spec, origin, index }) =>
      spec.isActive('holocene', origin.timestamp) && index >= MAX_BATCHES ? 'end-channel' : undefined,
  },
};

export default variant;
