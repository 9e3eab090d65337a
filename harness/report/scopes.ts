/** The scopes of `--exhaustive`, for people. */

import { wrap } from '../decode/paint.ts';
import { EXHAUSTIVE_SCOPES } from '../generate/exhaustive.ts';
import { count } from '../words.ts';

/** As wide as the widest paragraphs of a command's help. */
const WIDTH = 120;

/** Each scope with its size, and below it what it holds. */
export function formatScopes(): string[] {
  return Object.values(EXHAUSTIVE_SCOPES).flatMap((scope) => [
    `${scope.name}  ${count(scope.count, 'vector')}`,
    ...wrap(scope.description, WIDTH - 2).map((line) => `  ${line}`),
  ]);
}
