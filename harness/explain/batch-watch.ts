/** Follows batches through the batch queue and the batch validator. */

import type { RuleId } from '../../src/rules/catalogue.ts';
import type { Decision } from '../../src/rules/rule-book.ts';
import { reasonOf } from './reason.ts';
import type { BatchRow, SingleRow } from './rows.ts';

/** What a stage of Holocene does with a batch on a verdict, by the rule that says so. */
const VALIDATOR_EFFECTS: ReadonlyMap<RuleId, string> = new Map<RuleId, string>([
  ['batch-validator/span-past', 'span batch skipped'],
  ['batch-validator/span-undecided', 'span batch skipped'],
  ['batch-validator/span-drop', 'span batch dropped'],
  ['batch-validator/span-extraction', 'span batch dropped'],
  ['batch-validator/single-past', 'skipped'],
  ['batch-validator/single-drop', 'dropped'],
]);

export class BatchWatch {
  /** The batch that is judged, or whose blocks are being emitted. */
  #subject: BatchRow | undefined;
  /** The last check that ended the checks on a batch. */
  #rejection: Decision | undefined;
  /** Before Holocene: batches that are kept, and how far the search among them has come. */
  #kept: BatchRow[] = [];
  #position = 0;
  readonly #waiting = new Map<BatchRow, Decision>();
  #behind = false;
  #draining = false;
  #queue = false;
  #empty = false;

  /** A batch comes out of the channel reader. */
  batch(row: BatchRow): void {
    if (this.#draining && !this.#queue) {
      row.reasons.push({ rule: 'batch-validator/drain', effect: 'thrown away unread', facts: {} });
    } else if (this.#behind && this.#queue) {
      row.reasons.push({ rule: 'batch-queue/origin-behind', effect: 'thrown away unread', facts: {} });
    } else this.#subject = row;
  }

  decision(decision: Decision): void {
    const { rule, fired, verdict } = decision;
    if (verdict !== undefined || (rule === 'span/new-block-origin' && fired)) this.#rejection = decision;
    switch (rule) {
      case 'batch-validator/drain':
        this.#settle();
        this.#queue = false;
        this.#draining = fired;
        break;
      case 'batch-queue/origin-behind':
        this.#queue = true;
        this.#behind = fired;
        this.#rejection = undefined;
        break;
      case 'batch-queue/arrival':
        this.#arrive(fired);
        break;
      case 'batch-queue/epoch-mismatch':
        this.#position = 0;
        break;
      case 'batch-queue/undecided-stops':
        if (fired) this.#wait(this.#kept[this.#position]);
        break;
      case 'batch-queue/first-accepted':
        this.#search(fired);
        break;
      case 'batch-queue/span-cache':
      case 'batch-validator/lazy-span':
        if (fired) this.#subject?.reasons.push(reasonOf(decision, 'the rest of the span batch is thrown away'));
        break;
      case 'empty/same-epoch':
        this.#empty = fired;
        break;
    }
    const effect = VALIDATOR_EFFECTS.get(rule);
    if (effect !== undefined && fired) this.#reject(effect);
  }

  /** An L2 block is emitted: what is it made from? */
  single(): SingleRow['from'] {
    this.#rejection = undefined;
    const empty = this.#empty;
    this.#empty = false;
    const subject = this.#subject;
    if (empty || subject === undefined) return 'empty';
    subject.emitted += 1;
    return subject.form === 'span' ? 'span' : 'single';
  }

  /** A flush: what is left of the current batch is gone. */
  flush(): void {
    this.#rejection = undefined;
    const subject = this.#subject;
    if (
      subject !== undefined &&
      subject.emitted > 0 &&
      subject.emitted < subject.blocks &&
      subject.reasons.length === 0
    ) {
      const effect = 'the rest of the span batch is forgotten';
      subject.reasons.push({ rule: 'batch-validator/flush-scope', effect, facts: {} });
    }
    this.#subject = undefined;
  }

  /** The step into Holocene drops the kept batches. */
  activate(decision: Decision): void {
    for (const row of this.#kept.splice(0)) row.reasons.push(reasonOf(decision, 'batch dropped'));
    this.#waiting.clear();
  }

  finish(): void {
    this.#settle();
    for (const row of this.#kept) {
      const why = this.#waiting.get(row);
      // One that nobody has judged stands behind one that could not be decided.
      const decision = why ?? { rule: 'batch-queue/undecided-stops', fired: true, context: {} };
      row.reasons.push(reasonOf(decision, why === undefined ? 'waits behind another one' : 'still waiting at the end'));
    }
  }

  /** From Holocene on an undecided single batch is lost without a word. */
  #settle(): void {
    if (!this.#queue && this.#rejection?.verdict === 'undecided') this.#reject('skipped');
    this.#rejection = undefined;
  }

  #reject(effect: string): void {
    const rejection = this.#rejection;
    this.#rejection = undefined;
    const subject = this.#subject;
    if (rejection === undefined || subject === undefined) return;
    // A block of a span batch is told by its time, which stands among the facts of most checks.
    const block = subject.form === 'span' && !effect.startsWith('span') ? `block of the span batch ${effect}` : effect;
    const words = effect.startsWith('span') || subject.form === 'span' ? block : `batch ${effect}`;
    subject.reasons.push(reasonOf(rejection, words));
  }

  #arrive(dropped: boolean): void {
    const row = this.#subject;
    if (row !== undefined) {
      if (dropped) this.#drop(row);
      else {
        this.#kept.push(row);
        this.#wait(row);
      }
    }
    this.#rejection = undefined;
  }

  #search(accepted: boolean): void {
    const row = this.#kept[this.#position];
    if (row === undefined) return;
    if (accepted) {
      this.#subject = row;
      this.#kept.splice(this.#position, 1);
    } else if (this.#rejection?.verdict === 'drop') {
      this.#drop(row);
      this.#kept.splice(this.#position, 1);
    } else {
      this.#wait(row);
      this.#position += 1;
    }
    this.#rejection = undefined;
  }

  #drop(row: BatchRow): void {
    if (this.#rejection !== undefined) row.reasons.push(reasonOf(this.#rejection, 'batch dropped'));
  }

  #wait(row: BatchRow | undefined): void {
    if (row !== undefined && this.#rejection !== undefined) this.#waiting.set(row, this.#rejection);
    this.#rejection = undefined;
  }
}
