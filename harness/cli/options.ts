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
