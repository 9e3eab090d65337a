/** Folders of sources: their hash, and a revision of one laid out beside the builds. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../files.ts';
import type { Recipe } from './recipe.ts';
import type { Target } from './target.ts';
import { BuildError, runCommand } from './toolchain.ts';

/** What a build or a test by hand may leave, and what does not go into the binary: the package lacks it. */
const NOT_OF_ADAPTER = /^(?:target|tests|versions|rustfmt\.toml|.*_test\.go|.*\.(?:test|prof|md))$/;

/** Of a user's folder, what no compiler of Rust or Go reads. */
const NOT_OF_FOLDER = /^(?:\..*|target|node_modules|.*\.md)$/;

/** A hash over the names and contents of the adapter's own files, without what other versions need. */
export function hashAdapter(folder: string): string {
  return hashFiles(folder, NOT_OF_ADAPTER);
}

/** A hash over what a folder of a user's holds for a compiler. */
export function hashFolder(folder: string): string {
  return hashFiles(folder, NOT_OF_FOLDER);
}

function hashFiles(folder: string, left: RegExp): string {
  const hash = createHash('sha256');
  for (const file of listFiles(folder, '', left)) {
    const content = readFileSync(path.join(folder, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function listFiles(folder: string, below: string, left: RegExp): string[] {
  const files: string[] = [];
  const entries = readdirSync(path.join(folder, below), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const name = path.posix.join(below, entry.name);
    if (left.test(entry.name)) continue;
    if (entry.isDirectory()) {
      files.push(...listFiles(folder, name, left));
    } else if (entry.isFile()) {
      files.push(name);
    }
  }
  return files;
}

/** A commit of a repository. */
export interface Commit {
  readonly hash: string;
  readonly gitDir: string;
  /** Where the folder that was asked about lies in the repository; empty at its root. */
  readonly prefix: string;
}

/** The commit that a revision names in the repository that a folder belongs to. @throws BuildError */
export async function findCommit(target: Target, folder: string, revision: string): Promise<Commit> {
  if (!existsSync(folder)) throw new BuildError(target.text, `there is no folder ${folder}: expected a git repository`);
  const ask = async (...args: string[]) => {
    const { failed, stdout, stderr } = await runCommand('git', ['rev-parse', ...args], { cwd: folder });
    if (!failed) return stdout.trim();
    const why = stderr
      .trim()
      .split('\n')[0]!
      .replace(/^fatal: /, '');
    throw new BuildError(target.text, `#${revision}: git knows no such revision in ${folder}: ${why || 'no git'}`);
  };
  return {
    hash: await ask('--verify', `${revision}^{commit}`),
    gitDir: await ask('--absolute-git-dir'),
    prefix: await ask('--show-prefix'),
  };
}

/** Lays out the files of a commit; the repository that they are from is only read. @throws BuildError */
export async function checkOut(target: Target, { hash, gitDir }: Commit, folder: string): Promise<void> {
  const index = `${folder}.index`;
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  const env = { GIT_DIR: gitDir, GIT_WORK_TREE: folder, GIT_INDEX_FILE: index };
  try {
    for (const args of [
      ['read-tree', hash],
      ['checkout-index', '--all', '--force'],
    ]) {
      const { failed, end, stderr } = await runCommand('git', args, { cwd: folder, env });
      if (failed) throw new BuildError(target.text, `${end}: ${stderr.trim().split('\n')[0]}`);
    }
  } finally {
    rmSync(index, { force: true });
  }
}

/** Makes sure that a folder can be of the reference at all. @throws BuildError */
export function requireSources(target: Target, folder: string, { manifest, folderIs }: Recipe): void {
  const expected = `expected ${folderIs}`;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new BuildError(target.text, `there is no folder ${folder}: ${expected}`);
  }
  if (!existsSync(path.join(folder, manifest))) {
    throw new BuildError(target.text, `there is no ${path.join(folder, manifest)}: ${expected}`);
  }
}
