/** `holodiff.config.ts`: loaded and checked. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { FileError } from '../errors.ts';
import { importDefault } from '../modules.ts';
import { firstIssue, list, object } from '../schema.ts';
import { type HolodiffConfig, RESERVED_NAMES } from './define.ts';

export interface LoadedConfig {
  readonly file: string;
  readonly config: HolodiffConfig;
}

const text = v.pipe(v.string('expected a string'), v.nonEmpty('expected some text'));
const aboveZero = v.pipe(
  v.number('expected a number above 0'),
  v.finite('expected a number above 0'),
  v.gtValue(0, 'expected a number above 0'),
);
const seed = v.pipe(
  v.custom<number | bigint | string>(
    (value) => typeof value === 'bigint' || typeof value === 'string' || Number.isSafeInteger(value),
    'expected a whole number from 0',
  ),
  v.check((value) => /^\d{1,19}$/.test(String(value)), 'expected a whole number from 0, of at most 19 digits'),
);
const name = v.pipe(
  v.string(),
  v.regex(/^[^\s,=@]+$/, 'expected a name without spaces, commas, = and @'),
  v.check((given) => !RESERVED_NAMES.includes(given), 'this name is taken by what holodiff brings'),
);

const schema = object({
  adapters: v.exactOptional(v.record(name, text, 'expected an object')),
  implementations: v.exactOptional(list(text)),
  variant: v.exactOptional(text),
  timeout: v.exactOptional(aboveZero),
  memory: v.exactOptional(aboveZero),
  seed: v.exactOptional(seed),
  known: v.exactOptional(
    v.union([text, v.pipe(list(text), v.nonEmpty()), v.literal(false)], 'expected a file, a list of files, or false'),
  ),
  findings: v.exactOptional(text),
  buildDir: v.exactOptional(text),
  reporters: v.exactOptional(list(text)),
});

/** Loads it, with its paths made absolute. @throws FileError that names the file and the place in it */
export async function loadConfig(file: string): Promise<LoadedConfig> {
  if (!existsSync(file)) throw new FileError('not-found', file, 'no such file or folder');
  const exported = await importDefault(file, 'invalid-file');
  const result = v.safeParse(schema, exported);
  if (!result.success) {
    const { path: where, reason } = firstIssue(result.issues);
    const said = where === '' ? 'its default export is not a configuration' : where;
    throw new FileError('invalid-file', file, `${said}: ${reason}`);
  }
  return { file, config: fromFolder(result.output, path.dirname(path.resolve(file))) };
}

/** What is meant from the folder of the configuration, whatever the current one is. */
function fromFolder(config: HolodiffConfig, folder: string): HolodiffConfig {
  const { adapters, implementations, variant, known, findings, buildDir } = config;
  const resolve = (given: string) => path.resolve(folder, given);
  const inWords = (word: string) => resolve(word.replaceAll('\\ ', ' ')).replaceAll(' ', '\\ ');
  const command = (words: string) => words.replaceAll(/(?<=^|\s)\.{1,2}[/\\](?:\\ |\S)*/g, inWords);
  return {
    ...config,
    ...(adapters && {
      adapters: Object.fromEntries(Object.entries(adapters).map(([key, words]) => [key, command(words)])),
    }),
    ...(implementations && {
      implementations: implementations.map((one) => one.replace(/=(.*)$/s, (_, words: string) => `=${command(words)}`)),
    }),
    ...(variant !== undefined && /[./\\]/.test(variant) && { variant: resolve(variant) }),
    ...(known !== undefined && { known: known === false ? known : [known].flat().map(resolve) }),
    ...(findings !== undefined && { findings: resolve(findings) }),
    ...(buildDir !== undefined && { buildDir: resolve(buildDir) }),
  };
}
