/** `holodiff replay`: stored vectors through all implementations. */

import { Command } from 'commander';
import { EXIT } from '../errors.ts';
import { collect, type LimitOptions, limitsOf, memoryOption, note, timeoutOption, variantOption } from './options.ts';

interface ReplayOptions extends LimitOptions {
  readonly implementation: readonly string[];
  readonly variant?: string;
  /** The ledger's file; `false` for none. */
  readonly known?: string | boolean;
  readonly recorded: boolean;
}

export function replayCommand(): Command {
  return new Command('replay')
    .description('derive every vector with each implementation and say where they part')
    .argument('<path...>', 'vector files (.json, or .ndjson with one a line) and folders with *.vector.json below')
    .option(
      '-i, --implementation <name>',
      'compare only this one and others so named: typescript, kona, op-node, or a reference@version for its recorded traces',
      collect,
      [],
    )
    .addOption(variantOption())
    .option('--recorded', "use the references' recorded traces even if they could be built", false)
    .option('--known <file>', 'the list of known divergences (default: vectors/known-divergences.json)')
    .option('--no-known', 'let every difference count, known or not')
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
Without --implementation: the TypeScript pipeline and both references. A reference is built if that is
needed; without its toolchain its recorded traces are used.

A difference prints one line: the vector, the first boundary at which the traces part, who stands alone, and
what each side has there. A known divergence is marked with its id and does not count; one that does not show
any more does.

Exit codes: 0 all agree or differ as listed, 1 something differs, 2 the harness or its input failed.

Examples:
  $ holodiff replay vectors
  $ holodiff replay some.vector.json --no-known
  $ holodiff replay vectors --recorded
  $ holodiff replay vectors -i typescript -i op-node --variant text`,
    )
    .action(run);
}

async function run(paths: readonly string[], options: ReplayOptions): Promise<void> {
  const started = performance.now();
  const { existsSync } = await import('node:fs');
  const path = await import('node:path');
  const { findVectorFiles } = await import('../files.ts');
  const { LEDGER_FILE, LedgerCheck, readLedger } = await import('../compare/ledger.ts');
  const { openForFiles } = await import('../implementations/open.ts');
  const { formatComparison, formatProblems, formatSummary } = await import('../report/replay.ts');
  const { hasDiffered, hasFailed, replay, requireTwo } = await import('../replay.ts');

  const files = findVectorFiles(paths);
  const variant =
    options.variant === undefined ? undefined : await (await import('../variants.ts')).loadVariant(options.variant);
  const ledgerFile = typeof options.known === 'string' ? options.known : LEDGER_FILE;
  const wanted = typeof options.known === 'string' || (options.known !== false && existsSync(ledgerFile));
  const entries = wanted ? readLedger(ledgerFile) : undefined;

  const implementations = await openForFiles({
    names: options.implementation,
    recorded: options.recorded,
    files,
    variant,
    limits: limitsOf(options),
    report: note,
  });
  try {
    requireTwo(implementations);
    note(implementations.map(({ name, version, how }) => `${name} ${version} (${how})`).join(' · '));
    const result = await replay({
      files,
      implementations,
      ledger: entries && new LedgerCheck(entries, implementations, new Date().toISOString().slice(0, 10)),
      complete: paths.some((given) => holds(path.resolve(given), path.dirname(path.resolve(ledgerFile)))),
      entriesMustShow: variant === undefined,
      onDifference: (comparison) => process.stdout.write(`${formatComparison(comparison)}\n`),
    });
    for (const line of formatProblems(result)) note(line);
    process.stdout.write(`${formatSummary(result, performance.now() - started)}\n`);
    process.exitCode = hasFailed(result) ? EXIT.failed : hasDiffered(result) ? EXIT.differs : EXIT.ok;
  } finally {
    await Promise.all(implementations.map((implementation) => implementation.close()));
  }

  function holds(folder: string, inner: string): boolean {
    const relative = path.relative(folder, inner);
    return relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative));
  }
}
