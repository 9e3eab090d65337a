/** Writes the generated files below `docs/`. With `--check` nothing is written: exit code 1 if anything would be. */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { argv } from 'zx';
import { LEDGER_FILE } from '../harness/compare/ledger.ts';
import { EVERYDAY_FOLDERS } from '../harness/corpus.ts';
import { writeFile } from '../harness/files.ts';
import { PACKAGE_ROOT } from '../harness/places.ts';
import { rulesPage } from '../harness/report/rules.ts';
import { conformance } from '../harness/rules/conformance.ts';
import { resultJsonSchema, resultPage } from './result-schema.ts';

const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'json.md': resultPage,
  'result.schema.json': resultJsonSchema,
  'rules.md': () => rulesPage(conformance(EVERYDAY_FOLDERS, LEDGER_FILE)),
};

for (const [name, content] of Object.entries(DOCUMENTS)) {
  const file = path.join(PACKAGE_ROOT, 'docs', name);
  const page = content();
  if (existsSync(file) && readFileSync(file, 'utf8') === page) continue;
  if (argv['check'] === true) {
    console.error(`stale: docs/${name}`);
    process.exitCode = 1;
  } else {
    writeFile(file, page);
    console.log(`docs/${name} written`);
  }
}
