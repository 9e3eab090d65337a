/** Batches with their places in a vector's channels. */

import type { Vector } from '../../../src/vector.ts';
import { type BatchModel, readBatch, writeBatch } from '../batches.ts';
import { readContent, writeContent } from '../content.ts';
import { type Channel, layoutOf, withChannels } from '../layout.ts';

/** A batch and where it stands. */
export interface Placed {
  readonly channel: Channel;
  readonly index: number;
  readonly model: BatchModel;
}

/** Every batch of the whole channels. */
export function batchesOf(vector: Vector): Placed[] {
  return layoutOf(vector).channels.flatMap((channel) =>
    (readContent(channel.data)?.batches ?? []).map((bytes, index) => ({ channel, index, model: readBatch(bytes) })),
  );
}

/** The vector with other batches in some places, without those for which `undefined` is given. */
export function withBatches(vector: Vector, changes: ReadonlyMap<Placed, BatchModel | undefined>): Vector {
  const byChannel = new Map<Channel, Map<number, BatchModel | undefined>>();
  for (const [{ channel, index }, model] of changes) {
    const inChannel = byChannel.get(channel) ?? new Map<number, BatchModel | undefined>();
    byChannel.set(channel, inChannel.set(index, model));
  }
  const channels = new Map<Channel, Uint8Array>();
  for (const [channel, inChannel] of byChannel) {
    const content = readContent(channel.data)!;
    const batches = content.batches.flatMap((bytes, index) => {
      if (!inChannel.has(index)) return [bytes];
      const model = inChannel.get(index);
      return model === undefined ? [] : [writeBatch(model)];
    });
    channels.set(channel, writeContent({ ...content, batches }));
  }
  return withChannels(vector, channels);
}
