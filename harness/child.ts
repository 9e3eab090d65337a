/** A program at the other end of a pipe, and how it comes to its end. */

import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';

/** A program with all its streams as pipes. */
export type Child = ReturnType<typeof spawnChild>;

/** How a child ended. */
export interface ChildEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Why it could not be started, if it could not. */
  readonly cause: unknown;
}

export function spawnChild(command: string, args: readonly string[]) {
  return execa(command, args, { buffer: false, reject: false, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' });
}

/** Milliseconds without output after which a pipe that is still open is somebody else's. */
const QUIET = 1_000;

/** Milliseconds in which output that already lies in the pipe is read. */
const GRACE = 100;

/**
 * Settles when the program is gone and what it wrote was read. Another program that it started may hold its pipes open
 * for as long as it likes: nobody waits for that one, and nothing is heard of it.
 *
 * @param isDeaf - whether nothing that still comes is of interest
 */
export async function endOf(child: Child, isDeaf: () => boolean): Promise<ChildEnd> {
  let heard = false;
  const hear = () => {
    heard = true;
  };
  const closed = Promise.all(
    [child.stdout, child.stderr].map(
      (stream) =>
        new Promise<void>((resolve) => {
          stream.on('data', hear);
          stream.once('close', resolve);
        }),
    ),
  ).then(() => true);
  const exited = new Promise<ChildEnd>((resolve) => {
    child.once('exit', (exitCode, signal) =>
      resolve({ exitCode: exitCode ?? undefined, signal: signal ?? undefined, cause: undefined }),
    );
  });
  const settled = child.then(({ exitCode, signal, cause }): ChildEnd => ({ exitCode, signal, cause }));
  const end = await Promise.race([exited, settled]);
  while (!isDeaf()) {
    heard = false;
    if (await Promise.race([closed, delay(QUIET, false, { ref: false })])) break;
    // If this process was busy, output may lie in the pipe: timers run before the pipe is read.
    await delay(GRACE);
    if (!heard) break;
  }
  // An open pipe would keep this process alive.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  return end;
}
