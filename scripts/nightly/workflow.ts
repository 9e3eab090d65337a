/** What the scripts of the nightly workflow share: their environment, their outputs, and how they fail. */

import { appendFileSync } from 'node:fs';
import { ProcessOutput } from 'zx';
import { HolodiffError, messageOf } from '../../harness/errors.ts';

/** A variable that has to be there. */
export function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new HolodiffError('bad-option', `${name}: is not set`);
  return value;
}

/** Gives a value to the steps behind this one. */
export function setOutput(name: string, value: string): void {
  appendFileSync(variable('GITHUB_OUTPUT'), `${name}=${value}\n`);
}

/** Sets a variable for the steps behind this one. */
export function setVariable(name: string, value: string): void {
  appendFileSync(variable('GITHUB_ENV'), `${name}=${value}\n`);
}

/** Runs a script; what goes wrong is one line, and exit code 2. */
export async function main(run: () => void | Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.exitCode = 2;
    console.error(`::error::${describe(error).replace(/\s*\n\s*/g, ' / ')}`);
  }
}

function describe(error: unknown): string {
  if (error instanceof ProcessOutput) {
    const said = error.stderr.trim() === '' ? error.message : error.stderr.trim();
    return `a command ended with ${error.exitCode ?? error.signal ?? 'no code'}: ${said}`;
  }
  if (error instanceof HolodiffError) return error.message;
  return error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error);
}
