/** Which reporters write, and where to: what `--reporter` means. */

import { appendFileSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { HolodiffError, messageOf } from '../errors.ts';
import { writeFile } from '../files.ts';
import { githubAnnotations, githubSummary } from './github.ts';
import { junit } from './junit.ts';
import { printable } from './printable.ts';
import { type Result, resultToJson } from './result.ts';
import { sarif } from './sarif.ts';

/** Documents: of each of them standard output holds one at most, and nothing beside it. */
const DOCUMENTS = {
  json: (result: Result) => resultToJson(result),
  junit: (result: Result) => junit(result),
  sarif: (result: Result, base: string) => sarif(result, base),
} as const;

type DocumentName = keyof typeof DOCUMENTS;

export const REPORTER_NAMES = ['text', ...Object.keys(DOCUMENTS), 'github'] as const;

interface Choice {
  readonly name: string;
  readonly file: string | undefined;
}

/** The reporters of one run. */
export class Reporters {
  readonly #choices: readonly Choice[];
  readonly #text: boolean;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #out: (text: string) => void;

  /**
   * @param given - as on the command line: `NAME` or `NAME=FILE`; none for text alone
   * @param environment - says where GitHub wants the summary of the job
   * @param out - standard output
   * @throws HolodiffError for an unknown name, or for two that would be mixed up
   */
  constructor(
    given: readonly string[],
    environment: Readonly<Record<string, string | undefined>> = process.env,
    out: (text: string) => void = (text) => process.stdout.write(text),
  ) {
    this.#choices = given.map(parse);
    this.#text = given.length === 0 || this.#choices.some(({ name }) => name === 'text');
    this.#environment = environment;
    this.#out = out;
    checkOutputs(this.#choices);
  }

  /** Whether anything besides the terminal's lines is wanted. */
  get hasDocuments(): boolean {
    return this.#choices.some(({ name }) => name !== 'text');
  }

  /** One line for the terminal, if it is wanted. What a name in it could do to the terminal is taken out. */
  print(line: string): void {
    if (this.#text) this.#out(`${printable(line)}\n`);
  }

  /** Writes everything else. @throws HolodiffError if a file cannot be written */
  write(result: Result): void {
    const base = this.#environment['GITHUB_WORKSPACE'] ?? process.cwd();
    for (const { name, file } of this.#choices) {
      if (name === 'github') this.#github(result, base, file);
      else if (isDocument(name)) {
        const document = DOCUMENTS[name](result, base);
        if (file === undefined) this.#out(document);
        else attempt(name, file, () => writeFile(file, document));
      }
    }
  }

  #github(result: Result, base: string, file: string | undefined): void {
    for (const line of githubAnnotations(result, base)) this.#out(`${line}\n`);
    const summary = githubSummary(result);
    const shared = this.#environment['GITHUB_STEP_SUMMARY'];
    if (file !== undefined) attempt('github', file, () => writeFile(file, summary));
    // All that a job runs writes into the same file.
    else if (shared !== undefined && shared !== '') attempt('github', shared, () => appendFileSync(shared, summary));
  }
}

function isDocument(name: string): name is DocumentName {
  return Object.hasOwn(DOCUMENTS, name);
}

function parse(given: string): Choice {
  const equals = given.indexOf('=');
  const name = equals < 0 ? given : given.slice(0, equals);
  const file = equals < 0 ? undefined : given.slice(equals + 1);
  if (!(REPORTER_NAMES as readonly string[]).includes(name))
    throw refused(given, `expected one of ${REPORTER_NAMES.join(', ')}`);
  if (file === '') throw refused(given, 'expected a file behind the =');
  if (file !== undefined && name === 'text') throw refused(given, 'text goes to standard output');
  if (file !== undefined && existsSync(file) && statSync(file).isDirectory())
    throw refused(given, `${file} is a folder`);
  return { name, file };
}

function checkOutputs(choices: readonly Choice[]): void {
  const toOutput = choices.filter(({ file }) => file === undefined).map(({ name }) => name);
  const document = toOutput.find(isDocument);
  const other = toOutput.find((_, index) => index !== toOutput.indexOf(document ?? ''));
  if (document !== undefined && other !== undefined) {
    throw refused(document, `${other} goes to standard output too; give one a file, as in ${document}=FILE`);
  }
  const files = choices.flatMap(({ file }) => (file === undefined ? [] : [path.resolve(file)]));
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new HolodiffError('bad-option', `--reporter: ${twice} is named twice`);
}

function refused(given: string, why: string): HolodiffError {
  return new HolodiffError('bad-option', `--reporter ${given}: ${why}`);
}

function attempt(name: string, file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new HolodiffError('bad-option', `--reporter ${name}: ${file} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
