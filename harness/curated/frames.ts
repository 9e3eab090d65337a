/** Curated scenarios of frames, the frame queue, the channel stages and the channel reader. */

import type { CuratedScenario } from './curated.ts';

export const frameScenarios: readonly CuratedScenario[] = [];
