/** `holodiff doctor`: what is installed, built and stale here, and what to do. */

import { Command } from 'commander';
import { EXIT } from '../errors.ts';
import type { KnownOption } from '../report/known.ts';
import { findingsOption, knownOption } from './options.ts';

interface DoctorOptions {
  readonly known?: KnownOption;
  readonly findings?: string;
  readonly json: boolean;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('say what is installed, built and stale on this machine, and what to do about what is missing')
    .addOption(findingsOption())
    .addOption(knownOption())
    .option('--no-known', 'look at no list of known divergences')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `
Looks at Node, the configuration, the toolchains of the references and what was built with them, the folders that are
written to, the list of known divergences and the stored vectors. Nothing is changed.

Exit codes: 0 no problem, 2 at least one.

Examples:
  $ holodiff doctor
  $ holodiff doctor --json
  $ holodiff doctor --build-dir /var/cache/holodiff`,
    )
    .action(run);
}

async function run(_: DoctorOptions, command: Command): Promise<void> {
  const { configOf } = await import('../config/settings.ts');
  const { settle } = await import('../config/settle.ts');
  const { paintFor } = await import('../decode/paint.ts');
  const { examine } = await import('../doctor/examine.ts');
  const { formatExamination } = await import('../report/doctor.ts');

  let error: unknown;
  try {
    await settle(command);
  } catch (thrown) {
    error = thrown;
  }
  const { json, known, findings } = command.opts<DoctorOptions>();
  const config = error === undefined ? { file: configOf(command)?.file } : { error };
  const found = await examine({ config, known, findings, env: process.env });
  const healthy = found.every(({ health }) => health !== 'problem');
  process.stdout.write(
    json
      ? `${JSON.stringify({ format: 1, healthy, checks: found }, null, 2)}\n`
      : `${formatExamination(found, paintFor(process.stdout)).join('\n')}\n`,
  );
  process.exitCode = healthy ? EXIT.ok : EXIT.failed;
}
