/** What there is on this machine, what is missing, and what to do about it. Nothing is changed. */

import { accessSync, constants, existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { VERSION } from '../../src/version.ts';
import { readLedger } from '../compare/ledger.ts';
import { VECTORS_FOLDER } from '../corpus.ts';
import { corpusProblems } from '../corpus-files.ts';
import { messageOf } from '../errors.ts';
import { findVectorFiles } from '../files.ts';
import { recordingFile } from '../implementations/recorded.ts';
import { IS_CHECKOUT, PACKAGE_ROOT, workFolder } from '../places.ts';
import { inspectReference, pinnedVersion, REFERENCE_NAMES, type ReferenceState } from '../references/build.ts';
import { type KnownOption, ledgerFiles } from '../report/known.ts';
import { count } from '../words.ts';
import { findChromium } from './chromium.ts';

/** `ok`: as it should be. `note`: works, and worth knowing. `problem`: something that a command needs is not there. */
type Health = 'ok' | 'note' | 'problem';

export interface Examined {
  readonly id: string;
  readonly health: Health;
  /** What there is. */
  readonly text: string;
  /** What to do. */
  readonly advice?: string;
}

export interface ExamineOptions {
  /** The configuration that holds. */
  readonly config: { readonly file: string | undefined } | { readonly error: unknown };
  readonly known: KnownOption;
  /** The folder below which campaigns are kept. */
  readonly findings: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** Bytes that a build of both references takes, with what their toolchains keep. */
const BUILD_NEEDS = 2e9;

/** Looks at everything, in the order in which it is needed. */
export async function examine(options: ExamineOptions): Promise<Examined[]> {
  const references = await Promise.all(REFERENCE_NAMES.map((name) => inspectReference(name)));
  const [kona, opNode] = references as [ReferenceState, ReferenceState];
  return [
    node(),
    {
      id: 'holodiff',
      health: 'ok',
      text: `${VERSION}, ${IS_CHECKOUT ? 'a checkout' : 'installed'} in ${path.resolve(PACKAGE_ROOT)}`,
    },
    config(options),
    await rust(kona),
    go(opNode),
    ...references.map(built),
    ...buildFolders(references),
    ...ledgers(options),
    ...corpus(),
    findings(options),
    ...(IS_CHECKOUT ? [chromium(options)] : []),
  ];
}

function node(): Examined {
  const manifest = JSON.parse(readFileSync(path.join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const oldest = Number(/\d+/.exec(manifest.engines.node)?.[0]);
  const { node: version } = process.versions;
  const text = `${version} (${oldest} or newer is needed), ${process.execPath}`;
  if (Number.parseInt(version, 10) >= oldest) return { id: 'node', health: 'ok', text };
  return { id: 'node', health: 'problem', text, advice: `install Node ${oldest} or newer` };
}

function config({ config: given }: ExamineOptions): Examined {
  if (!('error' in given))
    return { id: 'config', health: 'ok', text: given.file ?? 'no configuration; none is needed' };
  const advice = 'mend it, or leave it out with --no-config';
  return { id: 'config', health: 'problem', text: messageOf(given.error), advice };
}

async function rust(state: ReferenceState): Promise<Examined> {
  const { failed, stdout } = await execa('rustc', ['--version'], { reject: false, cwd: PACKAGE_ROOT });
  const cargo = toolchain('rust', state, (oldest) => `install Rust ${oldest} or newer, for example with rustup`);
  if (!failed) return { ...cargo, text: `${stdout.trim()}; ${cargo.text}` };
  if (cargo.health === 'problem' || state.build === 'fresh') return cargo;
  return {
    id: 'rust',
    health: 'problem',
    text: `${cargo.text}; rustc is missing`,
    advice: 'install Rust whole, for example with rustup',
  };
}

function go(state: ReferenceState): Examined {
  return toolchain('go', state, (oldest) => `install Go ${oldest} or newer`);
}

function toolchain(
  id: string,
  { name, toolchain: found, oldest, obstacle, build }: ReferenceState,
  advice: (oldest: string) => string,
): Examined {
  const needed = `${oldest} or newer builds ${name}`;
  if (obstacle === undefined) return { id, health: 'ok', text: `${found!} (${needed})` };
  const text = obstacle.found === undefined ? `missing (${needed})` : `${found!} is too old (${needed})`;
  // What was built before runs without it.
  return { id, health: build === 'fresh' ? 'note' : 'problem', text, advice: advice(oldest) };
}

function built({ name, version, binary, build, obstacle }: ReferenceState): Examined {
  const text = { fresh: 'built', stale: 'built from other sources or with another toolchain', missing: 'not built' }[
    build
  ];
  const where = `${version}, ${text}: ${binary}`;
  if (build === 'fresh') return { id: name, health: 'ok', text: where };
  if (obstacle === undefined) {
    return {
      id: name,
      health: 'note',
      text: where,
      advice: `holodiff build ${name}, or wait: the first command that needs it builds it`,
    };
  }
  const advice =
    'needs the toolchain above; without it replay and explain take recorded traces, and run can only leave it out';
  return { id: name, health: 'note', text: where, advice };
}

/** The folders that builds go to, with what they take. */
function buildFolders(references: readonly ReferenceState[]): Examined[] {
  const folders = [...new Set(references.map(({ folder }) => path.dirname(folder)))];
  const needed = references.some(({ build, obstacle }) => build !== 'fresh' && obstacle === undefined);
  return folders.map((folder) => {
    const others = otherBuilds(folder, references);
    const kept = others.length === 0 ? '' : `, with ${count(others.length, 'build')} of other versions or toolchains`;
    const free = freeAt(folder);
    const text = `${folder}: ${megabytes(sizeOf(folder))} used${kept}${free === undefined ? '' : `, ${megabytes(free)} free on the disk`}`;
    const id = 'build-folder';
    const refusal = refusedWriting(folder);
    if (refusal !== undefined) {
      const advice = 'allow it, or name another folder with --build-dir or HOLODIFF_BUILD_DIR';
      return { id, health: needed ? 'problem' : 'note', text: `${text}; ${refusal}`, advice };
    }
    if (needed && free !== undefined && free < BUILD_NEEDS) {
      return {
        id,
        health: 'problem',
        text,
        advice: `a build takes ${megabytes(BUILD_NEEDS)}: make room, or name another folder with --build-dir`,
      };
    }
    return { id, health: 'ok', text };
  });
}

/** Builds that no reference as it is now would use. */
function otherBuilds(folder: string, references: readonly ReferenceState[]): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter((one) => existsSync(path.join(one, 'stamp.json')) && !references.some((state) => state.folder === one));
}

function ledgers({ known }: ExamineOptions): Examined[] {
  const id = 'ledger';
  const files = ledgerFiles(known);
  if (files.length === 0)
    return [{ id, health: 'note', text: 'no list of known divergences: every difference counts as new' }];
  return files.map((file) => {
    try {
      return { id, health: 'ok', text: `${file}: ${count(readLedger(file).length, 'known divergence')}` };
    } catch (error) {
      return { id, health: 'problem', text: messageOf(error), advice: 'mend the file, or name another with --known' };
    }
  });
}

/** The vectors that come with holodiff, and the references' traces beside them. */
function corpus(): Examined[] {
  const id = 'vectors';
  const advice = IS_CHECKOUT
    ? 'holodiff record vectors for what is new, or take the files from the repository again'
    : 'install holodiff again';
  try {
    const problems = corpusProblems(VECTORS_FOLDER);
    if (problems.length > 0) {
      const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
      return [{ id, health: 'problem', text: `${VECTORS_FOLDER}: ${problems[0]!}${more}`, advice }];
    }
    const vectors = findVectorFiles([VECTORS_FOLDER]);
    const folders = [...new Set(vectors.map((file) => path.dirname(file)))];
    const lacking = REFERENCE_NAMES.filter((name) =>
      folders.some((folder) => !existsSync(recordingFile(folder, name, pinnedVersion(name)))),
    );
    const text = `${VECTORS_FOLDER}: ${count(vectors.length, 'vector')}`;
    if (lacking.length === 0)
      return [{ id, health: 'ok', text: `${text}, with the recorded traces of ${REFERENCE_NAMES.join(' and ')}` }];
    const missing = `${text}; not all have recorded traces of ${lacking.join(' and ')}`;
    return [{ id, health: 'note', text: missing, advice: 'holodiff record vectors' }];
  } catch (error) {
    return [{ id, health: 'problem', text: messageOf(error), advice }];
  }
}

function findings({ findings: given }: ExamineOptions): Examined {
  const folder = path.resolve(given ?? path.join(workFolder(), 'findings'));
  const id = 'findings';
  const refusal = refusedWriting(folder);
  if (refusal !== undefined) {
    const advice = 'allow it, or name another folder with --findings or HOLODIFF_FINDINGS';
    return { id, health: 'problem', text: `${folder}: ${refusal}`, advice };
  }
  if (!existsSync(folder)) return { id, health: 'ok', text: `${folder}: not there yet, made by the first campaign` };
  const campaigns = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).length;
  const free = freeAt(folder);
  const text = `${folder}: ${count(campaigns, 'campaign')}, ${megabytes(sizeOf(folder))}`;
  return { id, health: 'ok', text: free === undefined ? text : `${text}, ${megabytes(free)} free on the disk` };
}

function chromium({ env }: ExamineOptions): Examined {
  const found = findChromium(env);
  const id = 'chromium';
  if (found !== undefined) return { id, health: 'ok', text: `${found} (tests of the HTML report)` };
  const advice = "only holodiff's own tests need it: install Chromium, or name one in HOLODIFF_CHROMIUM";
  return { id, health: 'note', text: 'none found: the HTML report is not tested in a browser', advice };
}

/** Why nothing can be written to a folder, or to the nearest above it that is there. */
function refusedWriting(folder: string): string | undefined {
  const there = nearest(folder);
  if (!statSync(there).isDirectory()) return `${there} is no folder`;
  try {
    accessSync(there, constants.W_OK);
    return undefined;
  } catch {
    return `${there} may not be written`;
  }
}

/** The folder, or the nearest above it that is there. */
function nearest(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder ? folder : nearest(path.dirname(folder));
}

/** Bytes for whoever may write there; nothing where the system does not say. */
function freeAt(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(nearest(folder));
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Bytes of all files below a folder. */
function sizeOf(folder: string): number {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return 0;
  let size = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    // It may go while one looks.
    size += statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return size;
}

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}
