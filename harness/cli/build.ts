/** `holodiff build`: the reference adapters. */

import { Argument, Command } from 'commander';
import { note } from './options.ts';

export function buildCommand(): Command {
  return new Command('build')
    .description('build the reference adapters that are missing or stale')
    .addArgument(new Argument('[reference...]', 'which ones, such as kona or op-node@1.16.13; both without a name'))
    .addHelpText(
      'after',
      `
The binaries go to .build of the repository; those of an installed package to the user's cache folder
(~/.cache/holodiff and what corresponds to it), or to HOLODIFF_BUILD_DIR. They are built again when a source,
a lock file or the toolchain changes.

Other versions than the pinned ones are built beside them, each in a folder of its own:
  NAME@VERSION               as published: kona@0.3.0, op-node@1.16.13
  NAME@path:FOLDER           a folder of sources as it is now: a Cargo workspace, or the module of op-node
  NAME@path:FOLDER#REVISION  a revision of the git repository in the folder
  kona@VERSION+checked       with overflow checks, so that an overflow is a crash; also behind a path

Examples:
  $ holodiff build
  $ holodiff build op-node
  $ holodiff build kona@0.3.0 op-node@1.16.13 kona+checked`,
    )
    .action(run);
}

async function run(names: readonly string[]): Promise<void> {
  const { HolodiffError } = await import('../errors.ts');
  const { buildReference, REFERENCE_NAMES, ToolchainError } = await import('../references/build.ts');
  const { parseTarget } = await import('../references/target.ts');
  let missing = false;
  for (const target of (names.length > 0 ? names : REFERENCE_NAMES).map(parseTarget)) {
    try {
      const { binary, built } = await buildReference(target, note);
      process.stdout.write(`${binary}${built ? '' : ' (up to date)'}\n`);
    } catch (error) {
      // The other reference may have its toolchain.
      if (!(error instanceof ToolchainError)) throw error;
      note(error.message);
      missing = true;
    }
  }
  if (missing) {
    throw new HolodiffError(
      'missing-toolchain',
      'not everything was built; what still works: the TypeScript pipeline, what was built, and recorded traces (holodiff replay vectors)',
    );
  }
}
