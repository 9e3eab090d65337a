/** All times moved by a constant. */

import type { Vector } from '../../../src/vector.ts';
import { type BatchModel, readBatch } from '../../minimise/batches.ts';
import { layoutOf } from '../../minimise/layout.ts';
import { mapBatches, renumbered, withReferences } from '../../minimise/references.ts';
import { type Relation, without } from '../relation.ts';
import { readableChannels } from './readable-channels.ts';

/** Whether a single batch lies so near to 2^64 that it would begin again at zero. */
function isFarAway(model: BatchModel): boolean {
  return model.kind === 'single' && model.batch.timestamp >= 2n ** 63n;
}

/** Seconds by which everything is moved. */
const SHIFTS: readonly bigint[] = [1n, 12n, 1000n, 86_400n];

export const time: Relation = {
  id: 'time',
  statement: 'With genesis, forks, blocks and batches so many seconds later the same is derived so many seconds later.',
  grounds: ['single/too-early', 'single/too-late', 'span/timestamps', 'single/min-time'],
  exceptions: [{ side: 'span/timestamps+', why: 'a time that passes 2^64 begins again at zero' }],
  change(vector, choice) {
    const channels = readableChannels(vector);
    // What cannot be taken apart cannot be moved along.
    if (channels === undefined || channels.size < layoutOf(vector).channels.length) return undefined;
    const models = [...channels.values()].flatMap(({ batches }) => batches.map(readBatch));
    if (models.some((model) => model.kind === 'raw' || isFarAway(model))) return undefined;
    const shift = SHIFTS[choice % SHIFTS.length]!;
    const { config } = vector;
    const later = <T extends { readonly timestamp: bigint }>(block: T): T => ({
      ...block,
      timestamp: block.timestamp + shift,
    });
    const forks = Object.fromEntries(
      Object.entries(config.forks).map(([fork, activation]) => [fork, activation === null ? null : activation + shift]),
    ) as Vector['config']['forks'];
    const moved: Vector = {
      ...vector,
      config: { ...config, forks, genesis: { ...config.genesis, l2Time: config.genesis.l2Time + shift } },
      l1: vector.l1.map(later) as unknown as Vector['l1'],
      l2: vector.l2.map(later) as unknown as Vector['l2'],
    };
    // A block's time is part of its hash, so what refers to derived blocks is brought up to date.
    return withReferences(
      vector,
      mapBatches(moved, (model) => renumbered(model, { time: shift })),
    );
  },
  view: ({ frames, channels, batches, flushes, singles, outcome, safeHead }, { config }) => ({
    frames: frames.map((frame) => without(frame, 'size')),
    channels: channels.map(({ origin }) => origin),
    batches: batches.map(({ origin, kind }) => [origin, kind]),
    flushes,
    singles: singles.map(({ origin, epochNum, epochHash, timestamp, transactions }) => ({
      origin,
      epochNum,
      epochHash,
      sinceGenesis: BigInt(timestamp) - config.genesis.l2Time,
      transactions,
    })),
    outcome: outcome.kind,
    safeHead: safeHead.number,
  }),
};
