/** Versions of op-geth: which is nearest to one that cannot be had. */

interface OpGethVersion {
  /** The release of go-ethereum that it follows, as op-geth numbers it: 101702 is 1.17.2. */
  readonly line: number;
  readonly patch: number;
  /** What stands behind the first hyphen; empty for a release. */
  readonly pre: string;
}

function parse(version: string): OpGethVersion | undefined {
  const [, line, patch, pre = ''] = /^v1\.(\d+)\.(\d+)(?:-(.+))?$/.exec(version) ?? [];
  return line === undefined ? undefined : { line: Number(line), patch: Number(patch), pre };
}

/**
 * The versions from the nearest on: of the same line first, there the next patch first, of equals the earlier one.
 *
 * @param wanted - such as `v1.101702.1-rc.1`; the candidates are spelled the same way
 */
export function nearestFirst(wanted: string, candidates: readonly string[]): string[] {
  const target = parse(wanted);
  if (target === undefined) return [];
  const distance = ({ line, patch }: OpGethVersion) => [Math.abs(line - target.line), Math.abs(patch - target.patch)];
  return [...new Set(candidates)]
    .flatMap((text) => {
      const version = parse(text);
      return version === undefined || text === wanted ? [] : [{ text, version, by: distance(version) }];
    })
    .sort((a, b) => a.by[0]! - b.by[0]! || a.by[1]! - b.by[1]! || earlier(a.version, b.version))
    .map(({ text }) => text);
}

/** A release comes behind its candidates; two candidates in the order of their numbers. */
function earlier(a: OpGethVersion, b: OpGethVersion): number {
  if (a.line !== b.line) return a.line - b.line;
  if (a.patch !== b.patch) return a.patch - b.patch;
  if (a.pre === '' || b.pre === '') return a.pre === b.pre ? 0 : a.pre === '' ? 1 : -1;
  return a.pre.localeCompare(b.pre, 'en', { numeric: true });
}
