/** What `holodiff mutants` does: every mutant against the stored vectors, and against generated ones. */

import { setImmediate } from 'node:timers/promises';
import { openSource, type SourceSpec } from '../campaign/source.ts';
import { readLedgers } from '../compare/ledger.ts';
import { type CorpusName, loadTellable } from '../corpus.ts';
import { isCompressed } from '../files.ts';
import { ledgerFiles } from '../report/known.ts';
import { type Exemption, exemptionOf } from './equivalent.ts';
import { Hunt, type Kill } from './hunt.ts';
import { isOfSize, largeVector, SCALED } from './large.ts';
import { MUTANTS, type Mutant, type MutantId } from './mutants.ts';

/** A campaign of so many generated vectors has to kill whatever can be killed, without any stored vector. */
const VECTORS_FOR_ALL = 50_000;

/** One vector in so many is a large one besides, as long as a mutant lives that may take one. */
const LARGE_EVERY = 100;

/** Equivalent mutants see one vector in so many: most of them have to be run on every vector that they see. */
const EQUIVALENT_EVERY = 10;

/** Milliseconds between two notes. */
const NOTE_INTERVAL = 15_000;

export interface HuntOptions {
  readonly paths: readonly string[];
  readonly corpus: CorpusName;
  /** Where the vectors of the campaign come from. */
  readonly source: SourceSpec;
  /** How many there are at most; 0 for none. */
  readonly vectors: number;
  /** How long the campaign takes at most. */
  readonly milliseconds?: number | undefined;
  /** Hears where the hunt stands. */
  readonly note: (line: string) => void;
}

export interface MutantResult {
  readonly id: MutantId;
  readonly exemption: Exemption | undefined;
  readonly corpus: Kill | undefined;
  readonly campaign: Kill | undefined;
}

export interface CampaignHunt {
  readonly source: SourceSpec;
  /** How many vectors it had, large ones included. */
  readonly vectors: number;
  /** How many of them were large ones, which come between the others. */
  readonly large: number;
  /** How many the source has; infinite for generated ones. */
  readonly of: number;
  /** Whether it had to kill all by itself. */
  readonly enough: boolean;
}

export interface HuntResult {
  readonly mutants: readonly MutantResult[];
  readonly corpus: { readonly name: CorpusName; readonly vectors: number };
  readonly campaign: CampaignHunt | undefined;
}

/** Hunts the mutants: in the corpus those that it has to kill, and from the start once more all in the campaign. */
export async function huntMutants(options: HuntOptions): Promise<HuntResult> {
  const { note } = options;
  const wanted = MUTANTS.filter((mutant) => isWanted(exemptionOf(mutant), options.corpus));
  // What is under embargo is told by nobody, not even as what killed a mutant.
  const { vectors } = loadTellable(options.paths, options.corpus, readLedgers(ledgerFiles(undefined)), note);
  const corpus = new Hunt(wanted);
  for (const stored of vectors) {
    if (corpus.alive.length === 0) break;
    const large = isCompressed(stored.file);
    if (large && !corpus.alive.some(isOfSize)) continue;
    const { vector } = stored;
    corpus.see(vector);
    corpus.see(vector, large ? SCALED.large : SCALED.everyday);
    await setImmediate();
  }
  note(`${options.corpus} corpus: ${corpus.kills.size} of the ${wanted.length} killed that it has to kill`);
  const { kills, campaign } = await huntInCampaign(options);
  return {
    mutants: MUTANTS.map((mutant) => ({
      id: mutant.id,
      exemption: exemptionOf(mutant),
      corpus: corpus.kills.get(mutant.id),
      campaign: kills.get(mutant.id),
    })),
    corpus: { name: options.corpus, vectors: vectors.length },
    campaign,
  };
}

/**
 * Hunts all that no argument says to be equivalent, and holds the arguments against some of the vectors; the vectors of a
 * small scope are there for the arguments alone.
 */
async function huntInCampaign({ source, vectors, milliseconds, note }: HuntOptions) {
  if (vectors === 0) return { kills: new Map<MutantId, Kill>(), campaign: undefined };
  const isEquivalent = (mutant: Mutant) => exemptionOf(mutant)?.kind === 'equivalent';
  const generated = source.kind === 'generated';
  const hunt = new Hunt(generated ? MUTANTS.filter((mutant) => !isEquivalent(mutant)) : []);
  const equivalent = new Hunt(MUTANTS.filter(isEquivalent));
  const wanted = hunt.alive.length;
  const argued = equivalent.alive.length;
  const opened = openSource(source, { index: 1, count: 1 });
  const count = Math.min(vectors, opened.count);
  const begun = performance.now();
  let noted = begun;
  let position = 0;
  let large = 0;
  for (; position < count; position++) {
    const now = performance.now();
    if (milliseconds !== undefined && now - begun >= milliseconds) break;
    const { vector } = opened.at(position);
    hunt.see(vector);
    if (!generated || position % EQUIVALENT_EVERY === 0) equivalent.see(vector);
    if (position % LARGE_EVERY === 0) hunt.see(vector, SCALED.everyday);
    if (generated && position % LARGE_EVERY === 0 && hunt.alive.some(isOfSize)) {
      const vector = largeVector(BigInt(source.seed), position / LARGE_EVERY);
      hunt.see(vector);
      hunt.see(vector, SCALED.large);
      large += 1;
    }
    if (now - noted >= NOTE_INTERVAL) {
      noted = now;
      const told = generated
        ? `${hunt.kills.size} of ${wanted} killed`
        : `${equivalent.alive.length} of ${argued} arguments hold`;
      note(`${position} vectors of the campaign: ${told}`);
    }
    await setImmediate();
  }
  const kills: ReadonlyMap<MutantId, Kill> = new Map([...hunt.kills, ...equivalent.kills]);
  const enough = generated && position >= VECTORS_FOR_ALL;
  return { kills, campaign: { source, vectors: hunt.seen, large, of: opened.count, enough } };
}

/** Whether the corpus has to kill the mutant: what a reference does shows in the corpus of all vectors only. */
function isWanted(exemption: Exemption | undefined, corpus: CorpusName): boolean {
  return exemption === undefined || (exemption.kind === 'divergent' && corpus === 'all');
}

/** The mutants that the corpus has to kill. */
function wantedOf({ mutants, corpus }: HuntResult): readonly MutantResult[] {
  return mutants.filter(({ exemption }) => isWanted(exemption, corpus.name));
}

/** The mutants that are not equivalent. */
export function killableOf({ mutants }: HuntResult): readonly MutantResult[] {
  return mutants.filter(({ exemption }) => exemption?.kind !== 'equivalent');
}

/** Those that live although somebody has to kill them. */
export function survivorsOf(result: HuntResult): readonly MutantResult[] {
  const enough = result.campaign?.enough === true;
  return (enough ? killableOf(result) : wantedOf(result)).filter(
    ({ corpus, campaign }) => campaign === undefined && (enough || corpus === undefined),
  );
}

/** Those of which it is argued that no vector kills them, and which one did. */
export function refutedOf({ mutants }: HuntResult): readonly MutantResult[] {
  return mutants.filter(
    ({ exemption, corpus, campaign }) =>
      exemption?.kind === 'equivalent' && (corpus !== undefined || campaign !== undefined),
  );
}
