/**
 * How the adapter for kona is built: the pinned version as it lies in the repository, any other one by a manifest of its
 * own that links the same sources with it.
 *
 * The versions of everything below kona are those that kona was released or is developed with, as its own `Cargo.lock`
 * has them. For versions that were published without one, what was resolved is kept in `kona/versions/VERSION.lock`.
 */

import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../errors.ts';
import { makeFolder, writeFile } from '../files.ts';
import { parseCargoLock } from './cargo-lock.ts';
import { GENESIS_PACKAGES, konaManifest, PROTOCOL_PACKAGES } from './kona-manifest.ts';
import { lock } from './lock.ts';
import { adapterOf, manifestOf, pinnedVersion } from './names.ts';
import type { Job, Recipe } from './recipe.ts';
import { BuildError, reasonIn, runCommand } from './toolchain.ts';

const BINARY = `holodiff-kona${process.platform === 'win32' ? '.exe' : ''}`;

/** What `cargo metadata` says of a package. */
interface CargoPackage {
  readonly name: string;
  readonly version: string;
  readonly manifest_path: string;
}

interface CargoMetadata {
  readonly packages: readonly CargoPackage[];
  readonly workspace_root: string;
}

export const konaRecipe: Recipe = {
  manifest: 'Cargo.toml',
  folderIs: 'a Cargo workspace with the packages kona-derive, kona-protocol and kona-genesis',
  storedLock: (version) => {
    const file = path.join(adapterOf('kona'), 'versions', `${version}.lock`);
    return existsSync(file) ? file : undefined;
  },
  build: async (job) => {
    const { target } = job;
    const isPinned = target.source.kind === 'release' && target.source.version === pinnedVersion('kona');
    return isPinned ? compile(job, undefined, []) : compile(job, ...(await describePackage(job)));
  },
};

/** Compiles a package with these features, or the adapter's own. */
async function compile(job: Job, manifest: string | undefined, features: readonly string[]): Promise<void> {
  const { target, folder, suffix, shared, temporary, report } = job;
  const output = shared ?? path.join(folder, 'target');
  const which = manifest === undefined ? [] : ['--manifest-path', manifest, '--features', features.join(',')];
  const checks = target.checked ? CHECKED_PACKAGES.flatMap((name) => ['--config', checksIn(name)]) : [];
  makeFolder(output);
  // Builds that share a folder put their binaries in the same place of it.
  const unlock = await lock(path.join(output, 'holodiff.lock'), () =>
    report(`${target.text}: waiting for another build`),
  );
  try {
    const { failed, end, stderr, cause } = await runCommand(
      'cargo',
      ['build', '--release', '--locked', ...which, ...checks],
      {
        cwd: adapterOf('kona'),
        env: { CARGO_TARGET_DIR: output, HOLODIFF_VERSION_SUFFIX: suffix },
        shown: true,
      },
    );
    if (failed) throw new BuildError(target.text, `${end}: ${reasonIn(stderr)}; its own output is above`, { cause });
    copyFileSync(path.join(output, 'release', BINARY), temporary);
  } finally {
    unlock();
  }
  if (shared === undefined) rmSync(output, { recursive: true, force: true });
}

/** Where overflow checks are wanted: in kona's own code, by whatever name its crates go. */
const CHECKED_PACKAGES = ['kona-derive', ...PROTOCOL_PACKAGES, ...GENESIS_PACKAGES];

function checksIn(name: string): string {
  return `profile.release.package.${name}.overflow-checks=true`;
}

/** Writes the package that links the adapter with the target. */
async function describePackage(job: Job): Promise<[manifest: string, features: string[]]> {
  const { target, folder, sources } = job;
  const home = path.join(folder, 'package');
  const manifest = path.join(home, 'Cargo.toml');
  const lock = path.join(home, 'Cargo.lock');
  makeFolder(home);

  const stored = target.source.kind === 'release' ? konaRecipe.storedLock(target.source.version) : undefined;
  const workspace = sources === undefined ? undefined : await readWorkspace(job, sources);
  const seed = stored ?? (workspace === undefined ? await releasedLock(job) : workspace.lock);
  let text: string;
  try {
    text = konaManifest({
      adapter: adapterOf('kona'),
      adapterManifest: manifestOf('kona'),
      lock: parseCargoLock(readFileSync(seed, 'utf8')),
      folders: workspace?.folders ?? new Map(),
    });
  } catch (error) {
    throw new BuildError(target.text, messageOf(error), { cause: error });
  }
  writeFile(manifest, text);
  copyFileSync(seed, lock);
  const { packages } = await metadata(job, manifest, stored === undefined ? [] : ['--locked']);
  return [manifest, featuresOf(job, packages)];
}

