/** What happens to a vector's bytes, L1 block by L1 block, as comments beside them. */

import { RULES, type RuleId } from '../../src/rules/catalogue.ts';
import type { Vector } from '../../src/vector.ts';
import { wrap } from '../decode/paint.ts';
import { fold } from '../explain/fold.ts';
import type { Explanation, Step } from '../explain/model.ts';
import type { Reason } from '../explain/rows.ts';
import { factsText } from '../explain/words.ts';
import { plainSentence, sectionLink } from './specification.ts';

/** The comments on one L1 block. */
export interface StoryBlock {
  /** What happens before its data is read. */
  readonly head: string[];
  /** For each of its items what it is and what comes of it. */
  readonly items: readonly string[][];
}

/**
 * The comments on each L1 block, in order.
 *
 * @param told - rules whose statement stands elsewhere
 * @param width - columns
 */
export function storyOf(vector: Vector, explanation: Explanation, told: Iterable<RuleId>, width: number): StoryBlock[] {
  const blocks = vector.l1.map(({ data }) => ({ head: [] as string[], items: data.map(() => [] as string[]) }));
  const names = explanation.implementations.map(({ name }) => name);
  const writer = new StoryWriter(names, new Set(told), width);
  let block = -1;
  let current: string[] | undefined;
  let item = 0;
  for (const step of fold(explanation.steps)) {
    if (step.kind === 'block') {
      // A run of blocks at which nothing happens is told in front of its first.
      current = blocks[block + 1]?.head;
      block += step.folded;
      item = 0;
    } else if (step.kind === 'item') {
      // An item that is read once more is told behind the last one.
      current = blocks[block]?.items[item] ?? current;
      item += step.folded;
    }
    current?.push(...writer.lines(step));
  }
  return blocks;
}

class StoryWriter {
  readonly #names: readonly string[];
  readonly #told: Set<RuleId>;
  readonly #width: number;

  constructor(names: readonly string[], told: Set<RuleId>, width: number) {
    this.#names = names;
    this.#told = told;
    this.#width = width;
  }

  lines(step: Step): string[] {
    const { kind, depth, title, detail, reasons, first } = step;
    const indent = '  '.repeat(kind === 'block' ? 0 : depth - 1);
    const link = detail.startsWith('of ') ? ' ' : ': ';
    const mark = first ? ' <- the first difference' : '';
    const lines = this.#wrapped(`${title}${link}${detail}${this.#who(step)}${mark}`, indent);
    for (const reason of reasons) lines.push(...this.#reason(reason, `${indent}  `));
    return lines;
  }

  /** Who has the step, where not all have it. */
  #who({ lanes }: Step): string {
    const having = this.#names.filter((_, index) => lanes[index] === 'has');
    const lacking = this.#names.filter((_, index) => lanes[index] === 'lacks');
    return lacking.length === 0 ? '' : ` [${having.join(' and ')} only]`;
  }

  #reason({ rule, effect, verdict, facts }: Reason, indent: string): string[] {
    const said = verdict === undefined ? '' : ` says ${verdict}`;
    const seen = factsText(facts);
    const lines = this.#wrapped(`-> ${effect}, rule ${rule}${said}${seen === '' ? '' : `: ${seen}`}`, indent);
    if (this.#told.has(rule)) return lines;
    this.#told.add(rule);
    const { statement, specification } = RULES[rule];
    const quoted = this.#wrapped(`"${plainSentence(statement)}"`, `${indent}   `);
    return [...lines, ...quoted, ...specification.map((section) => `${indent}   ${sectionLink(section)}`)];
  }

  #wrapped(text: string, indent: string): string[] {
    const [first = '', ...more] = wrap(text, Math.max(40, this.#width - indent.length - 2));
    return [`${indent}${first}`, ...more.map((line) => `${indent}  ${line}`)];
  }
}
