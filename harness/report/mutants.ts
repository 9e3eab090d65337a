/** A hunt for mutants as data, and as lines for a terminal. */

import { VERSION } from '../../src/version.ts';
import { BOUNDARIES } from '../compare/compare.ts';
import type { Exemption } from '../mutants/equivalent.ts';
import type { Kill } from '../mutants/hunt.ts';
import {
  type CampaignHunt,
  type HuntResult,
  killableOf,
  type MutantResult,
  refutedOf,
  survivorsOf,
} from '../mutants/run.ts';
import { count as countOf } from '../words.ts';
import { onOneLine } from './printable.ts';
import { type MutantsReport, RESULT_FORMAT } from './result.ts';

/** The result as data. */
export function mutantsReport(result: HuntResult): MutantsReport {
  const { mutants, corpus, campaign } = result;
  const verdicts = verdictsOf(result);
  return {
    format: RESULT_FORMAT,
    holodiff: VERSION,
    command: 'mutants',
    status: verdicts.some((verdict) => FAILURES.has(verdict)) ? 'differs' : 'ok',
    implementations: [{ name: 'typescript', version: VERSION }],
    vectors: corpus.vectors + (campaign?.vectors ?? 0),
    corpus: { ...corpus },
    campaign:
      campaign === undefined
        ? null
        : { source: sourceOf(campaign), vectors: campaign.vectors, enough: campaign.enough },
    mutants: mutants.map((mutant, index) => ({
      id: mutant.id,
      verdict: verdicts[index]!,
      argument: mutant.exemption?.argument ?? null,
      corpus: killData(mutant.corpus),
      campaign: killData(mutant.campaign),
    })),
    underEmbargo: 0,
  };
}

type MutantVerdict = MutantsReport['mutants'][number]['verdict'];

const FAILURES: ReadonlySet<MutantVerdict> = new Set<MutantVerdict>(['missed', 'survives', 'refuted']);

function sourceOf({ source }: CampaignHunt): { seed: string } | { scope: string } {
  return source.kind === 'generated' ? { seed: source.seed } : { scope: source.scope };
}

/** What became of each mutant, in their order. */
function verdictsOf(result: HuntResult): MutantVerdict[] {
  const survivors = new Set(survivorsOf(result));
  const refuted = new Set(refutedOf(result));
  return result.mutants.map((mutant) => {
    const { exemption, corpus, campaign } = mutant;
    if (refuted.has(mutant)) return 'refuted';
    if (survivors.has(mutant)) return corpus === undefined ? 'survives' : 'missed';
    return corpus !== undefined || campaign !== undefined ? 'killed' : (exemption?.kind ?? 'survives');
  });
}

/** A line for each mutant, then the figures. */
export function formatHunt(result: HuntResult): string[] {
  const verdicts = verdictsOf(result);
  return [...result.mutants.map((mutant, index) => formatMutant(mutant, verdicts[index]!)), ...formatFigures(result)];
}

function formatMutant({ id, exemption, corpus, campaign }: MutantResult, verdict: MutantVerdict): string {
  const kills = [formatKill('corpus', corpus), formatKill('campaign', campaign)].filter((text) => text !== undefined);
  const argument =
    exemption && (exemption.kind === 'divergent' ? `listed as ${exemption.argument}` : exemption.argument);
  const shown = FAILURES.has(verdict) ? verdict.toUpperCase() : verdict;
  const details = verdict === 'killed' ? kills : [...kills, ...(argument === undefined ? [] : [argument])];
  return onOneLine(`${shown.padEnd(10)}  ${id}${details.length === 0 ? '' : `: ${details.join('; ')}`}`);
}

function killData(kill: Kill | undefined) {
  return kill === undefined ? null : { ...kill, under: kill.under ?? null };
}

function formatKill(where: string, kill: Kill | undefined): string | undefined {
  if (kill === undefined) return undefined;
  const under = kill.under === undefined ? '' : ` under ${kill.under}`;
  return `${where} at ${kill.boundary} after ${kill.after} (${kill.vector}${under})`;
}

function formatFigures(result: HuntResult): string[] {
  const { mutants, corpus, campaign } = result;
  const count = (kind: Exemption['kind']) => mutants.filter(({ exemption }) => exemption?.kind === kind).length;
  const killable = killableOf(result);
  const lines = [
    `${mutants.length} mutants: ${count('equivalent')} equivalent, ${killable.length} to kill, ${count('divergent')} of these only where a reference differs, which no clean vector shows`,
  ];
  const stage = (name: string, vectors: number, kills: readonly (Kill | undefined)[]) => {
    const killed = kills.filter((kill) => kill !== undefined);
    const share = kills.length === 0 ? 100 : (killed.length / kills.length) * 100;
    const boundaries = BOUNDARIES.map(
      (name) => [name, killed.filter(({ boundary }) => boundary === name).length] as const,
    )
      .filter(([, times]) => times > 0)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ');
    const last = Math.max(0, ...killed.map(({ after }) => after));
    lines.push(
      `${name}, ${countOf(vectors, 'vector')}: ${killed.length} of ${kills.length} killed (${share.toFixed(1)} %)${killed.length === 0 ? '' : `, the last by vector ${last}, at ${boundaries}`}`,
    );
  };
  stage(
    `${corpus.name} corpus`,
    corpus.vectors,
    killable.map((mutant) => mutant.corpus),
  );
  if (campaign !== undefined) {
    const { source, vectors } = campaign;
    const refuted = refutedOf(result).length;
    const held = `${count('equivalent') - refuted} of ${count('equivalent')} arguments hold`;
    if (source.kind === 'exhaustive')
      lines.push(`${vectors} of the ${countOf(campaign.of, 'vector')} of ${source.scope}: ${held}`);
    else
      stage(
        `campaign with seed ${source.seed}${campaign.large === 0 ? '' : `, ${campaign.large} large ones included`}`,
        vectors,
        killable.map((mutant) => mutant.campaign),
      );
  }
  const named = (title: string, list: readonly MutantResult[]) => {
    if (list.length > 0) lines.push(`${title}: ${list.map(({ id }) => id).join(', ')}`);
  };
  named('survivors', survivorsOf(result));
  named('refuted arguments', refutedOf(result));
  return lines;
}
