/**
 * How the adapter for op-node is built: the pinned version by the adapter's own `go.mod`, any other one by a module file
 * in its place, with the op-geth that its own `go.mod` names or the nearest one that is served.
 *
 * Module files once resolved are kept in `op-node/versions/VERSION.mod`, each with its sums beside it.
 */

import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, writeFile } from '../files.ts';
import { adapterOf, manifestOf, pinnedVersion } from './names.ts';
import { nearestFirst } from './op-geth.ts';
import type { Job, Recipe } from './recipe.ts';
import { BuildError, type CommandResult, reasonIn, runCommand } from './toolchain.ts';

const OPTIMISM = 'github.com/ethereum-optimism/optimism';
const GO_ETHEREUM = 'github.com/ethereum/go-ethereum';
const OP_GETH = 'github.com/ethereum-optimism/op-geth';

/** As upstream builds it, and so that no C compiler is needed; a module of its own, whatever lies in the folders above. */
const ENV = { CGO_ENABLED: '0', GOWORK: 'off' };

/** The remark behind a replaced op-geth. */
const STAND_IN = /\/\/ for (v\S+), which is not served$/m;

/** A module and the version of it, as `go mod edit -json` writes it. */
interface Module {
  readonly Path: string;
  readonly Version?: string;
}

interface GoMod {
  readonly Module: Module;
  readonly Require?: readonly Module[];
  readonly Replace?: readonly { readonly Old: Module; readonly New: Module }[];
}

export const opNodeRecipe: Recipe = {
  manifest: 'go.mod',
  folderIs: `a folder whose go.mod says "module ${OPTIMISM}"`,
  storedLock: (version) => {
    const file = path.join(versionsFolder(), `${version}.mod`);
    return existsSync(file) ? file : undefined;
  },
  build: async (job) => {
    const { source } = job.target;
    if (source.kind !== 'release') return fromFolder(job, job.sources!);
    if (source.version === pinnedVersion('op-node')) return compile(job, undefined, []);
    return fromRelease(job, source.version);
  },
};

function versionsFolder(): string {
  return path.join(adapterOf('op-node'), 'versions');
}

/**
 * Compiles the adapter.
 *
 * @param modfile - what stands in for its own `go.mod`
 */
async function compile(
  job: Job,
  modfile: string | undefined,
  tags: readonly string[],
  args: readonly string[] = [],
): Promise<void> {
  const { temporary, suffix } = job;
  const which = modfile === undefined ? [] : [`-modfile=${modfile}`, '-tags', tags.join(','), ...args];
  const values = [
    ...(suffix === '' ? [] : [`-X main.versionSuffix=${suffix}`]),
    ...(modfile === undefined ? [] : standIn(modfile).map((named) => `-X main.namedOpGeth=${named}`)),
  ];
  const flags = values.length === 0 ? [] : ['-ldflags', values.join(' ')];
  const result = await go(['build', '-v', '-trimpath', ...which, ...flags, '-o', temporary, '.'], true);
  if (result.failed) throw failure(job, result);
}

/** The op-geth that a release names, where another one stands in for it. */
function standIn(modfile: string): string[] {
  return STAND_IN.exec(readFileSync(modfile, 'utf8'))?.slice(1) ?? [];
}

