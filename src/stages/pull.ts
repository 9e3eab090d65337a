/** What a stage answers when it is asked for the next thing. */

/** The answers without a value. `why` is for people. */
export type NoValue =
  /** Nothing yet: ask again. */
  | { readonly kind: 'retry' }
  /** Nothing more in this L1 block: the origin may advance. */
  | { readonly kind: 'endOfData' }
  /** The pipeline has to be reset. */
  | { readonly kind: 'reset'; readonly why: string }
  /** Derivation cannot go on. */
  | { readonly kind: 'critical'; readonly why: string };

/** A value, or why there is none now. */
export type Pull<T> = { readonly kind: 'value'; readonly value: T } | NoValue;

export const RETRY: NoValue = { kind: 'retry' };
export const END_OF_DATA: NoValue = { kind: 'endOfData' };

/** Why the rest of a channel is forgotten. */
export type FlushCause = 'batch' | 'execution';
