/** Line-delimited streams: `\n` and nothing else ends a line, whatever characters the text holds. */

import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Cuts chunks of bytes into lines. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  #pieces: string[] = [];
  #length = 0;

  /** Characters of the line that has not ended. */
  get pending(): number {
    return this.#length;
  }

  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): string[] {
    const text = this.#decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    const lines: string[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      lines.push(this.#take(text.slice(start, end)));
      start = end + 1;
    }
    // A long line comes in many chunks: they are joined once, when it ends.
    if (start < text.length) {
      this.#pieces.push(text.slice(start));
      this.#length += text.length - start;
    }
    return lines;
  }

  /** What came after the last line's end; the empty string if nothing did. */
  rest(): string {
    return this.#take(this.#decoder.end());
  }

  #take(last: string): string {
    if (this.#pieces.length === 0) return last;
    // One joining: adding the last piece to the joined rest would copy the line once more when it is read.
    this.#pieces.push(last);
    const line = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}

/** The lines of a stream; a last line without an end counts as one. */
export async function* linesOf(stream: Readable): AsyncGenerator<string, void, undefined> {
  const splitter = new LineSplitter();
  for await (const chunk of stream) yield* splitter.push(chunk as Uint8Array);
  const rest = splitter.rest();
  if (rest !== '') yield rest;
}

/** Whether a line holds nothing, and so has no answer. */
export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Writes a line, given whole or in pieces, and waits whenever the stream has enough for now. */
export async function writeLine(stream: Writable, line: string | Iterable<string>): Promise<void> {
  if (typeof line === 'string') return write(stream, `${line}\n`);
  for (const piece of line) await write(stream, piece);
  await write(stream, '\n');
}

async function write(stream: Writable, text: string): Promise<void> {
  if (stream.write(text)) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      stream.off('drain', go);
      stream.off('close', go);
      resolve();
    };
    stream.once('drain', go);
    stream.once('close', go);
  });
}
