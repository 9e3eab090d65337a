/**
 * A brotli stream (RFC 7932), read piece by piece, for streams that the one-shot call refuses.
 *
 * When a brotli decoder meets an error it drops what still lies in its ring buffer; which bytes had left the ring buffer
 * by then depends on the sizes of the input pieces and of the output buffers. The references' outcome can therefore only
 * be had by decoding with the very calls that op-node's reader makes: 4,095 bytes of input, then 32,768 at a time, and
 * output buffers of the size that its consumer asks for.
 *
 * Node offers no synchronous streaming call, so this file, and no other, uses the handle under the stream. That is not
 * documented: the handle's error callback must be set before the first call and nothing may be written after an error.
 * `brotli.test.ts` and the recorded channels hold it to known outputs, so that another Node that behaves differently
 * shows at once.
 */

import { constants, createBrotliDecompress } from 'node:zlib';
import type { StreamFault } from './inflate.ts';

/** The part of Node's decoder handle that is used here. */
interface Handle {
  onerror: (message: string, errno: number, code: string) => void;
  writeSync(
    flush: number,
    input: Uint8Array,
    inputOffset: number,
    inputLength: number,
    output: Uint8Array,
    outputOffset: number,
    outputLength: number,
  ): void;
  close(): void;
}

/** First piece of input, in bytes: op-node's 4,096-byte input buffer less the version byte. */
const FIRST_PIECE = 4095;
/** Every further piece of input, in bytes: the buffer of the Go decoder. */
const PIECE = 32_768;
/** Most output asked of the decoder in one call, in bytes; longer reads are several calls, which decode the same. */
const STEP = 262_144;

/** The native decoder, with what a call told about itself. */
class Decoder {
  readonly #handle: Handle;
  /** Set by each call: the room left in the output buffer and the input left. */
  readonly #state: Uint32Array;
  #failed = false;

  constructor() {
    const stream = createBrotliDecompress() as unknown as { _handle: Handle; _writeState: Uint32Array };
    this.#handle = stream._handle;
    this.#state = stream._writeState;
    if (typeof this.#handle?.writeSync !== 'function' || !(this.#state instanceof Uint32Array)) {
      throw new Error(`Node ${process.version} has no synchronous brotli handle; faulty channels cannot be read`);
    }
    this.#handle.onerror = () => {
      this.#failed = true;
    };
  }

  get failed(): boolean {
    return this.#failed;
  }

  /** Room left in the output buffer after the last call; says nothing when the call failed. */
  get room(): number {
    return this.#state[0]!;
  }

  /** Input bytes the last call left. */
  get left(): number {
    return this.#state[1]!;
  }

  call(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number, length: number): void {
    this.#handle.writeSync(constants.BROTLI_OPERATION_PROCESS, input, from, to - from, output, at, length);
  }

  close(): void {
    this.#handle.close();
  }
}

/** One call of the decoder, for a second run. */
interface Call {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/**
 * The decoder as op-node's consumer sees it: `read` appends to `bytes`.
 *
 * `state` is `undefined` as long as more may come, `'end'` behind the cap, else the fault; a fault can come with the
 * last bytes of a read, and both are then told by the same read.
 */
export class BrotliReads {
  bytes = new Uint8Array(8192);
  length = 0;
  state: StreamFault | 'end' | undefined;

  readonly #decoder = new Decoder();
  readonly #calls: Call[] = [];
  /** Index of the next input byte, and of the end of the piece that was handed over. */
  #at: number;
  #piece: number;

  /**
   * @param data - the channel; the stream starts at index 1
   * @param cap - bytes of output; once more than this has come, nothing comes any more
   * @param whole - where the stream ends in `data` and the length of its output, if it is sound but bytes follow it. Only
   *   then can the end be told from a full output buffer.
   */
  constructor(
    readonly data: Uint8Array,
    readonly cap: number,
    readonly whole: { readonly end: number; readonly length: number } | undefined,
  ) {
    this.#at = 1;
    this.#piece = Math.min(1 + FIRST_PIECE, data.length);
  }

  /** One read into a buffer of `wanted` bytes, at least 1; gives the number of bytes that came. */
  read(wanted: number): number {
    if (this.length > this.cap) this.state ??= 'end';
    if (this.state !== undefined) return 0;
    const start = this.length;
    while (this.length - start < wanted) {
      const length = Math.min(STEP, wanted - (this.length - start));
      const came = this.#call(length);
      if (this.state !== undefined || this.#ended()) break;
      if (came === length) continue;
      // The input piece is used up. Go hands over what it has before it asks for more.
      if (this.length > start || !this.#nextPiece()) break;
    }
    if (this.state !== undefined) this.#decoder.close();
    return this.length - start;
  }

  /** Whether the stream is over, as a decoder would say; notes the state that follows. */
  #ended(): boolean {
    if (this.whole === undefined || this.length < this.whole.length || this.#at < this.whole.end) return false;
    if (this.#at < this.#piece) this.state = 'trailing';
    // Bytes in the next piece are met by the next read.
    else this.#nextPiece();
    return true;
  }

  #nextPiece(): boolean {
    if (this.#piece === this.data.length) {
      this.state = 'cut';
      return false;
    }
    this.#piece = Math.min(this.#piece + PIECE, this.data.length);
    return true;
  }

  #call(length: number): number {
    if (this.length + length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.length + length));
      grown.set(this.bytes.subarray(0, this.length));
      this.bytes = grown;
    }
    const from = this.#at;
    const to = this.#piece;
    this.#calls.push({ from, to, length });
    this.#decoder.call(this.data, from, to, this.bytes, this.length, length);
    let came: number;
    if (this.#decoder.failed) {
      came = this.#cameWithError();
      this.state = 'corrupt';
    } else {
      came = length - this.#decoder.room;
      this.#at = to - this.#decoder.left;
    }
    this.length += came;
    return came;
  }

  /**
   * How many bytes came with the error: the handle does not say. A second decoder makes the same calls, the last one
   * over a buffer filled differently; where the two agree the decoder has written.
   */
  #cameWithError(): number {
    const last = this.#calls.at(-1) as Call;
    const first = this.bytes.slice(this.length, this.length + last.length);
    const again = new Uint8Array(Math.max(...this.#calls.map((call) => call.length)));
    const decoder = new Decoder();
    for (const call of this.#calls) {
      if (call === last) for (let i = 0; i < first.length; i++) again[i] = ~first[i]!;
      decoder.call(this.data, call.from, call.to, again, 0, call.length);
    }
    decoder.close();
    let came = 0;
    while (came < first.length && first[came] === again[came]) came += 1;
    return came;
  }
}
