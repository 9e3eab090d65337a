/** `holodiff rules`: the catalogue, what shows each rule, and who follows it. */

import { Command } from 'commander';
import { HolodiffError } from '../errors.ts';

interface RulesOptions {
  readonly markdown: boolean;
}

export function rulesCommand(): Command {
  return new Command('rules')
    .description('list the rules with the vectors that show them and who agrees, or show one in full')
    .argument('[id]', 'a rule, such as single/too-early')
    .option('--markdown', 'the table as the page docs/rules.md has it', false)
    .addHelpText(
      'after',
      `
The stored vectors of everyday size are run; what the references do is taken from their recorded traces. A rule is
asked before Holocene, after it (from its activation on), or in both. Fires and passes count the vectors in which it
decides so; – is explained by the rule in full. A reference agrees if no difference on any vector comes from the rule. Of each the pinned version
is told in full, and the columns of others say where they part from it.

Exit codes: 0 done, 2 the harness or its input failed.

Examples:
  $ holodiff rules
  $ holodiff rules span/overlap-content
  $ holodiff rules | grep -w 'differs'
  $ holodiff rules --markdown > rules.md`,
    )
    .action(run);
}

async function run(id: string | undefined, { markdown }: RulesOptions): Promise<void> {
  const { RULE_IDS } = await import('../../src/rules/catalogue.ts');
  if (id !== undefined && !(RULE_IDS as readonly string[]).includes(id)) {
    const stage = id.split('/')[0]!;
    const near = RULE_IDS.filter((rule) => rule.startsWith(`${stage}/`) || rule.endsWith(`/${id}`));
    const hint = near.length === 0 ? 'holodiff rules lists them' : `there are ${near.join(', ')}`;
    throw new HolodiffError('bad-option', `no rule of the catalogue is called ${id}: ${hint}`);
  }
  const { EVERYDAY_FOLDERS } = await import('../corpus.ts');
  const { LEDGER_FILE } = await import('../compare/ledger.ts');
  const { conformance } = await import('../rules/conformance.ts');
  const { formatRule, formatRules, rulesPage } = await import('../report/rules.ts');
  const table = conformance(EVERYDAY_FOLDERS, LEDGER_FILE);
  if (id !== undefined) {
    const row = table.rows.find(({ rule }) => rule === id)!;
    process.stdout.write(`${formatRule(table, row).join('\n')}\n`);
  } else {
    const { columns, isTTY } = process.stdout;
    const lines = formatRules(table, isTTY && columns > 80 ? columns : undefined);
    process.stdout.write(markdown ? rulesPage(table) : `${lines.join('\n')}\n`);
  }
}
