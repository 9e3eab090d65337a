/**
 * What is kept between nights, on a branch of its own.
 *
 *   kept.ts open FOLDER                              checks the branch out there; an empty one if there is none yet
 *   kept.ts save FOLDER --night DIR --replayed FILE  brings it up to date after a night, and pushes it
 *
 * The branch holds `findings/`, a folder for each signature that nobody has listed yet, and `embargo/`, which people put
 * there: a ledger of its own with the vectors that it names. `open` has the steps behind it use that ledger too.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { $, argv } from 'zx';
import { readMerged } from '../../harness/campaign/merge.ts';
import { LEDGER_FILE } from '../../harness/compare/ledger.ts';
import { HolodiffError } from '../../harness/errors.ts';
import { readFile, writeFile } from '../../harness/files.ts';
import { readKnownSignatures } from '../../harness/report/known.ts';
import { parseResult, type ReplayReport } from '../../harness/report/result.ts';
import { goneFindings, updateKept } from './kept-findings.ts';
import { main, setVariable } from './workflow.ts';

const BRANCH = 'nightly';

const README = `# What holodiff keeps between nights

Written by the nightly workflow. \`findings/\` has a folder for each signature that nobody has listed yet; each is replayed
every night, and goes when all agree on it or when its signature is listed in \`vectors/known-divergences.json\`.

\`embargo/\` is for people: a \`known-divergences.json\` with entries under embargo, and the vectors that they name.

None of this is public. docs/nightly.md says more.
`;

$.quiet = true;

/** As nobody: what is committed is nobody's work. */
const IDENTITY = ['-c', 'user.name=holodiff', '-c', 'user.email=nightly@holodiff.invalid'];

async function open(folder: string): Promise<void> {
  const { exitCode } = await $({ nothrow: true })`git ls-remote --exit-code --heads origin ${BRANCH}`;
  if (exitCode !== 0 && exitCode !== 2) throw new HolodiffError('not-found', 'git ls-remote: origin cannot be reached');
  if (exitCode === 0) {
    await $`git fetch --no-tags --depth=1 origin ${BRANCH}`;
    await $`git worktree add --force --detach ${folder} FETCH_HEAD`;
  } else {
    const tree = (await $`git hash-object -w -t tree /dev/null`).stdout.trim();
    const root = (await $`git ${IDENTITY} commit-tree ${tree} -m ${'Nothing is kept yet'}`).stdout.trim();
    await $`git worktree add --force --detach ${folder} ${root}`;
  }
  const embargo = path.resolve(folder, 'embargo', path.basename(LEDGER_FILE));
  if (existsSync(embargo)) setVariable('HOLODIFF_KNOWN', `${LEDGER_FILE},${embargo}`);
}

async function save(folder: string, night: string, replayed: string | undefined): Promise<void> {
  const report = readMerged(night);
  const gone = replayed === undefined ? new Set<string>() : goneFindings(readReplay(replayed));
  const { HOLODIFF_KNOWN: files = '' } = process.env;
  const known = readKnownSignatures(files === '' ? undefined : files.split(','));
  const changes = updateKept(path.join(folder, 'findings'), { folder: night, report }, gone, known);
  writeFile(path.join(folder, 'README.md'), README);
  await $({ cwd: folder })`git add --all`;
  const { exitCode } = await $({ cwd: folder, nothrow: true })`git diff --cached --quiet`;
  const all = Object.entries(changes) as [string, readonly string[]][];
  const said = all.map(([what, names]) => `${names.length} ${what}`);
  if (exitCode !== 0) {
    await $({ cwd: folder })`git ${IDENTITY} commit -m ${said.join(', ')}`;
    await $({ cwd: folder })`git push origin ${`HEAD:refs/heads/${BRANCH}`}`;
  }
  for (const [what, names] of all) for (const name of names) console.log(`${what}: ${name}`);
  console.log(`kept: ${said.join(', ')}`);
}

function readReplay(file: string): ReplayReport {
  const result = parseResult(readFile(file), file);
  if (result.command === 'replay') return result;
  throw new HolodiffError('invalid-file', `${file}: command: expected replay, got ${result.command}`);
}

await main(async () => {
  const [command, folder] = argv._;
  const { night, replayed } = argv as { night?: unknown; replayed?: unknown };
  if (command === 'open' && folder !== undefined) await open(folder);
  else if (command === 'save' && folder !== undefined && typeof night === 'string') {
    await save(folder, night, typeof replayed === 'string' && existsSync(replayed) ? replayed : undefined);
  } else throw new HolodiffError('bad-option', 'expected open FOLDER, or save FOLDER --night DIR [--replayed FILE]');
});
