/** From Granite on a channel times out after 100 L1 blocks in place of 50. */

import type { Variant } from 'holodiff';

const variant: Variant = {
  name: 'granite-timeout-100',
  description: 'the channel timeout from Granite on is 100 L1 blocks',
  constants: { CHANNEL_TIMEOUT_GRANITE: 100n },
};

export default variant;
