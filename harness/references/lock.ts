/** A lock between processes that build. */

import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two looks at another's lock. */
const LOCK_INTERVAL = 200;

/**
 * Takes a lock that another process may hold; one whose owner is gone is taken over.
 *
 * @param onWait - is told once if the lock is held
 * @returns what gives it back
 */
export async function lock(file: string, onWait: () => void): Promise<() => void> {
  let waited = false;
  for (;;) {
    try {
      const handle = openSync(file, 'wx');
      writeSync(handle, String(process.pid));
      closeSync(handle);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (isAbandoned(file)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await delay(LOCK_INTERVAL);
  }
}

function isAbandoned(file: string): boolean {
  let owner: number;
  try {
    owner = Number(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
  // Created and not written yet.
  if (!Number.isInteger(owner) || owner === 0) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
