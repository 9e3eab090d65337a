/**
 * Builds the reference adapters, and only when there is a reason to.
 *
 * Beside each binary stands a stamp: a hash of all sources and lock files, and the version of the toolchain. If it does
 * not match what is there now, the binary is stale and is built again. Concurrent builds wait for each other.
 */

import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import envPaths from 'env-paths';
import { execa } from 'execa';
import { HolodiffError, messageOf } from '../errors.ts';
import { writeFile } from '../files.ts';
import { IS_CHECKOUT, PACKAGE_ROOT } from '../places.ts';

/** The references, in the order in which they are named everywhere. */
export const REFERENCE_NAMES = ['kona', 'op-node'] as const;

export type ReferenceName = (typeof REFERENCE_NAMES)[number];

export function isReferenceName(name: string): name is ReferenceName {
  return (REFERENCE_NAMES as readonly string[]).includes(name);
}

interface Recipe {
  /** What the toolchain is called, for people. */
  readonly toolchain: string;
  /** Prints the toolchain's version. */
  readonly probe: readonly [command: string, ...args: string[]];
  /** The file that pins the reference and the toolchain. */
  readonly manifest: string;
  /** The reference's version, in the manifest. */
  readonly version: RegExp;
  /** The oldest toolchain, in the manifest. */
  readonly oldest: RegExp;
  /** Builds in the folder of the sources; the product is the temporary file where the toolchain lets one choose. */
  readonly build: (
    folder: string,
    temporary: string,
  ) => {
    readonly command: readonly [command: string, ...args: string[]];
    readonly env: Readonly<Record<string, string>>;
    readonly product: string;
    /** The folder of what only a later build can use. */
    readonly intermediates?: string;
  };
}

const EXECUTABLE = process.platform === 'win32' ? '.exe' : '';

