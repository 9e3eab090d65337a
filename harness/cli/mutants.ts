/** `holodiff mutants`: would the vectors notice if a rule were another? */

import { Command, Option } from 'commander';
import { EXIT } from '../errors.ts';
import { naturalOrZero, note, REPORTER_HELP, type ReporterOptions, reporterOption, seedOption } from './options.ts';

interface MutantsOptions extends ReporterOptions {
  readonly corpus: 'clean' | 'all';
  readonly vectors: number;
  readonly seed: string;
}

export function mutantsCommand(): Command {
  return new Command('mutants')
    .description('run every mutant of the rules and say which vector tells it from the base')
    .argument('[path...]', 'vector files and folders (default: those that come with holodiff)')
    .addOption(
      new Option('--corpus <name>', 'clean: only vectors on which all implementations agree')
        .choices(['clean', 'all'])
        .default('clean'),
    )
    .option('--vectors <number>', 'how many generated vectors, 0 for none', naturalOrZero, 2000)
    .addOption(seedOption())
    .addOption(reporterOption())
    .addHelpText(
      'after',
      `
A mutant is the TypeScript pipeline with one thing changed: a rule that never or always fires, a constant one
higher or lower, a fork one second later or sooner. Each line says where the traces part, after how many vectors,
and which vector it was. Equivalent mutants are listed with the argument why no vector can tell.
${REPORTER_HELP}

Exit codes: 0 all are killed, 1 a mutant survives, 2 the harness or its input failed.

Examples:
  $ holodiff mutants
  $ holodiff mutants --vectors 0
  $ holodiff mutants --corpus all --vectors 50000 --seed 7`,
    )
    .action(run);
}

async function run(paths: readonly string[], options: MutantsOptions): Promise<void> {
  const { VECTORS_FOLDER } = await import('../corpus.ts');
  const { huntMutants } = await import('../mutants/run.ts');
  const { formatHunt, formatMutant, mutantsReport } = await import('../report/mutants.ts');
  const { Reporters } = await import('../report/reporters.ts');
  const reporters = new Reporters(options.reporter);
  const result = await huntMutants({ ...options, paths: paths.length > 0 ? paths : [VECTORS_FOLDER], note });
  for (const line of [...result.mutants.map(formatMutant), ...formatHunt(result)]) reporters.print(line);
  const report = mutantsReport(result);
  reporters.write(report);
  process.exitCode = EXIT[report.status];
}
