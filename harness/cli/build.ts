/** `holodiff build`: the reference adapters. */

import { Argument, Command } from 'commander';
import { note } from './options.ts';

export function buildCommand(): Command {
  return new Command('build')
    .description('build the reference adapters that are missing or stale')
    .addArgument(new Argument('[reference...]', 'which ones; both without a name').choices(['kona', 'op-node']))
    .addHelpText(
      'after',
      `
The binaries go to .build of the repository; those of an installed package to the user's cache folder
(~/.cache/holodiff and what corresponds to it), or to HOLODIFF_BUILD_DIR. They are built again when a source,
a lock file or the toolchain changes.

Examples:
  $ holodiff build
  $ holodiff build op-node`,
    )
    .action(run);
}

async function run(names: readonly string[]): Promise<void> {
  const { HolodiffError } = await import('../errors.ts');
  const { buildReference, isReferenceName, REFERENCE_NAMES, ToolchainError } = await import('../references/build.ts');
  let missing = false;
  for (const name of REFERENCE_NAMES) {
    if (names.length > 0 && !names.filter(isReferenceName).includes(name)) continue;
    try {
      const { binary, built } = await buildReference(name, note);
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
