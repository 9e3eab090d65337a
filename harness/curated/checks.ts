/** Curated scenarios of the checks on batches, the batch stages, the engine, activation and reset. */

import type { CuratedScenario } from './curated.ts';

export const checkScenarios: readonly CuratedScenario[] = [];
