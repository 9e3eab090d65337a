/**
 * Writes the curated vectors from their scenarios, and the recorded traces of both references beside them.
 *
 * Files of scenarios that are gone are removed. Recordings of other versions than the pinned ones stay as far as their
 * vectors did: nobody has to build five versions for one new vector. With `--check` nothing is written: exit code 1 if anything would be.
 */

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { $, argv } from 'zx';
import { VECTORS_FOLDER } from '../harness/corpus.ts';
import { CURATED } from '../harness/curated/index.ts';
import { CURATED_FOLDER, curatedFiles } from '../harness/curated/write.ts';
import { writeFile } from '../harness/files.ts';
import { PACKAGE_ROOT } from '../harness/places.ts';
import { pruneRecordings } from '../harness/record.ts';

const wanted = curatedFiles(CURATED);
const present = existsSync(CURATED_FOLDER)
  ? readdirSync(CURATED_FOLDER, { recursive: true, encoding: 'utf8' })
      .map((file) => file.split(path.sep).join('/'))
      .filter((file) => file.endsWith('.json'))
  : [];
const gone = present.filter((file) => !wanted.has(file));
const stale = [...wanted].filter(([file, content]) => {
  const target = path.join(CURATED_FOLDER, file);
  return !existsSync(target) || readFileSync(target, 'utf8') !== content;
});

if (argv['check'] === true) {
  for (const file of [...gone, ...stale.map(([stalePath]) => stalePath)]) console.error(`stale: ${file}`);
  process.exitCode = gone.length + stale.length > 0 ? 1 : 0;
} else {
  for (const file of gone) rmSync(path.join(CURATED_FOLDER, file));
  for (const [file, content] of stale) writeFile(path.join(CURATED_FOLDER, file), content);
  console.log(`${wanted.size} files: ${stale.length} written, ${gone.length} removed`);
  $.cwd = PACKAGE_ROOT;
  $.stdio = 'inherit';
  await $`${process.execPath} harness/cli/bin.mjs record vectors`;
  for (const { file, taken, left } of pruneRecordings(VECTORS_FOLDER)) {
    const what = `${taken} taken out of vectors that are gone or changed, ${left} left`;
    console.log(`${path.relative(PACKAGE_ROOT, file)}: ${what}; docs/versions.md says how to record them again`);
  }
}
