/** The command line: which commands there are, and how an error becomes one line and an exit code. */

import { Command, CommanderError } from 'commander';
import { VERSION } from '../../src/version.ts';
import { describeOptionsOf } from '../config/settings.ts';
import { settle } from '../config/settle.ts';
import { EXIT, HolodiffError } from '../errors.ts';
import { buildCommand } from './build.ts';
import { checkAdapterCommand } from './check-adapter.ts';
import { completionCommand } from './completion.ts';
import { configCommand } from './config.ts';
import { decodeCommand } from './decode.ts';
import { deriveCommand } from './derive.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
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
import { versionsCommand } from './versions.ts';

/** Every command by what it is for; each loads what it needs only when it runs. */
const COMMANDS: Readonly<Record<string, readonly (() => Command)[]>> = {
  'Compare:': [runCommand, replayCommand, mergeCommand, minimiseCommand, promoteCommand, metamorphicCommand],
  'Understand:': [explainCommand, reportCommand, exportCommand, decodeCommand],
  'Ask about rules:': [rulesCommand, variantCommand, mutantsCommand, versionsCommand],
  'Implementations:': [deriveCommand, checkAdapterCommand, recordCommand, buildCommand],
  'This installation:': [doctorCommand, configCommand, completionCommand],
};

/** Commands that do not need the configuration, or say themselves what is wrong with it. */
const WITHOUT_CONFIG: ReadonlySet<string> = new Set(['completion', 'doctor']);

/** The whole tree of commands. */
export function program(): Command {
  const root = new Command('holodiff')
    .description("Compares implementations of the OP Stack's derivation pipeline, stage by stage.")
    .version(VERSION)
    .option(
      '--config <file>',
      'the configuration (default: holodiff.config.ts, .js or .mjs, here or in a folder above)',
    )
    .option('--no-config', 'do without a configuration')
    .option(
      '--build-dir <folder>',
      'where the references are built (default: .build, or the cache of the user for an installed package)',
    )
    .commandsGroup('This installation:')
    .helpCommand(true)
    .exitOverride()
    .configureOutput({ outputError: oneLine })
    .addHelpText(
      'after',
      `
Exit codes:
  0  all went well, all agree
  1  something differs
  2  the harness or its input failed

Examples:
  $ holodiff replay vectors
  $ holodiff run --for 10m
  $ holodiff explain some.vector.json`,
    );
  for (const [heading, group] of Object.entries(COMMANDS)) {
    for (const create of group) root.addCommand(create().helpGroup(heading).copyInheritedSettings(root));
  }
  for (const command of [root, ...root.commands]) {
    command.configureHelp({
      showGlobalOptions: true,
      optionDescription: describeOptionsOf(command),
      visibleGlobalOptions: (one) => (one === root ? [] : root.options.filter(({ long }) => long !== '--version')),
    });
  }
  root.hook('preAction', async (_, command) => {
    if (!WITHOUT_CONFIG.has(command.name())) await settle(command);
  });
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
  // Node ends with 13, and without a word, when all that is left is a promise that nothing will settle.
  process.once('exit', () => {
    if (process.exitCode !== 13) return;
    process.stderr.write('holodiff: a module of yours, or its default export, waits for what never comes\n');
    process.exitCode = EXIT.failed;
  });
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
