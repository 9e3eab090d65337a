/**
 * Places at which a variant may put a rule that the catalogue does not have: one between each two stages, and one behind
 * the checks of each kind of batch. What comes by is refused if the extension says so, and goes on if it says nothing.
 */

import type { Batch, SingleBatch, SpanBatch } from '../batch/batch.ts';
import type { L1BlockRef } from '../chain/blocks.ts';
import type { ChainSpec } from '../chain/spec.ts';
import type { Frame } from '../frame.ts';
import type { Rejection } from './rule-book.ts';
import type { BatchEnvironment } from './single.ts';

/** What every extension sees: the chain's configuration with its forks, and the L1 block on which the pipeline stands. */
interface Moment {
  readonly spec: ChainSpec;
  readonly origin: L1BlockRef;
}

/** What each extension is shown besides, and what it can say. */
export interface ExtensionPoints {
  /** An item of L1 data before it is parsed. */
  readonly 'frame-queue/item': { readonly moment: Moment & { readonly item: Uint8Array }; readonly answer: 'drop' };
  /** A frame before the channel stage gets it. */
  readonly 'frame-queue/frame': { readonly moment: Moment & { readonly frame: Frame }; readonly answer: 'drop' };
  /** A complete channel before it is decompressed. */
  readonly 'channel-reader/channel': {
    readonly moment: Moment & { readonly data: Uint8Array };
    readonly answer: 'drop';
  };
  /** A batch that was decoded; `index` is its place in the channel, from 0. `end-channel` takes what follows along. */
  readonly 'channel-reader/batch': {
    readonly moment: Moment & { readonly batch: Batch; readonly index: number };
    readonly answer: 'drop' | 'end-channel';
  };
  /** A single batch that passed every check; from Holocene on also those that a span batch yields. */
  readonly 'batch/single': {
    readonly moment: BatchEnvironment & { readonly batch: SingleBatch };
    readonly answer: Rejection;
  };
  /** A span batch that passed every check on it as a whole. */
  readonly 'batch/span': {
    readonly moment: BatchEnvironment & { readonly batch: SpanBatch };
    readonly answer: Rejection;
  };
}

export type ExtensionPoint = keyof ExtensionPoints;

const REJECTIONS: readonly Rejection[] = ['drop', 'past', 'future', 'undecided'];

/** What each extension may answer; `undefined` always. */
export const EXTENSION_ANSWERS: { readonly [P in ExtensionPoint]: readonly ExtensionPoints[P]['answer'][] } = {
  'frame-queue/item': ['drop'],
  'frame-queue/frame': ['drop'],
  'channel-reader/channel': ['drop'],
  'channel-reader/batch': ['drop', 'end-channel'],
  'batch/single': REJECTIONS,
  'batch/span': REJECTIONS,
};

/** Rules that a variant adds. They must not keep anything from one call to the next: a pipeline may run many times. */
export type Extensions = {
  readonly [P in ExtensionPoint]?: (moment: ExtensionPoints[P]['moment']) => ExtensionPoints[P]['answer'] | undefined;
};
