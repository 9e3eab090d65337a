/** Every curated scenario, by stage. */

import { batchScenarios } from './batches.ts';
import { brotliScenarios } from './brotli-streams.ts';
import { channelAssemblerScenarios } from './channel-assembler.ts';
import { channelBankScenarios } from './channel-bank.ts';
import { channelReaderScenarios } from './channel-reader.ts';
import { checkScenarios } from './checks.ts';
import type { CuratedScenario } from './curated.ts';
import { frameQueueScenarios } from './frame-queue.ts';
import { frameScenarios } from './frames.ts';
import { mutantScenarios } from './mutants.ts';
import { realScenarios } from './real.ts';
import { spanByteScenarios } from './span-bytes.ts';
import { spanMeaningScenarios } from './span-meaning.ts';
import { spanTransactionScenarios } from './span-transactions.ts';
import { wrapScenarios } from './wraps.ts';
import { zlibScenarios } from './zlib-streams.ts';

export const CURATED: readonly CuratedScenario[] = [
  ...frameScenarios,
  ...frameQueueScenarios,
  ...channelBankScenarios,
  ...channelAssemblerScenarios,
  ...channelReaderScenarios,
  ...zlibScenarios,
  ...brotliScenarios,
  ...realScenarios,
  ...batchScenarios,
  ...spanByteScenarios,
  ...spanTransactionScenarios,
  ...spanMeaningScenarios,
  ...checkScenarios,
  ...mutantScenarios,
  ...wrapScenarios,
];
