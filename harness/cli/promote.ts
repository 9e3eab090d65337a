/** `holodiff promote`: a finding becomes a vector that stays. */

import { Command } from 'commander';
import { note } from './options.ts';

interface PromoteCommandOptions {
  readonly name?: string;
  readonly rules?: readonly string[];
  readonly shows?: string;
}

export function promoteCommand(): Command {
  return new Command('promote')
    .description('put the vector of a finding among those that stay, below vectors/finds')
    .argument('<finding>', "a finding's folder")
    .option('--name <group/name>', 'where it goes (default: from the signature)')
    .option('--rules <sides>', "the sides of rules that it is kept for (default: the signature's)", (text: string) =>
      text.split(',').filter((side) => side !== ''),
    )
    .option('--shows <text>', 'what it shows, on one line (default: the signature)')
    .addHelpText(
      'after',
      `
The minimised vector is taken if there is one. Nothing is overwritten, and the finding stays where it is. What goes to
standard output is an entry for vectors/known-divergences.json: title, specification and date are for you to fill in.
A difference that can split live clients may have to reach its maintainers before it is put anywhere.

Examples:
  $ holodiff promote findings/seed-1/findings/0a1b2c3d4e5f
  $ holodiff promote findings/seed-1/findings/0a1b2c3d4e5f --name channel-reader/list-for-string \\
      --rules channel-reader/rlp-strings+ --shows 'a list where a batch should be'`,
    )
    .action(run);
}

async function run(folder: string, options: PromoteCommandOptions): Promise<void> {
  const path = await import('node:path');
  const { promote } = await import('../minimise/promote.ts');
  const { file, minimised, entry } = promote(folder, options);
  const shown = path.relative(process.cwd(), file);
  note(`${shown}: written${minimised ? '' : ', not minimised'}`);
  note(`next: holodiff record ${path.dirname(shown)}, and an entry in vectors/known-divergences.json like this one`);
  process.stdout.write(`${JSON.stringify(entry, null, 2)}\n`);
}
