/**
 * What the curated scenarios have in common: a small chain, and the proof that a fault had the effect it should have.
 *
 * The safe head is block 5 at L1 origin 10; block 6 is the next one, with L1 origin 11. Most scenarios post something
 * faulty that carries block 6, and behind it a sound channel with a rival of block 6. Who lets the fault pass emits the
 * one, who does not the other, so a wrong decision shows up to the end of the trace.
 */

import type { SingleBatch } from '../../src/batch/batch.ts';
import type { L2Block } from '../../src/chain/blocks.ts';
import { Scenario, type ScenarioOptions } from '../scenario/scenario.ts';
import { transaction } from '../scenario/transactions.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';

/** Safe block 5 alone, L1 blocks 10 to 13. */
const SMALL: ScenarioOptions = { safeStart: 5, safeCount: 1, l1Count: 4 };

/** Number of the L1 block at which the scenarios post, if nothing else matters: the first that may carry block 6. */
export const POSTED = 12;

/**
 * A curated scenario on the small chain.
 *
 * @param shows - one line
 * @param rules - the sides it is there for
 * @param post - posts the data
 */
export function curated(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  post: (scenario: Scenario) => void,
  options: ScenarioOptions = {},
): CuratedScenario {
  return {
    name,
    shows,
    rules,
    build: () => {
      const scenario = new Scenario({ ...SMALL, ...options });
      post(scenario);
      return scenario.vector(name);
    },
  };
}

/** The single batch of a planned block, by default block 6. */
export function honest(scenario: Scenario, number = 6): SingleBatch {
  return scenario.single(scenario.block(number));
}

/** A block that competes with block 6: the same place, another transaction. */
export function rivalBlock(scenario: Scenario): L2Block {
  return scenario.build(scenario.block(5), { transactions: [transaction(99)] });
}

/** Posts the single batch of block 6's rival in a sound channel. */
export function postRival(scenario: Scenario, l1Number: number = POSTED): void {
  scenario.postBatches(l1Number, [scenario.single(rivalBlock(scenario))], { id: 0xee });
}

/** The frames of a channel with block 6. */
export function honestFrames(scenario: Scenario, count = 1, id = 1) {
  return scenario.frames(scenario.channel([honest(scenario)]), count, id);
}
