/** From what a user names to the program that is checked. */

import path from 'node:path';
import { parseCommandString } from 'execa';
import { specOf } from '../config/settings.ts';
import { HolodiffError } from '../errors.ts';
import { parseProgram } from '../implementations/open.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { buildReference } from '../references/build.ts';
import { namesReference } from '../references/target.ts';

export interface FoundAdapter {
  /** The program and its arguments. */
  readonly words: readonly [string, ...string[]];
  /** What it has to call itself, if it was named. */
  readonly name: string | undefined;
}

/**
 * Finds it.
 *
 * @param given - a name, `NAME=COMMAND`, a command in one word, or a command word by word
 * @param adapters - how those of the configuration are started
 * @param report - hears about builds
 */
export async function findAdapter(
  given: readonly string[],
  adapters: Readonly<Record<string, string>>,
  report: (line: string) => void,
): Promise<FoundAdapter> {
  const [first = '', ...more] = given;
  if (more.length > 0) return { words: [first, ...more], name: undefined };
  const spec = specOf(first, adapters);
  if (spec === 'typescript') {
    const bin = path.join(PACKAGE_ROOT, 'harness', 'cli', 'bin.mjs');
    return { words: [process.execPath, bin, 'derive', '--implementation', spec], name: spec };
  }
  if (namesReference(spec) && !spec.includes('=')) {
    const { binary, name } = await buildReference(spec, report);
    return { words: [binary], name };
  }
  if (/^[^\s/\\=]+=/.test(spec)) return parseProgram(spec);
  const [command, ...args] = parseCommandString(spec);
  if (command === undefined) throw new HolodiffError('bad-option', 'expected a command');
  return { words: [command, ...args], name: undefined };
}
