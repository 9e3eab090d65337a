/** The scripts in real shells. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are parameters of the shell

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RULE_IDS } from '../../src/rules/catalogue.ts';
import { program } from '../cli/main.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { completable } from './tree.ts';
import { knownWords } from './words.ts';
import { zshCompletion } from './zsh.ts';

const tree = completable(program(), knownWords());
const folder = mkdtempSync(path.join(tmpdir(), 'holodiff-completion-'));
const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

beforeAll(() => {
  for (const [name, script] of Object.entries({ bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion })) {
    writeFileSync(path.join(folder, name), script(tree));
  }
  mkdirSync(path.join(folder, 'here', 'findings', 'seed 7'), { recursive: true });
  writeFileSync(path.join(folder, 'here', 'some.vector.json'), '{}');
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What each of these lines is completed to; the word that is completed is the last one, also if it is empty. */
const CASES: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['holodiff rep', ['replay', 'report']],
  ['holodiff --conf', ['--config']],
  ['holodiff --config some', ['some.vector.json']],
  ['holodiff --config x.ts rep', ['replay', 'report']],
  ['holodiff run --se', ['--seed']],
  ['holodiff run --seed ', []],
  ['holodiff run -i ', ['kona', 'op-node', 'typescript']],
  ['holodiff run --resume fin', ['findings']],
  ['holodiff run --exhaustive bound', ['boundary']],
  ['holodiff replay some', ['some.vector.json']],
  ['holodiff mutants --corpus ', ['all', 'clean']],
  ['holodiff rules span/over', ['span/overlap-content']],
  ['holodiff build o', ['op-node']],
  ['holodiff merge f', ['findings']],
  ['holodiff completion ', ['bash', 'fish', 'zsh']],
  ['holodiff help prom', ['promote']],
];

describe('what is completed', () => {
  test('every command, with every option that its help shows', () => {
    const root = program();
    expect(tree.commands.map(({ name }) => name)).toEqual([...root.commands.map((one) => one.name()), 'help']);
    for (const command of root.commands) {
      const { options } = tree.commands.find(({ name }) => name === command.name())!;
      const help = command.helpInformation();
      const flags = options.flatMap((option) => option.flags).filter((flag) => flag.startsWith('--'));
      const shown = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z0-9-]+)/gm)].map(([, flag]) => flag);
      expect(flags.sort()).toEqual(shown.sort());
    }
  });

  test('the values of options and arguments that are known', () => {
    const values = (command: string) => tree.commands.find(({ name }) => name === command)!.values;
    expect(values('rules')).toEqual({ words: RULE_IDS, files: 'none' });
    expect(values('build')?.words).toEqual(['kona', 'op-node']);
    expect(values('merge')).toEqual({ words: [], files: 'folders' });
    expect(values('config')).toBeUndefined();
    const words = Object.keys(knownWords());
    const options = tree.commands.flatMap((one) => one.options).flatMap(({ flags }) => flags);
    expect(words.filter((word) => word.startsWith('--') && !options.includes(word))).toEqual([]);
  });
});

describe.skipIf(!has('bash'))('bash', () => {
  /** Asks the function as bash does: the words, cut at spaces and `=`, with the last one being completed. */
  function complete(...words: string[]): string[] {
    const ask =
      'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _holodiff; printf "%s\\n" "${COMPREPLY[@]}"';
    const out = execFileSync('bash', ['--norc', '-c', ask, 'bash', path.join(folder, 'bash'), ...words], {
      cwd: path.join(folder, 'here'),
      encoding: 'utf8',
    });
    return out.split('\n').filter((word) => word !== '');
  }

  test.each(CASES)('%s', (line, offered) => {
    expect(complete(...line.split(' ')).sort()).toEqual(offered);
  });

  test('--flag=value, which bash cuts into three', () => {
    expect(complete('holodiff', 'run', '--implementation', '=', 'k')).toEqual(['kona']);
    expect(complete('holodiff', 'run', '--implementation', '=')).toEqual(['typescript', 'kona', 'op-node']);
    expect(complete('holodiff', '--config', '=', 'x.ts', 'replay', '--rec')).toEqual(['--recorded']);
  });

  test('names with spaces, and words behind --', () => {
    expect(complete('holodiff', 'run', '--resume', 'findings/s')).toEqual(['findings/seed 7']);
    expect(complete('holodiff', 'check-adapter', '--', './so')).toEqual(['./some.vector.json']);
  });

  test('says which program it completes', () => {
    const ask = 'source "$1"; complete -p holodiff';
    const out = execFileSync('bash', ['--norc', '-c', ask, 'bash', path.join(folder, 'bash')], { encoding: 'utf8' });
    expect(out).toBe('complete -F _holodiff holodiff\n');
  });
});

describe.skipIf(!has('fish'))('fish', () => {
  test.each(CASES)('%s', (line, offered) => {
    const ask = `source ${path.join(folder, 'fish')}; complete -C ${JSON.stringify(line)}`;
    const out = execFileSync('fish', ['--no-config', '-c', ask], { cwd: path.join(folder, 'here'), encoding: 'utf8' });
    const words = out.split('\n').flatMap((one) => one.split('\t')[0]?.replace(/\/$/, '') ?? []);
    expect([...new Set(words.filter((word) => word !== ''))].sort()).toEqual(offered);
  });
});

describe.skipIf(!has('zsh'))('zsh', () => {
  // A terminal is needed to see it complete; here it is held to be a script that defines what it says.
  test('takes the script', () => {
    const ask =
      'autoload -Uz compinit; compinit -u -D; source $1; print -r -- $_comps[holodiff] $+functions[_holodiff]';
    const out = execFileSync('zsh', ['-f', '-c', ask, 'zsh', path.join(folder, 'zsh')], { encoding: 'utf8' });
    expect(out).toBe('_holodiff 1\n');
  });
});

test('the program prints them', () => {
  const bin = fileURLToPath(new URL('../cli/bin.mjs', import.meta.url));
  const out = execFileSync(process.execPath, [bin, 'completion', 'bash'], { encoding: 'utf8' });
  expect(out).toBe(bashCompletion(tree));
});
