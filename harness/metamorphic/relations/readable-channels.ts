/** Channels whose content can be written again. */

import { derive } from '../../../src/derive.ts';
import { toHex } from '../../../src/encoding/bytes.ts';
import { keccak256 } from '../../../src/encoding/keccak.ts';
import type { Vector } from '../../../src/vector.ts';
import { type Content, readContent } from '../../minimise/content.ts';
import { type Channel, frameAt, layoutOf } from '../../minimise/layout.ts';
import type { Exception } from '../relation.ts';

/** Only the content of channels is changed, so what they weigh may tip a scale. */
export const SIZES: readonly Exception[] = [
  { side: 'channel-bank/prune+', why: 'the bank is pruned by the size of compressed data' },
  { side: 'channel-assembler/size-limit+', why: 'a staging channel is dropped for its compressed size' },
];

/** Bytes of content that are compressed again at the most. */
const MAX_CONTENT = 50_000;

/**
 * The channels that can be written again; `undefined` if there are none, or if the pipeline makes up others than the
 * bytes suggest, of frames that were meant for different ones.
 */
export function readableChannels(vector: Vector): Map<Channel, Content> | undefined {
  const layout = layoutOf(vector);
  const { channels } = layout;
  // A frame that is sent twice may stand in for its twin.
  const ids = new Set(channels.map(({ places }) => toHex(frameAt(layout, places[0]!).channel)));
  if (layout.loose.some((place) => ids.has(toHex(frameAt(layout, place).channel)))) return undefined;
  const known = new Set(channels.map(({ data }) => toHex(keccak256(data))));
  if (!derive(vector).channels.every(({ hash }) => known.has(toHex(hash)))) return undefined;
  const readable = new Map<Channel, Content>();
  for (const channel of channels) {
    const content = readContent(channel.data);
    if (content === undefined) continue;
    const { checksum, missing, trailing } = content.envelope;
    const length = content.tail.length + content.batches.reduce((sum, batch) => sum + batch.length, 0);
    if (checksum === 0 && missing === 0 && trailing.length === 0 && length <= MAX_CONTENT)
      readable.set(channel, content);
  }
  return readable.size === 0 ? undefined : readable;
}
