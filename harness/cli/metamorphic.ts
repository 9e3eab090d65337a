/** `holodiff metamorphic`: relations that hold for each implementation by itself. */

import { Command } from 'commander';
import { EXIT } from '../errors.ts';
import type { KnownOption } from '../report/known.ts';
import { count } from '../words.ts';
import {
  findingsOption,
  implementationOption,
  knownOption,
  type LimitOptions,
  limitsOf,
  memoryOption,
  naturalOrZero,
  nonEmpty,
  note,
  REPORTER_HELP,
  type ReporterOptions,
  reporterOption,
  seedOption,
  timeoutOption,
} from './options.ts';

/** Milliseconds from one line of progress to the next. */
const PROGRESS = 15_000;

interface MetamorphicOptions extends LimitOptions, ReporterOptions {
  readonly implementation: readonly string[];
  readonly vectors: number;
  readonly seed: string;
  readonly list: boolean;
  readonly minimise: boolean;
  readonly out?: string;
  readonly findings?: string;
  readonly known?: KnownOption;
}

export function metamorphicCommand(): Command {
  return new Command('metamorphic')
    .description('change vectors in ways that must not matter, and ask each implementation by itself')
    .argument(
      '[path...]',
      'vector files and folders, besides the generated ones (default: those that come with holodiff, but for the large ones)',
    )
    .addOption(
      implementationOption(
        'ask this one: typescript, kona, op-node, a version of one (kona@0.3.0), or any program: NAME=COMMAND',
        'typescript',
      ),
    )
    .option('--vectors <number>', 'how many generated vectors, 0 for none', naturalOrZero, 1000)
    .addOption(seedOption())
    .option(
      '-o, --out <folder>',
      'where the smallest pair of each break is kept (default: findings/metamorphic)',
      nonEmpty,
    )
    .option('--no-minimise', 'keep the pairs as they were found')
    .addOption(findingsOption())
    .addOption(knownOption())
    .option('--no-known', 'let every break count, known or not')
    .addOption(reporterOption())
    .option('--list', 'say what the relations are, and run nothing', false)
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
Each relation is grounded in rules and has its exceptions: --list tells them. Whether an exception holds is decided
by the TypeScript pipeline. What an implementation gives of a vector is compared with what it gives itself of the
changed one, so no other implementation is needed to see a break.

A break is as listed if the implementation's trace of either vector differs from the TypeScript pipeline's in a way
that the list of known divergences has. Of any other kind the smallest pair of vectors is kept.
${REPORTER_HELP}

Exit codes: 0 all hold or break as listed, 1 one is broken otherwise, 2 the harness or its input failed.

Examples:
  $ holodiff metamorphic
  $ holodiff metamorphic -i kona -i op-node --vectors 5000
  $ holodiff metamorphic vectors --vectors 0
  $ holodiff metamorphic --list`,
    )
    .action(run);
}

async function run(paths: readonly string[], options: MetamorphicOptions): Promise<void> {
  const { RELATIONS } = await import('../metamorphic/relations.ts');
  const { formatRelation, formatRelationResult, formatUnexplained, metamorphicReport } = await import(
    '../report/metamorphic.ts'
  );
  const { Reporters } = await import('../report/reporters.ts');
  const reporters = new Reporters(options.reporter);
  const print = (lines: readonly string[]) => {
    for (const line of lines) reporters.print(line);
  };
  if (options.list) {
    print(RELATIONS.flatMap(formatRelation));
    return;
  }
  const path = await import('node:path');
  const { EVERYDAY_FOLDERS, loadTellable } = await import('../corpus.ts');
  const { workFolder } = await import('../places.ts');
  const { generateVector } = await import('../generate/index.ts');
  const { openTypeScript } = await import('../implementations/open.ts');
  const { keepPair } = await import('../metamorphic/keep.ts');
  const { runRelations } = await import('../metamorphic/run.ts');
  const { unexplainedBreaks } = await import('../metamorphic/smallest.ts');
  const { Standings } = await import('../metamorphic/standing.ts');
  const { readKnown } = await import('../report/known.ts');
  const { openReferences } = await import('../variant/open.ts');

  const known = readKnown(options.known);
  const { vectors: stored, withheld } = loadTellable(paths.length > 0 ? paths : EVERYDAY_FOLDERS, 'all', known, note);
  const total = stored.length + options.vectors;
  function* all() {
    for (const { vector } of stored) yield vector;
    for (let index = 0; index < options.vectors; index++) yield generateVector(BigInt(options.seed), index).vector;
  }
  // The results come together at the end, which may be minutes away.
  function* vectors() {
    let taken = 0;
    let told = performance.now();
    for (const vector of all()) {
      yield vector;
      taken += 1;
      if (performance.now() - told < PROGRESS) continue;
      told = performance.now();
      note(`${taken} of ${count(total, 'vector')}`);
    }
  }
  const open = { report: note, limits: limitsOf(options) };
  const names = options.implementation.length === 0 ? ['typescript'] : options.implementation;
  const references = await openReferences(
    names.filter((name) => name !== 'typescript'),
    open,
  );
  const own = names.includes('typescript') ? [await openTypeScript(open)] : [];
  try {
    const standings = new Standings(known);
    const results = await runRelations(RELATIONS, vectors(), [...own, ...references], standings);
    print(results.flatMap(formatRelationResult));
    const unexplained = await unexplainedBreaks(results, standings, { minimise: options.minimise, note });
    const { findings = path.join(workFolder(), 'findings') } = options;
    const folder = path.resolve(options.out ?? path.join(findings, 'metamorphic'));
    for (const [index, one] of unexplained.entries()) {
      print(formatUnexplained(one, keepPair(one.smallest, folder, index + 1)));
    }
    const report = metamorphicReport({
      implementations: [...own, ...references],
      vectors: total,
      seed: options.seed,
      results,
      unexplained,
      underEmbargo: withheld,
    });
    reporters.write(report);
    process.exitCode = EXIT[report.status];
  } finally {
    await Promise.all(references.map((reference) => reference.close()));
  }
}
