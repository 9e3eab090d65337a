/** Completion for zsh. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are parameters of the shell

import type { Completable, CompletableOption, Values } from './tree.ts';

/** Text in single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Text within a specification of `_arguments`, where brackets and colons have a meaning. */
const plain = (text: string) => text.replaceAll(/[[\]:\\]/g, '\\$&');

/** What stands behind the last colon of a specification. */
function action({ words, files }: Values): string {
  const known = words.length === 0 ? [] : [`compadd -- ${words.join(' ')}`];
  const found = { any: ['_files'], folders: ['_files -/'], none: [] }[files];
  const both = [...known, ...found];
  if (both.length === 0) return ' ';
  return both.length === 1 && words.length === 0 ? both[0]! : `{${both.join('; ')}}`;
}

function specification({ flags, description, values, repeatable }: CompletableOption): string {
  const others = repeatable ? '*' : flags.length > 1 ? `(${flags.join(' ')})` : '';
  const tail = `[${plain(description)}]${values === undefined ? '' : `:value:${action(values)}`}`;
  const names = flags.length > 1 ? `{${flags.join(',')}}` : flags[0]!;
  return flags.length > 1 ? `${quoted(others)}${names}${quoted(tail)}` : quoted(`${others}${names}${tail}`);
}

/** The script, which is the file `_holodiff` in a folder of `fpath`, or is read by the shell when it starts. */
export function zshCompletion({ name, options, commands }: Completable): string {
  const lines = [
    `#compdef ${name}`,
    `# Completion of ${name} for zsh: ${name} completion zsh > "\${fpath[1]}/_${name}"`,
    '',
    '_holodiff() {',
    '  local state line',
    '  typeset -A opt_args',
    '  _arguments -C \\',
    ...options.map((option) => `    ${specification(option)} \\`),
    "    '1: :->command' '*:: :->argument'",
    '  case $state in',
    '    command)',
    '      local -a commands',
    '      commands=(',
    ...commands.map((command) => `        ${quoted(`${command.name}:${command.description.replaceAll(':', '\\:')}`)}`),
    '      )',
    "      _describe -t commands 'command' commands",
    '      ;;',
    '    argument)',
    '      case $words[1] in',
    ...commands.flatMap((command) => [
      `        ${command.name})`,
      '          _arguments -S \\',
      ...command.options.map((option) => `            ${specification(option)} \\`),
      `            ${command.values === undefined ? "'*: : '" : quoted(`*:argument:${action(command.values)}`)}`,
      '          ;;',
    ]),
    '      esac',
    '      ;;',
    '  esac',
    '}',
    '',
    '# Read as a file of fpath it is the function; read by source it is told what it completes.',
    'if [[ ${funcstack[1]} == _holodiff ]]; then _holodiff "$@"; else compdef _holodiff holodiff; fi',
  ];
  return `${lines.join('\n')}\n`;
}
