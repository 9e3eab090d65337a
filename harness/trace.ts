/**
 * Traces as JSON, format 1: how the harness holds, checks and writes what any implementation said.
 *
 * All implementations meet in this form, with hex strings and numbers, since comparing needs no bytes.
 */

import * as v from 'valibot';
import { toHex } from '../src/encoding/bytes.ts';
import type { OutcomeKind, Trace } from '../src/trace.ts';
import type { Vector } from '../src/vector.ts';
import { HolodiffError } from './errors.ts';
import { jsonPieces, parseJson, type WritableText, writeTextJson } from './json.ts';
import { firstIssue, hex, list, object } from './schema.ts';

/** The trace format that this program reads and writes. */
export const TRACE_FORMAT = 1 as const;

/** An answer that is not a trace: where, and what is wrong there. */
export class TraceError extends HolodiffError {
  /** JSON path of the first offending value; empty for the document itself. */
  readonly path: string;
  /** What is wrong, without the path. */
  readonly reason: string;

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super('invalid-trace', path === '' ? reason : `${path}: ${reason}`, options);
    this.path = path;
    this.reason = reason;
  }
}

/** An integer of a trace. Derived times may pass 2^53 where a vector's do not; those are bigints, always and only. */
export type TraceInteger = number | bigint;

// Types and not interfaces, which the writer would not take: they lack an index signature.

/** A frame handed from the frame queue to the channel stage. */
export type FrameJson = {
  /** Number of the L1 origin at that moment. */
  readonly origin: TraceInteger;
  /** Channel id: 16 bytes in hex. */
  readonly channel: string;
  /** Position in the channel, 0 to 65535. */
  readonly number: TraceInteger;
  /** Length of the frame's data in bytes. */
  readonly size: TraceInteger;
  /** Whether it closes its channel. */
  readonly last: boolean;
};

/** A complete channel handed from the channel stage to the channel reader. */
export type ChannelJson = {
  /** Number of the L1 origin at that moment. */
  readonly origin: TraceInteger;
  /** Length of the compressed data in bytes. */
  readonly size: TraceInteger;
  /** keccak256 of the compressed data: 32 bytes in hex. */
  readonly hash: string;
};

/** A decoded batch handed from the channel reader to the batch stage. */
export type BatchJson = {
  /** Number of the L1 origin at that moment. */
  readonly origin: TraceInteger;
  /** Which of the two formats. */
  readonly kind: 'single' | 'span';
  /** The hash of the decoded batch, as format 1 defines it: 32 bytes in hex. */
  readonly hash: string;
};

/** A flush decision: an invalid batch, or a payload that the engine refused. */
export type FlushJson = {
  /** Number of the L1 origin at that moment. */
  readonly origin: TraceInteger;
  /** Which of the two it was. */
  readonly cause: 'batch' | 'execution';
};

/** An emitted single batch. */
export type SingleJson = {
  /** Number of the L1 origin of the pipeline at that moment, which the batch's own epoch may lag behind. */
  readonly origin: TraceInteger;
  /** 32 bytes in hex. */
  readonly parentHash: string;
  /** Number of the batch's L1 origin. */
  readonly epochNum: TraceInteger;
  /** 32 bytes in hex. */
  readonly epochHash: string;
  /** Seconds. */
  readonly timestamp: TraceInteger;
  /** Raw transactions in hex. */
  readonly transactions: readonly string[];
};

/** A trace as JSON holds it, format 1: bytes are `0x` and lower-case hex. */
export type TraceJson = {
  /** Always 1. */
  readonly format: typeof TRACE_FORMAT;
  /** Who says it. */
  readonly implementation: { readonly name: string; readonly version: string };
  /** From the frame queue to the channel stage. */
  readonly frames: readonly FrameJson[];
  /** From the channel stage to the channel reader. */
  readonly channels: readonly ChannelJson[];
  /** From the channel reader to the batch stage. */
  readonly batches: readonly BatchJson[];
  /** Back from the batch stage or the engine. */
  readonly flushes: readonly FlushJson[];
  /** From the batch stage to the engine. */
  readonly singles: readonly SingleJson[];
  /** How the run ended; the message is free text and never compared. */
  readonly outcome: { readonly kind: OutcomeKind; readonly message?: string };
  /** The last L2 block that was derived, or the one at the start. */
  readonly safeHead: { readonly number: TraceInteger; readonly hash: string };
};

const integer = v.custom<TraceInteger>(
  (value) => (typeof value === 'bigint' ? value >= 0n : Number.isSafeInteger(value) && (value as number) >= 0),
  'expected an integer that is not negative',
);
const hash = hex(32);

const OUTCOME_KINDS = ['drained', 'reset', 'critical', 'crash', 'timeout', 'stalled'] as const satisfies OutcomeKind[];

