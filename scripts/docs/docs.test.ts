/**
 * The documents say what is so: every command in them runs, every command, option, variable, file and link that they
 * name is there.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program } from '../../harness/cli/main.ts';
import { PACKAGE_ROOT } from '../../harness/places.ts';
import { loadVariant } from '../../harness/variants.ts';
import { type Page, type PageCommand, parsePage, readPages } from './pages.ts';
import { buildFolder, copyRepository, failureText, matches, runCommands } from './run.ts';

/** Pages with commands for users. */
const PAGES = readPages(PACKAGE_ROOT, ['README.md', 'CONTRIBUTING.md', 'docs', 'examples']);

/** Pages of which links and names are checked, too. */
const OTHER_PAGES = readPages(PACKAGE_ROOT, ['SECURITY.md', 'CHANGELOG.md', 'harness', 'vectors']);

/** Commands that are not run here, and why. */
const NOT_RUN: readonly (readonly [command: RegExp, why: string])[] = [
  [/^npm (start|test)\b/, 'installs packages, builds the references and runs all tests, this one among them'],
];

/** Shorter work of the same kind. */
const CUTS: readonly (readonly [from: RegExp, to: string])[] = [
  [/--for \d+[smh]/, '--for 2s'],
  [/--vectors (?!0\b)\d{3,}/, '--vectors 40'],
  [/^(npx holodiff variant \S+)$/, '$1 vectors/curated/channel-assembler --vectors 20'],
  [/^npx holodiff mutants --vectors 0$/, 'npx holodiff mutants --help'],
  [/^npx holodiff replay vectors$/, 'npx holodiff replay vectors/finds'],
  [/^npx holodiff metamorphic (--vectors \d+)$/, 'npx holodiff metamorphic vectors/curated/frame $1'],
];

function isRun({ text }: PageCommand): boolean {
  return !NOT_RUN.some(([command]) => command.test(text));
}

function cut(text: string): string {
  return CUTS.reduce((shorter, [from, to]) => shorter.replace(from, to), text);
}

describe('every command of the documents', () => {
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holodiff-docs-'));
  });

  afterAll(() => rm(root, { recursive: true }));

  const withCommands = PAGES.filter(({ commands }) => commands.some(isRun));

  test.concurrent.each(withCommands.map((page) => [page.file, page] as const))(
    'of %s runs',
    { timeout: 600_000 },
    async (file, page) => {
      const folder = path.join(root, file.replaceAll('/', '-'));
      copyRepository(PACKAGE_ROOT, folder);
      const commands = page.commands.filter(isRun).map((command) => ({ ...command, text: cut(command.text) }));
      const whole = new Set(commands.filter(({ text }) => page.commands.some((command) => command.text === text)));
      const env = { HOLODIFF_BUILD_DIR: buildFolder(PACKAGE_ROOT) };
      const failures = await runCommands(folder, commands, whole, env);
      expect(failures.map((failure) => failureText(page, failure)).join('\n\n')).toBe('');
      await rm(folder, { recursive: true });
    },
  );

  test('is one of these lists only if there is such a command', () => {
    const texts = PAGES.flatMap(({ commands }) => commands.map(({ text }) => text));
    const unused = [...NOT_RUN, ...CUTS].filter(([pattern]) => !texts.some((text) => pattern.test(text)));
    expect(unused.map(([pattern]) => String(pattern))).toEqual([]);
    expect(texts.length).toBeGreaterThan(20);
  });
});

