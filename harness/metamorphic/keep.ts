/** Pairs of vectors that break a relation, as files. */

import path from 'node:path';
import { writeFile } from '../files.ts';
import { vectorToJson } from '../vector.ts';
import type { Break } from './run.ts';

/** Writes both vectors of a break into a folder of their own below this one. @returns the folder */
export function keepPair(
  { relation, implementation, original, changed }: Break,
  folder: string,
  number: number,
): string {
  const target = path.join(folder, `${number}-${relation.id}-${implementation.name}`);
  writeFile(path.join(target, 'original.vector.json'), vectorToJson(original));
  writeFile(
    path.join(target, 'changed.vector.json'),
    vectorToJson({ ...changed, name: `${original.name}/${relation.id}` }),
  );
  return target;
}
