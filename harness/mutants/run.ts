/** What `holodiff mutants` does: every mutant against the stored vectors, and against generated ones. */

import { setImmediate } from 'node:timers/promises';
import { type CorpusName, loadCorpus } from '../corpus.ts';
import { generateVector } from '../generate/index.ts';
import { type Exemption, exemptionOf } from './equivalent.ts';
import { Hunt, type Kill } from './hunt.ts';
import { MUTANTS, type MutantId } from './mutants.ts';

export interface HuntOptions {
  readonly paths: readonly string[];
  readonly corpus: CorpusName;
  /** How many vectors are generated; 0 for none. */
  readonly vectors: number;
  readonly seed: string;
  /** Hears where the hunt stands. */
  readonly note: (line: string) => void;
}

export interface MutantResult {
  readonly id: MutantId;
  readonly exemption: Exemption | undefined;
  readonly corpus: Kill | undefined;
  readonly campaign: Kill | undefined;
}

export interface HuntResult {
  readonly mutants: readonly MutantResult[];
  readonly corpus: { readonly name: CorpusName; readonly vectors: number };
  readonly campaign: { readonly seed: string; readonly vectors: number } | undefined;
}

/** Hunts the mutants that have to be killed: in the corpus, and from the start once more in the campaign. */
export async function huntMutants(options: HuntOptions): Promise<HuntResult> {
  const { note } = options;
  const wanted = MUTANTS.filter((mutant) => isWanted(exemptionOf(mutant), options.corpus));
  const vectors = loadCorpus(options.paths, options.corpus);
  const corpus = new Hunt(wanted);
  for (const { vector } of vectors) {
    if (corpus.alive.length === 0) break;
    corpus.see(vector);
    await setImmediate();
  }
  note(`${options.corpus} corpus: ${corpus.kills.size} of ${wanted.length} killed`);
  const campaign = new Hunt(wanted);
  for (let index = 0; index < options.vectors && campaign.alive.length > 0; index++) {
    campaign.see(generateVector(BigInt(options.seed), index).vector);
    if (campaign.seen % 1000 === 0)
      note(`${campaign.seen} generated: ${campaign.kills.size} of ${wanted.length} killed`);
    await setImmediate();
  }
  return {
    mutants: MUTANTS.map((mutant) => ({
      id: mutant.id,
      exemption: exemptionOf(mutant),
      corpus: corpus.kills.get(mutant.id),
      campaign: campaign.kills.get(mutant.id),
    })),
    corpus: { name: options.corpus, vectors: vectors.length },
    campaign: options.vectors === 0 ? undefined : { seed: options.seed, vectors: options.vectors },
  };
}

/** Whether something has to kill the mutant: what a reference does shows in the corpus of all vectors only. */
function isWanted(exemption: Exemption | undefined, corpus: CorpusName): boolean {
  return exemption === undefined || (exemption.kind === 'divergent' && corpus === 'all');
}

/** The mutants that had to be killed. */
export function wantedOf({ mutants, corpus }: HuntResult): readonly MutantResult[] {
  return mutants.filter(({ exemption }) => isWanted(exemption, corpus.name));
}

/** Those of them that live. */
export function survivorsOf(result: HuntResult): readonly MutantResult[] {
  return wantedOf(result).filter(({ corpus, campaign }) => corpus === undefined && campaign === undefined);
}
