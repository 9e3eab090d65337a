/** Curated scenarios of decoding batches. */

import type { CuratedScenario } from './curated.ts';

export const batchScenarios: readonly CuratedScenario[] = [];
