/** The command line: which commands there are, and how an error becomes one line and an exit code. */

import { Command, CommanderError } from 'commander';
import { VERSION } from '../../src/version.ts';
import { EXIT, HolodiffError } from '../errors.ts';
import { buildCommand } from './build.ts';
import { decodeCommand } from './decode.ts';
import { deriveCommand } from './derive.ts';
import { explainCommand } from './explain.ts';
import { mergeCommand } from './merge.ts';
import { metamorphicCommand } from './metamorphic.ts';
import { minimiseCommand } from './minimise.ts';
import { mutantsCommand } from './mutants.ts';
import { promoteCommand } from './promote.ts';
import { recordCommand } from './record.ts';
import { replayCommand } from './replay.ts';
import { reportCommand } from './report.ts';
import { rulesCommand } from './rules.ts';
import { runCommand } from './run.ts';
import { variantCommand } from './variant.ts';

/** Every command; each loads what it needs only when it runs. */
const COMMANDS: readonly (() => Command)[] = [
  runCommand,
  mergeCommand,
  deriveCommand,
  replayCommand,
  explainCommand,
  reportCommand,
  decodeCommand,
  minimiseCommand,
  rulesCommand,
  variantCommand,
  mutantsCommand,
  metamorphicCommand,
  promoteCommand,
  recordCommand,
  buildCommand,
];

function program(): Command {
  const root = new Command('holodiff')
    .description("Compares implementations of the OP Stack's derivation pipeline, stage by stage.")
    .version(VERSION)
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Exit codes:
  0  all went well, all agree
  1  something differs
  2  the harness or its input failed

Examples:
  $ holodiff replay vectors
  $ holodiff derive --implementation op-node < vectors.ndjson
  $ holodiff build`,
    );
  for (const create of COMMANDS) root.addCommand(create());
  for (const command of [root, ...root.commands]) command.exitOverride().configureOutput({ outputError: oneLine });
  return root;
}

/** A refused option is one line, without the usage below it. */
function oneLine(text: string, write: (text: string) => void): void {
  write(text.replace(/^error: /, 'holodiff: ').replace(/\n(?=\()/, ' '));
}

/** Runs the command that the arguments name, and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  // Whoever reads the output may have seen enough.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
      throw error;
    });
  }
  try {
    await program().parseAsync([...argv]);
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  // Commander has said what it had to say; its own code for a wrong argument would mean "something differs".
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.failed;
  if (error instanceof HolodiffError) process.stderr.write(`holodiff: ${error.message}\n`);
  else process.stderr.write(`holodiff: internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
  return EXIT.failed;
}
