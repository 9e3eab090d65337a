/** `holodiff completion`: the script by which a shell completes holodiff. */

import { Argument, Command } from 'commander';

type Shell = 'bash' | 'zsh' | 'fish';

export function completionCommand(): Command {
  return new Command('completion')
    .description('print the script by which a shell completes commands, options and their values')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
The script is made from the commands themselves. Read when the shell starts, it is always that of the installed version.

Examples:
  $ echo 'source <(holodiff completion bash)' >> ~/.bashrc
  $ holodiff completion zsh > "\${fpath[1]}/_holodiff"
  $ holodiff completion fish > ~/.config/fish/completions/holodiff.fish`,
    )
    .action(run);
}

async function run(shell: Shell, _: unknown, command: Command): Promise<void> {
  const { completable } = await import('../completion/tree.ts');
  const { knownWords } = await import('../completion/words.ts');
  const scripts = {
    bash: async () => (await import('../completion/bash.ts')).bashCompletion,
    zsh: async () => (await import('../completion/zsh.ts')).zshCompletion,
    fish: async () => (await import('../completion/fish.ts')).fishCompletion,
  };
  const script = await scripts[shell]();
  process.stdout.write(script(completable(command.parent!, knownWords())));
}
