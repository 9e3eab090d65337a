/** What `holodiff decode` is given: hex on the command line, a file of hex or of bytes, a vector. */

import { existsSync, statSync } from 'node:fs';
import type { Vector } from '../../src/vector.ts';
import { FileError } from '../errors.ts';
import { isCompressed, readBytes, readVectorText, VectorFileError } from '../files.ts';
import { parseVector, VectorError } from '../vector.ts';

export type DecodeInput =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'vector'; readonly vector: Vector };

/**
 * Reads one input.
 *
 * @param given - a file, hex, or `-` for standard input
 * @param standardInput - gives what stands there
 */
export function readInput(given: string, standardInput: () => Uint8Array): DecodeInput {
  if (given === '-') return understand('standard input', standardInput());
  if (existsSync(given)) {
    if (statSync(given).isDirectory()) throw new FileError('not-found', given, 'is a folder');
    // Only a name says that it is compressed: the bytes that gzip starts with are no less a channel's id.
    if (isCompressed(given)) return asVector(given, readVectorText(given));
    return understand(given, readBytes(given));
  }
  const bytes = hexBytes(given);
  if (bytes === undefined) {
    const shown = given.length > 40 ? `${given.slice(0, 24)}…` : given;
    const isOdd = /^(?:0x)?(?:[0-9a-f]{2})*[0-9a-f]$/i.test(given);
    const why = isOdd ? 'no such file, and as hex it lacks a digit' : 'no such file, and not hex';
    throw new FileError('not-found', shown, why);
  }
  return { kind: 'bytes', bytes };
}

function understand(source: string, content: Uint8Array): DecodeInput {
  // A vector starts with a brace, which starts nothing that a batcher writes.
  if (content[0] === 0x7b) return asVector(source, Buffer.from(content).toString('utf8'));
  const text = isText(content) ? hexBytes(Buffer.from(content).toString('latin1')) : undefined;
  if (text === undefined && isText(content) && content.length > 0) {
    throw new FileError('invalid-file', source, 'expected hex, bytes, or a vector');
  }
  return { kind: 'bytes', bytes: text ?? content };
}

function asVector(source: string, text: string): DecodeInput {
  try {
    return { kind: 'vector', vector: parseVector(text) };
  } catch (error) {
    if (error instanceof VectorError) throw new VectorFileError(source, error);
    throw error;
  }
}

/** Whether these bytes are text: printable, spaces and line ends. */
function isText(content: Uint8Array): boolean {
  return content.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

/** Bytes of hex digits, spaces between them and a leading `0x` allowed; `undefined` if this is not hex. */
function hexBytes(text: string): Uint8Array | undefined {
  const digits = text.replace(/\s+/g, '').replace(/^0x/i, '');
  if (digits.length % 2 === 1 || /[^0-9a-f]/i.test(digits)) return undefined;
  return new Uint8Array(Buffer.from(digits, 'hex'));
}
