/** The words that the rules' statements use, for those who meet them for the first time. */

import { OPEN_POINTS, RULES, type RuleId } from '../../src/rules/catalogue.ts';

const WORDS: readonly (readonly [pattern: RegExp, word: string, meaning: string])[] = [
  [/\bS\b/, 'S', 'the safe head'],
  [/\bnext\b(?! (L1|batch|item|pull|read|first|epoch|of|one))/, 'next', "S's time + block time"],
  [/\bSWS\b/, 'SWS', 'the sequencing window size'],
  [/w₀/, 'w₀', 'the oldest L1 block in the window'],
  [/\bwindow\b/, 'window', "the batch stage's L1 blocks up to the origin"],
  [/\bitem\b/, 'item', 'one piece of L1 data: the data of a batcher transaction'],
];

/** What the words in these rules' statements mean, one line each. */
export function explainWords(rules: Iterable<RuleId>): string[] {
  const statements = [...rules].map((rule) => RULES[rule].statement);
  return WORDS.filter(([pattern]) => statements.some((text) => pattern.test(text))).map(
    ([, word, meaning]) => `${word}: ${meaning}`,
  );
}

/** The open points that a rule resolves: what the specification leaves open, and what is done. */
export function openPointsOf(rule: RuleId): string[] {
  return RULES[rule].openPoints.map((id) => {
    const point = OPEN_POINTS[id]!;
    return `${id}: ${point.question}: ${point.base}`;
  });
}

/** What a decision saw, on one line. */
export function factsText(facts: Readonly<Record<string, string>>): string {
  const { offset, detail, ...others } = facts;
  if (detail !== undefined) return offset === undefined ? detail : `at byte ${offset}: ${detail}`;
  const named = Object.entries({ ...(offset === undefined ? {} : { offset }), ...others });
  return named.map(([name, value]) => `${spaced(name)} ${value}`).join(', ');
}

/** `safeTime` as `safe time`. */
function spaced(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
