/** Every curated scenario, by stage. */

import { batchScenarios } from './batches.ts';
import { checkScenarios } from './checks.ts';
import type { CuratedScenario } from './curated.ts';
import { frameScenarios } from './frames.ts';

export const CURATED: readonly CuratedScenario[] = [...frameScenarios, ...batchScenarios, ...checkScenarios];
