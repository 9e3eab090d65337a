/** `holodiff record`: the references' traces, stored beside the vectors. */

import { Command } from 'commander';
import { implementationOption, type LimitOptions, limitsOf, memoryOption, note, timeoutOption } from './options.ts';

export function recordCommand(): Command {
  return new Command('record')
    .description("store the references' traces of these vectors beside them, for machines without Go or Rust")
    .argument('<path...>', 'vector files and folders with *.vector.json or *.vector.json.gz below')
    .addOption(implementationOption('record this one: kona, op-node, or a version of one such as kona@0.3.0', 'both'))
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
Each folder of vectors gets one file a reference version, NAME@VERSION.traces.ndjson. Recordings of other
versions stay. The same vectors and references give the same bytes.

Examples:
  $ holodiff record vectors
  $ holodiff record vectors/curated/frame-queue
  $ holodiff record vectors -i kona@0.3.0`,
    )
    .action(run);
}

interface RecordOptions extends LimitOptions {
  readonly implementation: readonly string[];
}

async function run(paths: readonly string[], options: RecordOptions): Promise<void> {
  const { statSync } = await import('node:fs');
  const path = await import('node:path');
  const { findVectorFiles } = await import('../files.ts');
  const { openReference } = await import('../implementations/open.ts');
  const { record } = await import('../record.ts');
  const { REFERENCE_NAMES } = await import('../references/build.ts');

  const files = findVectorFiles(paths);
  const folders = paths.filter((given) => statSync(given).isDirectory()).map((given) => path.resolve(given));
  const isWhole = (folder: string) =>
    folders.some((given) => `${path.resolve(folder)}${path.sep}`.startsWith(`${given}${path.sep}`));
  for (const name of options.implementation.length > 0 ? options.implementation : REFERENCE_NAMES) {
    const reference = await openReference(name, { limits: limitsOf(options), report: note });
    try {
      const written = await record(files, reference, isWhole);
      for (const { file, traces } of written)
        process.stdout.write(`${file}: ${traces} trace${traces === 1 ? '' : 's'}\n`);
    } finally {
      await reference.close();
    }
  }
}
