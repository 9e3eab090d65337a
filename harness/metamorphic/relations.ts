/** The relations. */

import type { Relation } from './relation.ts';
import { compression } from './relations/compression.ts';
import { cut } from './relations/cut.ts';
import { ignored } from './relations/ignored.ts';
import { span } from './relations/span.ts';
import { time } from './relations/time.ts';

export const RELATIONS: readonly Relation[] = [cut, compression, ignored, span, time];
