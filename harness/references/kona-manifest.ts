/** The Cargo package that links the adapter's own sources with another kona than the pinned one. */

import path from 'node:path';
import { type LockedPackage, lockedVersion } from './cargo-lock.ts';

/** Where kona's types of blocks and batches have lived, and its rollup configuration, newest first. */
export const PROTOCOL_PACKAGES = ['kona-protocol', 'maili-protocol', 'op-alloy-protocol'] as const;
export const GENESIS_PACKAGES = ['kona-genesis', 'maili-genesis', 'op-alloy-genesis'] as const;

/** Types that kona's public interfaces are made of, with what the adapter needs of them. */
const SHARED: Readonly<Record<string, string>> = {
  'alloy-consensus': 'default-features = false',
  'alloy-eips': 'default-features = false',
  'alloy-primitives': 'features = ["serde"]',
  'alloy-rlp': '',
  'alloy-rpc-types-engine': 'default-features = false',
  'async-trait': '',
  'op-alloy-consensus': 'default-features = false',
  'op-alloy-rpc-types-engine': 'default-features = false',
};

/** What the adapter itself needs, whatever kona it drives. */
const OWN: Readonly<Record<string, string>> = {
  serde: 'features = ["derive"]',
  serde_json: '',
};

export interface KonaManifestOptions {
  /** The adapter's own package. */
  readonly adapter: string;
  /** The adapter's own manifest: its features and profiles hold for every version. */
  readonly adapterManifest: string;
  /** What kona was released or is developed with. */
  readonly lock: readonly LockedPackage[];
  /** Folders of kona's packages by name, where they are not taken from the registry. */
  readonly folders: ReadonlyMap<string, string>;
}

/**
 * The text of the manifest. Every version is exact, so that the adapter and kona share their types.
 *
 * @throws Error saying what the lock file lacks
 */
export function konaManifest({ adapter, adapterManifest, lock, folders }: KonaManifestOptions): string {
  const kona = lock.find(({ name }) => name === 'kona-derive');
  if (kona === undefined) throw new Error('its Cargo.lock does not hold kona-derive');
  const linked = (names: readonly string[]) => {
    for (const name of names) {
      const version = lockedVersion(lock, kona, name);
      if (version !== undefined) return { name, version };
    }
    throw new Error(`its Cargo.lock does not say which of ${names.join(', ')} kona-derive is built on`);
  };
  const requirement = (name: string, version: string, more: string, alias = name) => {
    const folder = folders.get(name);
    const from = folder === undefined ? `version = ${version}` : `path = ${quoted(folder)}`;
    const renamed = alias === name ? [] : [`package = "${name}"`];
    return `${alias} = { ${[...renamed, from, more].filter((part) => part !== '').join(', ')} }`;
  };
  const bare = 'default-features = false';
  const protocol = linked(PROTOCOL_PACKAGES);
  const genesis = linked(GENESIS_PACKAGES);
  return [
    '# Written by holodiff: the adapter with another kona than the pinned one.',
    '[package]',
    'name = "holodiff-kona"',
    'version = "0.1.0"',
    'edition = "2024"',
    'publish = false',
    `build = ${quoted(path.join(adapter, 'build.rs'))}`,
    '',
    '[lib]',
    `path = ${quoted(path.join(adapter, 'src', 'lib.rs'))}`,
    '',
    '[[bin]]',
    'name = "holodiff-kona"',
    `path = ${quoted(path.join(adapter, 'src', 'main.rs'))}`,
    '',
    '[workspace]',
    '',
    '[dependencies]',
    requirement('kona-derive', exactly(kona.version), bare),
    requirement(genesis.name, exactly(genesis.version), bare, 'kona-genesis'),
    requirement(protocol.name, exactly(protocol.version), bare, 'kona-protocol'),
    ...Object.entries(SHARED).map(([name, more]) => requirement(name, exactly(linked([name]).version), more)),
    ...Object.entries(OWN).map(([name, more]) => {
      const version = lock.find((one) => one.name === name)?.version;
      return requirement(name, version === undefined ? '"1"' : exactly(version), more);
    }),
    '',
    ...sections(adapterManifest, /^\[(?:features|profile\.release)\]$/),
  ].join('\n');
}

/** The sections of a manifest whose headings match, as they stand there. */
function sections(manifest: string, heading: RegExp): string[] {
  return manifest
    .split(/^(?=\[)/m)
    .filter((section) => heading.test(section.split('\n')[0]!))
    .map((section) => `${section.trimEnd()}\n`);
}

function exactly(version: string): string {
  return quoted(`=${version}`);
}

/** A TOML string: JSON's escapes are among TOML's. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
