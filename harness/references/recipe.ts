/** What a reference's recipe is asked for, and gets. */

import type { Target } from './target.ts';

/** One build. */
export interface Job {
  readonly target: Target;
  /** The reference's sources, for a target that is a folder or a revision of one. */
  readonly sources: string | undefined;
  /** What stands behind the version in handshakes and traces: says that it is not what was published. */
  readonly suffix: string;
  /** The build's own folder. */
  readonly folder: string;
  /** Where the toolchain may leave what another build of the reference can use. */
  readonly shared: string | undefined;
  /** Where the binary may be put, if the toolchain lets one choose. */
  readonly temporary: string;
  /** Hears one line about each step. */
  readonly report: (line: string) => void;
}

export interface Recipe {
  /** The file by which a folder of the reference's sources is known. */
  readonly manifest: string;
  /** What such a folder is, for people. */
  readonly folderIs: string;
  /** A version's lock file among the adapter's own, or `undefined` if there is none and versions have to be looked up. */
  readonly storedLock: (version: string) => string | undefined;
  /** Leaves the binary at the job's temporary place. @throws BuildError */
  readonly build: (job: Job) => Promise<void>;
}
