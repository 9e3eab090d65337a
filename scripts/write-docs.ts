/** Writes the generated pages below `docs/`. With `--check` nothing is written: exit code 1 if anything would be. */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { argv } from 'zx';
import { LEDGER_FILE } from '../harness/compare/ledger.ts';
import { VECTORS_FOLDER } from '../harness/corpus.ts';
import { PACKAGE_ROOT, writeFile } from '../harness/files.ts';
import { rulesPage } from '../harness/report/rules.ts';
import { conformance } from '../harness/rules/conformance.ts';

const file = path.join(PACKAGE_ROOT, 'docs', 'rules.md');
const page = rulesPage(conformance([VECTORS_FOLDER], LEDGER_FILE));
const stale = !existsSync(file) || readFileSync(file, 'utf8') !== page;
if (argv['check'] === true) {
  if (stale) console.error('stale: docs/rules.md');
  process.exitCode = stale ? 1 : 0;
} else if (stale) {
  writeFile(file, page);
  console.log('docs/rules.md written');
}
