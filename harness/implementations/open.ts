/** From what a user names to something that derives. */

import path from 'node:path';
import { parseCommandString } from 'execa';
import type { Variant } from '../../src/rules/rule-book.ts';
import { HolodiffError } from '../errors.ts';
import {
  buildReference,
  isReferenceName,
  pinnedVersion,
  REFERENCE_NAMES,
  type ReferenceName,
  ToolchainError,
} from '../references/build.ts';
import type { Implementation } from './implementation.ts';
import type { ProcessLimits } from './process.ts';

/** The names that can be asked for; a reference may carry `@VERSION`, which means its recorded traces. */
const IMPLEMENTATION_NAMES = ['typescript', ...REFERENCE_NAMES] as const;

export interface OpenOptions {
  /** Changes the rules of the TypeScript pipeline. */
  readonly variant?: Variant | undefined;
  readonly limits?: Partial<ProcessLimits> | undefined;
  /** Hears about builds and about what is missing. */
  readonly report: (line: string) => void;
}

/** Opens a reference as a process, building it first if that is needed. */
export async function openReference(name: ReferenceName, options: OpenOptions): Promise<Implementation> {
  const { binary } = await buildReference(name, options.report);
  const { ProcessImplementation } = await import('./process.ts');
  return ProcessImplementation.start({
    command: binary,
    label: name,
    how: 'process',
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
}

/**
 * Opens what derives any vector: the TypeScript pipeline, a reference, or another program that keeps the adapter
 * protocol, `NAME=COMMAND`.
 */
export async function openLive(spec: string, options: OpenOptions): Promise<Implementation> {
  if (spec === 'typescript') return openTypeScript(options);
  if (spec.includes('=')) return openProgram(spec, options);
  if (isReferenceName(spec)) return openReference(spec, options);
  const known = `${IMPLEMENTATION_NAMES.join(', ')}, or NAME=COMMAND`;
  throw new HolodiffError('unknown-implementation', `--implementation ${spec}: expected ${known}`);
}

/** Opens several, each once; if one cannot be opened, none stays open. */
export async function openAllLive(specs: readonly string[], options: OpenOptions): Promise<Implementation[]> {
  const opened: Implementation[] = [];
  try {
    for (const spec of new Set(specs)) opened.push(await openLive(spec, options));
    return opened;
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
  const wanted = named ? [...new Set(options.names)] : IMPLEMENTATION_NAMES;
  const opened: Implementation[] = [];
  try {
    for (const name of wanted) {
      const implementation = await open(name, named, options);
      if (implementation !== undefined) opened.push(implementation);
    }
    return opened;
  } catch (error) {
    await Promise.all(opened.map((implementation) => implementation.close()));
    throw error;
  }
}

async function open(spec: string, named: boolean, options: OpenForFilesOptions): Promise<Implementation | undefined> {
  if (spec === 'typescript' || spec.includes('=')) return openLive(spec, options);
  const [name = '', version] = spec.split('@');
  // What a variant gave of the vectors that were kept for it.
  if (name === 'typescript' && version !== undefined) return openRecorded(name, version, options);
  if (!isReferenceName(name)) {
    const known = `${IMPLEMENTATION_NAMES.join(', ')}, a reference with @VERSION, or NAME=COMMAND`;
    throw new HolodiffError('unknown-implementation', `--implementation ${spec}: expected ${known}`);
  }
  if (version !== undefined) return openRecorded(name, version, options);
  if (options.recorded) return openRecorded(name, pinnedVersion(name), options);
  try {
    return await openReference(name, options);
  } catch (error) {
    if (!(error instanceof ToolchainError)) throw error;
    try {
      const recorded = await openRecorded(name, pinnedVersion(name), options);
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
  name: ReferenceName | 'typescript',
  version: string,
  { files }: OpenForFilesOptions,
): Promise<Implementation> {
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