/** The `Cargo.lock` that a version was published with, or for lack of one what Cargo makes of its requirements now. */
async function releasedLock({ target, folder }: Job): Promise<string> {
  const { source } = target;
  if (source.kind !== 'release') throw new Error('only releases have a published lock file');
  const home = path.join(folder, 'published');
  const manifest = path.join(home, 'Cargo.toml');
  const package_ = ['[package]', 'name = "published"', 'version = "0.0.0"', 'edition = "2024"', '[workspace]'];
  const dependency = `kona-derive = { version = "=${source.version}", default-features = false }`;
  writeFile(manifest, `${[...package_, '[dependencies]', dependency].join('\n')}\n`);
  writeFile(path.join(home, 'src', 'lib.rs'), '');
  const { failed, stderr, stdout, end, cause } = await runCommand(
    'cargo',
    ['metadata', '--format-version', '1', '--manifest-path', manifest],
    { cwd: home },
  );
  if (failed) {
    const others = /candidate versions found which didn't match: (.*)/.exec(stderr)?.[1];
    const why =
      others === undefined
        ? `${end}: ${reasonIn(stderr)}`
        : `kona-derive ${source.version} is not published: there are ${others}`;
    throw new BuildError(target.text, why, { cause });
  }
  const { packages } = JSON.parse(stdout) as CargoMetadata;
  const kona = packages.find(({ name }) => name === 'kona-derive')!;
  const shipped = path.join(path.dirname(kona.manifest_path), 'Cargo.lock');
  return existsSync(shipped) ? shipped : path.join(home, 'Cargo.lock');
}

/** The packages of a folder of kona's sources, and its lock file. */
async function readWorkspace(
  job: Job,
  sources: string,
): Promise<{ readonly lock: string; readonly folders: ReadonlyMap<string, string> }> {
  const { text } = job.target;
  const manifest = path.join(sources, 'Cargo.toml');
  const { packages, workspace_root } = await metadata(job, manifest, ['--no-deps']);
  const folders = new Map(packages.map((one) => [one.name, path.dirname(one.manifest_path)]));
  if (!folders.has('kona-derive')) {
    throw new BuildError(text, `${manifest} has no package kona-derive: expected ${konaRecipe.folderIs}`);
  }
  const lock = path.join(workspace_root, 'Cargo.lock');
  if (!existsSync(lock)) throw new BuildError(text, `there is no ${lock}: expected the workspace's lock file`);
  return { lock, folders };
}

async function metadata({ target }: Job, manifest: string, args: readonly string[]): Promise<CargoMetadata> {
  const { failed, end, stdout, stderr, cause } = await runCommand(
    'cargo',
    ['metadata', '--format-version', '1', '--manifest-path', manifest, ...args],
    // Not in the user's folder, which may ask for another toolchain than the one that builds.
    { cwd: adapterOf('kona') },
  );
  if (failed) throw new BuildError(target.text, `${end}: ${reasonIn(stderr)}`, { cause });
  return JSON.parse(stdout) as CargoMetadata;
}

/** What has another form in some version: the adapter's feature for it, and how the sources tell. */
const FORMS: readonly {
  readonly feature: string;
  readonly package: RegExp;
  readonly file: string;
  readonly applies: (text: string) => boolean;
}[] = [
  {
    feature: 'prelude',
    package: /^kona-derive$/,
    file: 'src/lib.rs',
    applies: (text) => /^pub mod prelude\b/m.test(text),
  },
  {
    feature: 'no_batcher_address',
    package: /^kona-derive$/,
    file: 'src/traits/data_sources.rs',
    applies: (text) => !/\basync fn next\([^)]*\bAddress\b/.test(text),
  },
  {
    feature: 'transaction_type',
    package: matching(PROTOCOL_PACKAGES),
    file: 'src/batch/traits.rs',
    applies: (text) => /^\s*type Transaction\b/m.test(text),
  },
  {
    feature: 'flat_forks',
    package: matching(GENESIS_PACKAGES),
    file: 'src/rollup.rs',
    applies: (text) => !/\bpub hardforks: HardForkConfig\b/.test(text),
  },
  {
    feature: 'no_jovian',
    package: matching(GENESIS_PACKAGES),
    file: 'src/rollup.rs',
    applies: (text) => !/\bfn is_jovian_active\b/.test(text),
  },
];

function matching(names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.join('|')})$`);
}

/** The adapter's features that fit the packages' public interfaces. */
function featuresOf({ target }: Job, packages: readonly CargoPackage[]): string[] {
  return FORMS.filter(({ package: name, file, applies }) => {
    // Newest name first: an older package may be there for another one's sake.
    const found = packages.filter((one) => name.test(one.name)).sort((a, b) => rank(a.name) - rank(b.name))[0];
    const place = found && path.join(path.dirname(found.manifest_path), file);
    if (place !== undefined && existsSync(place)) return applies(readFileSync(place, 'utf8'));
    throw new BuildError(target.text, `cannot be built: it has no ${place ?? `package ${name.source}`}`);
  }).map(({ feature }) => feature);
}

function rank(name: string): number {
  const names: readonly string[] = [...PROTOCOL_PACKAGES, ...GENESIS_PACKAGES];
  return names.indexOf(name);
}
