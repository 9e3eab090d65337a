/**
 * How well signatures tell causes apart, on the vectors of the ledger: each cause with its signatures, then the
 * signatures that several causes share. `--json FILE` keeps the list of vectors and signatures.
 */

import path from 'node:path';
import { argv } from 'zx';
import { compare, type Side } from '../harness/compare/compare.ts';
import { LEDGER_FILE, readLedger } from '../harness/compare/ledger.ts';
import { formatSignature, signatureOf } from '../harness/compare/signature.ts';
import { findVectorFiles, loadVectors, VectorFileError, writeFile } from '../harness/files.ts';
import { PACKAGE_ROOT } from '../harness/places.ts';
import { openForFiles } from '../harness/implementations/open.ts';

const files = findVectorFiles([path.join(PACKAGE_ROOT, 'vectors')]);
const entries = readLedger(LEDGER_FILE);
const causes = new Map(entries.flatMap(({ id, vectors }) => Object.keys(vectors).map((name) => [name, id] as const)));
const implementations = await openForFiles({ names: [], recorded: true, files, report: (line) => console.error(line) });

function group<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const found: { vector: string; cause: string; signature: string }[] = [];
for (const loaded of files.flatMap((file) => [...loadVectors(file)])) {
  if (loaded instanceof VectorFileError) throw loaded;
  const { vector, line } = loaded;
  const cause = causes.get(vector.name);
  if (cause === undefined) continue;
  const sides: Side[] = [];
  for (const implementation of implementations) {
    const answer = await implementation.submit(line, vector);
    if (answer.kind !== 'trace') throw new Error(`${vector.name}: ${implementation.name} has no trace`);
    const silent = answer.incident !== undefined;
    sides.push({ implementation: implementation.name, trace: answer.trace, silent });
  }
  const difference = compare(sides);
  if (difference === undefined) continue;
  found.push({ vector: vector.name, cause, signature: formatSignature(signatureOf(vector, difference, sides)) });
}

const byCause = group(found, ({ cause }) => cause);
for (const [cause, shown] of [...byCause].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`${cause}: ${shown.length} vectors`);
  const bySignature = group(shown, ({ signature }) => signature);
  for (const [signature, vectors] of [...bySignature].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`  ${String(vectors.length).padStart(4)} ${signature}`);
  }
}
const bySignature = group(found, ({ signature }) => signature);
const shared = [...bySignature].filter(([, shown]) => new Set(shown.map(({ cause }) => cause)).size > 1);
for (const [signature, shown] of shared) {
  console.log(`shared: ${signature}: ${[...new Set(shown.map(({ cause }) => cause))].join(', ')}`);
}
console.log(
  `${found.length} vectors, ${byCause.size} causes, ${bySignature.size} signatures, ${shared.length} of them shared by several causes`,
);
if (typeof argv['json'] === 'string') writeFile(argv['json'], `${JSON.stringify(found, null, 1)}\n`);
