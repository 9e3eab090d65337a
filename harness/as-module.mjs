/**
 * A hook of Node's module loader, for modules of the user's.
 *
 * What is written with `import` and `export` is an ES module, also in a folder whose package does not say so: as CommonJS
 * it could not import this package, which waits for WebAssembly when it is loaded. And `holodiff` is the package that
 * runs, also where none is installed beside the module.
 */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const MODULE_SYNTAX = /^\s*(?:import|export)\b/m;

const ENTRY = ['../src/index.ts', '../dist/src/index.js']
  .map((file) => new URL(file, import.meta.url))
  .find((url) => existsSync(url)).href;

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier === 'holodiff' ? ENTRY : specifier, context);
  const { url, format } = resolved;
  if ((format ?? 'commonjs') !== 'commonjs' || !url.startsWith('file:') || url.includes('/node_modules/'))
    return resolved;
  const file = fileURLToPath(url);
  if (!/\.[jt]s$/.test(file)) return resolved;
  return MODULE_SYNTAX.test(await readFile(file, 'utf8')) ? { ...resolved, format: 'module' } : resolved;
}
