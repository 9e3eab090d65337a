/**
 * What an exported test compares: the entries of one boundary as lines of text. The recorders of the exported tests
 * write the same lines, so that an expectation and a failure read alike.
 */

import { fromHex, toHex } from '../../src/encoding/bytes.ts';
import { keccak256 } from '../../src/encoding/keccak.ts';
import type { Boundary } from '../compare/compare.ts';
import type { BatchJson, ChannelJson, FlushJson, FrameJson, SingleJson, TraceJson } from '../trace.ts';

/** The causes of a flush. */
export const FLUSH_CAUSES: Readonly<Record<FlushJson['cause'], string>> = {
  batch: 'an invalid batch',
  execution: 'a refused payload',
};

/** The lines of each entry that the trace has at the boundary. */
export function entriesAt(trace: TraceJson, boundary: Boundary): (readonly string[])[] {
  switch (boundary) {
    case 'frames':
      return trace.frames.map(frameLines);
    case 'channels':
      return trace.channels.map(channelLines);
    case 'batches':
      return trace.batches.map(batchLines);
    case 'flushes':
      return trace.flushes.map(flushLines);
    case 'singles':
      return trace.singles.map(singleLines);
    case 'outcome':
      return [[`the run ends: ${trace.outcome.kind}`]];
    case 'safeHead':
      return [[`safe head: L2 block ${trace.safeHead.number} ${trace.safeHead.hash}`]];
    default:
      return boundary satisfies never;
  }
}

function frameLines({ origin, channel, number, size, last }: FrameJson): string[] {
  return [`L1 block ${origin}: frame ${number} of channel ${channel}, ${size} bytes${last ? ', last' : ''}`];
}

function channelLines({ origin, size, hash }: ChannelJson): string[] {
  return [`L1 block ${origin}: channel of ${size} bytes, keccak256 ${hash}`];
}

function batchLines({ origin, kind, hash }: BatchJson): string[] {
  return [`L1 block ${origin}: ${kind} batch, keccak256 ${hash}`];
}

function flushLines({ origin, cause }: FlushJson): string[] {
  return [`L1 block ${origin}: flush for ${FLUSH_CAUSES[cause]}`];
}

function singleLines({ origin, parentHash, epochNum, epochHash, timestamp, transactions }: SingleJson): string[] {
  return [
    `L1 block ${origin}: batch for time ${timestamp}`,
    `on parent ${parentHash}`,
    `in epoch ${epochNum} ${epochHash}`,
    ...transactions.map((transaction) => `with transaction ${toHex(keccak256(fromHex(transaction)))}`),
  ];
}

/** What a boundary's entries are, for the message of a failed test. */
export const SEEN: Readonly<Record<Boundary, string>> = {
  frames: 'the frames that the frame queue hands on',
  channels: 'the channels that the channel stage hands on',
  batches: 'the batches that the channel reader decodes',
  flushes: 'the flushes of the channel',
  singles: 'the batches that come out of the pipeline',
  outcome: 'how the run ends',
  safeHead: 'the safe head at the end',
};
