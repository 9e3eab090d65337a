/**
 * Errors that stop the harness.
 *
 * What an implementation does (a crash, a hang, garbage) is a result and never one of these; these say that the harness
 * itself, its surroundings or its input are at fault, which is exit code 2.
 */

/** Exit codes of every command. */
export const EXIT = {
  /** All agree, or all went well. */
  ok: 0,
  /** Something differs. */
  differs: 1,
  /** The harness or its input failed. */
  failed: 2,
} as const;

/** The stable names of what can go wrong. */
export type ErrorCode =
  | 'invalid-vector'
  | 'invalid-trace'
  | 'invalid-file'
  | 'no-vectors'
  | 'not-found'
  | 'not-written'
  | 'unknown-variant'
  | 'unknown-implementation'
  | 'missing-binary'
  | 'bad-handshake'
  | 'missing-toolchain'
  | 'build-failed'
  | 'bad-option'
  | 'not-interesting'
  | 'closed';

/** Base of all errors of the harness: a stable code, a message of one line, and the facts as fields. */
export class HolodiffError extends Error {
  /** Which kind of error it is: stays the same when the message changes. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A file of the project's own kind that cannot be used. */
export class FileError extends HolodiffError {
  readonly file: string;

  constructor(code: ErrorCode, file: string, message: string, options?: ErrorOptions) {
    super(code, `${file}: ${message}`, options);
    this.file = file;
  }
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