const RECIPES: Readonly<Record<ReferenceName, Recipe>> = {
  kona: {
    toolchain: 'Rust (cargo)',
    probe: ['cargo', '--version'],
    manifest: 'Cargo.toml',
    version: /^kona-derive = .*"=([\d.]+)"/m,
    oldest: /^rust-version = "([\d.]+)"/m,
    build: (folder) => ({
      command: ['cargo', 'build', '--release', '--locked'],
      env: { CARGO_TARGET_DIR: path.join(folder, 'target') },
      product: path.join(folder, 'target', 'release', `holodiff-kona${EXECUTABLE}`),
      intermediates: path.join(folder, 'target'),
    }),
  },
  'op-node': {
    toolchain: 'Go',
    probe: ['go', 'version'],
    manifest: 'go.mod',
    version: /^\s*github\.com\/ethereum-optimism\/optimism v([\d.]+)/m,
    oldest: /^go ([\d.]+)/m,
    build: (_folder, temporary) => ({
      command: ['go', 'build', '-v', '-trimpath', '-o', temporary, '.'],
      // As upstream builds it, and so that no C compiler is needed; a module of its own, whatever lies in the folders above.
      env: { CGO_ENABLED: '0', GOWORK: 'off' },
      product: temporary,
    }),
  },
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

/** The toolchain is there and did not build. Its own output said why. */
class BuildError extends HolodiffError {
  readonly reference: ReferenceName;

  constructor(reference: ReferenceName, message: string, options?: ErrorOptions) {
    super('build-failed', `${reference}: ${message}`, options);
    this.reference = reference;
  }
}

export interface BuiltReference {
  readonly name: ReferenceName;
  readonly binary: string;
  /** Whether it was built just now. */
  readonly built: boolean;
}

/** Where a reference is built. */
interface BuildFolder {
  readonly folder: string;
  /** Whether what the toolchain leaves is kept, which makes the next build quick; hundreds of megabytes. */
  readonly keepsIntermediates: boolean;
}

/**
 * The build folder of a reference: where the user says, the repository's ignored folder, or the user's cache for an
 * installed package, which may be read-only and goes with the next installation. There the sources name the folder, so
 * that versions side by side do not build over each other.
 */
function buildFolder(name: ReferenceName, sources: string): BuildFolder {
  const { HOLODIFF_BUILD_DIR } = process.env;
  if (HOLODIFF_BUILD_DIR !== undefined && HOLODIFF_BUILD_DIR !== '') {
    return { folder: path.resolve(HOLODIFF_BUILD_DIR, name), keepsIntermediates: true };
  }
  if (IS_CHECKOUT) return { folder: path.join(PACKAGE_ROOT, '.build', name), keepsIntermediates: true };
  const { cache } = envPaths('holodiff', { suffix: '' });
  return { folder: path.join(cache, `${name}-${sources.slice(0, 16)}`), keepsIntermediates: false };
}

/** The folder of a reference's sources. */
function sourcesOf(name: ReferenceName): string {
  return path.join(PACKAGE_ROOT, 'harness', 'references', name);
}

/** The version of the reference that the sources pin. */
export function pinnedVersion(name: ReferenceName): string {
  return inManifest(name, RECIPES[name].version);
}

function inManifest(name: ReferenceName, pattern: RegExp): string {
  const { manifest } = RECIPES[name];
  const found = pattern.exec(readFileSync(path.join(sourcesOf(name), manifest), 'utf8'))?.[1];
  if (found === undefined) throw new BuildError(name, `${manifest} does not say what ${pattern.source} looks for`);
  return found;
}

/**
 * The reference's binary, built if there is none or it is stale.
 *
 * @param report - hears one line about each step
 * @throws ToolchainError or BuildError
 */
export async function buildReference(name: ReferenceName, report: (line: string) => void): Promise<BuiltReference> {
  const sources = hashSources(sourcesOf(name));
  const { folder, keepsIntermediates } = buildFolder(name, sources);
  const binary = path.join(folder, `holodiff-${name}${EXECUTABLE}`);
  const stampFile = path.join(folder, 'stamp.json');
  const toolchain = await probe(name);

  if (isFresh(binary, stampFile, sources, toolchain)) return { name, binary, built: false };
  checkToolchain(name, toolchain);

  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new BuildError(name, `${folder} cannot be made: ${messageOf(error)}`, { cause: error });
  }
  const unlock = await lock(path.join(folder, 'lock'), () => report(`${name}: waiting for another build`));
  try {
    if (isFresh(binary, stampFile, sources, toolchain)) return { name, binary, built: false };
    report(`${name}: ${existsSync(binary) ? 'sources or toolchain changed, building again' : 'building'}`);
    rmSync(stampFile, { force: true });
    await run(name, folder, binary, keepsIntermediates);
    writeFile(stampFile, `${JSON.stringify({ sources, toolchain }, null, 1)}\n`);
    report(`${name}: built`);
    return { name, binary, built: true };
  } finally {
    unlock();
  }
}

/** How it stands with a reference. */
export interface ReferenceState {
  readonly name: ReferenceName;
  /** The version that the sources pin. */
  readonly version: string;
  readonly folder: string;
  readonly binary: string;
  readonly build: 'fresh' | 'stale' | 'missing';
  /** What its toolchain says of itself. */
  readonly toolchain: string | undefined;
  /** The oldest version of the toolchain that builds it. */
  readonly oldest: string;
  /** Why it cannot be built. */
  readonly obstacle: ToolchainError | undefined;
}

/** Looks how it stands with a reference, and changes nothing. */
export async function inspectReference(name: ReferenceName): Promise<ReferenceState> {
  const sources = hashSources(sourcesOf(name));
  const { folder } = buildFolder(name, sources);
  const binary = path.join(folder, `holodiff-${name}${EXECUTABLE}`);
  const toolchain = await probe(name);
  const isBuilt = existsSync(binary);
  return {
    name,
    version: pinnedVersion(name),
    folder,
    binary,
    build: !isBuilt
      ? 'missing'
      : isFresh(binary, path.join(folder, 'stamp.json'), sources, toolchain)
        ? 'fresh'
        : 'stale',
    toolchain,
    oldest: inManifest(name, RECIPES[name].oldest),
    obstacle: obstacleTo(name, toolchain),
  };
}

