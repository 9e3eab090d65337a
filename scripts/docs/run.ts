/**
 * Runs the commands of a page as a reader would: in a copy of the repository, one after the other in one shell, so that a
 * later one finds what an earlier one wrote.
 */

import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import type { Page, PageCommand } from './pages.ts';

/** What of the repository a command can meet. */
const COPIED = [
  'package.json',
  'tsconfig.json',
  'README.md',
  'docs',
  'examples',
  'harness',
  'scripts',
  'src',
  'vectors',
];

/** Between what commands print: a character that none of them does. */
const MARK = '\u001e';

/** Makes the copy. */
export function copyRepository(root: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const name of COPIED) cpSync(path.join(root, name), path.join(target, name), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(target, 'node_modules'));
  const bin = path.join(target, 'bin');
  mkdirSync(bin);
  const holodiff = `exec ${quoted(process.execPath)} ${quoted(path.join(target, 'harness', 'cli', 'bin.mjs'))} "$@"`;
  const programs = {
    holodiff,
    npx: `[ "$1" = holodiff ] || { echo "npx $1: pages run npx holodiff only" >&2; exit 127; }\nshift\n${holodiff}`,
  };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command that did not do what its page says. */
export interface PageFailure {
  readonly command: PageCommand;
  readonly why: string;
  readonly output: string;
}

/**
 * Runs a page's commands.
 *
 * @param folder - the copy
 * @param commands - with the text that is to be run, which may be shorter work than the page's own
 * @param compared - the commands whose output is held against the page
 */
export async function runCommands(
  folder: string,
  commands: readonly PageCommand[],
  compared: ReadonlySet<PageCommand>,
  env: Readonly<Record<string, string>>,
): Promise<PageFailure[]> {
  const script = [
    'exec 2>&1',
    'set -o pipefail',
    ...commands.flatMap(({ text }, index) => [
      `printf '${MARK}%s\\n' 'start ${index}'`,
      text,
      `printf '${MARK}%s\\n' "end ${index} $?"`,
    ]),
  ].join('\n');
  const bin = path.join(folder, 'bin');
  const { stdout } = await execa('bash', ['--noprofile', '--norc', '-c', script], {
    cwd: folder,
    // What holds on this machine is not what a reader has.
    extendEnv: false,
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HOLODIFF_'))),
      ...env,
      PATH: `${bin}${path.delimiter}${process.env['PATH']}`,
      NO_COLOR: '1',
    },
    stdin: 'ignore',
    reject: false,
    stripFinalNewline: false,
    maxBuffer: 200_000_000,
  });
  return commands.flatMap((command, index) => {
    const output = between(stdout, `${MARK}start ${index}\n`, `${MARK}end ${index} `);
    if (output === undefined) return [{ command, why: 'did not come to its end', output: stdout.slice(-2000) }];
    const code = Number(
      /^\d+/.exec(stdout.slice(stdout.indexOf(`${MARK}end ${index} `) + `${MARK}end ${index} `.length))![0],
    );
    if (code !== command.exitCode) return [{ command, why: `exit code ${code}, not ${command.exitCode}`, output }];
    if (command.output === undefined || !compared.has(command) || matches(output, command.output)) return [];
    return [{ command, why: 'prints something else than the page shows', output }];
  });
}

function between(text: string, start: string, end: string): string | undefined {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  return from < 0 || to < 0 ? undefined : text.slice(from + start.length, to);
}

/** Whether the output is what a page shows. */
export function matches(output: string, shown: readonly string[]): boolean {
  const lines = shown.map((line) =>
    line === '…' ? '(?:.*\\n)*?' : `${line.trimEnd().split('…').map(escaped).join('.*')} *\\n`,
  );
  return new RegExp(`^${lines.join('')}$`).test(output.endsWith('\n') || output === '' ? output : `${output}\n`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A page's failures as text. */
export function failureText({ file }: Page, { command, why, output }: PageFailure): string {
  return `${file}:${command.line}: ${command.text}\n${why}\n${output.slice(-3000)}`;
}

/** Where the references were built, for the copy to use. */
export function buildFolder(root: string): string {
  const given = process.env['HOLODIFF_BUILD_DIR'];
  return given !== undefined && existsSync(given) ? given : path.join(root, '.build');
}
