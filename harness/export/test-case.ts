/** A vector as a test case, in no language yet: its name, what it is about, what is fed and what is expected. */

import { LIST_NAMES, type ListName } from '../../src/derive.ts';
import { RULES, type RuleId } from '../../src/rules/catalogue.ts';
import type { OutcomeKind } from '../../src/trace.ts';
import type { Vector } from '../../src/vector.ts';
import { type Boundary, type Side, same } from '../compare/compare.ts';
import { describePlace, describeSides } from '../compare/describe.ts';
import type { KnownDivergence } from '../compare/ledger.ts';
import { HolodiffError } from '../errors.ts';
import type { Step } from '../explain/model.ts';
import { ROW_LISTS } from '../explain/rows.ts';
import { explainWords } from '../explain/words.ts';
import type { TraceJson } from '../trace.ts';
import { entriesAt } from './entries.ts';
import type { Expectation } from './forms.ts';
import { plainSentence, sectionLink } from './specification.ts';
import { type StoryBlock, storyOf } from './story.ts';
import type { Subject } from './subject.ts';

export interface TestCase {
  /** The name in words of lower-case letters and digits. */
  readonly words: readonly [string, string, ...string[]];
  /** Name of the vector. */
  readonly source: string;
  readonly title: string;
  /** Paragraphs, each as lines. */
  readonly about: readonly (readonly string[])[];
  readonly vector: Vector;
  /** What is compared. */
  readonly boundary: Boundary;
  readonly expected: readonly ExpectedEntry[];
  /** How the expected run ends. */
  readonly ends: OutcomeKind;
  /** Implementations that panic over it. */
  readonly panicking: readonly string[];
  /** There is L1 data at all. */
  readonly hasItems: boolean;
  /** A span batch may be judged, so that whole safe blocks are asked for. */
  readonly mayHoldSpans: boolean;
  /** The comments on each L1 block, for lines of this length. */
  readonly story: (width: number) => StoryBlock[];
}

interface ExpectedEntry {
  /** What the lines stand for, where they do not say it. */
  readonly comment: string | undefined;
  readonly lines: readonly string[];
}

/** Runs that end like this cannot be waited for by a test. */
const ENDLESS: readonly OutcomeKind[] = ['timeout'];

/** Makes a test case of what the subject's implementations say. @throws HolodiffError if there is nothing to expect */
export function testCaseOf(subject: Subject, expectation: Expectation): TestCase {
  const { vector, sides, difference, explanation } = subject;
  const index = sides.findIndex(({ implementation }) => implementation === expectation);
  const side = sides[index];
  if (side === undefined || side.silent === true) {
    throw new HolodiffError('bad-option', `--expect ${expectation}: it gave no trace of ${vector.name}`);
  }
  const { outcome } = side.trace;
  if (ENDLESS.includes(outcome.kind)) {
    throw new HolodiffError('bad-option', `--expect ${expectation}: its run over ${vector.name} does not end`);
  }
  // Where all agree, what comes out of the pipeline is what counts.
  const boundary = difference?.boundary ?? 'singles';
  const rule = explanation.difference?.rule;
  return {
    words: wordsOf(vector.name, rule),
    source: onOneLine(vector.name),
    title: titleOf(subject),
    about: aboutOf(subject, side, boundary).map((paragraph) => paragraph.map(onOneLine)),
    vector,
    boundary,
    expected: expectedOf(side.trace, boundary, explanation.steps, index),
    ends: outcome.kind,
    panicking: sides.filter(({ trace }) => trace.outcome.kind === 'crash').map((one) => one.implementation),
    hasItems: vector.l1.some(({ data }) => data.length > 0),
    mayHoldSpans: mayHoldSpans(subject),
    story: (width) => storyOf(vector, explanation, rule === undefined ? [] : [rule], width),
  };
}

