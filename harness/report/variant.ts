/** What a variant changes: as lines for a terminal, and as data. */

import { describePlace, describeSides } from '../compare/describe.ts';
import type { Change, Stance, VariantAnswer } from '../variant/ask.ts';
import { vectorToLine } from '../vector.ts';
import { onOneLine } from './printable.ts';

/** The whole answer. */
export function formatVariant(answer: VariantAnswer): string[] {
  const { variant, stored, generated, changes, stances, newlyReached, noLongerReached, extended } = answer;
  const lines = [
    `${variant.name}${variant.description === undefined ? '' : `: ${variant.description}`}`,
    `${stored.flips} of ${stored.vectors} stored vectors flip, ${generated.flips} of ${generated.vectors} generated ones (seed ${generated.seed}): ${changes.length} ${changes.length === 1 ? 'kind' : 'kinds'} of change`,
    ...changes.flatMap(formatChange),
  ];
  const unnoticed = changes.flatMap((change, index) => (change.stored === 0 ? [index + 1] : []));
  if (unnoticed.length > 0) {
    lines.push(`no stored vector shows ${unnoticed.join(', ')}: --promote keeps one for each kind of change`);
  }
  for (const [name, counts] of stances) {
    lines.push(
      `${name}, on the stored vectors that flip: ${counts.old} as before, ${counts.new} as the variant, ${counts.neither} neither`,
    );
  }
  for (const [point, count] of extended) lines.push(`its own rule at ${point} refused ${count} times`);
  lines.push(`newly reached: ${newlyReached.join(', ') || 'nothing'}`);
  lines.push(`no longer reached: ${noLongerReached.join(', ') || 'nothing'}`);
  return lines.map(onOneLine);
}

function formatChange(change: Change, index: number): string[] {
  const { signature, stored, generated, vector, from, difference, stances } = change;
  const { boundary, rule, side, shape } = signature;
  const size = vectorToLine(vector).length;
  const by = (wanted: Stance) => [...stances].filter(([, stance]) => stance === wanted).map(([name]) => name);
  const sides = (['old', 'new', 'neither'] as const)
    .map((stance) => [stance, by(stance)] as const)
    .filter(([, names]) => names.length > 0)
    .map(([stance, names]) => `${STANCES[stance]}: ${names.join(', ')}`);
  return [
    `${index + 1}. ${boundary}, ${rule}${side}, ${shape}: ${stored} stored, ${generated} generated`,
    `   smallest: ${from}, ${size} characters`,
    `   ${describePlace(difference)}: ${describeSides(difference)}`,
    `   ${sides.length === 0 ? 'nobody else was asked: -i asks an implementation' : sides.join('; ')}`,
  ];
}

/** The answer as data: what `holodiff variant --json` prints. */
export function variantData(answer: VariantAnswer): unknown {
  const { variant, stored, generated, changes, stances, newlyReached, noLongerReached, extended } = answer;
  return {
    format: 1,
    variant: { name: variant.name, description: variant.description ?? null },
    stored,
    generated,
    changes: changes.map((change) => ({
      boundary: change.signature.boundary,
      rule: change.signature.rule,
      side: change.signature.side,
      shape: change.signature.shape,
      stored: change.stored,
      generated: change.generated,
      smallest: {
        name: change.from,
        size: vectorToLine(change.vector).length,
        place: describePlace(change.difference),
        difference: describeSides(change.difference),
      },
      stances: Object.fromEntries(change.stances),
    })),
    stances: Object.fromEntries(stances),
    newlyReached,
    noLongerReached,
    extended: Object.fromEntries(extended),
  };
}

const STANCES: Readonly<Record<Stance, string>> = { old: 'as before', new: 'as the variant', neither: 'neither' };
