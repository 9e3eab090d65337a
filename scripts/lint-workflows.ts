/**
 * Checks `.github/`: the workflows with actionlint, and the syntax of every script in them and in the actions with bash.
 * actionlint is a Go module, built once into the build folder. It is kept from tools that happen to be installed, so that
 * it says the same everywhere.
 */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { $ } from 'zx';
import { PACKAGE_ROOT } from '../harness/places.ts';

const MODULE = 'github.com/rhysd/actionlint/cmd/actionlint';
const VERSION = 'v1.7.12';

const GITHUB = path.join(PACKAGE_ROOT, '.github');
const { HOLODIFF_BUILD_DIR = path.join(PACKAGE_ROOT, '.build') } = process.env;

$.quiet = true;
$.nothrow = true;

/** The program, installed if it is not there. */
async function actionlint(): Promise<string | undefined> {
  const folder = path.resolve(HOLODIFF_BUILD_DIR, 'tools');
  const program = path.join(folder, `actionlint-${VERSION}`);
  if (statSync(program, { throwIfNoEntry: false })?.isFile() === true) return program;
  mkdirSync(folder, { recursive: true });
  const temporary = mkdtempSync(path.join(folder, 'install-'));
  try {
    const env = { ...process.env, GOBIN: temporary };
    const installed = await $({ env, cwd: temporary })`go install ${`${MODULE}@${VERSION}`}`;
    if (installed.exitCode !== 0) {
      console.error(`actionlint ${VERSION} could not be installed:\n${installed.stderr}`);
      return undefined;
    }
    renameSync(path.join(temporary, 'actionlint'), program);
    return program;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Every `run` below a document, with its path. */
function* scriptsIn(value: unknown, at: string): Generator<readonly [string, string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = at === '' ? key : `${at}.${key}`;
    if (key === 'run' && typeof inner === 'string') yield [here, inner];
    else yield* scriptsIn(inner, here);
  }
}

/** Whether bash can read every script. */
async function scriptsAreRead(): Promise<boolean> {
  const files = readdirSync(GITHUB, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ya?ml$/.test(name));
  let good = true;
  for (const name of files.sort()) {
    const file = path.join(GITHUB, name);
    for (const [at, script] of scriptsIn(parse(readFileSync(file, 'utf8')), '')) {
      // What an expression gives is data to the shell, or should be.
      const text = script.replaceAll(/\$\{\{.*?\}\}/gs, 'x');
      const { exitCode, stderr } = await $({ input: `${text}\n` })`bash -n`;
      if (exitCode === 0) continue;
      console.error(`.github/${name}: ${at}: ${stderr.trim()}`);
      good = false;
    }
  }
  return good;
}

/** Whether actionlint has nothing to say. */
async function workflowsAreGood(): Promise<boolean> {
  const program = await actionlint();
  if (program === undefined) return false;
  const { exitCode, stdout, stderr } = await $({ cwd: PACKAGE_ROOT })`${program} -no-color -shellcheck= -pyflakes=`;
  if (exitCode !== 0) console.error(`${stdout}${stderr}`);
  return exitCode === 0;
}

const good = [await workflowsAreGood(), await scriptsAreRead()];
process.exitCode = good.every((one) => one) ? 0 : 1;
