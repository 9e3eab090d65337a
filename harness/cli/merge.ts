/** `holodiff merge`: several campaigns, or the parts of one, as one. */

import { Command } from 'commander';
import { EXIT } from '../errors.ts';

interface MergeOptions {
  readonly out?: string;
  readonly known?: string | boolean;
  readonly table: boolean;
}

export function mergeCommand(): Command {
  return new Command('merge')
    .description('join campaigns: the parts of one, and those with other seeds')
    .argument('<folder...>', 'the folders of the campaigns')
    .option('-o, --out <folder>', 'where the result goes (default: findings/merged)')
    .option('--known <file>', 'the list of known divergences (default: vectors/known-divergences.json)')
    .option('--no-known', 'count every difference as new')
    .option('--no-table', 'leave the table of rules out of the summary')
    .addHelpText(
      'after',
      `
Counters add up, and of each signature the finding with the lowest index stays. All parts of a campaign have to be
there, each once and run to its end, and all campaigns have to be of the same versions.

The result is a folder with the findings and a merged.json.

Exit codes: 0 nothing new, 1 a signature that is not listed or an empty cell, 2 the harness or its input failed.

Examples:
  $ holodiff merge findings/seed-7-part-1-of-2 findings/seed-7-part-2-of-2
  $ holodiff merge night/* -o night-merged`,
    )
    .action(run);
}

async function run(folders: readonly string[], options: MergeOptions): Promise<void> {
  const path = await import('node:path');
  const { knownSignatures } = await import('../campaign/command.ts');
  const { merge } = await import('../campaign/merge.ts');
  const { PACKAGE_ROOT, writeFile } = await import('../files.ts');
  const { formatCoverage, summarise } = await import('../report/campaign.ts');

  const known = knownSignatures(options.known);
  const out = path.resolve(options.out ?? path.join(PACKAGE_ROOT, 'findings', 'merged'));
  const { totals, generated } = merge(folders, out);
  const table = formatCoverage(totals.coverage);
  writeFile(path.join(out, 'coverage.txt'), `${table}\n`);
  const { lines, fresh, failed } = summarise(totals, known, generated);
  for (const line of [...(options.table ? [table] : []), ...lines]) process.stdout.write(`${line}\n`);
  process.stdout.write(
    `${totals.vectors} vectors of ${folders.length} campaigns: ${totals.differences.size} signatures, ${fresh} new; findings in ${path.join(out, 'findings')}\n`,
  );
  process.exitCode = failed ? EXIT.differs : EXIT.ok;
}