async function run(name: ReferenceName, folder: string, binary: string, keepsIntermediates: boolean): Promise<void> {
  const temporary = `${binary}.tmp`;
  const { command, env, product, intermediates } = RECIPES[name].build(folder, temporary);
  const [program, ...args] = command;
  // The toolchain's own progress goes to standard error as it comes: standard output may be a stream of traces.
  const { failed, exitCode, signal, cause } = await execa(program, args, {
    cwd: sourcesOf(name),
    env,
    reject: false,
    buffer: false,
    stdio: ['ignore', 2, 2],
  });
  if (failed) {
    const how = signal === undefined ? `ended with code ${exitCode ?? 'unknown'}` : `was ended by ${signal}`;
    throw new BuildError(name, `${program} ${how}; its own output is above`, { cause });
  }
  // A copy that only this function writes: a build by hand leaves another binary in the toolchain's place.
  if (product !== temporary) copyFileSync(product, temporary);
  chmodSync(temporary, 0o755);
  renameSync(temporary, binary);
  if (!keepsIntermediates && intermediates !== undefined) rmSync(intermediates, { recursive: true, force: true });
}

function isFresh(binary: string, stampFile: string, sources: string, toolchain: string | undefined): boolean {
  if (!existsSync(binary)) return false;
  try {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8')) as { sources?: unknown; toolchain?: unknown };
    // Without the toolchain nothing says that another one is wanted.
    return stamp.sources === sources && (toolchain === undefined || stamp.toolchain === toolchain);
  } catch {
    return false;
  }
}

/** A hash over the names and contents of all files of a folder. */
function hashSources(folder: string): string {
  const hash = createHash('sha256');
  for (const file of listSources(folder, '')) {
    const content = readFileSync(path.join(folder, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** What a build or a test by hand may leave, and what does not go into the binary: the package lacks it. */
const NOT_SOURCES = /^(?:target|tests|rustfmt\.toml|.*_test\.go|.*\.(?:test|prof|md))$/;

function listSources(folder: string, below: string): string[] {
  const files: string[] = [];
  const entries = readdirSync(path.join(folder, below), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const name = path.posix.join(below, entry.name);
    if (NOT_SOURCES.test(entry.name)) continue;
    if (entry.isDirectory()) {
      files.push(...listSources(folder, name));
    } else if (entry.isFile()) {
      files.push(name);
    }
  }
  return files;
}

async function probe(name: ReferenceName): Promise<string | undefined> {
  const [command, ...args] = RECIPES[name].probe;
  // Not in the folder of the sources, where Go may fetch another toolchain only to say its version.
  const { failed, stdout } = await execa(command, args, { reject: false, cwd: PACKAGE_ROOT });
  return failed ? undefined : stdout.trim();
}

function checkToolchain(name: ReferenceName, toolchain: string | undefined): void {
  const obstacle = obstacleTo(name, toolchain);
  if (obstacle !== undefined) throw obstacle;
}

function obstacleTo(name: ReferenceName, toolchain: string | undefined): ToolchainError | undefined {
  const oldest = inManifest(name, RECIPES[name].oldest);
  const found = toolchain === undefined ? undefined : /\d+(?:\.\d+)+/.exec(toolchain)?.[0];
  if (found !== undefined && !isOlder(found, oldest)) return undefined;
  // From 1.21 on, Go fetches the version that go.mod asks for, unless it is told not to; then it says so.
  if (name === 'op-node' && found !== undefined && !isOlder(found, '1.21')) return undefined;
  return new ToolchainError(name, RECIPES[name].toolchain, oldest, found);
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

/** Milliseconds between two looks at another's lock. */
const LOCK_INTERVAL = 200;

/** Takes a lock that another process may hold; one whose owner is gone is taken over. */
async function lock(file: string, onWait: () => void): Promise<() => void> {
  let waited = false;
  for (;;) {
    try {
      const handle = openSync(file, 'wx');
      writeSync(handle, String(process.pid));
      closeSync(handle);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (isAbandoned(file)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await delay(LOCK_INTERVAL);
  }
}

function isAbandoned(file: string): boolean {
  let owner: number;
  try {
    owner = Number(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
  // Created and not written yet.
  if (!Number.isInteger(owner) || owner === 0) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
