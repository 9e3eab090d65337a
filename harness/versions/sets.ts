/** The versions that are asked unless others are named. */

import { pinnedVersion, type ReferenceName } from '../references/names.ts';

/** Besides the pinned one, the oldest that builds and the last before each change that shows; see docs/versions.md. */
const EARLIER: Readonly<Record<ReferenceName, readonly string[]>> = {
  kona: ['0.2.0', '0.3.0', '0.4.4'],
  'op-node': ['1.11.2', '1.12.2', '1.14.3', '1.19.0'],
};

/** How the versions of a reference's built-in set are spelled, the oldest first. */
export function builtInSet(reference: ReferenceName): string[] {
  const pinned = pinnedVersion(reference);
  const versions = [...EARLIER[reference], pinned, ...(reference === 'kona' ? [`${pinned}+checked`] : [])];
  return versions.map((version) => `${reference}@${version}`);
}
