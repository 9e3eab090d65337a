/** From what a user names to something that derives. */

import path from 'node:path';
import { parseCommandString } from 'execa';
import type { Variant } from '../../src/rules/rule-book.ts';
import { HolodiffError } from '../errors.ts';
import { buildReference, REFERENCE_NAMES, ToolchainError } from '../references/build.ts';
import { isPinned, namesReference, parseTarget, type Target } from '../references/target.ts';
import { BuildError } from '../references/toolchain.ts';
import type { Implementation } from './implementation.ts';
import { distinctly } from './named.ts';
import type { ProcessLimits } from './process.ts';

/** What takes part unless something else is named. */
const IMPLEMENTATION_NAMES = ['typescript', ...REFERENCE_NAMES] as const;

/** What can be named. */
const KNOWN = `${IMPLEMENTATION_NAMES.join(', ')}, a reference with @VERSION or @path:FOLDER, or NAME=COMMAND`;

export interface OpenOptions {
  /** Changes the rules of the TypeScript pipeline. */
  readonly variant?: Variant | undefined;
  readonly limits?: Partial<ProcessLimits> | undefined;
  /** Hears about builds and about what is missing. */
  readonly report: (line: string) => void;
}

/**
 * Opens a reference as a process, building it first if that is needed.
 *
 * @param spec - `kona`, or a certain build of it such as `kona@0.3.0` or `kona@path:FOLDER#REVISION`
 */
