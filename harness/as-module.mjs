/**
 * A hook of Node's module loader: what a user wrote with `import` and `export` is an ES module, also in a folder whose
 * package does not say so. As CommonJS it could not import this package, which waits for WebAssembly when it is loaded.
 */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const MODULE_SYNTAX = /^\s*(?:import|export)\b/m;

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const { url, format } = resolved;
  if ((format ?? 'commonjs') !== 'commonjs' || !url.startsWith('file:') || url.includes('/node_modules/'))
    return resolved;
  const file = fileURLToPath(url);
  if (!/\.[jt]s$/.test(file)) return resolved;
  return MODULE_SYNTAX.test(await readFile(file, 'utf8')) ? { ...resolved, format: 'module' } : resolved;
}
