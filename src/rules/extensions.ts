/**
 * Places at which a variant may put a rule that the catalogue does not have: one between each two stages, one behind the
 * checks of each kind of batch, and those at which an implementation goes another way that no single decision describes.
 * What comes by is refused or replaced if the extension says so, and goes on if it says nothing.
 */

import type { Batch, SingleBatch, SpanBatch } from '../batch/batch.ts';
import type { L1BlockRef } from '../chain/blocks.ts';
import type { ChainSpec } from '../chain/spec.ts';
import type { Frame } from '../frame.ts';
import type { Rejection } from './rule-book.ts';
import type { BatchEnvironment } from './single.ts';

/** What every extension sees: the chain's configuration with its forks, and the L1 block on which the pipeline stands. */
export interface Moment {
  /** The configuration, and what is active when. */
  readonly spec: ChainSpec;
  /** The pipeline's L1 origin. */
  readonly origin: L1BlockRef;
}

/** What each extension is shown besides, and what it can say. */
export interface ExtensionPoints {
  /** An item of L1 data before it is parsed. */
  readonly 'frame-queue/item': { readonly moment: Moment & { readonly item: Uint8Array }; readonly answer: 'drop' };
  /** A frame before the channel stage gets it. */
  readonly 'frame-queue/frame': { readonly moment: Moment & { readonly frame: Frame }; readonly answer: 'drop' };
  /** A complete channel before it is decompressed; `content` is read in place of what it decompresses to. */
  readonly 'channel-reader/channel': {
    readonly moment: Moment & { readonly data: Uint8Array };
    readonly answer: 'drop' | { readonly content: Uint8Array };
  };
  /**
   * A batch that was decoded; `data` is its channel and `index` its place in it, from 0. `end-channel` takes what follows
   * along, and a batch takes its place.
   */
  readonly 'channel-reader/batch': {
    readonly moment: Moment & { readonly batch: Batch; readonly data: Uint8Array; readonly index: number };
    readonly answer: 'drop' | 'end-channel' | { readonly batch: Batch };
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
  /** A span batch was dropped, from Holocene on. `end-of-data` says that this L1 block has no more. */
  readonly 'batch-stream/dropped': {
    readonly moment: BatchEnvironment & { readonly batch: SpanBatch };
    readonly answer: 'end-of-data';
  };
  /**
   * From Holocene on, before a span batch, or what comes while one is being handed out, is drained. `judge` sends it
   * through the checks on span batches.
   */
  readonly 'batch-validator/drain': { readonly moment: BatchEnvironment; readonly answer: 'judge' };
}

/** The name of a place in the pipeline. */
export type ExtensionPoint = keyof ExtensionPoints;

const REJECTIONS: readonly Rejection[] = ['drop', 'past', 'future', 'undecided'];

/** What each extension may answer; `undefined` always. An object is one with that field. */
export const EXTENSION_ANSWERS: { readonly [P in ExtensionPoint]: readonly AnswerForm<P>[] } = {
  'frame-queue/item': ['drop'],
  'frame-queue/frame': ['drop'],
  'channel-reader/channel': ['drop', { field: 'content' }],
  'channel-reader/batch': ['drop', 'end-channel', { field: 'batch' }],
  'batch/single': REJECTIONS,
  'batch/span': REJECTIONS,
  'batch-stream/dropped': ['end-of-data'],
  'batch-validator/drain': ['judge'],
};

type AnswerForm<P extends ExtensionPoint> =
  | Extract<ExtensionPoints[P]['answer'], string>
  | { readonly field: FieldOf<Exclude<ExtensionPoints[P]['answer'], string>> };

/** The fields of each object of a union. */
type FieldOf<T> = T extends object ? keyof T : never;

/** Whether the answer is one that the place takes. */
export function isAnswer(point: ExtensionPoint, said: unknown): boolean {
  return EXTENSION_ANSWERS[point].some((form) =>
    typeof form === 'string' ? said === form : typeof said === 'object' && said !== null && form.field in said,
  );
}

/** Rules that a variant adds. They must not keep anything from one call to the next: a pipeline may run many times. */
export type Extensions = {
  readonly [P in ExtensionPoint]?: (moment: ExtensionPoints[P]['moment']) => ExtensionPoints[P]['answer'] | undefined;
};
