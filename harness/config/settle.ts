/** From the command line alone to everything that holds. */

import type { Command } from 'commander';
import { findConfig } from './find.ts';
import { applySettings } from './settings.ts';

/**
 * Fills in what a command's flags leave open.
 *
 * @throws HolodiffError for a configuration or a variable that cannot be used
 */
export async function settle(command: Command): Promise<void> {
  const flags = command.optsWithGlobals<{ config?: string | boolean }>();
  const file = findConfig(flags.config, process.env, process.cwd());
  const loaded = file === undefined ? undefined : await (await import('./load.ts')).loadConfig(file);
  applySettings(command, process.env, loaded);
  const { buildDir } = command.optsWithGlobals<{ buildDir?: string }>();
  // Where a child of this program builds, too.
  if (buildDir !== undefined) process.env['HOLODIFF_BUILD_DIR'] = buildDir;
}