function failure({ target }: Job, { end, stderr, cause }: CommandResult): BuildError {
  const [, file, pattern] = /^(\S+\.go):[\d:]+ pattern (\S+): no matching files found$/m.exec(stderr) ?? [];
  if (pattern !== undefined) {
    const where = file!.replace(/^.*\/pkg\/mod\//, '');
    const why = `${where} embeds ${pattern}, which the published module does not contain`;
    return new BuildError(target.text, `cannot be built: ${why}`, { cause });
  }
  return new BuildError(target.text, `${end}: ${reasonIn(stderr)}; its own output is above`, { cause });
}

/** A published version, by its stored module file or one made now. */
async function fromRelease(job: Job, version: string): Promise<void> {
  const { target, folder } = job;
  const { Dir: sources, GoMod: manifest } = await download(job, OPTIMISM, `v${version}`);
  const tags = tagsFor(job, sources);
  const stored = opNodeRecipe.storedLock(version);
  if (stored !== undefined) return compile(job, stored, tags);

  const { Require: required = [], Replace: replaced = [] } = await readGoMod(job, manifest);
  const named = replaced.find(({ Old }) => Old.Path === GO_ETHEREUM)?.New.Version;
  if (named === undefined) throw new BuildError(target.text, `its go.mod names no op-geth in place of ${GO_ETHEREUM}`);
  const modfile = writeModfile(folder, {
    require: [
      [OPTIMISM, `v${version}`],
      [GO_ETHEREUM, required.find(({ Path }) => Path === GO_ETHEREUM)?.Version ?? 'v1.17.0'],
    ],
    replace: [await replacement(job, { Path: GO_ETHEREUM }, { Path: OP_GETH, Version: named }, folder)],
  });
  await compile(job, modfile, tags, ['-mod=mod']);
  const linked = (await readGoMod(job, modfile)).Require?.find(({ Path }) => Path === OPTIMISM)?.Version;
  if (linked === `v${version}`) return;
  throw new BuildError(target.text, `the adapter needs packages that it lacks: Go took ${linked} for it`);
}

/** A folder of op-node's sources. */
async function fromFolder(job: Job, sources: string): Promise<void> {
  const { target, folder } = job;
  const manifest = path.join(sources, 'go.mod');
  const { Module: module, Require: required = [], Replace: replaced = [] } = await readGoMod(job, manifest);
  if (module.Path !== OPTIMISM) {
    throw new BuildError(target.text, `${manifest} is of module ${module.Path}: expected ${opNodeRecipe.folderIs}`);
  }
  const replacements: Replacement[] = [];
  for (const { Old, New } of replaced) replacements.push(await replacement(job, Old, New, sources));
  const modfile = writeModfile(folder, {
    require: [
      [OPTIMISM, 'v0.0.0'],
      [GO_ETHEREUM, required.find(({ Path }) => Path === GO_ETHEREUM)?.Version ?? 'v1.17.0'],
    ],
    replace: [[OPTIMISM, quoted(sources), ''], ...replacements],
  });
  if (existsSync(path.join(sources, 'go.sum'))) {
    copyFileSync(path.join(sources, 'go.sum'), modfile.replace(/\.mod$/, '.sum'));
  }
  return compile(job, modfile, tagsFor(job, sources), ['-mod=mod']);
}

type Replacement = readonly [module: string, by: string, remark: string];

interface ModfileContent {
  readonly require: readonly (readonly [module: string, version: string])[];
  readonly replace: readonly Replacement[];
}

/** A replacement as a module file has it, with another op-geth where the one that is named is not served. */
async function replacement(job: Job, from: Module, by: Module, sources: string): Promise<Replacement> {
  const module = from.Version === undefined ? from.Path : `${from.Path} ${from.Version}`;
  const { Path, Version: named } = by;
  if (named === undefined) return [module, quoted(path.resolve(sources, Path)), ''];
  const served = Path === OP_GETH ? await servedOpGeth(job, named) : named;
  return [module, `${Path} ${served}`, served === named ? '' : ` // for ${named}, which is not served`];
}

/** Writes a module file of the adapter; its sums are for Go to find. */
function writeModfile(folder: string, { require, replace }: ModfileContent): string {
  makeFolder(folder);
  const file = path.join(folder, 'op-node.mod');
  const head = manifestOf('op-node').split('\nrequire (', 1)[0]!;
  const lines = [
    head,
    '',
    'require (',
    ...require.map(([module, version]) => `\t${module} ${version}`),
    ')',
    '',
    ...replace.map(([module, by, remark]) => `replace ${module} => ${by}${remark}`),
  ];
  writeFile(file, `${lines.join('\n')}\n`);
  writeFile(file.replace(/\.mod$/, '.sum'), '');
  return file;
}

/** A path as a module file takes it, whatever is in it. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

async function readGoMod(job: Job, file: string): Promise<GoMod> {
  const result = await go(['mod', 'edit', '-json', file]);
  if (result.failed) throw failure(job, result);
  return JSON.parse(result.stdout) as GoMod;
}

/** Brings a module into Go's cache. */
async function download(job: Job, module: string, version: string): Promise<{ Dir: string; GoMod: string }> {
  const result = await go(['mod', 'download', '-json', `${module}@${version}`]);
  const answer = result.stdout === '' ? {} : (JSON.parse(result.stdout) as Partial<Record<string, string>>);
  const { Dir, GoMod: manifest, Error: error } = answer;
  if (!result.failed && Dir !== undefined && manifest !== undefined) return { Dir, GoMod: manifest };
  const why = error ?? reasonIn(result.stderr);
  const versions = await versionsOf(module);
  const known = versions.length === 0 ? '' : `: there are ${versions.join(', ')}`;
  throw new BuildError(
    job.target.text,
    versions.includes(version) ? `${module} ${version} cannot be had: ${why}` : `${module} has no ${version}${known}`,
  );
}

/** The versions of a module that the proxy lists; none if it cannot be asked. */
async function versionsOf(module: string): Promise<string[]> {
  const { failed, stdout } = await go(['list', '-m', '-versions', module]);
  return failed ? [] : stdout.trim().split(/\s+/).slice(1);
}

/** How many versions of op-geth are tried before it is given up. */
const OP_GETH_TRIES = 6;

/** The op-geth that a release names, or the nearest one that is served. */
async function servedOpGeth(job: Job, named: string): Promise<string> {
  const isServed = async (version: string) => !(await go(['mod', 'download', '-json', `${OP_GETH}@${version}`])).failed;
  if (await isServed(named)) return named;
  // The proxy does not list all that it serves: a candidate is tried as the release that came of it, too.
  const candidates = [named.split('-', 1)[0]!, ...(await versionsOf(OP_GETH)), ...storedOpGeth()];
  for (const version of nearestFirst(named, candidates).slice(0, OP_GETH_TRIES)) {
    if (!(await isServed(version))) continue;
    job.report(`${job.target.text}: op-geth ${named} is not served; the nearest that is, ${version}, is taken`);
    return version;
  }
  throw new BuildError(job.target.text, `op-geth ${named} is not served, nor is any near it`);
}

/** Versions of op-geth that stored module files name: some are served without being listed. */
function storedOpGeth(): string[] {
  const folder = versionsFolder();
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.mod')) : [];
  const texts = [manifestOf('op-node'), ...files.map((file) => readFileSync(path.join(folder, file), 'utf8'))];
  return texts.flatMap((text) => [...text.matchAll(/op-geth (v\S+)/g)].map(([, version]) => version!));
}

function go(args: readonly string[], shown = false): Promise<CommandResult> {
  return runCommand('go', args, { cwd: adapterOf('op-node'), env: ENV, shown });
}

/** What has another form in some version: the adapter's build tag for it, and how the sources tell. */
const FORMS: readonly {
  readonly tag: string;
  readonly file: string;
  readonly applies: (text: string) => boolean;
}[] = [
  {
    tag: 'types_of_geth',
    file: 'op-node/rollup/derive/attributes.go',
    applies: (text) => /FetchReceipts\(.*[( ]types\.Receipts/.test(text),
  },
  {
    tag: 'span_by_values',
    file: 'op-node/rollup/derive/span_batch.go',
    applies: (text) => /^func DeriveSpanBatch\(.*\bblockTime\b/m.test(text),
  },
  {
    tag: 'managed_mode',
    file: 'op-node/rollup/derive/pipeline.go',
    applies: (text) => /^func NewDerivationPipeline\([^)]*\bmanaged\w+ bool/m.test(text),
  },
  {
    tag: 'no_l1_config',
    file: 'op-node/rollup/derive/pipeline.go',
    applies: (text) => !/^func NewDerivationPipeline\([^)]*\bl1ChainConfig\b/m.test(text),
  },
  {
    tag: 'no_dependency_set',
    file: 'op-node/rollup/derive/pipeline.go',
    applies: (text) => !/^func NewDerivationPipeline\([^)]*\bdepSet\b/m.test(text),
  },
  {
    tag: 'forks_of_rollup',
    file: 'op-node/rollup/derive/pipeline.go',
    applies: (text) => text.includes('Transform(rollup.ForkName)'),
  },
  {
    tag: 'blobs_by_block',
    file: 'op-node/rollup/derive/data_source.go',
    applies: (text) => /^\tGetBlobs\(/m.test(text),
  },
  { tag: 'no_karst', file: 'op-node/rollup/types.go', applies: (text) => !/^\tKarstTime\b/m.test(text) },
  { tag: 'no_jovian', file: 'op-node/rollup/types.go', applies: (text) => !/^\tJovianTime\b/m.test(text) },
];

/** The adapter's build tags that fit these sources. */
function tagsFor({ target }: Job, sources: string): string[] {
  const read = (file: string) => {
    const place = path.join(sources, file);
    if (existsSync(place)) return readFileSync(place, 'utf8');
    throw new BuildError(target.text, `cannot be built: it has no ${file}`);
  };
  if (!existsSync(path.join(sources, 'op-node/rollup/derive/batch_mux.go'))) {
    throw new BuildError(target.text, 'cannot be built: it has no stages for Holocene (derive.NewBatchMux)');
  }
  return FORMS.filter(({ file, applies }) => applies(read(file))).map(({ tag }) => tag);
}
