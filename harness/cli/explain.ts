/** `holodiff explain`: what each implementation makes of one vector, step by step. */

import { Command } from 'commander';
import { EXIT, HolodiffError } from '../errors.ts';
import type { KnownOption } from '../report/known.ts';
import {
  implementationOption,
  knownOption,
  type LimitOptions,
  limitsOf,
  memoryOption,
  note,
  timeoutOption,
  variantOption,
} from './options.ts';

interface ExplainOptions extends LimitOptions {
  readonly implementation: readonly string[];
  readonly variant?: string;
  readonly recorded: boolean;
  readonly known?: KnownOption;
  readonly content: boolean;
  readonly bytes: boolean;
  readonly all: boolean;
}

export function explainCommand(): Command {
  return new Command('explain')
    .description('tell what each implementation makes of a vector, step by step, and by which rule')
    .argument('<vector>', 'a vector file (.json, .json.gz), or the folder of a finding')
    .addOption(implementationOption('ask only this one, named as for replay', 'typescript and both references'))
    .addOption(variantOption())
    .option('--recorded', "use the references' recorded traces even if they could be built", false)
    .option('--content', 'show decoded batches: fields, blocks, transactions', false)
    .option('--bytes', 'show items and batches in hex, each part with its meaning', false)
    .addOption(knownOption())
    .option('--no-known', 'do not look there')
    .option('--all', 'show every step, also those that only repeat', false)
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
A line for each step: L1 blocks, items, frames, channels, batches, emitted L2 blocks. The lanes on the left say
which implementation has the step; the first difference is marked. What was dropped, skipped or flushed stands with the
rule by which the TypeScript pipeline decided, its statement and its section of the specification.

Without the toolchain of a reference, its recorded traces are used where there are any: then it is called (recorded).

Exit codes: 0 all agree, 1 something differs, 2 the harness or its input failed.

Examples:
  $ holodiff explain vectors/curated/frame-queue/open-channel-of-an-id-closed-before.vector.json
  $ holodiff explain some.vector.json --content --bytes
  $ holodiff explain some.vector.json -i typescript -i kona`,
    )
    .action(run);
}

async function run(given: string, options: ExplainOptions): Promise<void> {
  const { loadForExplaining, askSides } = await import('../explain/ask.ts');
  const { explain } = await import('../explain/model.ts');
  const { explanationLines } = await import('../explain/text.ts');
  const { paintFor } = await import('../decode/paint.ts');
  const { findKnown, readKnown } = await import('../report/known.ts');
  const { openForFiles } = await import('../implementations/open.ts');

  const loaded = loadForExplaining(given);
  const variant =
    options.variant === undefined ? undefined : await (await import('../variants.ts')).loadVariant(options.variant);
  const implementations = await openForFiles({
    names: options.implementation,
    recorded: options.recorded,
    files: [loaded.file],
    variant,
    limits: limitsOf(options),
    report: note,
  });
  try {
    const sides = await askSides(implementations, loaded, note);
    if (sides.length === 0)
      throw new HolodiffError('unknown-implementation', `${given}: no implementation gave a trace`);
    const explanation = explain(loaded.vector, sides, variant);
    const paint = paintFor(process.stdout);
    const { columns } = process.stdout;
    const width = process.stdout.isTTY && columns > 40 ? Math.min(columns, 140) : 120;
    const { content, bytes, all } = options;
    const known = findKnown(readKnown(options.known), explanation);
    const recorded = new Set(
      implementations.filter(({ how }) => how === 'recorded').map(({ name, version }) => `${name} ${version}`),
    );
    const lines = explanationLines(explanation, { paint, width, content, bytes, all, known, recorded });
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exitCode = explanation.difference === undefined ? EXIT.ok : EXIT.differs;
  } finally {
    await Promise.all(implementations.map((implementation) => implementation.close()));
  }
}
