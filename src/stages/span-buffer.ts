/** The single batches of an accepted span batch, handed out one by one. */

import type { SingleBatch } from '../batch/batch.ts';
import type { L2Block } from '../chain/blocks.ts';
import type { ChainSpec } from '../chain/spec.ts';
import { u64 } from '../encoding/bytes.ts';
import type { SpanSingle, SpanSingles } from '../rules/span-new-blocks.ts';

export class SpanBuffer {
  readonly #spec: ChainSpec;
  readonly #rule: 'batch-queue/span-cache' | 'batch-validator/lazy-span';
  #singles: SpanSingles = [];
  /** Index of the next one. */
  #next = 0;

  /** @param rule - the rule by which batches that no longer fit are thrown away */
  constructor(spec: ChainSpec, rule: 'batch-queue/span-cache' | 'batch-validator/lazy-span') {
    this.#spec = spec;
    this.#rule = rule;
  }

  fill(singles: SpanSingles): void {
    this.#singles = singles;
    this.#next = 0;
  }

  get isEmpty(): boolean {
    return this.#next >= this.#singles.length;
  }

  clear(): void {
    this.fill([]);
  }

  /** The first single batch of the buffer, on the given parent, whatever its timestamp. */
  pop(parent: L2Block): SingleBatch | undefined {
    const first = this.#singles.at(this.#next);
    return first && this.#take(first, parent);
  }

  /** The next single batch if it fits the parent; if it does not, all that are left are thrown away. */
  next(parent: L2Block): SingleBatch | undefined {
    const first = this.#singles.at(this.#next);
    if (first === undefined) return undefined;
    const expected = u64(parent.timestamp + this.#spec.config.blockTime);
    const context = this.#spec.rules.watched ? () => ({ timestamp: first.timestamp, expected }) : undefined;
    if (this.#spec.rules.fires(this.#rule, first.timestamp !== expected, context)) {
      this.clear();
      return undefined;
    }
    return this.#take(first, parent);
  }

  #take(first: SpanSingle, parent: L2Block): SingleBatch {
    this.#next += 1;
    return { ...first, parentHash: parent.hash };
  }

  /** What is left, for the step into Holocene. */
  get rest(): readonly SpanSingle[] {
    const rest: SpanSingle[] = [];
    for (let index = this.#next; index < this.#singles.length; index++) rest.push(this.#singles.at(index)!);
    return rest;
  }
}
