/** `holodiff metamorphic`: relations that hold for each implementation by itself. */

import { Command } from 'commander';
import { EXIT } from '../errors.ts';
import {
  collect,
  type LimitOptions,
  limitsOf,
  memoryOption,
  naturalOrZero,
  note,
  seedOption,
  timeoutOption,
} from './options.ts';

interface MetamorphicOptions extends LimitOptions {
  readonly implementation: readonly string[];
  readonly vectors: number;
  readonly seed: string;
  readonly list: boolean;
}

export function metamorphicCommand(): Command {
  return new Command('metamorphic')
    .description('change vectors in ways that must not matter, and ask each implementation by itself')
    .argument('[path...]', 'vector files and folders, besides the generated ones')
    .option('-i, --implementation <name>', 'typescript (if none is named), kona, op-node', collect, [])
    .option('--vectors <number>', 'how many generated vectors, 0 for none', naturalOrZero, 1000)
    .addOption(seedOption())
    .option('--list', 'say what the relations are, and run nothing', false)
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
Each relation is grounded in rules and has its exceptions: --list tells them. Whether an exception holds is decided
by the TypeScript pipeline.

Exit codes: 0 all hold, 1 one is broken, 2 the harness or its input failed.

Examples:
  $ holodiff metamorphic
  $ holodiff metamorphic -i kona -i op-node --vectors 5000
  $ holodiff metamorphic vectors --vectors 0`,
    )
    .action(run);
}

async function run(paths: readonly string[], options: MetamorphicOptions): Promise<void> {
  const { RELATIONS } = await import('../metamorphic/relations.ts');
  const { formatRelation, formatRelationResult } = await import('../report/metamorphic.ts');
  const print = (lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n`);
  if (options.list) {
    print(RELATIONS.flatMap(formatRelation));
    return;
  }
  const { loadCorpus } = await import('../corpus.ts');
  const { generateVector } = await import('../generate/index.ts');
  const { openTypeScript } = await import('../implementations/open.ts');
  const { runRelations } = await import('../metamorphic/run.ts');
  const { openReferences } = await import('../variant/open.ts');

  const stored = paths.length === 0 ? [] : loadCorpus(paths, 'all');
  function* vectors() {
    for (const { vector } of stored) yield vector;
    for (let index = 0; index < options.vectors; index++) yield generateVector(BigInt(options.seed), index).vector;
  }
  const open = { report: note, limits: limitsOf(options) };
  const names = options.implementation.length === 0 ? ['typescript'] : options.implementation;
  const references = await openReferences(
    names.filter((name) => name !== 'typescript'),
    open,
  );
  const own = names.includes('typescript') ? [await openTypeScript(open)] : [];
  try {
    const results = await runRelations(RELATIONS, vectors(), [...own, ...references]);
    print(results.flatMap(formatRelationResult));
    if (results.some(({ broken }) => broken.length > 0)) process.exitCode = EXIT.differs;
  } finally {
    await Promise.all(references.map((reference) => reference.close()));
  }
}
