/**
 * Prints what generated vectors reach: `node --import tsx scripts/generator-coverage.ts [seed] [count]`.
 */

import { Coverage } from '../harness/generate/coverage.ts';
import { generateVector } from '../harness/generate/index.ts';

const [seed = 1, count = 20_000] = process.argv.slice(2).map(Number);
const coverage = new Coverage();
for (let index = 0; index < count; index++) coverage.derive(generateVector(seed, index).vector);

console.log(coverage.table());
console.log('\nnever seen:');
for (const { rule, side, era } of coverage.gaps()) console.log(`  ${rule} ${side} (${era})`);
