/** Which build of a reference is meant: a published version or a folder of sources, with overflow checks or without. */

import { createHash } from 'node:crypto';
import path from 'node:path';
import { HolodiffError } from '../errors.ts';
import { isReferenceName, pinnedVersion, REFERENCE_NAMES, type ReferenceName } from './names.ts';

/** Where the reference's sources come from. */
type TargetSource =
  /** As published. */
  | { readonly kind: 'release'; readonly version: string }
  /** A folder of the user's, as it is now. */
  | { readonly kind: 'folder'; readonly folder: string }
  /** A revision of the git repository in a folder of the user's. */
  | { readonly kind: 'revision'; readonly folder: string; readonly revision: string };

export interface Target {
  readonly reference: ReferenceName;
  readonly source: TargetSource;
  /** Whether an overflow of integers is a panic. */
  readonly checked: boolean;
  /** How it is spelled, shortest form: `kona`, `kona@0.3.0`, `kona@0.4.5+checked`, `op-node@path:../optimism#REV`. */
  readonly text: string;
}

const CHECKED = '+checked';
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

/** Whether the text begins with the name of a reference: then {@link parseTarget} says what is wrong with the rest. */
export function namesReference(text: string): boolean {
  return isReferenceName(text.split(/[@+]/, 1)[0]!);
}

/** Reads `kona`, `kona@0.3.0`, `kona@0.4.5+checked`, `op-node@path:FOLDER#REVISION`. @throws HolodiffError */
export function parseTarget(text: string): Target {
  const checked = text.endsWith(CHECKED);
  const plain = checked ? text.slice(0, -CHECKED.length) : text;
  const at = plain.indexOf('@');
  const reference = at === -1 ? plain : plain.slice(0, at);
  if (!isReferenceName(reference)) {
    throw refuse(text, `no reference is called ${reference || 'nothing'}: there are ${REFERENCE_NAMES.join(' and ')}`);
  }
  if (checked && reference !== 'kona') {
    throw refuse(text, `${CHECKED} is for kona alone: Go has no builds with overflow checks`);
  }
  const pinned = pinnedVersion(reference);
  const what = at === -1 ? pinned : plain.slice(at + 1);
  const source = parseSource(text, what);
  const isPinned = source.kind === 'release' && source.version === pinned;
  const name = isPinned && !checked ? reference : `${reference}@${what}${checked ? CHECKED : ''}`;
  return { reference, source, checked, text: name };
}

function parseSource(text: string, what: string): TargetSource {
  if (!what.startsWith('path:')) {
    if (VERSION.test(what)) return { kind: 'release', version: what };
    throw refuse(text, `expected a version such as 0.4.5, or path:FOLDER, in place of ${what || 'nothing'}`);
  }
  const place = what.slice('path:'.length);
  const hash = place.lastIndexOf('#');
  const folder = hash === -1 ? place : place.slice(0, hash);
  if (folder === '') throw refuse(text, 'expected a folder behind path:');
  if (hash === -1) return { kind: 'folder', folder: path.resolve(folder) };
  const revision = place.slice(hash + 1);
  if (revision === '' || revision.startsWith('-')) throw refuse(text, 'expected a git revision behind #');
  return { kind: 'revision', folder: path.resolve(folder), revision };
}

function refuse(text: string, message: string): HolodiffError {
  return new HolodiffError('unknown-implementation', `${text}: ${message}`);
}

/** How a recorded or journalled implementation is spelled, or `undefined` if it cannot be built again by that alone. */
export function spellingOf({ name, version }: { readonly name: string; readonly version: string }): string | undefined {
  const reference = name.split('@', 1)[0]!;
  const plain = version.endsWith(CHECKED) ? version.slice(0, -CHECKED.length) : version;
  return isReferenceName(reference) && VERSION.test(plain) ? parseTarget(`${reference}@${version}`).text : undefined;
}

/** Whether it is what the adapter's own manifest pins. */
export function isPinned({ reference, text }: Target): boolean {
  return text === reference;
}

/** The name of its folder among the builds. */
export function folderNameOf(target: Target): string {
  const { source, reference, checked, text } = target;
  if (source.kind === 'release') return text;
  const place = source.kind === 'revision' ? `${source.folder}#${source.revision}` : source.folder;
  const hash = createHash('sha256').update(place).digest('hex').slice(0, 8);
  const name = path.basename(source.folder).replace(/[^\w.-]/g, '_');
  return `${reference}@path-${name}-${hash}${checked ? CHECKED : ''}`;
}
