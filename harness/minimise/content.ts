/**
 * What a channel's bytes hold: batches, what follows them, and what is wrong with the stream around them. All of it can
 * be written again with less inside.
 */

import { brotliDecompressSync, inflateRawSync } from 'node:zlib';
import { BROTLI_VERSION, type ChannelFaults, encodeChannel, openChannel } from '../../src/channel.ts';
import { concatBytes } from '../../src/encoding/bytes.ts';
import { decompressZlib, zlibHeaderLength } from '../../src/encoding/decompress.ts';
import { adler32 } from '../../src/encoding/inflate.ts';
import { rlpHeaderLength } from '../../src/encoding/rlp.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';

/** The stream around the content. */
export interface Envelope {
  readonly algorithm: 'zlib' | 'brotli';
  /** What zlib's checksum is XORed with; 0 if it is right. */
  readonly checksum: number;
  /** Bytes of the checksum that are missing; `content` if the stream ends before the content does. */
  readonly missing: number | 'content';
  /** What follows the stream. */
  readonly trailing: Uint8Array;
}

export interface Content {
  /** The batches that are RLP strings, as far as they go. */
  readonly batches: readonly Uint8Array[];
  /** Content behind the last of them. */
  readonly tail: Uint8Array;
  readonly envelope: Envelope;
}

const NONE = new Uint8Array(0);

/** Nothing but zlib. */
export const PLAIN: Envelope = { algorithm: 'zlib', checksum: 0, missing: 0, trailing: NONE };

export function isPlain({ algorithm, checksum, missing, trailing }: Envelope): boolean {
  return algorithm === 'zlib' && checksum === 0 && missing === 0 && trailing.length === 0;
}

/** Bytes; the most that any implementation reads of a channel. */
const LIMIT = 100_000_000;

const contents = new WeakMap<Uint8Array, Content | null>();

/** The content of a channel; `undefined` if its stream is broken in a way that cannot be written again. */
export function readContent(data: Uint8Array): Content | undefined {
  let content = contents.get(data);
  if (content === undefined) {
    content = read(data) ?? null;
    contents.set(data, content);
  }
  return content ?? undefined;
}

function read(data: Uint8Array): Content | undefined {
  const stream = data[0] === BROTLI_VERSION ? readBrotli(data) : readZlib(data);
  if (stream === undefined) return undefined;
  const { bytes, envelope } = stream;
  const { batches, length } = split(data);
  return { batches, tail: bytes.subarray(length), envelope };
}

interface Stream {
  readonly bytes: Uint8Array;
  readonly envelope: Envelope;
}

/** What Node gives with `info: true`, which its types leave out. */
interface WithInfo {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

const OPTIONS = { info: true, maxOutputLength: LIMIT };

function readZlib(data: Uint8Array): Stream | undefined {
  const start = zlibHeaderLength(data);
  if (start === undefined) return undefined;
  try {
    const { buffer, engine } = inflateRawSync(data.subarray(start), OPTIONS) as unknown as WithInfo;
    const end = start + engine.bytesWritten;
    const checksum = data.subarray(end, end + 4);
    const view = new DataView(checksum.buffer, checksum.byteOffset, checksum.byteLength);
    const wrong = checksum.length === 4 ? (view.getUint32(0) ^ adler32(buffer)) >>> 0 : 0;
    const envelope: Envelope = {
      algorithm: 'zlib',
      checksum: wrong,
      missing: 4 - checksum.length,
      trailing: data.subarray(end + checksum.length),
    };
    return { bytes: buffer, envelope };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR') return undefined;
    const output = decompressZlib(data, start, LIMIT);
    output.take(LIMIT);
    return { bytes: output.bytes.subarray(0, output.length), envelope: { ...PLAIN, missing: 'content' } };
  }
}

function readBrotli(data: Uint8Array): Stream | undefined {
  try {
    const { buffer, engine } = brotliDecompressSync(data.subarray(1), OPTIONS) as unknown as WithInfo;
    const trailing = data.subarray(1 + engine.bytesWritten);
    return { bytes: buffer, envelope: { algorithm: 'brotli', checksum: 0, missing: 0, trailing } };
  } catch {
    return undefined;
  }
}

/** The batches that come before anything is wrong, and how many bytes of content they are. */
function split(data: Uint8Array): { readonly batches: Uint8Array[]; readonly length: number } {
  const batches: Uint8Array[] = [];
  let length = 0;
  const channel = openChannel(data, { limit: LIMIT, brotliAllowed: true }, new RuleBook());
  for (let batch = channel?.next(); batch !== undefined; batch = channel?.next()) {
    batches.push(batch);
    const bare = batch.length === 1 && batch[0]! < 0x80;
    length += bare ? 1 : rlpHeaderLength(batch.length) + batch.length;
  }
  return { batches, length };
}

/** The bytes of a channel with this content, as short as the envelope allows. */
export function writeContent({ batches, tail, envelope }: Content): Uint8Array {
  const { algorithm, checksum, missing, trailing } = envelope;
  if (algorithm === 'brotli') {
    // The best quality takes minutes over a content at the protocol's limits.
    const length = batches.reduce((sum, batch) => sum + batch.length, tail.length);
    const sound = encodeChannel(batches, { algorithm, quality: length > 1_000_000 ? 5 : 11 }, { contentTail: tail });
    return concatBytes([sound, trailing]);
  }
  if (missing === 'content') {
    // All that is there stays readable if a stored block promises one byte more and ends without it.
    const stored = encodeChannel(
      batches,
      { algorithm, level: 0 },
      { contentTail: concatBytes([tail, Uint8Array.of(0)]) },
    );
    return stored.subarray(0, stored.length - 5);
  }
  const faults: ChannelFaults = { contentTail: tail, checksum };
  const sound = encodeChannel(batches, { algorithm, level: 9 }, faults);
  return concatBytes([sound.subarray(0, sound.length - missing), trailing]);
}
