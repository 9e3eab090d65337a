/** The compilers that build the references, and how a run of one of them is told. */

import { execa } from 'execa';
import { HolodiffError } from '../errors.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { oldestToolchain, type ReferenceName } from './names.ts';

interface Toolchain {
  /** What it is called, for people. */
  readonly name: string;
  /** Prints its version. */
  readonly probe: readonly [command: string, ...args: string[]];
}

const TOOLCHAINS: Readonly<Record<ReferenceName, Toolchain>> = {
  kona: { name: 'Rust (cargo)', probe: ['cargo', '--version'] },
  'op-node': { name: 'Go', probe: ['go', 'version'] },
};

/** The toolchain is missing or too old. */
export class ToolchainError extends HolodiffError {
  readonly reference: ReferenceName;
  readonly toolchain: string;
  readonly oldest: string;
  readonly found: string | undefined;

  constructor(reference: ReferenceName, toolchain: string, oldest: string, found: string | undefined) {
    const what = found === undefined ? `${toolchain} is missing` : `${toolchain} ${found} is too old`;
    super('missing-toolchain', `${reference}: ${what}: ${oldest} or newer builds it`);
    this.reference = reference;
    this.toolchain = toolchain;
    this.oldest = oldest;
    this.found = found;
  }
}

/** The toolchain is there and did not build. */
export class BuildError extends HolodiffError {
  /** What was to be built, as it is spelled. */
  readonly target: string;

  constructor(target: string, message: string, options?: ErrorOptions) {
    super('build-failed', `${target}: ${message}`, options);
    this.target = target;
  }
}

/** What the toolchain says of its version, or `undefined` if there is none. */
export async function probeToolchain(name: ReferenceName): Promise<string | undefined> {
  const [command, ...args] = TOOLCHAINS[name].probe;
  // Not in the folder of the sources, where Go may fetch another toolchain only to say its version.
  const { failed, stdout } = await execa(command, args, { reject: false, cwd: PACKAGE_ROOT });
  return failed ? undefined : stdout.trim();
}

/** @throws ToolchainError */
export function checkToolchain(name: ReferenceName, toolchain: string | undefined): void {
  const obstacle = obstacleTo(name, toolchain);
  if (obstacle !== undefined) throw obstacle;
}

/** Why a toolchain that says this of itself does not build the reference, if it does not. */
export function obstacleTo(name: ReferenceName, toolchain: string | undefined): ToolchainError | undefined {
  const oldest = oldestToolchain(name);
  const found = toolchain === undefined ? undefined : /\d+(?:\.\d+)+/.exec(toolchain)?.[0];
  if (found !== undefined && !isOlder(found, oldest)) return undefined;
  // From 1.21 on, Go fetches the version that go.mod asks for, unless it is told not to; then it says so.
  if (name === 'op-node' && found !== undefined && !isOlder(found, '1.21')) return undefined;
  return new ToolchainError(name, TOOLCHAINS[name].name, oldest, found);
}

function isOlder(version: string, than: string): boolean {
  const a = version.split('.').map(Number);
  const b = than.split('.').map(Number);
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Shows the program's own progress on standard error as it comes: standard output may be a stream of traces. */
  readonly shown?: boolean;
}

/** How a program ended. */
export interface CommandResult {
  readonly failed: boolean;
  /** In a few words, such as `cargo ended with code 101`. */
  readonly end: string;
  readonly stdout: string;
  /** Everything that it said of its progress and of errors. */
  readonly stderr: string;
  readonly cause: unknown;
}

/** Runs a program to its end, whatever that is. */
export async function runCommand(
  program: string,
  args: readonly string[],
  { cwd, env, shown = false }: CommandOptions,
): Promise<CommandResult> {
  const { failed, exitCode, signal, stdout, stderr, cause } = await execa(program, args, {
    cwd,
    env: env ?? {},
    reject: false,
    stdin: 'ignore',
    stderr: shown ? [2, 'pipe'] : 'pipe',
  });
  const how = signal === undefined ? `ended with code ${exitCode ?? 'unknown'}` : `was ended by ${signal}`;
  return { failed, end: `${program} ${how}`, stdout, stderr, cause };
}

/** The reason among what a compiler printed: the first line that speaks of an error, else the last line. */
export function reasonIn(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(
      (line) => line !== '' && !/^(?:go: (?:downloading|finding|found)|#|warning:|Compiling|Updating)/.test(line),
    );
  const found = lines.find((line) => /^error\b/.test(line)) ?? lines.find((line) => /\berror\b|: /.test(line));
  const reason = (found ?? lines.at(-1) ?? 'it said nothing').replace(/^error(?:\[\w+\])?: /, '');
  return reason.length > 300 ? `${reason.slice(0, 300)}…` : reason;
}
