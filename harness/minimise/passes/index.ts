/** Every pass, those that take most away first. */

import { shrinkPlan } from '../plan.ts';
import type { Pass } from '../search.ts';
import { dropBatches, dropSpanBlocks, dropTails, fillUnknownHashes } from './batches.ts';
import { clearBytes, cutBytes, cutFields } from './bytes.ts';
import { dropChannels, dropFrames, dropItems, joinFrames, joinItems, recompress } from './channels.ts';
import { evenL1Times, simplifyConfig } from './config.ts';
import { dropInnerL1Blocks, dropLeadingL1Blocks, dropTrailingL1Blocks } from './l1.ts';
import { advanceSafeHead, dropInvalidBlocks, dropSafeBlocks, emptySafeBlocks } from './l2.ts';
import { rebaseNumbers, renameHashes } from './names.ts';
import { dropTransactions, simplifyTransactions } from './transactions.ts';

export const PASSES: Readonly<Record<string, Pass>> = {
  shrinkPlan,
  // Some implementations take long over brotli, so this comes before anything that needs many tests.
  recompress,
  dropTrailingL1Blocks,
  dropChannels,
  dropLeadingL1Blocks,
  dropInnerL1Blocks,
  dropItems,
  dropFrames,
  joinFrames,
  joinItems,
  dropTails,
  dropBatches,
  advanceSafeHead,
  dropSpanBlocks,
  dropTransactions,
  simplifyTransactions,
  dropSafeBlocks,
  emptySafeBlocks,
  dropInvalidBlocks,
  simplifyConfig,
  evenL1Times,
  rebaseNumbers,
  renameHashes,
  fillUnknownHashes,
  cutFields,
  cutBytes,
  clearBytes,
};
