/** Where the configuration lies. */

import { existsSync } from 'node:fs';
import path from 'node:path';

/** The names of the file, the one that counts first. */
const CONFIG_NAMES = ['holodiff.config.ts', 'holodiff.config.js', 'holodiff.config.mjs'];

/**
 * The file that `--config` or the environment names, else the one in this folder or the nearest above that has any.
 *
 * @param flag - the value of `--config`; `false` for `--no-config`
 */
export function findConfig(
  flag: string | boolean | undefined,
  env: NodeJS.ProcessEnv,
  folder: string,
): string | undefined {
  if (flag === false) return undefined;
  const named = typeof flag === 'string' ? flag : env['HOLODIFF_CONFIG'];
  if (named !== undefined && named !== '') return named;
  for (let here = path.resolve(folder); ; here = path.dirname(here)) {
    const found = CONFIG_NAMES.map((one) => path.join(here, one)).find((file) => existsSync(file));
    if (found !== undefined) return path.relative(folder, found);
    if (here === path.dirname(here)) return undefined;
  }
}
