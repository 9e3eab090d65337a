/** `holodiff run`: a campaign of generated vectors. */

import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT } from '../errors.ts';
import type { KnownOption } from '../report/known.ts';
import {
  durationOption,
  findingsOption,
  implementationOption,
  knownOption,
  type LimitOptions,
  limitsOf,
  memoryOption,
  natural,
  nonEmpty,
  note,
  REPORTER_HELP,
  type ReporterOptions,
  reporterOption,
  SCOPE_HELP,
  scopeOption,
  seed,
  timeoutOption,
  variantOption,
} from './options.ts';

interface RunOptions extends LimitOptions, ReporterOptions {
  readonly seed?: string;
  readonly exhaustive?: string;
  /** Milliseconds. */
  readonly for?: number;
  readonly vectors?: number;
  readonly shard: { readonly index: number; readonly count: number };
  readonly implementation: readonly string[];
  readonly variant?: string;
  readonly out?: string;
  readonly findings?: string;
  readonly resume?: string;
  readonly minimise: boolean;
  readonly known?: KnownOption;
  readonly table: boolean;
}

/** The variable in which an Indexed Job of Kubernetes tells each of its pods which one it is, from 0. */
const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';

function shard(value: string): { index: number; count: number } {
  const [, given, parts] = /^(\d{1,6}|env)\/(\d{1,6})$/.exec(value) ?? [];
  if (given === undefined || Number(parts) < 1) {
    throw new InvalidArgumentError('expected the number of the part and how many there are, such as 1/4 or env/4');
  }
  const count = Number(parts);
  const index = given === 'env' ? indexFromEnvironment(count) : Number(given);
  if (index < 1 || index > count) throw new InvalidArgumentError(`expected a part from 1 to ${count}`);
  return { index, count };
}

function indexFromEnvironment(count: number): number {
  const value = process.env[INDEX_VARIABLE];
  if (value !== undefined && /^\d{1,6}$/.test(value) && Number(value) < count) return Number(value) + 1;
  const found = value === undefined ? 'it is not set' : `it is ${JSON.stringify(value)}`;
  throw new InvalidArgumentError(`expected ${INDEX_VARIABLE} to be a number from 0 to ${count - 1}, and ${found}`);
}

export function runCommand(): Command {
  return new Command('run')
    .description('derive generated vectors with all implementations and keep what differs')
    .option('--seed <number>', 'which endless row of vectors (default: 1)', seed)
    .addOption(scopeOption())
    .addOption(durationOption('derive for this time (minimising what was found comes on top)'))
    .option('--vectors <number>', 'stop after so many vectors of this part', natural)
    .addOption(
      new Option('--shard <i/n>', 'the i-th of n parts of the row')
        .argParser(shard)
        .default({ index: 1, count: 1 }, '1/1'),
    )
    .addOption(
      implementationOption(
        'compare the TypeScript pipeline with this one only: kona, op-node, a version of one (kona@0.3.0), or any program: NAME=COMMAND',
        'both references',
      ),
    )
    .addOption(variantOption())
    .option(
      '-o, --out <folder>',
      'where the campaign is kept (default: below findings/, named after what it is)',
      nonEmpty,
    )
    .option('--resume <folder>', 'go on with the campaign in this folder')
    .option('--no-minimise', 'keep new findings as they were found')
    .addOption(findingsOption())
    .addOption(knownOption())
    .option('--no-known', 'count every difference as new')
    .option('--no-table', 'leave the table of rules out of the summary')
    .addOption(reporterOption())
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
The vector of a seed and an index is the same on any machine, so a campaign can be cut into parts and repeated.
A campaign may be killed at any moment and resumed; its folder holds a journal and a folder for each finding.

--shard env/4 takes which of the 4 parts from JOB_COMPLETION_INDEX, where an Indexed Job of Kubernetes counts from 0.

Without --for and --vectors a generated campaign ends after 10,000 vectors, a resumed one where it was to end.

A run of 20,000 vectors or more has to reach every side of every rule, before, across and after Holocene, wherever it can
be reached: an empty cell fails.
${REPORTER_HELP}

Exit codes: 0 nothing new, 1 a signature that is not listed or an empty cell, 2 the harness or its input failed.

Examples:
  $ holodiff run --for 10m --seed 7
  $ holodiff run --vectors 250000 --shard 2/4
  $ holodiff run --vectors 1000 --reporter text --reporter json=campaign.json
  $ holodiff run --exhaustive frames
  $ holodiff run -i kona -i 'mine=./my-adapter --fast'
  $ holodiff run --resume findings/seed-7`,
    )
    .action(run);
}

async function run(options: RunOptions, command: Command): Promise<void> {
  if (options.exhaustive === SCOPE_HELP) {
    const { formatScopes } = await import('../report/scopes.ts');
    process.stdout.write(`${formatScopes().join('\n')}\n`);
    return;
  }
  const { adaptersOf } = await import('../config/settings.ts');
  const { runNamed } = await import('../campaign/command.ts');
  const { Reporters } = await import('../report/reporters.ts');
  const reporters = new Reporters(options.reporter);
  const report = await runNamed({
    ...options,
    adapters: adaptersOf(command),
    limits: limitsOf(options),
    note,
    print: (line) => reporters.print(line),
  });
  reporters.write(report);
  process.exitCode = EXIT[report.status];
}
