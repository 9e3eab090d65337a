/** `holodiff config`: which values hold where the flags say nothing, and where each comes from. */

import { Command } from 'commander';

export function configCommand(): Command {
  return new Command('config')
    .description('show the settings that hold where no flag says otherwise, and where each comes from')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `
A flag goes before the environment, the environment before the configuration, and that before the default. An empty
variable says nothing. Lists are separated by commas in the environment.

The configuration is a module whose default export holds the fields below, all of them optional:

  import { defineConfig } from 'holodiff';

  export default defineConfig({
    adapters: { mine: './my-adapter --fast' },
    implementations: ['typescript', 'op-node', 'mine'],
    timeout: 120,
    findings: './findings',
  });

It is holodiff.config.ts, .js or .mjs in the current folder or the nearest one above, or what --config or
HOLODIFF_CONFIG names. Its paths are meant from its own folder.

Examples:
  $ holodiff config
  $ HOLODIFF_TIMEOUT=120 holodiff config --json
  $ holodiff config --config ci/holodiff.config.ts`,
    )
    .action(run);
}

async function run({ json }: { json: boolean }, command: Command): Promise<void> {
  const root = command.parent!;
  const { adaptersOf, configOf } = await import('../config/settings.ts');
  const { effectiveSettings } = await import('../config/effective.ts');
  const loaded = configOf(command);
  const settings = effectiveSettings(root, process.env, loaded);
  const adapters = adaptersOf(command);
  if (json) {
    const file = loaded?.file ?? null;
    process.stdout.write(`${JSON.stringify({ format: 1, file, settings, adapters }, null, 2)}\n`);
    return;
  }
  const lines = [`configuration: ${loaded?.file ?? 'none found'}`, ''];
  const rows = settings.map(({ key, value, source, env, flag }) => [
    key,
    value,
    source === 'environment' ? env : source === 'flag' ? flag : source,
  ]);
  for (const [name, words] of Object.entries(adapters)) rows.push([`adapters.${name}`, words, 'configuration']);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const [key = '', value = '', source = ''] of rows) {
    lines.push(`${key.padEnd(widths[0]!)}  ${value.padEnd(widths[1]!)}  ${source}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}
