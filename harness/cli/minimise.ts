/** `holodiff minimise`: the simplest vector that still shows the same. */

import { Command, InvalidArgumentError } from 'commander';
import type { Implementation } from '../implementations/implementation.ts';
import type { Interesting } from '../minimise/index.ts';
import {
  implementationOption,
  type LimitOptions,
  limitsOf,
  memoryOption,
  nonEmpty,
  note,
  timeoutOption,
} from './options.ts';

interface MinimiseCommandOptions extends LimitOptions {
  readonly signature?: string;
  readonly implementation: readonly string[];
  readonly command?: string;
  readonly out?: string;
  readonly maxTests?: number;
}

function natural(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('expected a whole number above 0');
  return Number(value);
}

export function minimiseCommand(): Command {
  return new Command('minimise')
    .description('take away and simplify whatever a vector does not need to show what it shows')
    .argument('<file>', 'a file with one vector')
    .option('--signature <text>', 'the signature to keep (default: the one that the vector has)')
    .addOption(
      implementationOption(
        'compare only this one: typescript, kona, op-node, a version of one (kona@0.3.0), or any program: NAME=COMMAND',
        'typescript and both references',
      ),
    )
    .option('--command <command>', 'keep what this command ends with code 0 for; {} is the path of the candidate')
    .option(
      '-o, --out <file>',
      'where the result goes (default: beside the file, as NAME.minimised.vector.json)',
      nonEmpty,
    )
    .option('--max-tests <number>', 'test no more candidates than this', natural)
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
What is kept is the signature of the difference between the implementations, or whatever a command says.
A command without {} gets the path as its last argument; it must say the same whenever it is asked, and
several of it may run at the same time. Minimising a result again changes nothing.

Exit codes: 0 minimised, 2 the vector is not interesting to begin with, or the harness or its input failed.

Examples:
  $ holodiff minimise some.vector.json
  $ holodiff minimise some.vector.json -i typescript -i kona -o small.vector.json
  $ holodiff minimise some.vector.json --command './still-crashes.sh {}'`,
    )
    .action(run);
}

async function run(file: string, options: MinimiseCommandOptions): Promise<void> {
  const started = performance.now();
  const { FileError, HolodiffError } = await import('../errors.ts');
  const { loadVectors, writeVectorText } = await import('../files.ts');
  const { CommandJudge, minimise } = await import('../minimise/index.ts');
  const { vectorToJson } = await import('../vector.ts');

  const [loaded, ...others] = loadVectors(file);
  if (loaded === undefined || others.length > 0) throw new FileError('invalid-file', file, 'expected one vector');
  if (loaded instanceof HolodiffError) throw loaded;
  if (options.command !== undefined && (options.signature ?? options.implementation[0]) !== undefined) {
    throw new HolodiffError('bad-option', '--command: decides alone; leave --signature and --implementation out');
  }

  const judge = options.command === undefined ? undefined : await CommandJudge.create(options.command);
  const implementations = judge === undefined ? await open(options) : [];
  try {
    const interesting = judge?.interesting ?? (await bySignature(file, loaded.line, options, implementations));
    const result = await minimise(loaded.vector, interesting, {
      ...(options.maxTests === undefined ? {} : { maxTests: options.maxTests }),
      onProgress: ({ pass, tests, size }) => note(`${size} characters after ${tests} tests (${pass})`),
    });
    const out = options.out ?? `${file.replace(/(\.vector)?\.(nd)?json(\.gz)?$/, '')}.minimised.vector.json`;
    writeVectorText(out, vectorToJson(result.vector));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const { sizeBefore, line, tests, exhausted } = result;
    process.stdout.write(
      `${out}: ${sizeBefore} characters before, ${line.length} after ${tests} tests (${seconds} s)\n`,
    );
    if (exhausted) note('the tests did not suffice: there may be more to take away');
  } finally {
    await Promise.all(implementations.map((implementation) => implementation.close()));
    await judge?.close();
  }
}

/** Opens what derives candidates: recorded traces cannot, since they know no other vector. */
async function open({ implementation: names, ...limits }: MinimiseCommandOptions): Promise<Implementation[]> {
  const { openAllLive } = await import('../implementations/open.ts');
  const { REFERENCE_NAMES } = await import('../references/build.ts');
  const { requireTwo } = await import('../replay.ts');
  const wanted = names.length > 0 ? names : ['typescript', ...REFERENCE_NAMES];
  const opened = await openAllLive(wanted, { limits: limitsOf(limits), report: note });
  try {
    requireTwo(opened);
    return opened;
  } catch (error) {
    await Promise.all(opened.map((implementation) => implementation.close()));
    throw error;
  }
}

async function bySignature(
  file: string,
  line: string,
  { signature }: MinimiseCommandOptions,
  implementations: readonly Implementation[],
): Promise<Interesting> {
  const { FileError } = await import('../errors.ts');
  const { interestingBySignature, presentSignature } = await import('../minimise/index.ts');
  const { parseVector } = await import('../vector.ts');
  const present = await presentSignature(parseVector(line), implementations);
  if (present === undefined || (signature !== undefined && signature !== present)) {
    const what = present === undefined ? 'all agree' : `its signature is ${present}`;
    throw new FileError('not-interesting', file, `not interesting to begin with: ${what}`);
  }
  note(present);
  return interestingBySignature(present, implementations);
}
