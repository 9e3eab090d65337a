/** Modules of the user's, in TypeScript or JavaScript. */

import { register } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import { type ErrorCode, FileError, messageOf } from './errors.ts';
import { PACKAGE_ROOT } from './places.ts';

let isRegistered = false;

/**
 * The default export of a module, wherever it lies.
 *
 * @throws FileError with this code if it cannot be loaded
 */
export async function importDefault(file: string, code: ErrorCode): Promise<unknown> {
  if (!isRegistered) register(pathToFileURL(path.join(PACKAGE_ROOT, 'harness', 'as-module.mjs')));
  isRegistered = true;
  try {
    const loaded = (await tsImport(pathToFileURL(path.resolve(file)).href, import.meta.url)) as {
      readonly default?: unknown;
    };
    return loaded.default;
  } catch (error) {
    throw new FileError(code, file, onOneLine(error), { cause: error });
  }
}

/** What the translation of TypeScript says: a headline, then file, place and message of the first error. */
const TRANSLATION = /^Transform failed.*\n.*:(\d+):(\d+): ERROR: (.*)/;

function onOneLine(error: unknown): string {
  const message = messageOf(error);
  const [, line, column, said] = TRANSLATION.exec(message) ?? [];
  if (said !== undefined) return `line ${line}, column ${column}: ${said}`;
  return `${error instanceof SyntaxError ? 'syntax error: ' : ''}${message.replaceAll(/\s*\n\s*/g, ' ')}`;
}
