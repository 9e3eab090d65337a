/** The order of versions. */

/** As `0.3.0`; what stands behind a hyphen comes before the release, and what stands behind a plus sign does not count. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  for (let i = 0; i < Math.max(left.numbers.length, right.numbers.length); i++) {
    const step = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (step !== 0) return step;
  }
  if (left.pre === right.pre) return 0;
  if (left.pre === undefined || right.pre === undefined) return left.pre === undefined ? 1 : -1;
  return left.pre.localeCompare(right.pre, 'en', { numeric: true });
}

function parse(version: string): { readonly numbers: readonly number[]; readonly pre: string | undefined } {
  const [numbers = '', pre] = version.split('+', 1)[0]!.split(/-(.*)/s, 2);
  return { numbers: numbers.split('.').map(Number), pre };
}

/** The same, with those last of equals that were built in a special way. */
export function byVersion(a: string, b: string): number {
  const [plainA, plainB] = [a, b].map((version) => version.split('+', 1)[0]!);
  return compareVersions(a, b) || a.length - plainA!.length - (b.length - plainB!.length) || (a < b ? -1 : 1);
}
