/** A channel's compressed data: how it is compressed, and every batch in it with its place in the content. */

import { inflateSync } from 'node:zlib';
import type { DecodeContext } from '../../src/batch/outcome.ts';
import { BROTLI_VERSION, openChannel } from '../../src/channel.ts';
import { toHex } from '../../src/encoding/bytes.ts';
import { keccak256 } from '../../src/encoding/keccak.ts';
import { RULES, type RuleId } from '../../src/rules/catalogue.ts';
import { RuleBook, type RuleContext } from '../../src/rules/rule-book.ts';
import { decodeBatch } from './batch.ts';
import { type ChannelBatch, type DecodedChannel, type Ending, ending, type Part } from './decoded.ts';

export interface ChannelContext extends DecodeContext {
  /** Decompressed bytes that count. */
  readonly limit: number;
  readonly brotliAllowed: boolean;
}

/** Bytes; no channel is inflated further to find its end. */
const MAX_CONTENT = 200_000_000;

/** Decodes a complete channel. */
export function decodeChannel(data: Uint8Array, context: ChannelContext): DecodedChannel {
  const rules = new RuleBook();
  let place = { position: 0, start: 0, end: 0 };
  let contentSize = 0;
  const fired: { rule: RuleId; context: RuleContext }[] = [];
  rules.listener = (decision) => {
    const { position, start, end, output } = decision.context;
    if (decision.rule === 'channel-reader/rlp-strings') place = { position, start, end } as typeof place;
    if (typeof output === 'number') contentSize = Math.max(contentSize, output);
    if (decision.fired) fired.push(decision);
  };
  const content = openChannel(data, context, rules);
  const compression = compressionOf(data);
  const common = { kind: 'channel', size: data.length, hash: toHex(keccak256(data)), compression } as const;
  const parts = channelParts(data, compression);
  if (content === undefined) {
    const rule = fired[fired.length - 1]?.rule ?? 'channel-reader/detect';
    return { ...common, parts, contentSize: 0, batches: [], ending: ending(rule, 0, openFault(rule, data)) };
  }

  const batches: ChannelBatch[] = [];
  let read = true;
  for (let index = 0; ; index++) {
    const bytes = content.next();
    if (bytes === undefined) break;
    const batch = decodeBatch(bytes, context);
    const { position, start, end } = place;
    batches.push({ index, start: position, payload: start, end, read, batch });
    contentSize = Math.max(contentSize, end);
    if (batch.effect === 'malformed') read = false;
  }
  const valid = batches[batches.length - 1]?.end ?? 0;
  return { ...common, parts, contentSize, batches, ending: contentEnding(content.ended, valid, fired) };
}

/** The batches of a channel as bytes, by the place in the content where each starts, as far as they can be read. */
export function channelContent(data: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const batches = new Map<number, Uint8Array>();
  const rules = new RuleBook();
  let start = 0;
  rules.listener = ({ rule, context }) => {
    if (rule === 'channel-reader/rlp-strings') start = context['start'] as number;
  };
  const content = openChannel(data, { limit: MAX_CONTENT, brotliAllowed: true }, rules);
  for (;;) {
    const bytes = content?.next();
    if (bytes === undefined) return batches;
    batches.set(start, bytes);
  }
}

/** How a channel says that it is compressed. */
export function compressionOf(data: Uint8Array): 'zlib' | 'brotli' | null {
  const first = data[0];
  if (first === undefined) return null;
  if (first === BROTLI_VERSION) return 'brotli';
  return (first & 15) === 8 || (first & 15) === 15 ? 'zlib' : null;
}

function openFault(rule: RuleId, data: Uint8Array): string {
  if (data.length === 0) return 'a channel of no bytes';
  if (rule === 'channel-reader/detect') return `the first byte is 0x${data[0]!.toString(16).padStart(2, '0')}`;
  return rule === 'channel-reader/zlib-stream' ? 'no zlib header' : RULES[rule].statement;
}

/** Why the content ends, unless it simply does. */
function contentEnding(
  ended: RuleId | undefined,
  valid: number,
  fired: readonly { rule: RuleId; context: RuleContext }[],
): Ending | null {
  const stream = fired.find(
    ({ rule }) => rule === 'channel-reader/zlib-stream' || rule === 'channel-reader/brotli-stream',
  );
  switch (ended) {
    case 'channel-reader/rlp-strings':
      return ending(ended, valid, 'what follows is not a canonical RLP string');
    case 'channel-reader/limit':
      return ending(ended, valid, 'the next batch ends behind the limit');
    case 'channel-reader/partial-output': {
      const { fault, output } = fired[fired.length - 1]?.context ?? {};
      const what = typeof fault === 'string' ? `the compressed stream is ${fault}` : 'the compressed stream is faulty';
      return ending(stream?.rule ?? ended, valid, `${what}; ${String(output)} bytes came out before`);
    }
    default:
      return null;
  }
}

/** The stretches of the compressed data. */
function channelParts(data: Uint8Array, compression: 'zlib' | 'brotli' | null): Part[] {
  const size = data.length;
  if (compression === null || size < 2) return size === 0 ? [] : [{ name: 'unread', start: 0, end: size }];
  if (compression === 'brotli') {
    return [
      { name: 'version', start: 0, end: 1, value: '1 (brotli)' },
      { name: 'brotli stream', start: 1, end: size, value: `${size - 1} bytes` },
    ];
  }
  const [method, flags] = [data[0]!, data[1]!];
  const window = 2 ** ((method >> 4) + 8);
  const dictionary = (flags & 32) === 0 ? '' : ', preset dictionary';
  const parts: Part[] = [
    { name: 'zlib header', start: 0, end: 2, value: `window ${window}, level ${flags >> 6}${dictionary}` },
  ];
  const end = streamEnd(data);
  if (end === undefined) return [...parts, { name: 'deflate stream', start: 2, end: size, value: 'not complete' }];
  parts.push({ name: 'deflate stream', start: 2, end: end - 4, value: `${end - 6} bytes` });
  parts.push({ name: 'checksum', start: end - 4, end, value: toHex(data.subarray(end - 4, end)) });
  if (end < size) parts.push({ name: 'ignored tail', start: end, end: size, value: `${size - end} bytes` });
  return parts;
}

/** Where a sound zlib stream ends, checksum included. */
function streamEnd(data: Uint8Array): number | undefined {
  try {
    // Node's types leave out what `info` adds.
    const { engine } = inflateSync(data, { info: true, maxOutputLength: MAX_CONTENT }) as unknown as {
      engine: { bytesWritten: number };
    };
    return engine.bytesWritten;
  } catch {
    return undefined;
  }
}
