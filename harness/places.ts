/** Where things lie, in a checkout of the repository and in an installed package. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of the package, whether this module runs from its source or compiled below `dist/`: all that is not
 * compiled (`vectors/`, the references' sources, pages) lies at the same path below it.
 */
export const PACKAGE_ROOT = fileURLToPath(
  ['..', '../..'].map((up) => new URL(up, import.meta.url)).find((root) => existsSync(new URL('package.json', root)))!,
);

/** Whether the package is a checkout of the repository: an installed one has no TypeScript, and nothing is written to it. */
export const IS_CHECKOUT = existsSync(path.join(PACKAGE_ROOT, 'src', 'index.ts'));

/** The folder that findings and promoted vectors go below where nobody says so: the repository, or the current folder. */
export function workFolder(): string {
  return IS_CHECKOUT ? PACKAGE_ROOT : process.cwd();
}
