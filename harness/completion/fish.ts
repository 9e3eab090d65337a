/** Completion for fish. */

import type { Completable, CompletableOption, Values } from './tree.ts';

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The script, which is a file of fish's folder of completions, or is read by the shell when it starts. */
export function fishCompletion({ name, options, commands }: Completable): string {
  const all = commands.map((command) => command.name).join(' ');
  const lines = [
    `# Completion of ${name} for fish: ${name} completion fish > ~/.config/fish/completions/${name}.fish`,
    '',
    `complete -c ${name} -f`,
    ...options.map((option) => line(name, `not __fish_seen_subcommand_from ${all}`, option)),
  ];
  for (const command of commands) {
    const within = `__fish_seen_subcommand_from ${command.name}`;
    const first = `not __fish_seen_subcommand_from ${all}`;
    lines.push('', `complete -c ${name} -n '${first}' -a ${command.name} -d ${quoted(command.description)}`);
    lines.push(...command.options.map((option) => line(name, within, option)));
    if (command.values !== undefined) lines.push(`complete -c ${name} -n '${within}'${offered(command.values, false)}`);
  }
  return `${lines.join('\n')}\n`;
}

function line(name: string, when: string, { flags, description, values }: CompletableOption): string {
  const named = flags.map((flag) => (flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`)).join('');
  const value = values === undefined ? '' : offered(values, true);
  return `complete -c ${name} -n '${when}'${named}${value} -d ${quoted(description)}`;
}

/** What may stand there, for an option with a value or for an argument. */
function offered({ words, files }: Values, isValue: boolean): string {
  const parts: string[] = [];
  if (isValue) parts.push(files === 'any' ? '-r' : '-x');
  if (files === 'any') parts.push('-F');
  const lists = [
    ...(words.length > 0 ? [words.join(' ')] : []),
    ...(files === 'folders' ? ['(__fish_complete_directories)'] : []),
  ];
  if (lists.length > 0) parts.push(`-a ${quoted(lists.join(' '))}`);
  return parts.map((part) => ` ${part}`).join('');
}
