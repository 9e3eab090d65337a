/** Relations and what became of them, as lines for a terminal. */

import type { Relation } from '../metamorphic/relation.ts';
import type { RelationResult } from '../metamorphic/run.ts';

/** One relation with its grounds and exceptions. */
export function formatRelation({ id, statement, grounds, exceptions }: Relation): string[] {
  return [
    `${id}: ${statement}`,
    `  by ${grounds.join(', ')}`,
    ...exceptions.map(({ side, why }) => `  unless ${side}: ${why}`),
  ];
}

/** What one relation gave; one line, and one for each implementation that breaks it. */
export function formatRelationResult({ relation, applied, excepted, broken }: RelationResult): string[] {
  const lines = [
    `${relation.id}: ${applied} vectors${excepted === 0 ? '' : `, ${excepted} excepted`}, ${broken.length === 0 ? 'holds' : `broken ${broken.length} times`}`,
  ];
  const names = new Set(broken.map(({ implementation }) => implementation));
  for (const name of names) {
    const vectors = broken.filter(({ implementation }) => implementation === name).map(({ vector }) => vector.name);
    const shown = vectors.slice(0, 5).join(', ');
    lines.push(`  ${name}: ${vectors.length}: ${shown}${vectors.length > 5 ? ', …' : ''}`);
  }
  return lines;
}
