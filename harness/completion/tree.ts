/** What can be completed, read from the tree of commands: the scripts for the shells are made from this alone. */

import type { Argument, Command, Option } from 'commander';

/** What may stand in a place. */
export interface Values {
  /** Words that are known beforehand. */
  readonly words: readonly string[];
  readonly files: 'any' | 'folders' | 'none';
}

export interface CompletableOption {
  /** `-i` and `--implementation`, or one of them. */
  readonly flags: readonly string[];
  readonly description: string;
  /** `undefined` for an option without a value. */
  readonly values: Values | undefined;
  /** It may be given several times. */
  readonly repeatable: boolean;
}

interface CompletableCommand {
  readonly name: string;
  readonly description: string;
  /** Those of all commands come last. */
  readonly options: readonly CompletableOption[];
  /** What its arguments may be; `undefined` if it takes none. */
  readonly values: Values | undefined;
}

export interface Completable {
  readonly name: string;
  readonly options: readonly CompletableOption[];
  readonly commands: readonly CompletableCommand[];
}

/**
 * Reads the tree.
 *
 * @param known - words for options and for arguments in angle brackets, where the tree has no choices
 */
export function completable(root: Command, known: Readonly<Record<string, readonly string[]>>): Completable {
  const of = (command: Command) => command.createHelp().visibleOptions(command);
  const option = (one: Option): CompletableOption => ({
    flags: [one.short, one.long].filter((flag) => flag !== undefined),
    description: one.description,
    values:
      one.required || one.optional ? valuesOf(one.long ?? '', one.argChoices, placeholder(one), known) : undefined,
    repeatable: Array.isArray(one.defaultValue) || one.variadic,
  });
  const global = root.options.filter(({ long }) => long !== '--version').map(option);
  const names = root.commands.map((command) => command.name());
  return {
    name: root.name(),
    options: of(root).map(option),
    commands: [
      ...root.commands.map((command) => ({
        name: command.name(),
        description: command.description(),
        options: [...of(command).map(option), ...global],
        values: union(command.registeredArguments.map((one) => argument(one, known))),
      })),
      { name: 'help', description: 'display help for a command', options: [], values: { words: names, files: 'none' } },
    ],
  };
}

function argument(one: Argument, known: Readonly<Record<string, readonly string[]>>): Values {
  return valuesOf(`<${one.name()}>`, one.argChoices, one.name(), known);
}

/** What stands in an option's angle brackets. */
function placeholder({ flags }: Option): string {
  return /[<[]([^>]*?)[>\]]$/.exec(flags)?.[1] ?? '';
}

const FOLDERS = /^folder\b|\bfinding\b/;
const FILES = /\b(?:file|path|vector|input|command)\b/;

function valuesOf(
  name: string,
  choices: readonly string[] | undefined,
  shape: string,
  known: Readonly<Record<string, readonly string[]>>,
): Values {
  if (choices !== undefined) return { words: choices, files: 'none' };
  const files = FOLDERS.test(shape) ? 'folders' : FILES.test(shape) ? 'any' : 'none';
  return { words: known[name] ?? [], files };
}

function union(all: readonly Values[]): Values | undefined {
  const files = all.map((one) => one.files);
  if (all.length === 0) return undefined;
  return {
    words: all.flatMap(({ words }) => words),
    files: files.includes('any') ? 'any' : files.includes('folders') ? 'folders' : 'none',
  };
}
