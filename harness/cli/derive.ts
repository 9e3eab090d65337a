/** `holodiff derive`: vectors in, traces out, with the contract of the adapters. */

import { Command } from 'commander';
import { EXIT, HolodiffError } from '../errors.ts';
import { type LimitOptions, limitsOf, memoryOption, note, timeoutOption, variantOption } from './options.ts';

interface DeriveOptions extends LimitOptions {
  readonly implementation: string;
  readonly variant?: string;
}

export function deriveCommand(): Command {
  return new Command('derive')
    .description('read vectors from standard input, one a line, and write their traces to standard output')
    .requiredOption(
      '-i, --implementation <name>',
      'what derives: typescript, kona, op-node, a version of one (kona@0.3.0), or any program: NAME=COMMAND',
    )
    .addOption(variantOption())
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `
The first line of the output is the implementation's handshake. A line that is not a vector is answered
with an error that names the JSON path, and the exit code is 2. A reference that crashes or hangs is
answered for with a trace whose outcome says so.

Examples:
  $ holodiff derive -i typescript < vectors.ndjson > traces.ndjson
  $ jq -c . some.vector.json | holodiff derive -i kona
  $ holodiff derive -i 'mine=./my-adapter --fast' < vectors.ndjson
  $ holodiff derive -i typescript --variant text < vectors.ndjson`,
    )
    .action(run);
}

async function run(options: DeriveOptions): Promise<void> {
  const { implementation: name } = options;
  if (options.variant !== undefined && name !== 'typescript') {
    throw new HolodiffError('unknown-variant', `--variant changes the TypeScript pipeline, not ${name}`);
  }
  const { isBlank, linesOf, writeLine } = await import('../lines.ts');
  const { inOrder } = await import('../implementations/implementation.ts');
  const { openLive } = await import('../implementations/open.ts');
  const { TypeScriptImplementation } = await import('../implementations/typescript.ts');
  const { traceToPieces } = await import('../trace.ts');
  const { jsonPieces, writeJson } = await import('../json.ts');

  const variant =
    options.variant === undefined ? undefined : await (await import('../variants.ts')).loadVariant(options.variant);
  const implementation = await openLive(name, { variant, limits: limitsOf(options), report: note });

  const { handshake } = implementation;
  await writeLine(process.stdout, writeJson({ holodiff: 'handshake', ...handshake }));
  async function* vectors() {
    for await (const line of linesOf(process.stdin)) if (!isBlank(line)) yield line;
  }
  const ask = (line: string) =>
    implementation instanceof TypeScriptImplementation ? implementation.derive(line) : implementation.submit(line);
  const answers = inOrder(vectors(), implementation.inFlight, ask, (line) => line.length);
  for await (const answer of answers) {
    if (answer.kind === 'derived') {
      await writeLine(process.stdout, traceToPieces(answer.trace));
    } else if (answer.kind === 'trace') {
      await writeLine(process.stdout, jsonPieces(answer.trace));
    } else if (answer.kind === 'error') {
      process.exitCode = EXIT.failed;
      await writeLine(process.stdout, writeJson({ error: { path: answer.path, message: answer.message } }));
    }
  }
  await implementation.close();
  for (const { kind, message, vector } of implementation.incidents) {
    note(`${implementation.name}: ${kind}: ${vector === undefined ? '' : `${vector}: `}${message}`);
  }
}
