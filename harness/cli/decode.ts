/** `holodiff decode`: what stands in bytes that a batcher wrote. */

import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT } from '../errors.ts';

interface DecodeOptions {
  readonly as?: 'item' | 'frame' | 'channel' | 'batch' | 'transaction';
  readonly json: boolean;
  readonly l2ChainId: bigint;
  readonly genesisTime: bigint;
  readonly blockTime: bigint;
}

function natural(value: string): bigint {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('expected a whole number from 0');
  return BigInt(value);
}

/** An option that takes a number of the chain. The help writes a default as JSON, which knows no bigint. */
function fact(flags: string, description: string, otherwise: bigint): Option {
  return new Option(flags, description).argParser(natural).default(otherwise, String(otherwise));
}

export function decodeCommand(): Command {
  return new Command('decode')
    .description('show what stands in items, frames, channels or batches, with the offset of every field')
    .argument('[input...]', 'files of hex or bytes, hex itself, vector files; - or nothing for standard input')
    .addOption(
      new Option('--as <kind>', 'what the bytes are, if it is not to be found out').choices([
        'item',
        'frame',
        'channel',
        'batch',
        'transaction',
      ]),
    )
    .option('--json', 'print JSON', false)
    .addOption(fact('--l2-chain-id <number>', 'for the rebuilt transactions of span batches', 10n))
    .addOption(fact('--genesis-time <seconds>', 'timestamp of L2 genesis', 1686068903n))
    .addOption(fact('--block-time <seconds>', 'between two L2 blocks', 2n))
    .addHelpText(
      'after',
      `
Bytes are what batchers write: an item (the data of a batcher transaction), frames, a channel's compressed data, a
batch, or a whole signed transaction. Several inputs are items in order; their frames are put together to channels, in
any order as before Holocene, and it is said what Holocene's rules of order keep. Of a vector all items are decoded,
with its own chain instead of OP Mainnet's.

Malformed bytes are shown as far as they are valid, with the rule that ends them.

Exit codes: 0 all valid, 1 something is malformed, 2 the harness or its input failed.

Examples:
  $ holodiff decode vectors/real/op-mainnet-june-2024-channel.hex
  $ holodiff decode 0x000000000000000000000000000000000100000000000001 --json
  $ holodiff decode some.vector.json
  $ xxd -p channel.bin | holodiff decode --as channel -`,
    )
    .action(run);
}

async function run(given: readonly string[], options: DecodeOptions): Promise<void> {
  const { readFileSync } = await import('node:fs');
  const { decodeInputs, decodeVector } = await import('../decode/decode.ts');
  const { readInput } = await import('../decode/input.ts');
  const { isWhole } = await import('../decode/decoded.ts');
  const { documentLines } = await import('../decode/text.ts');
  const { paintFor } = await import('../decode/paint.ts');

  const names = given.length === 0 ? ['-'] : given;
  const inputs = names.map((name) => readInput(name, () => readFileSync(0)));
  const bytes = inputs.flatMap((input) => (input.kind === 'bytes' ? [input.bytes] : []));
  const documents = inputs.flatMap((input) => (input.kind === 'vector' ? [decodeVector(input.vector)] : []));
  if (bytes.length > 0) documents.unshift(decodeInputs(bytes, options, options.as));
  const paint = paintFor(process.stdout);
  for (const document of documents) {
    if (options.json) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    else process.stdout.write(`${documentLines(document, paint).join('\n')}\n`);
  }
  const whole = documents.every((document) => {
    const contents = document.channels.flatMap(({ content }) => (content === null ? [] : [content]));
    return [...document.inputs, ...contents].every(isWhole);
  });
  process.exitCode = whole ? EXIT.ok : EXIT.differs;
}
