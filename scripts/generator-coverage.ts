/**
 * Prints what generated vectors reach, and which sides of rules none of them has reached:
 * `node --import tsx scripts/generator-coverage.ts [seed] [count]`.
 */

import { Coverage, ERAS, emptyCells, reachedBy } from '../harness/campaign/coverage.ts';
import { UNREACHABLE } from '../harness/curated/unreachable.ts';
import { generateVector } from '../harness/generate/index.ts';
import { formatCoverage } from '../harness/report/campaign.ts';
import { derive } from '../src/derive.ts';
import { eraOf, RULE_IDS } from '../src/rules/catalogue.ts';
import { RuleBook } from '../src/rules/rule-book.ts';

const [seed = 1, count = 20_000] = process.argv.slice(2).map(Number);
const coverage = new Coverage();
for (let index = 0; index < count; index++) {
  const { vector } = generateVector(seed, index);
  const rules = new RuleBook();
  coverage.add(reachedBy(vector, rules, derive(vector, { rules })));
}

console.log(formatCoverage(coverage));
console.log(`\nempty in every era: ${emptyCells(coverage, new Set(Object.keys(UNREACHABLE))).join(', ') || 'none'}`);
console.log('empty in one:');
for (const rule of RULE_IDS) {
  for (const side of ['+', '-'] as const) {
    if (Object.hasOwn(UNREACHABLE, `${rule}${side}`)) continue;
    const eras = ERAS.filter((era) => era === 'across' || eraOf(rule) === 'both' || eraOf(rule) === era);
    const empty = eras.filter((era) => coverage.side(rule, side, era) === 0);
    if (empty.length > 0) console.log(`  ${rule}${side} ${empty.join(', ')}`);
  }
}
