/** An explanation for a terminal: a line for each step, and a lane for each implementation on the left. */

import { RULES, type RuleId } from '../../src/rules/catalogue.ts';
import { hexLines } from '../decode/hex.ts';
import { PART_STYLES, type Paint, wrap } from '../decode/paint.ts';
import { decodedLines } from '../decode/text.ts';
import { onOneLine } from '../report/printable.ts';
import { fold } from './fold.ts';
import type { Explanation, Lane, Step } from './model.ts';
import type { Reason } from './rows.ts';
import { explainWords, factsText, openPointsOf } from './words.ts';

export interface ExplainTextOptions {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
  /** Show decoded content. */
  readonly content: boolean;
  /** Show bytes in hex. */
  readonly bytes: boolean;
  /** Show every step, also those that only repeat. */
  readonly all: boolean;
  /** Names with versions of those whose traces are recorded ones. */
  readonly recorded?: ReadonlySet<string>;
  /** The ledger's entry for the difference. */
  readonly known?: { readonly id: string; readonly title: string; readonly link?: string | undefined } | undefined;
}

const MARKS: Readonly<Record<Lane, string>> = { has: '●', lacks: '○', none: '│' };

/** The lines of an explanation. */
export function explanationLines(explanation: Explanation, options: ExplainTextOptions): string[] {
  return new Writer(explanation, options).write().map((line) => line.trimEnd());
}

class Writer {
  readonly #explanation: Explanation;
  readonly #paint: Paint;
  readonly #options: ExplainTextOptions;
  readonly #widths: readonly number[];
  /** Rules whose statement was shown. */
  readonly #told = new Set<RuleId>();
  readonly #lines: string[] = [];

  constructor(explanation: Explanation, options: ExplainTextOptions) {
    this.#explanation = explanation;
    this.#options = options;
    this.#paint = options.paint;
    this.#widths = explanation.implementations.map(({ name }) => name.length);
  }