describe('what the documents name', () => {
  const pages = [...PAGES, ...OTHER_PAGES];
  const commands = new Map(program().commands.map((command) => [command.name(), optionsOf(command)]));
  const globals = optionsOf(program());
  const known = new Set([...globals, ...[...commands.values()].flatMap((options) => [...options])]);

  /** Options of other programs that the documents speak of. */
  const FOREIGN: ReadonlySet<string> = new Set(['--assembled', '--bench', '--without-references']);

  test('are commands and options that exist', () => {
    const wrong = pages.flatMap((page) =>
      [...page.code, ...page.tableCode, ...page.commands].flatMap(({ line, text }) =>
        unknownIn(text).map((what) => `${page.file}:${line}: ${what}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('are, in the examples of --help, commands and options that exist', () => {
    const wrong = program().commands.flatMap((command) =>
      helpOf(command)
        .split('\n')
        .flatMap((line) => /^ +\$ (.*)$/.exec(line)?.[1] ?? [])
        .flatMap((example) => unknownIn(example).map((what) => `${command.name()}: ${example}: ${what}`)),
    );
    expect(wrong).toEqual([]);
  });

  test('have examples in the --help of every command', () => {
    const without = program().commands.filter((command) => !helpOf(command).includes(`$ holodiff ${command.name()}`));
    expect(without.map((command) => command.name())).toEqual([]);
  });

  /** What a mention has that the program does not. */
  function unknownIn(text: string): string[] {
    const words = text.split(/\s+/);
    const at = words.indexOf('holodiff');
    const isCall = at === 0 || (at > 0 && ['npx', 'run', '|'].includes(words[at - 1]!));
    const flags = (from: readonly string[]) =>
      from.flatMap((word) => /^(--[a-z][a-z0-9-]*|-[a-z])(?:[=,…].*)?$/.exec(word)?.[1] ?? []);
    if (!isCall) {
      const alone = /^-/.test(text) ? flags(words) : [];
      return alone.filter((flag) => !known.has(flag) && !FOREIGN.has(flag)).map((flag) => `no command has ${flag}`);
    }
    const rest = words.slice(at + 1).filter((word, index) => index > 0 || word !== '--');
    const name = rest.find((word) => /^[a-z][a-z-]*$/.test(word));
    if (name === undefined)
      return flags(rest).flatMap((flag) => (globals.has(flag) ? [] : [`holodiff has no ${flag}`]));
    const own = commands.get(name);
    if (own === undefined) return name === 'help' ? [] : [`there is no command ${name}`];
    // What another program in the same line takes is its own affair.
    const end = rest.findIndex((word) => ['--', '|', '>', '&&', ';'].includes(word));
    return flags(end < 0 ? rest : rest.slice(0, end)).flatMap((flag) =>
      own.has(flag) || globals.has(flag) ? [] : [`holodiff ${name} has no ${flag}`],
    );
  }

  test('are environment variables that something reads', () => {
    const sources = sourceText(['harness', 'scripts', 'src', '.ci', '.github']);
    const wrong = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/\bHOLODIFF_[A-Z_]+\b/g)].flatMap(([name]) =>
        sources.includes(name) ? [] : [`${file}: ${name}`],
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('are files that are there', () => {
    const isPath = /^(?:src|harness|scripts|vectors|docs|examples|\.github|\.ci)\/[\w@./+-]*$/;
    const isPattern = (text: string) => /[A-Z]{3}/.test(text.replace('README', ''));
    const wrong = PAGES.flatMap(({ file, code, tableCode }) =>
      [...code, ...tableCode]
        .filter(({ text }) => isPath.test(text) && !isPattern(text) && !existsSync(path.join(PACKAGE_ROOT, text)))
        .map(({ line, text }) => `${file}:${line}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  test('are, in the table of the README, all commands, each once', () => {
    const { tableCode } = PAGES.find(({ file }) => file === 'README.md')!;
    const listed = tableCode.flatMap(({ text }) => /^holodiff ([a-z-]+)/.exec(text)?.[1] ?? []);
    expect(listed.toSorted()).toEqual([...commands.keys()].toSorted());
  });

  test('are links that lead somewhere', () => {
    const anchors = new Map(pages.map((page) => [page.file, page.anchors]));
    const wrong = pages.flatMap(({ file, links }) =>
      links.flatMap(({ line, text }) => {
        if (/^[a-z]+:/.test(text)) return [];
        const [target = '', anchor] = text.split('#');
        const to = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
        if (!existsSync(path.join(PACKAGE_ROOT, to))) return [`${file}:${line}: ${text}: no such file`];
        return anchor === undefined || anchors.get(to)?.has(anchor) === true ? [] : [`${file}:${line}: no ${text}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('are, in the index of the pages, all of them', () => {
    const { links } = PAGES.find(({ file }) => file === 'docs/README.md')!;
    const linked = new Set(links.map(({ text }) => `docs/${text.split('#')[0]}`));
    const missing = PAGES.filter(
      ({ file }) => /^docs\/[^/]+$/.test(file) && file !== 'docs/README.md' && !linked.has(file),
    );
    expect(missing.map(({ file }) => file)).toEqual([]);
  });

  test('are variants that load', async () => {
    const { blocks } = PAGES.find(({ file }) => file === 'docs/variants.md')!;
    const modules = blocks.filter(({ language, content }) => language === 'json' || content.includes('export default'));
    expect(modules).toHaveLength(2);
    const folder = await mkdtemp(path.join(tmpdir(), 'holodiff-docs-'));
    for (const { language, content } of modules) {
      const file = path.join(folder, `variant.${language}`);
      writeFileSync(file, content);
      expect((await loadVariant(file)).name).toMatch(/^[a-z-]+$/);
    }
    await rm(folder, { recursive: true });
  });
});

describe('a page', () => {
  const text = [
    '# One `thing` & more',
    'See [there](other.md#two) and',
    '`holodiff run --seed 1`.',
    '',
    '| a |',
    '| --- |',
    '| `cell` |',
    '',
    '```sh',
    '# a comment',
    'npx holodiff run \\',
    '  --for 1s    # exit code 1: something is new',
    '```',
    '```console',
    '$ echo a',
    'a',
    '…',
    '$ echo b',
    '```',
    '```json',
    '{}',
    '```',
  ].join('\n');
  const page: Page = parsePage('x.md', text);

  test('is taken apart', () => {
    expect(page.commands).toEqual([
      { line: 11, text: 'npx holodiff run --for 1s', exitCode: 1, output: undefined },
      { line: 15, text: 'echo a', exitCode: 0, output: ['a', '…'] },
      { line: 18, text: 'echo b', exitCode: 0, output: undefined },
    ]);
    expect(page.links).toEqual([{ line: 2, text: 'other.md#two' }]);
    expect(page.code).toEqual([
      { line: 1, text: 'thing' },
      { line: 3, text: 'holodiff run --seed 1' },
    ]);
    expect(page.tableCode).toEqual([{ line: 7, text: 'cell' }]);
    expect([...page.anchors]).toEqual(['one-thing--more']);
    expect(page.blocks).toEqual([{ line: 21, language: 'json', content: '{}\n' }]);
  });

  test.each<[output: string, shown: string[], same: boolean]>([
    ['a\nb\n', ['a', 'b'], true],
    ['a\nb\n', ['a'], false],
    ['a\nb\nc\n', ['a', '…'], true],
    ['a\nb\nc\n', ['…', 'c'], true],
    ['a\nb\nc\n', ['…', 'b'], false],
    ['took 12 s\n', ['took … s'], true],
    ['took 12 m\n', ['took … s'], false],
    ['', ['…'], true],
  ])('%j is as shown by %j: %j', (output, shown, same) => {
    expect(matches(output, shown)).toBe(same);
  });

  test('whose command fails, prints something else or never ends is told with its line', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'holodiff-docs-'));
    const command = (line: number, given: string, output?: string[]): PageCommand => ({
      line,
      text: given,
      exitCode: 0,
      output,
    });
    const commands = [
      command(1, 'THING=kept'),
      command(2, 'echo $THING', ['kept']),
      command(3, 'false'),
      command(4, 'echo a', ['b']),
      command(5, 'exit 3'),
      command(6, 'true'),
    ];
    const failures = await runCommands(folder, commands, new Set(commands), {});
    expect(failures.map(({ command: { line }, why }) => `${line}: ${why}`)).toEqual([
      '3: exit code 1, not 0',
      '4: prints something else than the page shows',
      '5: did not come to its end',
      '6: did not come to its end',
    ]);
    expect(failureText(page, failures[0]!)).toMatch(/^x\.md:3: false\n/);
    await rm(folder, { recursive: true });
  });
});

/** The whole of a command's help, what stands behind the options included. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

function optionsOf(command: Command): ReadonlySet<string> {
  const flags = command.options.flatMap(({ long, short }) => [long, short]);
  return new Set(['--help', '-h', ...flags].filter((flag) => flag !== undefined && flag !== null));
}

/** All that stands in the files below these folders. */
function sourceText(folders: readonly string[]): string {
  const texts: string[] = [];
  for (const folder of folders) {
    const full = path.join(PACKAGE_ROOT, folder);
    if (!existsSync(full)) continue;
    for (const entry of readdirSync(full, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && /\.(ts|mjs|js|sh|ya?ml)$|^run$/.test(entry.name)) {
        texts.push(readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
      }
    }
  }
  return texts.join('\n');
}
