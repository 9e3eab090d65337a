/**
 * Speed on the curated vectors: the TypeScript pipeline beside each reference, each measured inside its own process
 * after a warm-up, without JSON and without the hashes that only traces and the simulated engine need.
 *
 * Options: `--for MILLISECONDS` a vector (default 60), `--json FILE`; paths of vectors in place of `vectors/curated`.
 */

import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { argv, chalk } from 'zx';
import { type BenchLine, benchTypescript } from '../harness/bench/typescript.ts';
import { CURATED_FOLDER } from '../harness/curated/write.ts';
import { findVectorFiles, loadVectors, VectorFileError, writeFile } from '../harness/files.ts';
import { buildReference } from '../harness/references/build.ts';
import { vectorToLine } from '../harness/vector.ts';

const milliseconds = Number(argv['for'] ?? 60);
const paths = argv._.length > 0 ? argv._ : [CURATED_FOLDER];
const vectors = findVectorFiles(paths)
  .flatMap((file) => [...loadVectors(file)])
  .map((loaded) => {
    if (loaded instanceof VectorFileError) throw loaded;
    return loaded.vector;
  });

async function benchReference(name: 'kona' | 'op-node'): Promise<BenchLine[]> {
  const built = await buildReference(name, (line) => console.error(line));
  const child = execa(built.binary, ['--bench', String(milliseconds)], {
    input: vectors.map((vector) => `${vectorToLine(vector)}\n`).join(''),
    buffer: false,
    stderr: 'inherit',
  });
  const lines: BenchLine[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as BenchLine | { holodiff: 'handshake' };
    if (!('holodiff' in answer)) lines.push(answer);
  }
  await child;
  return lines;
}

const typescript = vectors.map((vector) => benchTypescript(vector, milliseconds));
const opNode = await benchReference('op-node');
const kona = await benchReference('kona');

const microseconds = (line: BenchLine | undefined) =>
  ((line?.medianNanoseconds ?? Number.NaN) / 1000).toFixed(1).padStart(10);
console.log(`${'vector'.padEnd(72)}${'typescript'.padStart(10)}${'op-node'.padStart(10)}${'kona'.padStart(10)}  µs`);
for (const [index, vector] of vectors.entries()) {
  const row = [typescript[index], opNode[index], kona[index]].map(microseconds).join('');
  console.log(`${vector.name.slice(0, 71).padEnd(72)}${row}`);
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const nanoseconds = (lines: readonly BenchLine[], chosen: readonly number[]) =>
  median(chosen.map((index) => lines[index]!.medianNanoseconds));
function summary(title: string, chosen: readonly number[]): void {
  const [ours, go, rust] = [typescript, opNode, kona].map((lines) => nanoseconds(lines, chosen) / 1000);
  const ratio = (ours! / go!).toFixed(2);
  console.log(
    chalk.bold(
      `${title} (${chosen.length} vectors), median: typescript ${ours!.toFixed(1)} µs, op-node ${go!.toFixed(1)} µs (ratio ${ratio}), kona ${rust!.toFixed(1)} µs`,
    ),
  );
}
const all = vectors.map((_, index) => index);
summary('all', all);
summary(
  'with a brotli channel',
  all.filter((index) => typescript[index]!.brotli),
);
if (typeof argv['json'] === 'string') {
  const rows = vectors.map(({ name }, index) => ({
    name,
    typescript: typescript[index],
    opNode: opNode[index],
    kona: kona[index],
  }));
  writeFile(argv['json'], `${JSON.stringify(rows, null, 2)}\n`);
}
