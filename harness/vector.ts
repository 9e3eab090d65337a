/**
 * Vectors as JSON, format 1: read with exact error paths, written in one canonical way.
 *
 * A value outside the schema is refused with the path of the first offending value in the order of the document; nothing
 * is guessed or defaulted.
 */

import * as v from 'valibot';
import type { BlockId } from '../src/chain/blocks.ts';
import { FORKS, type Fork } from '../src/chain/config.ts';
import { fromHex, toHex } from '../src/encoding/bytes.ts';
import type { Vector } from '../src/vector.ts';
import { HolodiffError } from './errors.ts';
import {
  type JsonDocument,
  JsonSyntaxError,
  locateValues,
  parseJson,
  type WritableText,
  writeReadableJson,
  writeTextJson,
} from './json.ts';
import { type Complaint, describeIssue, hex, list, object, shown } from './schema.ts';

/** The vector format that this program reads and writes. */
export const VECTOR_FORMAT = 1;

/** A document that is not a vector: where, and what is wrong there. */
export class VectorError extends HolodiffError {
  /** JSON path of the first offending value; empty for the document itself. */
  readonly path: string;
  /** What is wrong, without the path. */
  readonly reason: string;

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super('invalid-vector', path === '' ? reason : `${path}: ${reason}`, options);
    this.path = path;
    this.reason = reason;
  }
}

const integer = v.custom<number>(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'expected an integer from 0 to 9007199254740991',
);
const bytes = hex();
const hash = hex(32);
const filled = <const T extends v.GenericSchema>(item: T) =>
  v.pipe(list(item), v.minLength(1, 'expected at least one block'));

const blockId = object({ number: integer, hash });
const activation = v.custom<number | null>(
  (value) => value === null || v.is(integer, value),
  'expected an integer from 0 to 9007199254740991, or null',
);

const schema = object({
  format: v.custom<number>((value) => value === VECTOR_FORMAT, `expected format ${VECTOR_FORMAT}`),
  name: v.string('expected a string'),
  config: object({
    genesis: object({ l1: blockId, l2: blockId, l2Time: integer }),
    l2ChainId: integer,
    blockTime: integer,
    maxSequencerDrift: integer,
    seqWindowSize: integer,
    channelTimeout: integer,
    forks: object(Object.fromEntries(FORKS.map((fork) => [fork, activation])) as Record<Fork, typeof activation>),
  }),
  l1: filled(object({ number: integer, hash, parentHash: hash, timestamp: integer, data: list(bytes) })),
  l2: filled(
    object({
      number: integer,
      hash,
      parentHash: hash,
      timestamp: integer,
      l1Origin: blockId,
      sequenceNumber: integer,
      transactions: list(bytes),
    }),
  ),
  invalidBlocks: list(integer),
});

type VectorDocument = v.InferOutput<typeof schema>;

/** A complaint with its place in the text, where the path does not tell: a repeated key has the path of the first. */
interface PlacedComplaint extends Complaint {
  readonly offset?: number;
}

/** Reads a vector. @throws VectorError at the first offending value */
export function parseVector(text: string): Vector {
  const document = readDocument(text);
  const result = v.safeParse(schema, document.value);
  const complaints: PlacedComplaint[] = result.success ? [] : result.issues.map(describeIssue);
  if (document.duplicate !== undefined) complaints.push({ ...document.duplicate, reason: 'repeated field' });
  checkLinks(document.value, complaints);
  if (complaints.length > 0 || !result.success) {
    const first = firstInDocument(text, complaints);
    throw new VectorError(first.path, first.reason);
  }
  return toVector(result.output);
}

/** The vector that the text holds; `undefined` if no reader accepts it. */
export function vectorIn(text: string): Vector | undefined {
  try {
    return parseVector(text);
  } catch (error) {
    if (error instanceof VectorError) return undefined;
    throw error;
  }
}

function readDocument(text: string): JsonDocument {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new VectorError('', error.message, { cause: error });
    throw error;
  }
}

/** A block whose fields were not checked. */
interface LooseBlock {
  readonly number?: unknown;
  readonly hash?: unknown;
  readonly parentHash?: unknown;
  readonly timestamp?: unknown;
}

/**
 * Adds what is wrong between neighbouring blocks. Looks at the document as it was read, since a block that does not link
 * may stand before a value of the wrong form.
 */
function checkLinks(document: unknown, complaints: PlacedComplaint[]): void {
  const l1 = blocksOf(document, 'l1');
  const l2 = blocksOf(document, 'l2');
  checkConsecutive('l1', l1, complaints);
  for (const [i, block] of l1.entries()) {
    const before = l1[i - 1]?.timestamp;
    const own = block.timestamp;
    if (typeof before === 'number' && typeof own === 'number' && own <= before) {
      complaints.push({ path: `l1[${i}].timestamp`, reason: `expected more than ${before}, got ${own}` });
    }
  }
  checkConsecutive('l2', l2, complaints);
  for (const [i, block] of l2.entries()) {
    const before = l2[i - 1]?.hash;
    const own = block.parentHash;
    if (typeof before === 'string' && typeof own === 'string' && own !== before) {
      complaints.push({
        path: `l2[${i}].parentHash`,
        reason: `expected the hash of the block before, ${shown(before)}, got ${shown(own)}`,
      });
    }
  }
}

