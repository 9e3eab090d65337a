/** The breaks that the ledger does not account for: one for each kind, as small as can be found. */

import { minimise } from '../minimise/index.ts';
import { vectorToLine } from '../vector.ts';
import { type Break, breakOn, explanationsOf, nameOf, type RelationResult } from './run.ts';
import type { Standing, Standings } from './standing.ts';

/** Breaks of one relation by one implementation that look alike. */
export interface UnexplainedBreak {
  /** The smallest of them. */
  readonly smallest: Break;
  readonly count: number;
  /** Name of the vector that the smallest one was before it was minimised. */
  readonly from: string;
}

/** Candidates that are tried to make one vector smaller. */
const MAX_TESTS = 1500;

/** One of each kind that nothing in the ledger explains, the kinds in the order in which they came up. */
export async function unexplainedBreaks(
  results: readonly RelationResult[],
  standings: Standings,
  options: { readonly minimise: boolean; readonly note: (line: string) => void },
): Promise<UnexplainedBreak[]> {
  const kinds = new Map<string, Break[]>();
  for (const one of results.flatMap(({ breaks }) => breaks)) {
    if (explanationsOf(one).length > 0) continue;
    const kind = kindOf(one);
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  const found: UnexplainedBreak[] = [];
  for (const alike of kinds.values()) {
    const sized = alike.map((one) => ({ one, size: vectorToLine(one.original).length }));
    const { one: first } = sized.reduce((a, b) => (b.size < a.size ? b : a));
    const { relation, implementation } = first;
    if (options.minimise)
      options.note(`minimising ${relation.id} for ${nameOf(implementation)}: ${first.original.name}`);
    const smallest = options.minimise ? await smaller(first, standings) : first;
    found.push({ smallest, count: alike.length, from: first.original.name });
  }
  return found;
}

/** Breaks are alike if the traces part in the same list and stand alike beside those of the TypeScript pipeline. */
function kindOf({ relation, implementation, parting, originalStanding, changedStanding }: Break): string {
  const list = /^\w*/.exec(parting.path)![0];
  return [relation.id, nameOf(implementation), list, shown(originalStanding), shown(changedStanding)].join('\n');
}

function shown(standing: Standing): string {
  return standing.kind === 'differs' ? standing.signature : standing.kind;
}

async function smaller(first: Break, standings: Standings): Promise<Break> {
  const { relation, implementation, original, choice } = first;
  const kind = kindOf(first);
  const again = async (candidate: Break['original']) => {
    const found = await breakOn(relation, implementation, candidate, choice, standings);
    return found !== undefined && kindOf(found) === kind ? found : undefined;
  };
  const { vector } = await minimise(original, async (candidate) => (await again(candidate)) !== undefined, {
    maxTests: MAX_TESTS,
    inFlight: implementation.inFlight,
  });
  return (await again(vector))!;
}
