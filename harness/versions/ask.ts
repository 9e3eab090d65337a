/** Replays vectors through versions of the references, one after the other, and says what changed between them. */

import path from 'node:path';
import type { Side } from '../compare/compare.ts';
import { HolodiffError } from '../errors.ts';
import type { LoadedVector } from '../files.ts';
import { type Handshake, type Implementation, type Incident, inOrder } from '../implementations/implementation.ts';
import { openForFiles, parseNamed } from '../implementations/open.ts';
import type { ProcessLimits } from '../implementations/process.ts';
import { REFERENCE_NAMES, type ReferenceName } from '../references/names.ts';
import { byVersion } from '../references/version-order.ts';
import { recordedVersions } from '../variant/open.ts';
import { type Answers, Baseline, type ChangeGroup, type Tally } from './history.ts';
import { builtInSet } from './sets.ts';

/** What one version did. */
export interface VersionAnswer extends Tally {
  /** `NAME@VERSION`, with the version that it reports. */
  readonly title: string;
  readonly how: string;
  readonly handshake: Handshake;
  readonly incidents: readonly Incident[];
}

/** From one version to the next. */
export interface Step {
  readonly from: string;
  readonly to: string;
  /** Vectors of which both gave a trace. */
  readonly compared: number;
  readonly groups: readonly ChangeGroup[];
}

/** The versions of one reference, the oldest first. */
export interface ReferenceHistory {
  readonly reference: ReferenceName;
  readonly versions: readonly VersionAnswer[];
  readonly steps: readonly Step[];
  /** Versions that could not be asked, and why. */
  readonly failures: readonly string[];
}

export interface VersionsAnswer {
  readonly vectors: number;
  readonly histories: readonly ReferenceHistory[];
}

export interface AskVersionsOptions {
  /** The smallest first. */
  readonly corpus: readonly LoadedVector[];
  /** How each version is spelled, such as `kona@0.3.0`. */
  readonly specs: readonly string[];
  /** Take recorded traces instead of programs. */
  readonly recorded: boolean;
  readonly limits: Partial<ProcessLimits>;
  /** Hears about builds and about who is being asked. */
  readonly note: (line: string) => void;
}

export interface WantedVersions {
  /** Named one by one. */
  readonly named: readonly string[];
  /** Only these references; empty for all. */
  readonly of: readonly ReferenceName[];
  readonly recorded: boolean;
}

/** How the versions are spelled that a user asks for: those named, or the built-in set, or all that were recorded. */
export function wantedVersions({ named, of, recorded }: WantedVersions, corpus: readonly LoadedVector[]): string[] {
  if (named.length > 0) return [...named];
  const references = REFERENCE_NAMES.filter((name) => of.length === 0 || of.includes(name));
  if (!recorded) return references.flatMap(builtInSet);
  const folders = corpus.map(({ file }) => path.dirname(file));
  return recordedVersions(folders).flatMap(([name, version]) =>
    references.includes(name) ? [`${name}@${version}`] : [],
  );
}

/** Asks all versions. Those that cannot be asked are part of the answer. */
export async function askVersions(options: AskVersionsOptions): Promise<VersionsAnswer> {
  const targets = options.specs.map((spec) => ({ spec, ...parseNamed(spec) }));
  const baseline = new Baseline(options.corpus);
  const histories: ReferenceHistory[] = [];
  for (const reference of REFERENCE_NAMES) {
    const releases = new Map<string, string>();
    const others = new Map<string, string>();
    for (const { text, spec, source, checked } of targets.filter((target) => target.reference === reference)) {
      if (source.kind === 'release') releases.set(`${source.version}${checked ? '+checked' : ''}`, text);
      else others.set(text, spec);
    }
    // Published versions in their order, then what the user has, as it was named.
    const ordered = [...releases].sort(([a], [b]) => byVersion(a, b)).map(([, text]) => text);
    const specs = [...ordered, ...others.keys()];
    if (specs.length > 0) histories.push(await historyOf(reference, specs, baseline, options));
  }
  return { vectors: options.corpus.length, histories };
}

async function historyOf(
  reference: ReferenceName,
  specs: readonly string[],
  baseline: Baseline,
  options: AskVersionsOptions,
): Promise<ReferenceHistory> {
  const versions: VersionAnswer[] = [];
  const steps: Step[] = [];
  const failures: string[] = [];
  let before: { readonly title: string; readonly answers: Answers } | undefined;
  for (const spec of specs) {
    const asked = await askOne(spec, options);
    if (asked instanceof HolodiffError) {
      options.note(asked.message);
      failures.push(asked.message);
      continue;
    }
    const { title, answers, ...rest } = asked;
    versions.push({ title, ...rest, ...baseline.tally(answers) });
    if (before !== undefined) {
      const earlier = before.answers;
      const compared = [...answers.keys()].filter((name) => earlier.has(name)).length;
      steps.push({ from: before.title, to: title, compared, groups: baseline.changes(earlier, answers) });
    }
    before = { title, answers };
  }
  return { reference, versions, steps, failures };
}

type Asked = Omit<VersionAnswer, keyof Tally> & { readonly answers: Answers };

async function askOne(
  spec: string,
  { corpus, recorded, limits, note }: AskVersionsOptions,
): Promise<Asked | HolodiffError> {
  let implementation: Implementation;
  try {
    const files = corpus.map(({ file }) => file);
    [implementation] = (await openForFiles({ names: [spec], recorded, files, limits, report: note })) as [
      Implementation,
    ];
  } catch (error) {
    if (error instanceof HolodiffError) return error;
    throw error;
  }
  const { name, version, how, handshake } = implementation;
  const title = `${name}@${version}`;
  note(`${title} (${how})`);
  const answers = new Map<string, Side>();
  try {
    const ask = async ({ vector, line }: LoadedVector) => ({
      name: vector.name,
      answer: await implementation.submit(line, vector),
    });
    const given = inOrder(corpus, implementation.inFlight, ask, ({ line }) => line.length);
    for await (const { name, answer } of given) {
      if (answer.kind !== 'trace') continue;
      answers.set(name, {
        implementation: title,
        trace: answer.trace,
        silent: answer.incident !== undefined,
      });
    }
  } finally {
    await implementation.close();
  }
  return { title, how, handshake, incidents: implementation.incidents, answers };
}