  write(): string[] {
    const { name, summary, steps } = this.#explanation;
    this.#lines.push(this.#paint('bold', onOneLine(name)), ...this.#wrapped(summary, 0), '');
    this.#difference();
    this.#lines.push('', this.#heading());
    for (const step of this.#options.all ? steps : fold(steps)) this.#step(step);
    this.#ends();
    const words = explainWords(this.#told);
    if (words.length > 0) {
      this.#lines.push('', ...this.#wrapped(words.join(' · '), 0).map((line) => this.#paint('dim', line)));
    }
    return this.#lines;
  }

  #difference(): void {
    const { difference, implementations } = this.#explanation;
    const recorded = this.#options.recorded ?? new Set();
    const who = implementations.map(({ name, version }) => `${name} ${version}`.trim());
    const names = who.map((one) => (recorded.has(one) ? `${one} (recorded)` : one)).join(', ');
    if (difference === undefined) {
      const all = implementations.length < 2 ? `only ${names} was asked` : `all agree: ${names}`;
      this.#lines.push(this.#paint('green', all));
      return;
    }
    const at = difference.origin === undefined ? '' : ` at L1 block ${difference.origin}`;
    const head = `FIRST DIFFERENCE  ${difference.place}${at}: ${difference.verdict}`;
    this.#lines.push(this.#paint(['bold', 'red'], head), ...this.#wrapped(difference.sides, 2));
    if (difference.rule !== undefined) {
      this.#lines.push(`  on the rule ${this.#paint('yellow', difference.rule)} (${difference.decided})`);
      this.#statement(difference.rule, '    ');
      for (const point of openPointsOf(difference.rule)) {
        this.#lines.push(...this.#wrapped(point, 4).map((line) => this.#paint('dim', line)));
      }
    }
    const { known } = this.#options;
    if (known !== undefined) {
      const link = known.link === undefined ? '' : ` (${known.link})`;
      this.#lines.push(...this.#wrapped(`known as ${known.id}: ${known.title}${link}`, 2));
    }
    this.#lines.push(this.#paint('dim', `  signature: ${difference.signature}`));
    this.#lines.push(this.#paint('dim', `  compared: ${names}`));
  }

  /** The statement of a rule, once. */
  #statement(rule: RuleId, indent: string): void {
    if (this.#told.has(rule)) return;
    this.#told.add(rule);
    const { statement, specification } = RULES[rule];
    const lines = wrap(`“${statement}”`, this.#room(indent));
    if (specification.length > 0) lines.push(`specs: ${specification.join(', ')}`);
    this.#lines.push(...lines.map((line) => this.#paint('dim', `${indent}${line}`)));
  }

  #wrapped(text: string, indent: number): string[] {
    return wrap(text, this.#options.width - indent).map((line) => ' '.repeat(indent) + line);
  }

  #heading(): string {
    const names = this.#explanation.implementations.map(({ name }) => name).join('  ');
    return this.#paint('bold', `${names}   ${MARKS.has} has it  ${MARKS.lacks} has not`);
  }

  /** The lanes of a line; below the marks of a step they go on as lines. */
  #lanes(step?: Step): string {
    const { implementations } = this.#explanation;
    const cells = implementations.map(({ silent, alone }, index) => {
      const lane = step?.lanes[index] ?? 'none';
      const mark = silent ? '✕' : MARKS[lane];
      const left = Math.floor((this.#widths[index]! - 1) / 2);
      const cell = `${' '.repeat(left)}${mark}${' '.repeat(this.#widths[index]! - 1 - left)}`;
      if (lane === 'none') return this.#paint('dim', cell);
      if (step?.first === true) return this.#paint(alone || lane === 'lacks' ? ['bold', 'red'] : 'bold', cell);
      return this.#paint(lane === 'has' ? 'green' : 'yellow', cell);
    });
    return cells.join('  ');
  }

  #step(step: Step): void {
    const { kind, depth, title, detail, reasons, first } = step;
    if (kind === 'block') this.#lines.push(this.#lanes());
    const indent = '  '.repeat(depth);
    const strong =
      kind === 'block' || kind === 'single' ? 'bold' : kind === 'flush' || kind === 'lost' ? 'yellow' : undefined;
    const name = strong === undefined ? title : this.#paint(strong, title);
    const mark = first ? `  ${this.#paint(['bold', 'red'], '◀ FIRST DIFFERENCE')}` : '';
    this.#lines.push(`${this.#lanes(step)}   ${indent}${name}  ${detail}${mark}`);
    for (const reason of reasons) this.#reason(reason, `${indent}  `);
    this.#content(step, `${indent}    `);
  }

  #reason({ rule, effect, verdict, facts }: Reason, indent: string): void {
    const said = verdict === undefined ? '' : ` says ${verdict}`;
    const seen = factsText(facts);
    const saw = seen === '' ? '' : ` (${seen})`;
    const lanes = `${this.#lanes()}   `;
    const from = this.#lines.length;
    const [head = '', ...more] = wrap(`↳ ${effect}: ${rule}${said}${saw}`, this.#room(indent) - 4);
    this.#lines.push(`${indent}${this.#paint('yellow', head)}`);
    this.#lines.push(...more.map((line) => `${indent}    ${this.#paint('yellow', line)}`));
    this.#statement(rule, `${indent}    `);
    for (let index = from; index < this.#lines.length; index++) this.#lines[index] = lanes + this.#lines[index]!;
  }

  /** Columns that are left beside the lanes. */
  #room(indent: string): number {
    const lanes = this.#widths.reduce((sum, width) => sum + width + 2, 1);
    return Math.max(40, this.#options.width - lanes - indent.length);
  }

  #content({ content, kind }: Step, indent: string): void {
    if (content === undefined) return;
    const lanes = `${this.#lanes()}   ${indent}`;
    const { paint, content: wanted, bytes } = this.#options;
    if (wanted && content.decoded !== undefined) {
      // An item's frames stand in the time line already.
      const lines = kind === 'item' ? [] : decodedLines(content.decoded, paint);
      this.#lines.push(...lines.map((line) => lanes + line));
    }
    if (!bytes) return;
    for (const { offset, hex, part, label } of hexLines(content.bytes, content.parts)) {
      const place = paint('dim', String(offset).padStart(6));
      const style = PART_STYLES[part % PART_STYLES.length]!;
      this.#lines.push(`${lanes}${place}  ${paint(style, hex)}${label === '' ? '' : `  ${paint('dim', label)}`}`);
    }
  }

  #ends(): void {
    const { implementations, differsAtEnd } = this.#explanation;
    this.#lines.push(this.#lanes());
    const ends = implementations.map(
      ({ outcome, message, safeHead }) =>
        `${outcome}${message === '' ? '' : ` (${onOneLine(message)})`} at ${safeHead}`,
    );
    if (ends.every((end) => end === ends[0])) {
      this.#lines.push(`${implementations.length > 1 ? 'all end' : 'ends'} ${ends[0] ?? ''}`);
      return;
    }
    for (const [index, { name, alone }] of implementations.entries()) {
      const mark = differsAtEnd && alone ? this.#paint(['bold', 'red'], '  ◀ FIRST DIFFERENCE') : '';
      const end = wrap(`ends ${ends[index]!}`, this.#options.width - name.length - 1).join('\n  ');
      this.#lines.push(...`${this.#paint('bold', name)} ${end}${mark}`.split('\n'));
    }
  }
}