function checkConsecutive(name: string, blocks: readonly LooseBlock[], complaints: PlacedComplaint[]): void {
  for (const [i, block] of blocks.entries()) {
    const before = blocks[i - 1]?.number;
    const own = block.number;
    if (typeof before === 'number' && typeof own === 'number' && own !== before + 1) {
      complaints.push({ path: `${name}[${i}].number`, reason: `expected ${before + 1}, got ${own}` });
    }
  }
}

function blocksOf(document: unknown, name: 'l1' | 'l2'): readonly LooseBlock[] {
  if (typeof document !== 'object' || document === null) return [];
  const blocks = (document as Record<string, unknown>)[name];
  if (!Array.isArray(blocks)) return [];
  return (blocks as unknown[]).map((block) => (typeof block === 'object' && block !== null ? block : {}));
}

function firstInDocument(text: string, complaints: readonly PlacedComplaint[]): Complaint {
  if (complaints.length === 1) return complaints[0]!;
  const { starts, ends } = locateValues(text);
  const offsetOf = ({ path, missingFrom, offset }: PlacedComplaint): number =>
    offset ?? (missingFrom === undefined ? starts.get(path) : ends.get(missingFrom)) ?? 0;
  return complaints.reduce((first, next) => (offsetOf(next) < offsetOf(first) ? next : first));
}

function toVector(document: VectorDocument): Vector {
  const { config } = document;
  const id = ({ number, hash }: { number: number; hash: string }) => ({ number: BigInt(number), hash: fromHex(hash) });
  const forks = Object.fromEntries(
    FORKS.map((fork) => [fork, config.forks[fork] === null ? null : BigInt(config.forks[fork])]),
  ) as Vector['config']['forks'];
  return {
    name: document.name,
    config: {
      genesis: { l1: id(config.genesis.l1), l2: id(config.genesis.l2), l2Time: BigInt(config.genesis.l2Time) },
      l2ChainId: BigInt(config.l2ChainId),
      blockTime: BigInt(config.blockTime),
      maxSequencerDrift: BigInt(config.maxSequencerDrift),
      seqWindowSize: BigInt(config.seqWindowSize),
      channelTimeout: BigInt(config.channelTimeout),
      forks,
    },
    // The schema refuses an empty list.
    l1: document.l1.map((block) => ({
      ...id(block),
      parentHash: fromHex(block.parentHash),
      timestamp: BigInt(block.timestamp),
      data: block.data.map(fromHex),
    })) as unknown as Vector['l1'],
    l2: document.l2.map((block) => ({
      ...id(block),
      parentHash: fromHex(block.parentHash),
      timestamp: BigInt(block.timestamp),
      l1Origin: id(block.l1Origin),
      sequenceNumber: BigInt(block.sequenceNumber),
      transactions: block.transactions.map(fromHex),
    })) as unknown as Vector['l2'],
    invalidBlocks: document.invalidBlocks.map(BigInt),
  };
}

/** The vector as the content of a file: canonical, the same bytes for the same vector. */
export function vectorToJson(vector: Vector): string {
  return `${writeReadableJson(toDocument(vector))}\n`;
}

/** The vector as a line of a stream, without the line's end: canonical too. */
export function vectorToLine(vector: Vector): string {
  return writeTextJson(toDocument(vector));
}

// The order of the fields is that of the format's description. Every campaign writes each vector: spreading the fields of
// a block's id, or taking the forks from entries, makes it twice as slow.
function toDocument(vector: Vector): WritableText {
  const { config } = vector;
  const { genesis } = config;
  const forks: Record<string, number | bigint | null> = {};
  for (const fork of FORKS) forks[fork] = exact(config.forks[fork]);
  return {
    format: VECTOR_FORMAT,
    name: vector.name,
    config: {
      genesis: { l1: toBlockId(genesis.l1), l2: toBlockId(genesis.l2), l2Time: exact(genesis.l2Time) },
      l2ChainId: exact(config.l2ChainId),
      blockTime: exact(config.blockTime),
      maxSequencerDrift: exact(config.maxSequencerDrift),
      seqWindowSize: exact(config.seqWindowSize),
      channelTimeout: exact(config.channelTimeout),
      forks,
    },
    l1: vector.l1.map(({ number, hash, parentHash, timestamp, data }) => ({
      number: exact(number),
      hash: toHex(hash),
      parentHash: toHex(parentHash),
      timestamp: exact(timestamp),
      data: data.map(toHex),
    })),
    l2: vector.l2.map(({ number, hash, parentHash, timestamp, l1Origin, sequenceNumber, transactions }) => ({
      number: exact(number),
      hash: toHex(hash),
      parentHash: toHex(parentHash),
      timestamp: exact(timestamp),
      l1Origin: toBlockId(l1Origin),
      sequenceNumber: exact(sequenceNumber),
      transactions: transactions.map(toHex),
    })),
    invalidBlocks: vector.invalidBlocks.map(exact),
  };
}

function toBlockId({ number, hash }: BlockId): WritableText {
  return { number: exact(number), hash: toHex(hash) };
}

/** A number where that holds the value: what the native writer takes. Only a vector that no reader accepts has others. */
function exact<T extends bigint | null>(value: T): T | number {
  const number = Number(value);
  return value !== null && Number.isSafeInteger(number) ? number : value;
}
