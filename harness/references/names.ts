/** Which references there are, and what their own manifests pin. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { HolodiffError } from '../errors.ts';
import { PACKAGE_ROOT } from '../places.ts';

/** The references, in the order in which they are named everywhere. */
export const REFERENCE_NAMES = ['kona', 'op-node'] as const;

export type ReferenceName = (typeof REFERENCE_NAMES)[number];

export function isReferenceName(name: string): name is ReferenceName {
  return (REFERENCE_NAMES as readonly string[]).includes(name);
}

interface Manifest {
  /** The file that pins the reference and the toolchain. */
  readonly file: string;
  readonly version: RegExp;
  /** The oldest toolchain. */
  readonly oldest: RegExp;
}

const MANIFESTS: Readonly<Record<ReferenceName, Manifest>> = {
  kona: {
    file: 'Cargo.toml',
    version: /^kona-derive = .*"=([\d.]+)"/m,
    oldest: /^rust-version = "([\d.]+)"/m,
  },
  'op-node': {
    file: 'go.mod',
    version: /^\s*github\.com\/ethereum-optimism\/optimism v([\d.]+)/m,
    oldest: /^go ([\d.]+)/m,
  },
};

/** The folder of a reference's adapter. */
export function adapterOf(name: ReferenceName): string {
  return path.join(PACKAGE_ROOT, 'harness', 'references', name);
}

/** The text of the manifest that pins the reference. */
export function manifestOf(name: ReferenceName): string {
  return readFileSync(path.join(adapterOf(name), MANIFESTS[name].file), 'utf8');
}

/** The version of the reference that the adapter pins. */
export function pinnedVersion(name: ReferenceName): string {
  return inManifest(name, 'version');
}

/** The oldest version of the toolchain that builds the adapter. */
export function oldestToolchain(name: ReferenceName): string {
  return inManifest(name, 'oldest');
}

function inManifest(name: ReferenceName, what: 'version' | 'oldest'): string {
  const { file, [what]: pattern } = MANIFESTS[name];
  const found = pattern.exec(manifestOf(name))?.[1];
  if (found !== undefined) return found;
  throw new HolodiffError('build-failed', `${name}: ${file} does not say what ${pattern.source} looks for`);
}
