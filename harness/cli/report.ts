/** `holodiff report`: findings as one page for a browser. */

import { Command } from 'commander';
import { EXIT, HolodiffError } from '../errors.ts';
import type { KnownOption } from '../report/known.ts';
import { count } from '../words.ts';
import {
  implementationOption,
  knownOption,
  type LimitOptions,
  limitsOf,
  memoryOption,
  nonEmpty,
  note,
  timeoutOption,
  variantOption,
} from './options.ts';

interface ReportOptions extends LimitOptions {
  readonly out: string;
  readonly title: string;
  readonly implementation: readonly string[];
  readonly variant?: string;
  readonly recorded: boolean;
  readonly stored: boolean;
  readonly known?: KnownOption;
  readonly all: boolean;
}

export function reportCommand(): Command {
  return new Command('report')
    .description('write findings and vectors as one HTML page that needs nothing else')
    .argument('<path...>', 'folders of campaigns, of merged ones and of findings, vector files, and folders of vectors')
    .requiredOption('-o, --out <file>', 'the page', nonEmpty)
    .option('--title <text>', 'its title', 'holodiff report')
    .addOption(implementationOption('ask only this one, named as for replay', 'typescript and both references'))
    .addOption(variantOption())
    .option('--recorded', "use the references' recorded traces even if they could be built", false)
    .option('--stored', 'run nothing: findings as they were found, with their stored traces', false)
    .addOption(knownOption())
    .option('--no-known', 'mark nothing as known')
    .option('--all', 'include vectors on which all agree', false)
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
A minimised finding is shown minimised: the implementations are asked about it once more. What is under embargo in a
list of known divergences is left out but for its number.

Exit codes: 0 the page is written, 2 the harness or its input failed.

Examples:
  $ holodiff report findings/seed-7 -o report.html
  $ holodiff report vectors/curated -o curated.html
  $ holodiff report findings/seed-1 findings/seed-2 --stored -o report.html`,
    )
    .action(run);
}

async function run(paths: readonly string[], options: ReportOptions): Promise<void> {
  const { readKnown } = await import('../report/known.ts');
  const { writeFile } = await import('../files.ts');
  const { openForFiles } = await import('../implementations/open.ts');
  const { collectReport, filesOf, findReportSources } = await import('../report/collect.ts');
  const { renderReport } = await import('../report/html/render.ts');

  const sources = findReportSources(paths);
  if (options.stored && sources.vectors.length > 0) {
    throw new HolodiffError('bad-option', `--stored: ${sources.vectors[0]!} has no stored traces`);
  }
  const known = readKnown(options.known);
  const variant =
    options.variant === undefined ? undefined : await (await import('../variants.ts')).loadVariant(options.variant);
  const files = filesOf(sources);
  const implementations =
    options.stored || files.length === 0
      ? []
      : await openForFiles({
          names: options.implementation,
          recorded: options.recorded,
          files,
          variant,
          limits: limitsOf(options),
          report: note,
        });
  try {
    const { title, all, out } = options;
    const input = await collectReport({ title, sources, implementations, variant, known, all, note });
    const page = renderReport(input);
    writeFile(out, page);
    const size = (Buffer.byteLength(page) / 1e6).toFixed(1);
    process.stdout.write(`${out}: ${count(input.findings.length, 'finding')}, ${size} MB\n`);
    process.exitCode = EXIT.ok;
  } finally {
    await Promise.all(implementations.map((implementation) => implementation.close()));
  }
}
