/** The project's pages as the checks of them see them: commands, mentions, links and anchors, each with its line. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';

/** A command of a block marked `sh` or `console`. */
export interface PageCommand {
  readonly line: number;
  readonly text: string;
  /** What the comment behind it says, as in `# exit code 1: everything is new`; else 0. */
  readonly exitCode: number;
  /** Lines of output that the page shows below it; a line of `…` stands for any, and `…` within one for anything. */
  readonly output: readonly string[] | undefined;
}

/** A block of another language. */
interface PageBlock {
  readonly line: number;
  readonly language: string;
  readonly content: string;
}

/** Something with a line. */
interface Mention {
  readonly line: number;
  readonly text: string;
}

export interface Page {
  /** Path below the repository. */
  readonly file: string;
  readonly text: string;
  readonly commands: readonly PageCommand[];
  readonly blocks: readonly PageBlock[];
  /** `code` in running text. */
  readonly code: readonly Mention[];
  /** `code` in tables. */
  readonly tableCode: readonly Mention[];
  readonly links: readonly Mention[];
  /** What `#…` can point at. */
  readonly anchors: ReadonlySet<string>;
}

/** The pages at these paths, files and folders (every `.md` below), in order. */
export function readPages(root: string, paths: readonly string[]): Page[] {
  const files = paths.flatMap((one) => (one.endsWith('.md') ? [one] : below(root, one)));
  return files.map((file) => parsePage(file, readFileSync(path.join(root, file), 'utf8')));
}

function below(root: string, folder: string): string[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .sort();
}

const markdown = new MarkdownIt();

export function parsePage(file: string, text: string): Page {
  const commands: PageCommand[] = [];
  const blocks: PageBlock[] = [];
  const code: Mention[] = [];
  const tableCode: Mention[] = [];
  const links: Mention[] = [];
  const anchors = new Set<string>();
  let isHeading = false;
  let isTable = false;
  let line = 1;
  for (const token of markdown.parse(text, {})) {
    line = token.map === null ? line : token.map[0] + 1;
    if (token.type === 'heading_open') isHeading = true;
    if (token.type === 'table_open' || token.type === 'table_close') isTable = token.type === 'table_open';
    if (token.type === 'fence') {
      const language = token.info.trim();
      // The first line of the content is the one below the fence.
      if (language === 'sh') commands.push(...shellCommands(token.content, line + 1));
      else if (language === 'console') commands.push(...consoleCommands(token.content, line + 1));
      else blocks.push({ line: line + 1, language, content: token.content });
    }
    if (token.type !== 'inline') continue;
    if (isHeading) anchors.add(anchorOf(token.children!.map(({ content }) => content).join(''), anchors));
    isHeading = false;
    for (const child of token.children!) {
      if (child.type === 'softbreak' || child.type === 'hardbreak') line += 1;
      if (child.type === 'code_inline') (isTable ? tableCode : code).push({ line, text: child.content });
      const target = child.attrGet('href') ?? child.attrGet('src');
      if (target !== null) links.push({ line, text: target });
    }
  }
  return { file, text, commands, blocks, code, tableCode, links, anchors };
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string, taken: ReadonlySet<string>): string {
  const plain = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  let anchor = plain;
  for (let number = 1; taken.has(anchor); number++) anchor = `${plain}-${number}`;
  return anchor;
}

function shellCommands(content: string, first: number): PageCommand[] {
  return logicalLines(content.split('\n'), first)
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
    .map((mention) => toCommand(mention, undefined));
}

function consoleCommands(content: string, first: number): PageCommand[] {
  const lines = content.replace(/\n$/, '').split('\n');
  const starts = lines.flatMap((text, index) => (text.startsWith('$ ') ? [index] : []));
  return starts.flatMap((start, at) => {
    const end = starts[at + 1] ?? lines.length;
    const [command, ...output] = logicalLines([lines[start]!.slice(2), ...lines.slice(start + 1, end)], first + start);
    const shown = output.map(({ text }) => text);
    return [toCommand(command!, shown.length === 0 ? undefined : shown)];
  });
}

/** Lines, with those that end in `\` joined to the next. */
function logicalLines(lines: readonly string[], first: number): Mention[] {
  const joined: Mention[] = [];
  let open = false;
  for (const [index, text] of lines.entries()) {
    const content = text.replace(/ *\\$/, '');
    const before = joined[joined.length - 1];
    if (open && before !== undefined)
      joined[joined.length - 1] = { ...before, text: `${before.text} ${content.trim()}` };
    else joined.push({ line: first + index, text: content });
    open = text.endsWith('\\');
  }
  return joined;
}

function toCommand({ line, text }: Mention, output: readonly string[] | undefined): PageCommand {
  const [, command = '', comment = ''] = /^(.*?)(?:\s+#\s(.*))?$/.exec(text.trim()) ?? [];
  const exitCode = Number(/\bexit code (\d)/.exec(comment)?.[1] ?? 0);
  return { line, text: command, exitCode, output };
}