const frame = object({ origin: integer, channel: hex(16), number: integer, size: integer, last: v.boolean() });
const channel = object({ origin: integer, size: integer, hash });
const batch = object({ origin: integer, kind: v.picklist(['single', 'span']), hash });
const flush = object({ origin: integer, cause: v.picklist(['batch', 'execution']) });
const single = object({
  origin: integer,
  parentHash: hash,
  epochNum: integer,
  epochHash: hash,
  timestamp: integer,
  transactions: list(hex()),
});

const traceSchema: v.GenericSchema<unknown, TraceJson> = object({
  format: v.literal(TRACE_FORMAT, `expected format ${TRACE_FORMAT}`),
  implementation: object({ name: v.string(), version: v.string() }),
  frames: list(frame),
  channels: list(channel),
  batches: list(batch),
  flushes: list(flush),
  singles: list(single),
  outcome: object({ kind: v.picklist(OUTCOME_KINDS), message: v.exactOptional(v.string()) }),
  safeHead: object({ number: integer, hash }),
});

/** Checks a value that JSON gave. @throws TraceError */
export function checkTrace(value: unknown): TraceJson {
  const result = v.safeParse(traceSchema, value, { abortEarly: true });
  if (result.success) return result.output;
  const { path, reason } = firstIssue(result.issues);
  throw new TraceError(path, reason);
}

/** An integer literal of more than 15 digits, or one with a fraction: what `JSON.parse` may round. */
const INEXACT = /[:[,\s]-?\d+(?:\d{15}|[.eE])/;

/**
 * Reads a JSON line of a child without losing a digit. The native parser is several times as fast and nearly always
 * exact; hex strings hold no character that the test for large literals looks for.
 *
 * @throws SyntaxError or JsonSyntaxError
 */
export function parseLine(line: string): unknown {
  return INEXACT.test(line) ? parseJson(line).value : JSON.parse(line);
}

/** A trace of the pipeline as JSON holds it. */
export function traceToJson(trace: Trace): TraceJson {
  return document(trace, toHex);
}

/** A trace of the pipeline as a line in pieces: bytes become hex, which takes twice the room, only as they are written. */
export function traceToPieces(trace: Trace): Iterable<string> {
  return jsonPieces(document(trace, (bytes) => bytes));
}

function document<T>(trace: Trace, bytes: (value: Uint8Array) => T) {
  const { outcome } = trace;
  return {
    format: TRACE_FORMAT,
    implementation: { name: trace.implementation.name, version: trace.implementation.version },
    frames: trace.frames.map((entry) => ({
      origin: exact(entry.origin),
      channel: bytes(entry.channel),
      number: entry.number,
      size: entry.size,
      last: entry.last,
    })),
    channels: trace.channels.map((entry) => ({
      origin: exact(entry.origin),
      size: entry.size,
      hash: bytes(entry.hash),
    })),
    batches: trace.batches.map((entry) => ({
      origin: exact(entry.origin),
      kind: entry.kind,
      hash: bytes(entry.hash),
    })),
    flushes: trace.flushes.map((entry) => ({ origin: exact(entry.origin), cause: entry.cause })),
    singles: trace.singles.map((entry) => ({
      origin: exact(entry.origin),
      parentHash: bytes(entry.parentHash),
      epochNum: exact(entry.epochNum),
      epochHash: bytes(entry.epochHash),
      timestamp: exact(entry.timestamp),
      transactions: entry.transactions.map(bytes),
    })),
    outcome: outcome.message === undefined ? { kind: outcome.kind } : { kind: outcome.kind, message: outcome.message },
    safeHead: { number: exact(trace.safeHead.number), hash: bytes(trace.safeHead.hash) },
  };
}

function exact(value: bigint): TraceInteger {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The trace as a line of a stream, without the line's end. */
export function traceToLine(trace: TraceJson): string {
  return writeTextJson(trace satisfies WritableText);
}

/** How the line of that implementation's traces begins. */
export function traceHead({ name, version }: TraceJson['implementation']): string {
  return `{"format":${TRACE_FORMAT},"implementation":${JSON.stringify({ name, version })},`;
}

/** What follows {@link traceHead} in the line: the same for all who say the same. */
export function traceBody(trace: TraceJson): string {
  return traceToLine(trace).slice(traceHead(trace.implementation).length);
}

/** The trace of that implementation whose line ends like this: the inverse of {@link traceBody}. */
export function traceOfBody(implementation: TraceJson['implementation'], body: string): TraceJson {
  return parseLine(traceHead(implementation) + body) as TraceJson;
}

/**
 * The trace of an implementation that gave none: nothing is known of what crossed its boundaries, so the lists are empty
 * and the safe head is where it started.
 */
export function silentTrace(
  implementation: TraceJson['implementation'],
  kind: 'crash' | 'timeout',
  message: string,
  vector: Vector,
): TraceJson {
  const head = vector.l2[vector.l2.length - 1]!;
  return {
    format: TRACE_FORMAT,
    implementation,
    frames: [],
    channels: [],
    batches: [],
    flushes: [],
    singles: [],
    outcome: { kind, message },
    safeHead: { number: exact(head.number), hash: toHex(head.hash) },
  };
}
