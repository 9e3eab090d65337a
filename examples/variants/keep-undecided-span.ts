/** An undecided span batch is kept for another try, with what comes behind it, where the base passes it over. */

import type { Variant } from 'holodiff';

const variant: Variant = {
  name: 'keep-undecided-span',
  description: 'from Holocene on an undecided span batch is looked at again instead of being lost',
  rules: { 'batch-validator/span-undecided': 'never' },
};

export default variant;
