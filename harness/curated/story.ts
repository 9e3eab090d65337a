/** How curated scenarios of the batch stages are told: what is posted on a chain, on one side of Holocene or on both. */

import type { Batch } from '../../src/batch/batch.ts';
import type { L2Block } from '../../src/chain/blocks.ts';
import type { Vector } from '../../src/vector.ts';
import { type Era, Scenario, type ScenarioOptions } from '../scenario/scenario.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';

export interface Story {
  readonly name: string;
  readonly shows: string;
  readonly rules: readonly RuleSide[];
  readonly options?: Omit<ScenarioOptions, 'era'>;
  readonly post: (scenario: Scenario) => void;
  /** Changes what a scenario cannot say: blocks that do not fit together. */
  readonly edit?: (vector: Vector) => Vector;
}

/** A story on one side of Holocene, or across its activation. */
export function story(era: Era, { name, shows, rules, options, post, edit }: Story): CuratedScenario {
  return {
    name,
    shows,
    rules,
    build() {
      const scenario = new Scenario({ era, ...options });
      post(scenario);
      const vector = scenario.vector(name);
      return edit?.(vector) ?? vector;
    },
  };
}

export interface StoryOfBothSides extends Story {
  /** Sides of rules that are reached before Holocene only. */
  readonly before?: readonly RuleSide[];
  /** Sides of rules that are reached from Holocene on only. */
  readonly after?: readonly RuleSide[];
}

/** The same story before Holocene and from it on. */
export function onBothSides(told: StoryOfBothSides): CuratedScenario[] {
  const { before = [], after = [], ...common } = told;
  return [
    story('before', {
      ...common,
      name: `${told.name}-before-holocene`,
      shows: `${told.shows} (before Holocene)`,
      rules: [...told.rules, ...before],
    }),
    story('after', {
      ...common,
      name: `${told.name}-after-holocene`,
      shows: `${told.shows} (from Holocene on)`,
      rules: [...told.rules, ...after],
    }),
  ];
}

type Batches = readonly (Batch | Uint8Array)[];

/**
 * Posts a channel with the suspect in front of good batches, and the good batches alone two L1 blocks later: what is
 * emitted where, and whether the first channel goes on, shows what became of the suspect. The L1 block between has no
 * data, so that an implementation that goes astray there still shows what it said of the suspect.
 */
export function postSuspect(scenario: Scenario, l1Number: number, suspect: Batch | Uint8Array, good: Batches): void {
  scenario.postBatches(l1Number, [suspect, ...good], { id: 1 });
  scenario.postBatches(l1Number + 2, good, { id: 2 });
}

/** What one block of a chain has of its own. */
interface BlockChanges {
  readonly epoch?: number;
  readonly transactions?: readonly Uint8Array[];
}

/** Blocks on `parent`, one for each entry, that may leave the plan in epoch or transactions. */
export function chain(scenario: Scenario, parent: L2Block, changes: readonly BlockChanges[]): [L2Block, ...L2Block[]] {
  const blocks: L2Block[] = [];
  for (const change of changes) blocks.push(scenario.build(blocks.at(-1) ?? parent, change));
  return blocks as [L2Block, ...L2Block[]];
}

/** The safe head at the start. */
export function safeHead(scenario: Scenario): L2Block {
  return scenario.block(scenario.nextNumber - 1);
}

/** Empty transaction lists for `count` blocks. */
export function empties(count: number): BlockChanges[] {
  return Array.from({ length: count }, () => ({ transactions: [] }));
}
