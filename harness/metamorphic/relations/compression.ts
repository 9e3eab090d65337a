/** Channels compressed in another way. */

import { type ChannelCompression, encodeChannel } from '../../../src/channel.ts';
import { equalBytes } from '../../../src/encoding/bytes.ts';
import type { Channel } from '../../minimise/layout.ts';
import { withChannels } from '../../minimise/layout.ts';
import { type Relation, without } from '../relation.ts';
import { readableChannels, SIZES } from './readable-channels.ts';

export const compression: Relation = {
  id: 'compression',
  statement: 'Channels compressed with another algorithm or level give the same batches.',
  grounds: ['channel-reader/detect', 'channel-reader/zlib-stream', 'channel-reader/brotli-stream'],
  exceptions: [
    ...SIZES,
    { side: 'channel-reader/brotli-gate+', why: 'before Fjord brotli is not read' },
    { side: 'channel-reader/limit+', why: 'an implementation may look at what the compressor left over' },
    { side: 'channel-reader/partial-output+', why: 'what comes out of a broken stream depends on the stream' },
  ],
  change(vector, choice) {
    const channels = readableChannels(vector);
    if (channels === undefined) return undefined;
    const { forks } = vector.config;
    const brotli = forks.fjord !== null && vector.l1[0].timestamp >= forks.fjord;
    const ways: readonly ChannelCompression[] = [
      { algorithm: 'zlib', level: 0 },
      { algorithm: 'zlib', level: 1 },
      { algorithm: 'zlib', level: 9, windowBits: 9 },
      ...(brotli ? [{ algorithm: 'brotli', quality: 1 + (choice % 11) } as const] : []),
    ];
    const way = ways[choice % ways.length]!;
    const changes = new Map<Channel, Uint8Array>();
    for (const [channel, { batches, tail }] of channels) {
      const data = encodeChannel(batches, way, { contentTail: tail });
      if (!equalBytes(data, channel.data)) changes.set(channel, data);
    }
    return changes.size === 0 ? undefined : withChannels(vector, changes);
  },
  view: ({ frames, channels, batches, flushes, singles, outcome, safeHead }) => ({
    frames: frames.map((frame) => without(frame, 'size')),
    channels: channels.map(({ origin }) => origin),
    batches,
    flushes,
    singles,
    outcome: outcome.kind,
    safeHead,
  }),
};
