/** What makes a candidate worth keeping: the same signature, or what a program says. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { Vector } from '../../src/vector.ts';
import { compare, type Difference, type Side } from '../compare/compare.ts';
import { coarseSignature, formatSignature, isAttributed, signatureOf } from '../compare/signature.ts';
import type { Implementation } from '../implementations/implementation.ts';
import { vectorToLine } from '../vector.ts';
import type { Interesting } from './search.ts';

/** How the implementations differ over a vector. */
interface Seen {
  readonly difference: Difference;
  readonly sides: readonly Side[];
}

/** Derives the vector with each implementation. `undefined` if they agree, or if one of them gives no trace. */
async function seeDifference(
  vector: Vector,
  line: string,
  implementations: readonly Implementation[],
): Promise<Seen | undefined> {
  const answers = await Promise.all(implementations.map((one) => one.submit(line, vector)));
  const sides: Side[] = [];
  for (const [index, answer] of answers.entries()) {
    if (answer.kind !== 'trace') return undefined;
    const { name } = implementations[index]!;
    sides.push({ implementation: name, trace: answer.trace, silent: answer.incident !== undefined });
  }
  const difference = compare(sides);
  return difference && { difference, sides };
}

/** The signature of a vector's difference, as text; `undefined` if there is none. */
export async function presentSignature(
  vector: Vector,
  implementations: readonly Implementation[],
): Promise<string | undefined> {
  const seen = await seeDifference(vector, vectorToLine(vector), implementations);
  return seen && formatSignature(signatureOf(vector, seen.difference, seen.sides));
}

/** Interesting is what has this signature. */
export function interestingBySignature(signature: string, implementations: readonly Implementation[]): Interesting {
  const [boundary, outlier, , ...shape] = signature.split(' | ');
  // Of a known cause nothing can be told without an experiment.
  const coarse = isAttributed(signature) ? undefined : [boundary, outlier, ...shape].join(' | ');
  return async (candidate, line) => {
    const seen = await seeDifference(candidate, line, implementations);
    if (seen === undefined) return false;
    const { difference, sides } = seen;
    // What can be told without any experiment comes first: the experiments cost more than the derivations.
    if (coarse !== undefined && coarseSignature(difference, sides) !== coarse) return false;
    return formatSignature(signatureOf(candidate, difference, sides)) === signature;
  };
}

/** Interesting is what a command says by exit code 0. */
export class CommandJudge {
  readonly #command: string;
  readonly #folder: string;
  #count = 0;

  static async create(command: string): Promise<CommandJudge> {
    return new CommandJudge(command, await mkdtemp(path.join(tmpdir(), 'holodiff-minimise-')));
  }

  private constructor(command: string, folder: string) {
    this.#command = command;
    this.#folder = folder;
  }

  /** The candidate's path takes the place of every `{}` in the command; without one it is the last argument. */
  readonly interesting: Interesting = async (_, line) => {
    this.#count += 1;
    const file = path.join(this.#folder, `${this.#count}.vector.json`);
    await writeFile(file, `${line}\n`);
    try {
      const quoted = `'${file.replaceAll("'", "'\\''")}'`;
      const command = this.#command.includes('{}')
        ? this.#command.replaceAll('{}', quoted)
        : `${this.#command} ${quoted}`;
      const { exitCode } = await execa(command, { shell: true, reject: false, stdio: 'ignore' });
      return exitCode === 0;
    } finally {
      await rm(file);
    }
  };

  close(): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }
}
