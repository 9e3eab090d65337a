/**
 * Prints what generated vectors reach, and what none of them has reached:
 * `node --import tsx scripts/generator-coverage.ts [seed] [count]`.
 */

import { Coverage, emptyCells, reachedBy } from '../harness/campaign/coverage.ts';
import { generateVector } from '../harness/generate/index.ts';
import { formatCoverage } from '../harness/report/campaign.ts';
import { derive } from '../src/derive.ts';
import { RuleBook } from '../src/rules/rule-book.ts';

const [seed = 1, count = 20_000] = process.argv.slice(2).map(Number);
const coverage = new Coverage();
for (let index = 0; index < count; index++) {
  const { vector } = generateVector(seed, index);
  const rules = new RuleBook();
  coverage.add(reachedBy(vector, rules, derive(vector, { rules })));
}

console.log(formatCoverage(coverage));
console.log(`\nempty: ${emptyCells(coverage).join(', ') || 'none'}`);
