/**
 * Writes the curated vectors and the large ones from their scenarios, and the recorded traces of both references beside
 * them.
 *
 * Files of scenarios that are gone are removed. Recordings of other versions than the pinned ones stay as far as their
 * vectors did: nobody has to build five versions for one new vector. With `--check` nothing is written: exit code 1 if anything would be.
 */

import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { $, argv } from 'zx';
import { VECTORS_FOLDER } from '../harness/corpus.ts';
import { CURATED } from '../harness/curated/index.ts';
import { CURATED_FOLDER, curatedFiles, LARGE_FOLDER, largeFiles } from '../harness/curated/write.ts';
import { readVectorText, writeVectorText } from '../harness/files.ts';
import { PACKAGE_ROOT } from '../harness/places.ts';
import { pruneRecordings } from '../harness/record.ts';

const check = argv['check'] === true;
let count = 0;
const gone: string[] = [];
const stale: string[] = [];

/** Writes what is not there or has another text: compressed bytes differ from one zlib to the next. */
function write(folder: string, wanted: Iterable<readonly [file: string, text: string]>): void {
  const names = new Set<string>();
  for (const [name, text] of wanted) {
    names.add(name);
    const file = path.join(folder, name);
    if (existsSync(file) && readVectorText(file) === text) continue;
    stale.push(file);
    if (!check) writeVectorText(file, text);
  }
  count += names.size;
  const present = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  for (const entry of present) {
    const name = entry.split(path.sep).join('/');
    if (/\.json(?:\.gz)?$/.test(name) && !names.has(name)) gone.push(path.join(folder, entry));
  }
}

write(CURATED_FOLDER, curatedFiles(CURATED));
write(LARGE_FOLDER, largeFiles());

if (check) {
  for (const file of [...gone, ...stale]) console.error(`stale: ${path.relative(PACKAGE_ROOT, file)}`);
  process.exitCode = gone.length + stale.length > 0 ? 1 : 0;
} else {
  for (const file of gone) rmSync(file);
  console.log(`${count} files: ${stale.length} written, ${gone.length} removed`);
  $.cwd = PACKAGE_ROOT;
  $.stdio = 'inherit';
  await $`${process.execPath} harness/cli/bin.mjs record vectors`;
  for (const { file, taken, left } of pruneRecordings(VECTORS_FOLDER)) {
    const what = `${taken} taken out of vectors that are gone or changed, ${left} left`;
    console.log(`${path.relative(PACKAGE_ROOT, file)}: ${what}; docs/versions.md says how to record them again`);
  }
}
