/** `holodiff variant`: what a changed rule changes, and who does so already. */

import { Command } from 'commander';
import {
  implementationOption,
  type LimitOptions,
  limitsOf,
  memoryOption,
  naturalOrZero,
  note,
  seedOption,
  timeoutOption,
} from './options.ts';

interface VariantOptions extends LimitOptions {
  readonly vectors: number;
  readonly seed: string;
  readonly campaign: boolean;
  readonly minimise: boolean;
  readonly implementation: readonly string[];
  readonly promote?: string;
  readonly json: boolean;
}

export function variantCommand(): Command {
  return new Command('variant')
    .description('say what a changed rule set changes, and which implementations follow it already')
    .argument('<name|file>', 'a built-in variant (text), a JSON file, or a module; see examples/variants')
    .argument('[path...]', 'vector files and folders (default: those that come with holodiff, but for the large ones)')
    .option('--vectors <number>', 'how many generated vectors, 0 for none', naturalOrZero, 2000)
    .addOption(seedOption())
    .option('--no-campaign', 'stored vectors only')
    .option('--no-minimise', 'show the vectors as they were found')
    .addOption(
      implementationOption(
        'also ask this one of the smallest vectors: kona, op-node, a version of one (kona@0.3.0), or any program: NAME=COMMAND',
        'recorded traces only',
      ),
    )
    .option('--promote <folder>', 'write the smallest vectors there, with the traces that the variant gives')
    .option('--json', 'the answer as data', false)
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
Stored and generated vectors are derived by the base rules and by the variant. Those on which the two differ are
sorted into kinds of change: the first boundary at which the traces part, the decision of the base that is at stake,
and the shape. Each kind is shown by its smallest vector, made smaller still, with the implementations whose
recorded traces side with the old rules and with the new ones.

Exit codes: 0 the answer is given, whatever it is; 2 the harness or its input failed.

Examples:
  $ holodiff variant text
  $ holodiff variant examples/variants/granite-timeout-100.ts --vectors 10000
  $ holodiff variant my-rule.ts --no-campaign -i kona -i op-node --promote vectors/finds/my-rule`,
    )
    .action(run);
}

async function run(spec: string, paths: readonly string[], options: VariantOptions): Promise<void> {
  const { loadVariant } = await import('../variants.ts');
  const variant = await loadVariant(spec);
  const { EVERYDAY_FOLDERS, loadTellable } = await import('../corpus.ts');
  const { readKnown } = await import('../report/known.ts');
  const { openRecordings, openReferences } = await import('../variant/open.ts');
  const { askVariant } = await import('../variant/ask.ts');
  const { checkTarget, promoteChanges } = await import('../variant/promote.ts');
  const { formatVariant, variantData } = await import('../report/variant.ts');

  if (options.promote !== undefined) checkTarget(options.promote);
  // What is under embargo is in no answer.
  const among = paths.length > 0 ? paths : EVERYDAY_FOLDERS;
  const { vectors: corpus } = loadTellable(among, 'all', readKnown(undefined), note);
  const recorded = openRecordings(corpus);
  const live = await openReferences(options.implementation, { report: note, limits: limitsOf(options) });
  try {
    const vectors = options.campaign ? options.vectors : 0;
    const answer = await askVariant({ ...options, variant, corpus, vectors, recorded, live, note });
    const text = options.json ? JSON.stringify(variantData(answer), null, 2) : formatVariant(answer).join('\n');
    process.stdout.write(`${text}\n`);
    if (options.promote !== undefined) {
      for (const file of promoteChanges(answer, options.promote)) note(`${file}: written`);
    }
  } finally {
    await Promise.all(live.map((implementation) => implementation.close()));
  }
}
