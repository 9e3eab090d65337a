/** A hunt for mutants as data, and as lines for a terminal. */

import { VERSION } from '../../src/version.ts';
import { BOUNDARIES } from '../compare/compare.ts';
import type { Exemption } from '../mutants/equivalent.ts';
import type { Kill } from '../mutants/hunt.ts';
import { type HuntResult, type MutantResult, survivorsOf, wantedOf } from '../mutants/run.ts';
import { type MutantsReport, RESULT_FORMAT } from './result.ts';

/** The result as data. */
export function mutantsReport(result: HuntResult): MutantsReport {
  const { mutants, corpus, campaign } = result;
  return {
    format: RESULT_FORMAT,
    holodiff: VERSION,
    command: 'mutants',
    status: survivorsOf(result).length > 0 ? 'differs' : 'ok',
    implementations: [{ name: 'typescript', version: VERSION }],
    vectors: corpus.vectors + (campaign?.vectors ?? 0),
    corpus: { ...corpus },
    campaign: campaign === undefined ? null : { ...campaign },
    mutants: mutants.map((mutant) => ({
      id: mutant.id,
      verdict: verdictOf(mutant),
      argument: mutant.exemption?.argument ?? null,
      corpus: mutant.corpus === undefined ? null : { ...mutant.corpus },
      campaign: mutant.campaign === undefined ? null : { ...mutant.campaign },
    })),
    underEmbargo: 0,
  };
}

function verdictOf({ exemption, corpus, campaign }: MutantResult): MutantsReport['mutants'][number]['verdict'] {
  if (corpus !== undefined || campaign !== undefined) return 'killed';
  return exemption?.kind ?? 'survives';
}

/** One mutant on one line. */
export function formatMutant({ id, exemption, corpus, campaign }: MutantResult): string {
  const kills = [formatKill('corpus', corpus), formatKill('campaign', campaign)].filter((text) => text !== undefined);
  if (kills.length > 0) return `killed      ${id}: ${kills.join('; ')}`;
  if (exemption === undefined) return `SURVIVES    ${id}`;
  return `${exemption.kind.padEnd(10)}  ${id}: ${exemption.kind === 'divergent' ? 'listed as ' : ''}${exemption.argument}`;
}

function formatKill(where: string, kill: Kill | undefined): string | undefined {
  return kill && `${where} at ${kill.boundary} after ${kill.after} (${kill.vector})`;
}

/** The figures, a line each. */
export function formatHunt(result: HuntResult): string[] {
  const { mutants, corpus, campaign } = result;
  const count = (kind: Exemption['kind']) => mutants.filter(({ exemption }) => exemption?.kind === kind).length;
  const wanted = wantedOf(result);
  const lines = [
    `${mutants.length} mutants: ${count('equivalent')} equivalent, ${count('large')} told apart only by vectors too large to be stored, ${count('divergent')} only where a reference differs; ${wanted.length} to kill`,
  ];
  const stage = (name: string, vectors: number, kills: readonly (Kill | undefined)[]) => {
    const killed = kills.filter((kill) => kill !== undefined);
    const share = wanted.length === 0 ? 100 : (killed.length / wanted.length) * 100;
    const boundaries = BOUNDARIES.map(
      (name) => [name, killed.filter(({ boundary }) => boundary === name).length] as const,
    )
      .filter(([, times]) => times > 0)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ');
    lines.push(
      `${name}, ${vectors} vectors: ${killed.length} killed (${share.toFixed(1)} %)${boundaries === '' ? '' : `, at ${boundaries}`}`,
    );
  };
  stage(
    `${corpus.name} corpus`,
    corpus.vectors,
    wanted.map((mutant) => mutant.corpus),
  );
  if (campaign !== undefined) {
    stage(
      `campaign with seed ${campaign.seed}`,
      campaign.vectors,
      wanted.map((mutant) => mutant.campaign),
    );
  }
  const survivors = survivorsOf(result);
  if (survivors.length > 0) lines.push(`survivors: ${survivors.map(({ id }) => id).join(', ')}`);
  return lines;
}
