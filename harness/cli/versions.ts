/** `holodiff versions`: which release of a reference changed what a vector gives. */

import { Command, Option } from 'commander';
import { EXIT } from '../errors.ts';
import { implementationOption, type LimitOptions, limitsOf, memoryOption, note, timeoutOption } from './options.ts';

interface VersionsOptions extends LimitOptions {
  readonly of: readonly ('kona' | 'op-node')[];
  readonly implementation: readonly string[];
  readonly recorded: boolean;
  readonly json: boolean;
  readonly markdown: boolean;
}

export function versionsCommand(): Command {
  return new Command('versions')
    .description('replay vectors through versions of the references and say which release changed what')
    .argument(
      '<path...>',
      'vector files (.json, .json.gz, or .ndjson with one a line) and folders with *.vector.json or *.vector.json.gz below',
    )
    .addOption(
      new Option('--of <reference...>', 'only versions of this one').choices(['kona', 'op-node']).default([], 'both'),
    )
    .addOption(implementationOption('ask this version, such as kona@0.3.0 or op-node@path:FOLDER', 'the built-in set'))
    .option('--recorded', 'ask the traces recorded beside the vectors: nothing is built', false)
    .addOption(new Option('--json', 'the answer as data').default(false).conflicts('markdown'))
    .option('--markdown', 'the answer as tables in Markdown', false)
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
The versions of each reference are asked one after the other, the oldest first; each is built when it is asked for
the first time, which takes minutes. For each step from one version to the next the vectors whose trace changed are
sorted by the first boundary at which the two versions part, by the rule, and by whether they agree with the
TypeScript pipeline before and after; the smallest vector of each group is shown.

A version is named NAME@VERSION, NAME@path:FOLDER or NAME@path:FOLDER#REVISION; kona@VERSION+checked panics where an
integer overflows. docs/versions.md says which versions are known to build.

Exit codes: 0 the answer is given, whatever it is; 2 a version could not be built, or the harness or its input failed.

Examples:
  $ holodiff versions vectors
  $ holodiff versions vectors/curated --of kona --markdown > changes.md
  $ holodiff versions some.vector.json -i kona@0.3.0 -i kona@0.4.5 -i kona@path:../kona
  $ holodiff versions vectors --recorded --json`,
    )
    .action(run);
}

async function run(paths: readonly string[], options: VersionsOptions): Promise<void> {
  const { HolodiffError } = await import('../errors.ts');
  const { readLedgers } = await import('../compare/ledger.ts');
  const { loadTellable } = await import('../corpus.ts');
  const { ledgerFiles } = await import('../report/known.ts');
  const { askVersions, wantedVersions } = await import('../versions/ask.ts');
  const { formatVersions, versionsData, versionsPage } = await import('../report/versions.ts');

  if (options.implementation.length > 0 && options.of.length > 0) {
    throw new HolodiffError(
      'bad-option',
      '--of: chooses from the built-in set; leave it out where --implementation names versions',
    );
  }
  // What is under embargo is told by nobody.
  const { vectors: corpus } = loadTellable(paths, 'all', readLedgers(ledgerFiles(undefined)), note);
  const specs = wantedVersions({ ...options, named: options.implementation }, corpus);
  if (specs.length === 0) {
    throw new HolodiffError('not-found', '--recorded: no recorded traces lie beside the vectors');
  }
  const answer = await askVersions({ corpus, specs, recorded: options.recorded, limits: limitsOf(options), note });
  const text = options.json
    ? `${JSON.stringify(versionsData(answer), null, 2)}\n`
    : options.markdown
      ? versionsPage(answer)
      : `${formatVersions(answer).join('\n')}\n`;
  process.stdout.write(text);
  if (answer.histories.some(({ failures }) => failures.length > 0)) process.exitCode = EXIT.failed;
}
