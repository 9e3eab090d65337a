/**
 * Builds the reference adapters, and only when there is a reason to.
 *
 * Beside each binary stands a stamp: a hash of all sources and lock files, and the version of the toolchain. If it does
 * not match what is there now, the binary is stale and is built again. Concurrent builds wait for each other.
 */

import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import envPaths from 'env-paths';
import { messageOf } from '../errors.ts';
import { makeFolder, writeFile } from '../files.ts';
import { IS_CHECKOUT, PACKAGE_ROOT } from '../places.ts';
import { konaRecipe } from './kona.ts';
import { lock } from './lock.ts';
import { adapterOf, oldestToolchain, pinnedVersion, type ReferenceName } from './names.ts';
import { opNodeRecipe } from './op-node.ts';
import type { Recipe } from './recipe.ts';
import { type Commit, checkOut, findCommit, hashAdapter, hashFolder, requireSources } from './sources.ts';
import { folderNameOf, isPinned, parseTarget, type Target } from './target.ts';
import { BuildError, checkToolchain, obstacleTo, probeToolchain, type ToolchainError } from './toolchain.ts';

export { isReferenceName, pinnedVersion, REFERENCE_NAMES, type ReferenceName } from './names.ts';
export { ToolchainError } from './toolchain.ts';

const EXECUTABLE = process.platform === 'win32' ? '.exe' : '';

const RECIPES: Readonly<Record<ReferenceName, Recipe>> = { kona: konaRecipe, 'op-node': opNodeRecipe };

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
 * The build folder of a target: where the user says, the repository's ignored folder, or the user's cache for an
 * installed package, which may be read-only and goes with the next installation. There the sources name the folder, so
 * that versions side by side do not build over each other.
 */
function buildFolder(target: Target, sources: string): BuildFolder {
  const name = folderNameOf(target);
  const { HOLODIFF_BUILD_DIR } = process.env;
  if (HOLODIFF_BUILD_DIR !== undefined && HOLODIFF_BUILD_DIR !== '') {
    return { folder: path.resolve(HOLODIFF_BUILD_DIR, name), keepsIntermediates: true };
  }
  if (IS_CHECKOUT) return { folder: path.join(PACKAGE_ROOT, '.build', name), keepsIntermediates: true };
  const { cache } = envPaths('holodiff', { suffix: '' });
  return { folder: path.join(cache, `${name}-${sources.slice(0, 16)}`), keepsIntermediates: false };
}

/** What a target is made of, besides the adapter's own files. */
interface Ingredients {
  /** Joined to the adapter's hash. */
  readonly hash: string;
  /** Stands behind the version in handshakes and traces. */
  readonly suffix: string;
  /** For a revision. */
  readonly commit?: Commit;
}

async function ingredientsOf(target: Target): Promise<Ingredients> {
  const { source, checked, reference } = target;
  switch (source.kind) {
    case 'release': {
      const stored = RECIPES[reference].storedLock(source.version);
      return { hash: stored === undefined ? '' : readFileSync(stored, 'utf8'), suffix: checked ? '+checked' : '' };
    }
    case 'folder': {
      requireSources(target, source.folder, RECIPES[reference]);
      const hash = hashFolder(source.folder);
      return { hash, suffix: `+src.${hash.slice(0, 12)}${checked ? '.checked' : ''}` };
    }
    case 'revision': {
      const commit = await findCommit(target, source.folder, source.revision);
      return { hash: commit.hash, suffix: `+git.${commit.hash.slice(0, 12)}${checked ? '.checked' : ''}`, commit };
    }
    default:
      return source satisfies never;
  }
}

/**
 * The binary of a reference, built if there is none or it is stale.
 *
 * @param spec - what is meant, or how it is spelled, such as `kona` or `kona@0.3.0`
 * @param report - hears one line about each step
 * @throws ToolchainError, BuildError, or HolodiffError if the spelling is none
 */
export async function buildReference(spec: Target | string, report: (line: string) => void): Promise<BuiltReference> {
  const target = typeof spec === 'string' ? parseTarget(spec) : spec;
  const { reference: name, text } = target;
  const ingredients = await ingredientsOf(target);
  const adapter = hashAdapter(adapterOf(name));
  const sources = isPinned(target) ? adapter : joined(adapter, ingredients.hash);
  const { folder, keepsIntermediates } = buildFolder(target, sources);
  const binary = path.join(folder, `holodiff-${name}${EXECUTABLE}`);
  const stampFile = path.join(folder, 'stamp.json');
  const toolchain = await probeToolchain(name);

  if (isFresh(binary, stampFile, sources, toolchain)) return { name, binary, built: false };
  checkToolchain(name, toolchain);

  try {
    makeFolder(folder);
  } catch (error) {
    throw new BuildError(text, `${folder} cannot be made: ${messageOf(error)}`, { cause: error });
  }
  const unlock = await lock(path.join(folder, 'lock'), () => report(`${text}: waiting for another build`));
  try {
    if (isFresh(binary, stampFile, sources, toolchain)) return { name, binary, built: false };
    report(`${text}: ${existsSync(binary) ? 'sources or toolchain changed, building again' : 'building'}`);
    rmSync(stampFile, { force: true });
    await run(target, ingredients, { folder, keepsIntermediates }, binary, report);
    writeFile(stampFile, `${JSON.stringify({ sources, toolchain }, null, 1)}\n`);
    report(`${text}: built`);
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

/** Looks how it stands with a pinned reference, and changes nothing. */
export async function inspectReference(name: ReferenceName): Promise<ReferenceState> {
  const sources = hashAdapter(adapterOf(name));
  const { folder } = buildFolder(parseTarget(name), sources);
  const binary = path.join(folder, `holodiff-${name}${EXECUTABLE}`);
  const toolchain = await probeToolchain(name);
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
    oldest: oldestToolchain(name),
    obstacle: obstacleTo(name, toolchain),
  };
}

function joined(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}

async function run(
  target: Target,
  { suffix, commit }: Ingredients,
  { folder, keepsIntermediates }: BuildFolder,
  binary: string,
  report: (line: string) => void,
): Promise<void> {
  const temporary = `${binary}.tmp`;
  let sources = target.source.kind === 'folder' ? target.source.folder : undefined;
  if (commit !== undefined) {
    const tree = path.join(folder, 'source');
    await checkOut(target, commit, tree);
    sources = path.join(tree, commit.prefix);
    requireSources(target, sources, RECIPES[target.reference]);
  }
  // What the pinned version leaves, others can use: most of what they are made of is the same.
  const shared = keepsIntermediates ? path.join(path.dirname(folder), target.reference, 'target') : undefined;
  await RECIPES[target.reference].build({ target, sources, suffix, folder, shared, temporary, report });
  chmodSync(temporary, 0o755);
  renameSync(temporary, binary);
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
