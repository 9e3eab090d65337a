/** `holodiff merge`: several campaigns, or the parts of one, as one. */

import { Command } from 'commander';
import { EXIT } from '../errors.ts';
import type { KnownOption } from '../report/known.ts';
import {
  findingsOption,
  knownOption,
  nonEmpty,
  REPORTER_HELP,
  type ReporterOptions,
  reporterOption,
} from './options.ts';

interface MergeOptions extends ReporterOptions {
  readonly out?: string;
  readonly findings?: string;
  readonly known?: KnownOption;
  readonly table: boolean;
}

export function mergeCommand(): Command {
  return new Command('merge')
    .description('join campaigns: the parts of one, and those with other seeds')
    .argument('<folder...>', 'the folders of the campaigns')
    .option('-o, --out <folder>', 'where the result goes (default: findings/merged)', nonEmpty)
    .addOption(findingsOption())
    .addOption(knownOption())
    .option('--no-known', 'count every difference as new')
    .option('--no-table', 'leave the table of rules out of the summary')
    .addOption(reporterOption())
    .addHelpText(
      'after',
      `
Counters add up, and of each signature the finding with the lowest index stays. All parts of a campaign have to be
there, each once and run to its end, and all campaigns have to be of the same versions.

The result is a folder with the findings and a merged.json, which is what --reporter json writes. What is under embargo
in a list of known divergences is left out of it but for its number.
${REPORTER_HELP}

Exit codes: 0 nothing new, 1 a signature that is not listed or an empty cell, 2 the harness or its input failed.

Examples:
  $ holodiff merge findings/seed-7-part-1-of-2 findings/seed-7-part-2-of-2
  $ holodiff merge night/* -o night-merged`,
    )
    .action(run);
}

async function run(folders: readonly string[], options: MergeOptions): Promise<void> {
  const path = await import('node:path');
  const { merge } = await import('../campaign/merge.ts');
  const { writeFile } = await import('../files.ts');
  const { workFolder } = await import('../places.ts');
  const { coverageTable, formatCampaign, freshOf } = await import('../report/campaign.ts');
  const { readKnownSignatures } = await import('../report/known.ts');
  const { Reporters } = await import('../report/reporters.ts');

  const reporters = new Reporters(options.reporter);
  const { findings = path.join(workFolder(), 'findings') } = options;
  const out = path.resolve(options.out ?? path.join(findings, 'merged'));
  const report = merge(folders, out, readKnownSignatures(options.known));
  const table = coverageTable(report);
  writeFile(path.join(out, 'coverage.txt'), `${table}\n`);
  if (options.table) reporters.print(table);
  for (const line of formatCampaign(report)) reporters.print(line);
  reporters.print(
    `${report.vectors} vectors of ${folders.length} campaigns: ${report.differences.length} signatures, ${freshOf(report).length} new; findings in ${path.join(out, 'findings')}`,
  );
  reporters.write(report);
  process.exitCode = EXIT[report.status];
}
