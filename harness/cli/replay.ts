/** `holodiff replay`: stored vectors through all implementations. */

import { Command } from 'commander';
import { EXIT } from '../errors.ts';
import type { KnownOption } from '../report/known.ts';
import {
  implementationOption,
  knownOption,
  type LimitOptions,
  limitsOf,
  memoryOption,
  note,
  REPORTER_HELP,
  type ReporterOptions,
  reporterOption,
  timeoutOption,
  variantOption,
} from './options.ts';

interface ReplayOptions extends LimitOptions, ReporterOptions {
  readonly implementation: readonly string[];
  readonly variant?: string;
  readonly known?: KnownOption;
  readonly recorded: boolean;
}

export function replayCommand(): Command {
  return new Command('replay')
    .description('derive every vector with each implementation and say where they part')
    .argument(
      '[path...]',
      'vector files (.json, .json.gz, or .ndjson with one a line) and folders with *.vector.json or *.vector.json.gz below (default: the vectors that come with holodiff)',
    )
    .addOption(
      implementationOption(
        'compare only this one: typescript, kona, op-node, a version of one (kona@0.3.0), or any program: NAME=COMMAND',
        'typescript and both references',
      ),
    )
    .addOption(variantOption())
    .option('--recorded', "use the references' recorded traces even if they could be built", false)
    .addOption(knownOption())
    .option('--no-known', 'let every difference count, known or not')
    .addOption(reporterOption())
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
A reference may be named with a version, a folder of its sources or a revision of one: kona@0.3.0,
op-node@path:../optimism, kona@path:../kona#main, kona@0.4.5+checked; holodiff build --help lists the forms.

Without --implementation: the TypeScript pipeline and both references. A reference is built if that is
needed; without its toolchain its recorded traces are used.

A difference prints one line: the vector, the first boundary at which the traces part, who stands alone, and
what each side has there. A known divergence is marked with its id and does not count; one that does not show
any more does. A vector that is not listed counts in any case, also where its cause is, which is then named. What is under embargo there is compared and counted, and nothing else is told of it.
${REPORTER_HELP}

Exit codes: 0 all agree or differ as listed, 1 something differs, 2 the harness or its input failed.

Examples:
  $ holodiff replay
  $ holodiff replay some.vector.json --no-known
  $ holodiff replay vectors --recorded
  $ holodiff replay vectors --reporter text --reporter junit=replay.xml --reporter json=replay.json
  $ holodiff replay vectors -i typescript -i op-node --variant text`,
    )
    .action(run);
}

async function run(given: readonly string[], options: ReplayOptions): Promise<void> {
  const started = performance.now();
  const path = await import('node:path');
  const { VECTORS_FOLDER } = await import('../corpus.ts');
  const { findVectorFiles } = await import('../files.ts');
  const { KnownSignatures, LedgerCheck, readLedgers } = await import('../compare/ledger.ts');
  const { titleOf } = await import('../implementations/named.ts');
  const { openForFiles } = await import('../implementations/open.ts');
  const { ledgerFiles } = await import('../report/known.ts');
  const { formatComparison, formatProblems, formatSummary, replayReport } = await import('../report/replay.ts');
  const { Reporters } = await import('../report/reporters.ts');
  const { replay, requireTwo } = await import('../replay.ts');

  const reporters = new Reporters(options.reporter);
  const paths = given.length > 0 ? given : [VECTORS_FOLDER];
  const files = findVectorFiles(paths);
  const variant =
    options.variant === undefined ? undefined : await (await import('../variants.ts')).loadVariant(options.variant);
  const ledgers = ledgerFiles(options.known);
  const entries = readLedgers(ledgers);
  const signatures = new KnownSignatures(entries);

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
    note(implementations.map((one) => `${titleOf(one)} (${one.how})`).join(' · '));
    const sideBySide = implementations.some(({ name }) => name.includes('@'));
    if (sideBySide) note('several versions of one reference: no difference counts as known; see holodiff versions');
    // Who replays the folder of a ledger replays all that it can name.
    const covered = ledgers.filter((file) =>
      paths.some((one) => holds(path.resolve(one), path.dirname(path.resolve(file)))),
    );
    const result = await replay({
      files,
      implementations,
      ledger: new LedgerCheck(sideBySide ? [] : entries, implementations, new Date().toISOString().slice(0, 10)),
      complete: new Set(readLedgers(covered).map(({ id }) => id)),
      entriesMustShow: variant === undefined,
      signatures: reporters.hasDocuments || entries.length > 0,
      onDifference: (comparison) => reporters.print(formatComparison(comparison, signatures)),
    });
    for (const line of formatProblems(result)) note(line);
    reporters.print(formatSummary(result, performance.now() - started));
    const report = replayReport(result, implementations);
    reporters.write(report);
    process.exitCode = EXIT[report.status];
  } finally {
    await Promise.all(implementations.map((implementation) => implementation.close()));
  }

  function holds(folder: string, inner: string): boolean {
    const relative = path.relative(folder, inner);
    return relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative));
  }
}