/** A generated vector is called by the rule, with its seed and number; any other by its own name. */
export function wordsOf(name: string, rule: RuleId | undefined): TestCase['words'] {
  const text = rule === undefined ? name : name.replace(/^generated\//, `${rule}/`);
  const [first = 'vector', ...others] = text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const [second, ...more] = /^\d/.test(first) ? [first, ...others] : others;
  // One word alone might be a keyword.
  return [/^\d/.test(first) ? 'vector' : first, second ?? 'vector', ...more];
}

/** One line that says what is wrong. */
export function titleOf({ known, difference, shows, vector }: Subject): string {
  if (known !== undefined) return onOneLine(known.title);
  return onOneLine(difference === undefined ? (shows ?? vector.name) : describeSides(difference));
}

/** Names of vectors and what people write into a ledger may hold any characters: none gets out of its comment. */
function onOneLine(text: string): string {
  return text.split(/\s+/).join(' ').trim();
}

function aboutOf(subject: Subject, side: Side, boundary: Boundary): string[][] {
  const { known, difference, shows, explanation } = subject;
  const rule = explanation.difference?.rule;
  const paragraphs: string[][] = [];
  // Go takes a line without its full stop for a heading.
  if (shows !== undefined) paragraphs.push([/[.!?]$/.test(shows) ? shows : `${shows}.`]);
  if (rule !== undefined) paragraphs.push(ruleLines(rule));
  if (known !== undefined) {
    const told = paragraphs.flat();
    paragraphs.push(judgementLines(known.specification).filter((line) => !told.includes(line)));
  }
  if (known?.link !== undefined) paragraphs.push([`Public report: ${known.link}`]);
  if (difference !== undefined) {
    const origin = difference.origin === undefined ? '' : ` at L1 block ${difference.origin}`;
    paragraphs.push([`The first difference is ${describePlace(difference)}${origin}: ${describeSides(difference)}.`]);
  }
  paragraphs.push([expectationLine(subject, side, boundary)]);
  return paragraphs;
}

/** A rule's statement, its sections, and what its words mean. */
function ruleLines(rule: RuleId): string[] {
  const { statement, specification } = RULES[rule];
  const words = explainWords([rule]);
  return [
    `Rule ${rule}: "${plainSentence(statement)}"`,
    ...(words.length === 0 ? [] : [`(${words.join('; ')})`]),
    ...specification.map(sectionLink),
  ];
}

/** Who is right by the specification, in the ledger's words. */
function judgementLines({ right, section, sentence }: KnownDivergence['specification']): string[] {
  return [`${whoIsRight(right)}: ${plainSentence(sentence)}.`, sectionLink(section)];
}

/** The start of a sentence. */
export function whoIsRight(right: KnownDivergence['specification']['right']): string {
  if (right.length === 0) return 'The specification does not decide it';
  const references = right.filter((name) => name !== 'typescript');
  if (references.length === 0) return 'By the specification no reference is right';
  return `By the specification ${references.join(' and ')} ${references.length === 1 ? 'is' : 'are'} right`;
}

function expectationLine({ sides }: Subject, { trace }: Side, boundary: Boundary): string {
  const agreeing = sides.filter((other) => other.silent !== true && same(other.trace[boundary], trace[boundary]));
  const differing = sides.filter((other) => !agreeing.includes(other));
  const list = (some: readonly Side[]) =>
    some
      .map(
        ({
          implementation,
          trace: {
            implementation: { version },
          },
        }) => nameOf(implementation, version),
      )
      .join(' and ');
  const verb = (some: readonly Side[], singular: string, plural: string) => (some.length === 1 ? singular : plural);
  const others = differing.length === 0 ? '' : `; ${list(differing)} ${verb(differing, 'differs', 'differ')}`;
  return `Expected is what ${list(agreeing)} ${verb(agreeing, 'makes', 'make')} of it${others}.`;
}

function nameOf(implementation: string, version: string): string {
  return implementation === 'typescript'
    ? `holodiff's pipeline ${version} (written from the specification)`
    : `${implementation} ${version}`;
}

/** The entries with what the time line says of each. */
function expectedOf(trace: TraceJson, boundary: Boundary, steps: readonly Step[], side: number): ExpectedEntry[] {
  const comments = isList(boundary) ? commentsOn(boundary, steps, side) : [];
  const entries = entriesAt(trace, boundary);
  const matching = comments.length === entries.length;
  return entries.map((lines, index) => ({ comment: matching ? comments[index] : undefined, lines }));
}

function isList(boundary: Boundary): boundary is ListName {
  return (LIST_NAMES as readonly string[]).includes(boundary);
}

/** Frames and flushes need no comment. */
function commentsOn(boundary: ListName, steps: readonly Step[], side: number): string[] {
  if (boundary === 'frames' || boundary === 'flushes') return [];
  const own = steps.filter(({ kind, lanes }) => ROW_LISTS[kind] === boundary && lanes[side] === 'has');
  return own.map(({ title, detail }) => `${title}: ${detail}`);
}

/** Whether a span batch reaches the batch stage, or might: of an implementation that gave no trace nobody knows. */
function mayHoldSpans({ sides, explanation }: Subject): boolean {
  if (sides.length < 3 || sides.some(({ silent }) => silent === true)) return true;
  if (explanation.steps.some(({ kind, title }) => kind === 'batch' && title.startsWith('span'))) return true;
  return sides.some(({ trace }) => trace.batches.some(({ kind }) => kind === 'span'));
}
