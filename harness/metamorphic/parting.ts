/** Where two things that must be the same are not. */

import { same } from '../compare/compare.ts';

export interface Parting {
  /** A JSON path, such as `singles[2].epochNum`; empty for the whole. */
  readonly path: string;
  /** What each has there; `undefined` if it has nothing. */
  readonly original: unknown;
  readonly changed: unknown;
}

/** The first place in which two values of traces differ; `undefined` if they are the same. */
export function partingOf(original: unknown, changed: unknown): Parting | undefined {
  if (same(original, changed)) return undefined;
  const found = { path: '', original, changed };
  if (Array.isArray(original) && Array.isArray(changed)) {
    for (let index = 0; index < Math.max(original.length, changed.length); index++) {
      const inner = partingOf(original[index], changed[index]);
      if (inner !== undefined) return below(`[${index}]`, inner);
    }
    return found;
  }
  if (!isObject(original) || !isObject(changed)) return found;
  for (const key of Object.keys({ ...original, ...changed })) {
    const inner = partingOf(original[key], changed[key]);
    if (inner !== undefined) return below(key, inner);
  }
  return found;
}

function below(place: string, { path, ...values }: Parting): Parting {
  const dot = path === '' || path.startsWith('[') ? '' : '.';
  return { path: `${place}${dot}${path}`, ...values };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
