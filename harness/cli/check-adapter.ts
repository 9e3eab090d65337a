/** `holodiff check-adapter`: does a program keep the adapter protocol? */

import { Command } from 'commander';
import { EXIT } from '../errors.ts';
import { note, timeoutOption } from './options.ts';

interface CheckAdapterOptions {
  /** Seconds. */
  readonly timeout: number;
  readonly json: boolean;
}

export function checkAdapterCommand(): Command {
  return new Command('check-adapter')
    .description('check whether a program keeps the adapter protocol (docs/protocol.md)')
    .argument(
      '<command...>',
      'how it is started; or typescript, kona, op-node, NAME=COMMAND, or a name of the configuration',
    )
    .addOption(timeoutOption().default(20))
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `
A command in one word is cut at spaces (\\  is a space within a word); behind -- it may be given word by word. With a
name, the program has to call itself so.

Each check prints a line; one that fails says what was expected and what was seen. That the program derives is not asked:
what it makes of the vectors in examples/vectors is compared with the traces there, but a program that says of itself
that it crashed keeps the protocol.

Exit codes: 0 no check failed, 1 one failed, 2 the program cannot be started, or holodiff failed.

Examples:
  $ holodiff check-adapter ./my-adapter
  $ holodiff check-adapter 'node adapter.mjs --fast'
  $ holodiff check-adapter -- ./my-adapter --fast
  $ holodiff check-adapter op-node --json`,
    )
    .action(run);
}

async function run(given: readonly string[], options: CheckAdapterOptions, command: Command): Promise<void> {
  const { checkAdapter } = await import('../check-adapter/check.ts');
  const { findAdapter } = await import('../check-adapter/find.ts');
  const { adaptersOf } = await import('../config/settings.ts');
  const { paintFor } = await import('../decode/paint.ts');
  const { formatCheck, formatVerdict } = await import('../report/check-adapter.ts');

  const { words, name } = await findAdapter(given, adaptersOf(command), note);
  const paint = paintFor(process.stdout);
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const limits = { answer: options.timeout * 1000, start: 30_000, end: 5_000 };
  const report = await checkAdapter(words, limits, name, (result) => {
    if (!options.json) for (const line of formatCheck(result, paint)) print(line);
  });
  const failed = report.checks.some(({ status }) => status === 'fail');
  print(
    options.json
      ? JSON.stringify({ format: 1, passed: !failed, ...report }, null, 2)
      : `\n${formatVerdict(report, paint)}`,
  );
  process.exitCode = failed ? EXIT.differs : EXIT.ok;
}
