/** Curated scenarios of the checks on batches, the batch stages, the engine, activation and reset. */

import { activationScenarios } from './activation.ts';
import { activationForkScenarios } from './activation-forks.ts';
import { batchQueueScenarios } from './batch-queue.ts';
import { batchValidatorScenarios } from './batch-validator.ts';
import type { CuratedScenario } from './curated.ts';
import { emptyScenarios } from './empty.ts';
import { engineScenarios } from './engine.ts';
import { resetScenarios } from './reset.ts';
import { singleScenarios } from './single.ts';
import { singleLimitScenarios } from './single-limits.ts';
import { singleTransactionScenarios } from './single-transactions.ts';
import { spanScenarios } from './span.ts';
import { spanFullScenarios } from './span-full.ts';
import { spanOriginScenarios } from './span-origins.ts';
import { spanOverlapScenarios } from './span-overlap.ts';

export const checkScenarios: readonly CuratedScenario[] = [
  ...singleScenarios,
  ...singleLimitScenarios,
  ...singleTransactionScenarios,
  ...spanScenarios,
  ...spanOriginScenarios,
  ...spanOverlapScenarios,
  ...spanFullScenarios,
  ...batchQueueScenarios,
  ...emptyScenarios,
  ...batchValidatorScenarios,
  ...engineScenarios,
  ...activationScenarios,
  ...activationForkScenarios,
  ...resetScenarios,
];
