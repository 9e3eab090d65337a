/** Completion for bash. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are parameters of the shell

import type { Completable, CompletableOption, Values } from './tree.ts';

const flagsOf = (options: readonly CompletableOption[]) => options.flatMap(({ flags }) => flags);

/** Words in a string of the shell; none of them holds a space or a quote. */
const words = (list: readonly string[]) => `'${list.join(' ')}'`;

/** Offers these values in place of the current word. */
function offer({ words: list, files }: Values): string {
  const kinds = { any: '-f', folders: '-d', none: '' };
  return `_holodiff_offer ${words(list)} ${kinds[files]}`.trimEnd();
}

/** The script, to be read by the shell when it starts. */
export function bashCompletion({ name, options, commands }: Completable): string {
  const valued = flagsOf(options.filter(({ values }) => values !== undefined));
  const lines = [
    `# Completion of ${name} for bash 3.2 and later: source <(${name} completion bash)`,
    '',
    '# Offers the words, and with -f or -d the files or folders, that begin as the current word does.',
    '_holodiff_offer() {',
    '  local word',
    '  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(',
    '    compgen -W "$1" -- "$current"',
    '    if [[ -n "$2" ]]; then compgen "$2" -- "$current"; fi',
    '  )',
    '  # Quotes names of files, and puts a slash behind those of folders.',
    '  if [[ -n "$2" ]]; then compopt -o filenames 2>/dev/null; fi',
    '}',
    '',
    '_holodiff() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}" command="" dashes="" i',
    '  COMPREPLY=()',
    '  # --flag=value comes as three words.',
    '  if [[ "$current" == "=" ]]; then current=""',
    '  elif [[ "$before" == "=" ]]; then before="${COMP_WORDS[COMP_CWORD - 2]}"; fi',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    '    case "${COMP_WORDS[i]}" in',
    '      --) dashes=yes ;;',
    ...(valued.length === 0
      ? []
      : [
          `      ${valued.join(' | ')})`,
          '        if [[ -z "$command" ]]; then ((i++)); fi',
          '        if [[ -z "$command" && "${COMP_WORDS[i]}" == "=" ]]; then ((i++)); fi',
          '        ;;',
        ]),
    '      -*) ;;',
    '      *) command="${command:-${COMP_WORDS[i]}}" ;;',
    '    esac',
    '  done',
    '  if [[ -n "$dashes" ]]; then',
    "    _holodiff_offer '' -f",
    '    return',
    '  fi',
    '  case "$command" in',
    "    '')",
    ...places(options, { words: commands.map((command) => command.name), files: 'none' }),
    '      ;;',
    ...commands.flatMap((command) => [`    ${command.name})`, ...places(command.options, command.values), '      ;;']),
    '  esac',
    '}',
    '',
    `complete -F _holodiff ${name}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** What may stand behind an option with a value, and else in the place of a flag or an argument. */
function places(options: readonly CompletableOption[], values: Values | undefined): string[] {
  const cases = options.flatMap((option) =>
    option.values === undefined ? [] : [`        ${option.flags.join(' | ')}) ${offer(option.values)} ;;`],
  );
  return [
    '      case "$before" in',
    ...cases,
    '        *)',
    `          if [[ "$current" == -* ]]; then _holodiff_offer ${words(flagsOf(options))}`,
    `          else ${values === undefined ? ':' : offer(values)}; fi`,
    '          ;;',
    '      esac',
  ];
}
