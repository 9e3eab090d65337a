/** A span batch that overlaps the safe chain is not held against it from Holocene on. */

import type { Variant } from 'holodiff';

const variant: Variant = {
  name: 'no-overlap-check-after-holocene',
  description: 'from Holocene on the overlapped blocks of a span batch may differ from the safe chain',
  rules: {
    'span/overlap-content': (base, { holocene }) => base && holocene !== true,
  },
};

export default variant;
