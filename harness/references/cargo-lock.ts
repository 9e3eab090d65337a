/** As much of a `Cargo.lock` as it takes to find out which versions a package was released with. */

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** As they stand in the file: `NAME`, with the version behind it where the file holds several of that name. */
  readonly dependencies: readonly string[];
}

const PACKAGE = /^\[\[package\]\]\n((?:(?!\[).*\n?)*)/gm;

/** The packages of a lock file. */
export function parseCargoLock(text: string): LockedPackage[] {
  return [...text.replaceAll('\r\n', '\n').matchAll(PACKAGE)].flatMap(([, fields = '']) => {
    const name = /^name = "(.+)"$/m.exec(fields)?.[1];
    const version = /^version = "(.+)"$/m.exec(fields)?.[1];
    if (name === undefined || version === undefined) return [];
    const list = /^dependencies = \[\n([^\]]*)\]/m.exec(fields)?.[1] ?? '';
    return [{ name, version, dependencies: [...list.matchAll(/^ "(.+)",$/gm)].map(([, text = '']) => text) }];
  });
}

/**
 * The version of `name` that `dependant` is locked to, or `undefined` if it does not depend on it.
 *
 * @param packages - of one lock file
 */
export function lockedVersion(
  packages: readonly LockedPackage[],
  dependant: LockedPackage,
  name: string,
): string | undefined {
  const words = dependant.dependencies.map((text) => text.split(' ')).find(([first]) => first === name);
  return words && (words[1] ?? packages.find((one) => one.name === name)?.version);
}
