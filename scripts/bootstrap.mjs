/**
 * Makes a fresh clone ready to run: checks Node and installs the locked packages when they are missing or stale.
 * Plain Node, since nothing is installed yet when it starts.
 */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major] = process.versions.node.split('.').map(Number);
if (major < 20) {
  console.error(`holodiff: Node 20 or later is needed, this is ${process.versions.node}`);
  process.exit(2);
}

const stamp = `${root}node_modules/.holodiff-lock-hash`;
const hash = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
  console.error('holodiff: installing the locked packages');
  const installed = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (installed.status !== 0) {
    console.error('holodiff: npm ci failed; its output stands above');
    process.exit(2);
  }
  writeFileSync(`${stamp}.new`, hash);
  renameSync(`${stamp}.new`, stamp);
}
