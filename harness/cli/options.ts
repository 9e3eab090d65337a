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

export function variantOption(): Option {
  return new Option('--variant <name|file>', 'change the rules of the TypeScript pipeline');
}

/** Collects an option that may be given several times. */
export function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}
