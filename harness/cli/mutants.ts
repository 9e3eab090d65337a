/** `holodiff mutants`: would the vectors notice if a rule were another? */

import { Command, Option } from 'commander';
import { EXIT } from '../errors.ts';
import {
  durationOption,
  naturalOrZero,
  note,
  REPORTER_HELP,
  type ReporterOptions,
  reporterOption,
  SCOPE_HELP,
  scopeOption,
  seed,
} from './options.ts';

interface MutantsOptions extends ReporterOptions {
  readonly corpus: 'clean' | 'all';
  readonly vectors?: number;
  /** Milliseconds. */
  readonly for?: number;
  readonly seed?: string;
  readonly exhaustive?: string;
}

/** Where a campaign ends that was given no end. */
const DEFAULT_VECTORS = 2000;

export function mutantsCommand(): Command {
  return new Command('mutants')
    .description('run every mutant of the rules and say which vector tells it from the base')
    .argument('[path...]', 'vector files and folders (default: those that come with holodiff)')
    .addOption(
      new Option('--corpus <name>', 'clean: only vectors on which all implementations agree')
        .choices(['clean', 'all'])
        .default('clean'),
    )
    .option('--vectors <number>', 'how many vectors of the campaign, 0 for none (default: 2000)', naturalOrZero)
    .addOption(durationOption('end the campaign after this time'))
    .option('--seed <number>', 'which endless row of vectors (default: 1)', seed)
    .addOption(scopeOption())
    .addOption(reporterOption())
    .addHelpText(
      'after',
      `
A mutant is the TypeScript pipeline with one thing changed: a rule that never or always fires, a constant one
higher or lower, a fork one second later or sooner. Each line says where the traces part, after how many vectors,
and which vector it was. Compressed vectors come last, for mutants of the limits on sizes alone; what no vector is large
enough for is asked under a smaller number. The share is that of all mutants that are not equivalent, those included that
only a vector tells on which a reference differs. Equivalent mutants are listed with the argument why no vector can tell; the argument is held
against vectors of the campaign, too. With --exhaustive it is held against every vector of a small scope, and no others
are hunted there.

A campaign of 50,000 generated vectors or more has to kill every mutant that is not equivalent by itself.
${REPORTER_HELP}

Exit codes: 0 all are killed, 1 a mutant survives or an argument does not hold, 2 holodiff or its input failed.

Examples:
  $ holodiff mutants
  $ holodiff mutants --vectors 0
  $ holodiff mutants --for 10m --seed 7
  $ holodiff mutants --exhaustive span-overlap`,
    )
    .action(run);
}

async function run(paths: readonly string[], options: MutantsOptions): Promise<void> {
  if (options.exhaustive === SCOPE_HELP) {
    const { formatScopes } = await import('../report/scopes.ts');
    process.stdout.write(`${formatScopes().join('\n')}\n`);
    return;
  }
  const { VECTORS_FOLDER } = await import('../corpus.ts');
  const { sourceOf } = await import('../campaign/source.ts');
  const { huntMutants } = await import('../mutants/run.ts');
  const { formatHunt, mutantsReport } = await import('../report/mutants.ts');
  const { Reporters } = await import('../report/reporters.ts');
  const { corpus, vectors, exhaustive, for: milliseconds } = options;
  const reporters = new Reporters(options.reporter);
  const result = await huntMutants({
    paths: paths.length > 0 ? paths : [VECTORS_FOLDER],
    corpus,
    source: sourceOf(options),
    vectors: vectors ?? ((milliseconds ?? exhaustive) === undefined ? DEFAULT_VECTORS : Number.POSITIVE_INFINITY),
    milliseconds,
    note,
  });
  for (const line of formatHunt(result)) reporters.print(line);
  const report = mutantsReport(result);
  reporters.write(report);
  process.exitCode = EXIT[report.status];
}
