/** Options that several commands share. */

import { InvalidArgumentError, Option } from 'commander';
import type { ProcessLimits } from '../implementations/process.ts';

/** Progress and notes for people: standard output is for results. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

function positive(value: string): number {
  const number = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || !(number > 0)) throw new InvalidArgumentError('expected a number above 0');
  return number;
}

/** A whole number above 0. */
export function natural(value: string): number {
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new InvalidArgumentError('expected a whole number above 0');
  return Number(value);
}

/** A whole number, or 0 for none. */
export function naturalOrZero(value: string): number {
  return value === '0' ? 0 : natural(value);
}

export function seedOption(): Option {
  return new Option('--seed <number>', 'which endless row of generated vectors').argParser(seed).default('1');
}

/** The number of a row of generated vectors, in canonical form. */
export function seed(value: string): string {
  if (!/^\d{1,19}$/.test(value)) throw new InvalidArgumentError('expected a whole number from 0');
  return BigInt(value).toString();
}

/** For how long, in milliseconds. */
export function durationOption(description: string): Option {
  return new Option('--for <duration>', `${description}: 90s, 10m, 8h`).argParser((value) => {
    const match = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(value);
    if (match === null || Number(match[1]) === 0)
      throw new InvalidArgumentError('expected a duration such as 90s, 10m or 8h');
    return Number(match[1]) * { s: 1000, m: 60_000, h: 3_600_000 }[match[2] as 's' | 'm' | 'h'];
  });
}

/** What `--exhaustive` takes in place of a scope, to list them. */
export const SCOPE_HELP = 'help';

export function scopeOption(): Option {
  return new Option(
    '--exhaustive <scope>',
    `every vector of a small scope instead: --exhaustive ${SCOPE_HELP} lists them`,
  );
}

/** What is allowed to a child. */
export interface LimitOptions {
  /** Seconds. */
  readonly timeout: number;
  /** Mebibytes. */
  readonly memory: number;
}

export function timeoutOption(): Option {
  return new Option('--timeout <seconds>', 'time that a reference has for one vector').argParser(positive).default(60);
}

export function memoryOption(): Option {
  return new Option('--memory <MiB>', 'memory that a reference may use').argParser(positive).default(4096);
}

export function limitsOf({ timeout, memory }: LimitOptions): Partial<ProcessLimits> {
  return { vectorTime: Math.round(timeout * 1000), memory: memory * 1024 ** 2 };
}

/** Who takes part; may be given several times. */
export function implementationOption(description: string, otherwise: string): Option {
  return new Option('-i, --implementation <name>', `${description} (may be given several times)`)
    .argParser(collect)
    .default([], otherwise);
}

/** A file that must be named if at all. */
export function nonEmpty(value: string): string {
  if (value === '') throw new InvalidArgumentError('expected a path');
  return value;
}

/** The lists of known divergences; may be given several times, as with a public and a private one. */
export function knownOption(): Option {
  const description =
    'a list of known divergences, may be given several times (default: vectors/known-divergences.json)';
  return new Option('--known <file>', description).argParser((file: string, before: unknown) => [
    ...(Array.isArray(before) ? (before as readonly string[]) : []),
    nonEmpty(file),
  ]);
}

export interface ReporterOptions {
  readonly reporter: readonly string[];
}

/** In which forms the result is written; may be given several times. */
export function reporterOption(): Option {
  const description =
    'how the result is told: text, json, junit, sarif or github; =FILE writes it there (may be given several times)';
  return new Option('--reporter <name[=file]>', description).argParser(collect).default([], 'text');
}

/** What `--reporter` means, for the help of the commands that have it. */
export const REPORTER_HELP = `
Reporters: text (lines for a terminal), json (docs/json.md), junit, sarif, and github (annotations on standard output,
and the summary of the job in FILE, or where GITHUB_STEP_SUMMARY says). When some are named, only those write. A
document without a file goes to standard output, alone.`;

export function findingsOption(): Option {
  return new Option('--findings <folder>', 'below which folder campaigns are kept (default: findings)').argParser(
    nonEmpty,
  );
}

export function variantOption(): Option {
  return new Option('--variant <name|file>', 'change the rules of the TypeScript pipeline');
}

/** Collects an option that may be given several times. */
function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}