export async function openReference(spec: string, options: OpenOptions): Promise<Implementation> {
  const target = parseNamed(spec);
  const { binary } = await buildNamed(target, options);
  const { ProcessImplementation } = await import('./process.ts');
  return ProcessImplementation.start({
    command: binary,
    label: target.text,
    how: 'process',
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
}

/** What is named by a flag. @throws HolodiffError */
export function parseNamed(spec: string): Target {
  try {
    return parseTarget(spec);
  } catch (error) {
    throw error instanceof HolodiffError ? ofFlag(error) : error;
  }
}

/** The error of a choice of the user's, naming where it was made. */
function ofFlag(error: HolodiffError): HolodiffError {
  return new HolodiffError(error.code, `--implementation ${error.message}`, { cause: error });
}

async function buildNamed(target: Target, { report }: OpenOptions): ReturnType<typeof buildReference> {
  try {
    return await buildReference(target, report);
  } catch (error) {
    // What takes part without being named was no choice.
    throw error instanceof BuildError && !isPinned(target) ? ofFlag(error) : error;
  }
}

/**
 * Opens what derives any vector: the TypeScript pipeline, a reference, or another program that keeps the adapter
 * protocol, `NAME=COMMAND`.
 */
export async function openLive(spec: string, options: OpenOptions): Promise<Implementation> {
  if (spec === 'typescript') return openTypeScript(options);
  if (spec.includes('=')) return openProgram(spec, options);
  if (namesReference(spec)) return openReference(spec, options);
  throw new HolodiffError('unknown-implementation', `--implementation ${spec}: expected ${KNOWN}`);
}

/** Opens several, each once and under a name of its own; if one cannot be opened, none stays open. */
export async function openAllLive(specs: readonly string[], options: OpenOptions): Promise<Implementation[]> {
  const opened: Implementation[] = [];
  try {
    for (const spec of onceEach(specs)) opened.push(await openLive(spec, options));
    return distinctly(opened);
  } catch (error) {
    await Promise.all(opened.map((implementation) => implementation.close()));
    throw error;
  }
}

/** The two sides of `NAME=COMMAND`; the command is cut at spaces, and `\ ` is a space within a word. */
export function parseProgram(spec: string): { readonly name: string; readonly words: readonly [string, ...string[]] } {
  const [, name = '', text = ''] = /^([^=]*)=(.*)$/s.exec(spec) ?? [];
  const [command, ...args] = parseCommandString(text);
  if (name !== '' && name !== 'typescript' && command !== undefined) return { name, words: [command, ...args] };
  throw new HolodiffError('unknown-implementation', `--implementation ${spec}: expected NAME=COMMAND`);
}

async function openProgram(spec: string, options: OpenOptions): Promise<Implementation> {
  const { name, words } = parseProgram(spec);
  const [command, ...args] = words;
  const { ProcessImplementation } = await import('./process.ts');
  const program = await ProcessImplementation.start({ command, args, label: name, limits: options.limits ?? {} });
  if (program.name === name) return program;
  await program.close();
  throw new HolodiffError('bad-handshake', `--implementation ${spec}: calls itself ${program.name}`);
}

/** Opens the TypeScript pipeline. */
export async function openTypeScript(options: OpenOptions): Promise<Implementation> {
  const { TypeScriptImplementation } = await import('./typescript.ts');
  return new TypeScriptImplementation(options.variant);
}

export interface OpenForFilesOptions extends OpenOptions {
  /** What the user named; empty for everything at hand. */
  readonly names: readonly string[];
  /** Take recorded traces even where a reference could be built. */
  readonly recorded: boolean;
  /** The vector files, beside which recorded traces lie. */
  readonly files: readonly string[];
}

/**
 * Opens implementations to compare over files. Without names: the TypeScript pipeline and each reference, built where
 * its toolchain is there, else recorded, else left out with a word about it.
 */
export async function openForFiles(options: OpenForFilesOptions): Promise<Implementation[]> {
  const named = options.names.length > 0;
  const wanted = named ? onceEach(options.names) : IMPLEMENTATION_NAMES;
  const opened: Implementation[] = [];
  try {
    for (const name of wanted) {
      const implementation = await open(name, named, options);
      if (implementation !== undefined) opened.push(implementation);
    }
    return distinctly(opened);
  } catch (error) {
    await Promise.all(opened.map((implementation) => implementation.close()));
    throw error;
  }
}

/** What is named twice, if only by two spellings, is meant once. */
function onceEach(specs: readonly string[]): string[] {
  return [
    ...new Set(specs.map((spec) => (namesReference(spec) && !spec.includes('=') ? parseNamed(spec).text : spec))),
  ];
}

async function open(spec: string, named: boolean, options: OpenForFilesOptions): Promise<Implementation | undefined> {
  if (spec === 'typescript' || spec.includes('=')) return openLive(spec, options);
  const [, kept] = /^typescript@(.+)$/.exec(spec) ?? [];
  // What a variant gave of the vectors that were kept for it.
  if (kept !== undefined) return loadRecorded('typescript', kept, options);
  if (!namesReference(spec)) {
    throw new HolodiffError('unknown-implementation', `--implementation ${spec}: expected ${KNOWN}`);
  }
  const target = parseNamed(spec);
  if (options.recorded) return openRecorded(target, options);
  try {
    return await openReference(spec, options);
  } catch (error) {
    if (!(error instanceof ToolchainError)) throw error;
    try {
      const recorded = await openRecorded(target, options);
      options.report(`${error.message}; its recorded traces are used`);
      return recorded;
    } catch {
      if (named) throw error;
      options.report(`${error.message}, and no recorded traces lie beside the vectors: it is left out`);
      return undefined;
    }
  }
}

async function openRecorded(
  { reference, source, checked, text }: Target,
  options: OpenForFilesOptions,
): Promise<Implementation> {
  if (source.kind !== 'release') {
    throw new HolodiffError('not-found', `--implementation ${text}: --recorded knows published versions only`);
  }
  return await loadRecorded(reference, `${source.version}${checked ? '+checked' : ''}`, options);
}

async function loadRecorded(name: string, version: string, { files }: OpenForFilesOptions): Promise<Implementation> {
  const { RecordedImplementation } = await import('./recorded.ts');
  const recorded = RecordedImplementation.load(
    name,
    version,
    files.map((file) => path.dirname(file)),
  );
  if (recorded === undefined) {
    throw new HolodiffError('not-found', `${name} ${version}: no recorded traces beside the vectors`);
  }
  return recorded;
}
