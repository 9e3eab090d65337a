/** `holodiff run`: a campaign of generated vectors. */

import { Command, InvalidArgumentError } from 'commander';
import { EXIT } from '../errors.ts';
import {
  collect,
  type LimitOptions,
  limitsOf,
  memoryOption,
  natural,
  note,
  seed,
  timeoutOption,
  variantOption,
} from './options.ts';

interface RunOptions extends LimitOptions {
  readonly seed?: string;
  readonly exhaustive?: string;
  /** Milliseconds. */
  readonly for?: number;
  readonly vectors?: number;
  readonly shard: { readonly index: number; readonly count: number };
  readonly implementation: readonly string[];
  readonly variant?: string;
  readonly out?: string;
  readonly resume?: string;
  readonly minimise: boolean;
  readonly known?: string | boolean;
  readonly table: boolean;
}

function duration(value: string): number {
  const match = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(value);
  if (match === null || Number(match[1]) === 0)
    throw new InvalidArgumentError('expected a duration such as 90s, 10m or 8h');
  return Number(match[1]) * { s: 1000, m: 60_000, h: 3_600_000 }[match[2] as 's' | 'm' | 'h'];
}

function shard(value: string): { index: number; count: number } {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(value);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || index < 1 || index > count) {
    throw new InvalidArgumentError('expected the number of the part and how many there are, such as 1/4');
  }
  return { index, count };
}

export function runCommand(): Command {
  return new Command('run')
    .description('derive generated vectors with all implementations and keep what differs')
    .option('--seed <number>', 'which endless row of vectors (default: 1)', seed)
    .option('--exhaustive <scope>', 'every vector of a small scope instead: see --exhaustive help')
    .option('--for <duration>', 'stop after this time: 90s, 10m, 8h', duration)
    .option('--vectors <number>', 'stop after so many vectors of this part', natural)
    .option('--shard <i/n>', 'the i-th of n parts of the row', shard, { index: 1, count: 1 })
    .option(
      '-i, --implementation <name>',
      'only this reference, and others so named: kona, op-node, or any program: NAME=COMMAND',
      collect,
      [],
    )
    .addOption(variantOption())
    .option('-o, --out <folder>', 'where the campaign is kept (default: below findings/, named after what it is)')
    .option('--resume <folder>', 'go on with the campaign in this folder')
    .option('--no-minimise', 'keep new findings as they were found')
    .option('--known <file>', 'the list of known divergences (default: vectors/known-divergences.json)')
    .option('--no-known', 'count every difference as new')
    .option('--no-table', 'leave the table of rules out of the summary')
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
The vector of a seed and an index is the same on any machine, so a campaign can be cut into parts and repeated.
A campaign may be killed at any moment and resumed; its folder holds a journal and a folder for each finding.

Without --for and --vectors a generated campaign ends after 10,000 vectors, a resumed one where it was to end.

A run of 20,000 vectors or more has to reach every side of every rule that can be reached: an empty one fails.

Exit codes: 0 nothing new, 1 a signature that is not listed or an empty cell, 2 the harness or its input failed.

Examples:
  $ holodiff run --for 10m --seed 7
  $ holodiff run --vectors 250000 --shard 2/4
  $ holodiff run --exhaustive frames
  $ holodiff run -i kona -i 'mine=./my-adapter --fast'
  $ holodiff run --resume findings/seed-7`,
    )
    .action(run);
}

async function run(options: RunOptions): Promise<void> {
  const { runNamed } = await import('../campaign/command.ts');
  const failed = await runNamed({
    ...options,
    limits: limitsOf(options),
    note,
    print: (line) => process.stdout.write(`${line}\n`),
  });
  process.exitCode = failed ? EXIT.differs : EXIT.ok;
}
