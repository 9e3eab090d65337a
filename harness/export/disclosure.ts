/** What upstream asks for before a finding is made public, and what of it this finding touches. */

import type { Side } from '../compare/compare.ts';
import { same } from '../compare/compare.ts';
import type { Subject } from './subject.ts';

const POLICY = 'https://github.com/ethereum-optimism/.github/blob/master/SECURITY.md';
const TRACKER = 'https://github.com/ethereum-optimism/optimism/issues/22854';

/** The note in Markdown, in one paragraph. */
export function disclosureNote({ sides, known }: Pick<Subject, 'sides' | 'known'>): string {
  const sentences = [
    `A difference between live clients may be security-relevant: read [Optimism's security policy](${POLICY}) first.`,
    `Upstream keeps [a public tracker](${TRACKER}) of deviations that only lead to different batch validity;`,
    'anything more critical belongs in its bug bounty programme instead.',
    ...consequences(sides),
  ];
  if (known?.embargo === true) sentences.push('The ledger keeps this one under embargo: it is not to be made public.');
  if (known?.link !== undefined) sentences.push(`This one is public already: ${known.link}.`);
  return sentences.join(' ');
}

/** What follows from the difference, as far as a trace shows it. */
function consequences(sides: readonly Side[]): string[] {
  const broken = sides.filter(({ trace, silent }) => silent === true || BROKEN.has(trace.outcome.kind));
  const told = broken.map(({ implementation, trace }) => `Here ${implementation} ends as \`${trace.outcome.kind}\`.`);
  const heads = sides.filter(({ silent }) => silent !== true).map(({ trace }) => trace.safeHead);
  const split = heads.some((head) => !same(head, heads[0]));
  return [...told, `Here the implementations end at ${split ? 'different L2 blocks' : 'the same L2 block'}.`];
}

/** Ends of a run that are more than another opinion on a batch. */
const BROKEN: ReadonlySet<string> = new Set(['crash', 'timeout', 'critical', 'stalled']);
