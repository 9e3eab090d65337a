/** The versions that are asked unless others are named. */

import { pinnedVersion, type ReferenceName } from '../references/names.ts';

/** Published versions between which something changed, besides the pinned one; see docs/versions.md. */
const EARLIER: Readonly<Record<ReferenceName, readonly string[]>> = {
  kona: ['0.2.0', '0.2.4', '0.3.0', '0.4.0'],
  'op-node': ['1.12.2', '1.13.7', '1.16.13'],
};

/** How the versions of a reference's built-in set are spelled, the oldest first. */
export function builtInSet(reference: ReferenceName): string[] {
  const pinned = pinnedVersion(reference);
  const versions = [...EARLIER[reference], pinned, ...(reference === 'kona' ? [`${pinned}+checked`] : [])];
  return versions.map((version) => `${reference}@${version}`);
}
