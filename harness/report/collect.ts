/** Gathers what a report is of: campaigns with their findings, single findings, and vectors. */

import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { RULE_IDS, type RuleId } from '../../src/rules/catalogue.ts';
import type { Variant } from '../../src/rules/rule-book.ts';
import { Coverage, ERAS } from '../campaign/coverage.ts';
import { FINDING_FILES, readFindingSummary } from '../campaign/finding.ts';
import { JOURNAL_FILE, readJournal } from '../campaign/journal.ts';
import { MERGED_FILE, readMerged } from '../campaign/merge.ts';
import { compare, type Side } from '../compare/compare.ts';
import type { KnownDivergence } from '../compare/ledger.ts';
import { FileError } from '../errors.ts';
import { askSides } from '../explain/ask.ts';
import { type Explanation, explain } from '../explain/model.ts';
import { findVectorFiles, type LoadedVector, loadVectors, namesIn, readFile, VectorFileError } from '../files.ts';
import { type Implementation, inOrder } from '../implementations/implementation.ts';
import { isBlank } from '../lines.ts';
import { checkTrace, parseLine, traceToLine } from '../trace.ts';
import { count } from '../words.ts';
import type { ReportCoverage, ReportFinding, ReportInput } from './html/render.ts';
import { KnownLookup } from './known.ts';
import type { CampaignReport } from './result.ts';
import { signatureParts } from './signature-parts.ts';

/** A campaign, or several that were joined. */
interface ReportCampaign {
  /** What was run, a line each. */
  readonly runs: readonly string[];
  /** By signature: how many vectors show it. */
  readonly counts: ReadonlyMap<string, number>;
  readonly coverage: Coverage;
  /** Signatures that were left out when it was joined. */
  readonly underEmbargo: number;
}

/** What the paths of a report hold. */
export interface ReportSources {
  readonly campaigns: readonly ReportCampaign[];
  /** Folders of findings, those of the campaigns included. */
  readonly findings: readonly string[];
  /** Vector files that were named, or lie below a folder that was. */
  readonly vectors: readonly string[];
}

/** Sorts out what lies at the paths. @throws FileError */
export function findReportSources(paths: readonly string[]): ReportSources {
  const campaigns: ReportCampaign[] = [];
  const findings: string[] = [];
  const vectors: string[] = [];
  for (const one of paths) {
    // The file of a merged folder stands for the folder.
    const given = path.basename(one) === MERGED_FILE ? path.dirname(one) : one;
    const isFolder = existsSync(given) && statSync(given).isDirectory();
    if (isFolder && existsSync(path.join(given, JOURNAL_FILE))) {
      campaigns.push(oneCampaign(given));
      findings.push(...findingsOf(path.join(given, 'findings')));
    } else if (isFolder && existsSync(path.join(given, MERGED_FILE))) {
      campaigns.push(mergedCampaigns(readMerged(given)));
      findings.push(...findingsOf(path.join(given, 'findings')));
    } else if (isFolder && existsSync(path.join(given, FINDING_FILES.finding))) findings.push(given);
    else vectors.push(...findVectorFiles([given]));
  }
  return { campaigns, findings, vectors };
}

function oneCampaign(folder: string): ReportCampaign {
  const { start, chunks } = readJournal(folder);
  const counts = new Map<string, number>();
  const coverage = new Coverage();
  for (const chunk of chunks) {
    coverage.merge(chunk.coverage);
    for (const [signature, { count: more }] of Object.entries(chunk.differences)) {
      counts.set(signature, (counts.get(signature) ?? 0) + more);
    }
  }
  const { source, shard } = start;
  const name = source.kind === 'generated' ? `seed ${source.seed}` : `exhaustive ${source.scope}`;
  return { runs: [runText(name, shard, chunks.at(-1)?.to ?? 0)], counts, coverage, underEmbargo: 0 };
}

function mergedCampaigns(report: CampaignReport): ReportCampaign {
  const coverage = new Coverage();
  coverage.merge(report.coverage);
  return {
    runs: report.campaigns.map(({ source, part, vectors }) =>
      runText('seed' in source ? `seed ${source.seed}` : `exhaustive ${source.scope}`, part, vectors),
    ),
    counts: new Map(report.differences.map(({ signature, count: times }) => [signature, times])),
    coverage,
    underEmbargo: report.underEmbargo,
  };
}

function runText(name: string, { index, count: parts }: { index: number; count: number }, vectors: number): string {
  return `campaign ${name}${parts === 1 ? '' : `, part ${index} of ${parts}`}: ${count(vectors, 'vector')}`;
}

function findingsOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const folders = namesIn(folder).map((name) => path.join(folder, name));
  return folders.filter((one) => existsSync(path.join(one, FINDING_FILES.finding)));
}

/** The vector files of the sources, beside which recorded traces may lie. */
export function filesOf({ findings, vectors }: ReportSources): string[] {
  return [...vectors, ...findings.map((folder) => path.join(folder, FINDING_FILES.vector))];
}

export interface CollectOptions {
  readonly title: string;
  readonly sources: ReportSources;
  /** Asked about vectors and about minimised findings; without any, findings are shown as they were stored. */
  readonly implementations: readonly Implementation[];
  readonly variant?: Variant | undefined;
  readonly known: readonly KnownDivergence[];
  /** Keep vectors on which all agree. */
  readonly all: boolean;
  readonly note: (line: string) => void;
}

/** Explains everything but what is under embargo, of which it says how much there is. */
export async function collectReport(options: CollectOptions): Promise<ReportInput> {
  const { sources, note } = options;
  const known = new KnownLookup(options.known);
  const counts = occurrences(sources);
  const withheld = new Set([...counts.keys()].filter((signature) => known.withholds(signature)));
  const withheldVectors = new Set<string>();
  const bySignature = new Map<string, ReportFinding>();
  for (const folder of sources.findings) {
    const { signature } = readFindingSummary(folder);
    if (known.withholds(signature)) withheld.add(signature);
    // The same cause in several campaigns: the first vector stands for it.
    if (withheld.has(signature) || bySignature.has(signature)) continue;
    const { explanation, vector, traces } = await readFinding(folder, options);
    if (known.withholdsVector(explanation.name)) {
      withheldVectors.add(explanation.name);
      continue;
    }
    bySignature.set(signature, {
      signature,
      ...signatureParts(signature),
      known: known.bySignature(signature),
      count: counts.get(signature) ?? 1,
      source: folder,
      explanation,
      vector,
      traces,
    });
  }
  const findings = [...bySignature.values()];
  let agreeing = 0;
  const inFlight = Math.max(1, ...options.implementations.map((one) => one.inFlight));
  function* told() {
    for (const loaded of loadAll(sources.vectors)) {
      const { name } = loaded.vector;
      if (known.withholdsVector(name)) withheldVectors.add(name);
      else yield loaded;
    }
  }
  const ask = async (loaded: LoadedVector) => {
    return { loaded, sides: await askSides(options.implementations, loaded, note) };
  };
  const asked = inOrder(told(), inFlight, ask, ({ line }) => line.length);
  for await (const { loaded, sides } of asked) {
    if (!options.all && compare(sides) === undefined) {
      agreeing += 1;
      continue;
    }
    const explanation = explain(loaded.vector, sides, options.variant);
    const { difference } = explanation;
    const signature = difference?.signature ?? '';
    if (known.withholds(signature)) {
      withheldVectors.add(loaded.vector.name);
      continue;
    }
    if (difference === undefined) agreeing += 1;
    findings.push({
      signature,
      ...signatureParts(signature),
      known: known.of(explanation),
      count: 1,
      source: loaded.source,
      explanation,
      vector: loaded.line,
      traces: sides.map(({ trace }) => traceToLine(trace)),
    });
  }
  findings.sort((a, b) => rank(a) - rank(b) || b.count - a.count);
  const underEmbargo =
    withheld.size + withheldVectors.size + sources.campaigns.reduce((sum, one) => sum + one.underEmbargo, 0);
  return {
    title: options.title,
    implementations: implementationsOf(findings, options.implementations),
    summary: [
      ...summarise(sources, counts, known, findings, agreeing),
      ...(underEmbargo === 0 ? [] : [`${underEmbargo} under embargo`]),
    ],
    coverage: coverageOf(sources),
    findings,
  };
}

function* loadAll(files: readonly string[]): Generator<LoadedVector, void, undefined> {
  for (const file of files) {
    for (const loaded of loadVectors(file)) {
      if (loaded instanceof VectorFileError) throw loaded;
      yield loaded;
    }
  }
}

/** New ones first, then known ones, then vectors on which all agree. */
function rank({ signature, known }: ReportFinding): number {
  return signature === '' ? 2 : known === undefined ? 0 : 1;
}

interface ReadFinding {
  readonly explanation: Explanation;
  readonly vector: string;
  readonly traces: readonly string[];
}

/** A finding, minimised where somebody can still be asked about that. */
async function readFinding(folder: string, options: CollectOptions): Promise<ReadFinding> {
  const stored = storedSides(path.join(folder, FINDING_FILES.traces));
  const minimised = path.join(folder, FINDING_FILES.minimised);
  if (existsSync(minimised) && stored.every(({ implementation }) => isAsked(options.implementations, implementation))) {
    const loaded = onlyVector(minimised);
    const sides = await askSides(options.implementations, loaded, options.note);
    const explanation = explain(loaded.vector, sides, options.variant);
    if (explanation.difference !== undefined) {
      return { explanation, vector: loaded.line, traces: sides.map(({ trace }) => traceToLine(trace)) };
    }
    options.note(`${minimised}: does not differ any more; shown as it was found`);
  }
  const { vector, line } = onlyVector(path.join(folder, FINDING_FILES.vector));
  return {
    explanation: explain(vector, stored),
    vector: line,
    traces: stored.map(({ trace }) => traceToLine(trace)),
  };
}

function isAsked(implementations: readonly Implementation[], name: string): boolean {
  return implementations.some((one) => one.name === name);
}

function onlyVector(file: string) {
  const [loaded] = loadVectors(file);
  if (loaded === undefined) throw new FileError('no-vectors', file, 'no vector in this file');
  if (loaded instanceof VectorFileError) throw loaded;
  return loaded;
}

/** Traces as they were stored. A trace with a crash or a hang and nothing in its lists says nothing. */
export function storedSides(file: string): Side[] {
  const sides: Side[] = [];
  for (const [index, line] of readFile(file).split('\n').entries()) {
    if (isBlank(line)) continue;
    try {
      const trace = checkTrace(parseLine(line));
      const { kind } = trace.outcome;
      const empty = trace.frames.length + trace.channels.length + trace.batches.length + trace.singles.length === 0;
      const silent = empty && (kind === 'crash' || kind === 'timeout');
      sides.push({ implementation: trace.implementation.name, trace, silent });
    } catch (error) {
      throw new FileError('invalid-file', file, `line ${index + 1}: expected a trace`, { cause: error });
    }
  }
  return sides;
}

/** How many vectors of the campaigns show each signature. */
function occurrences({ campaigns }: ReportSources): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { counts } of campaigns) {
    for (const [signature, more] of counts) sums.set(signature, (sums.get(signature) ?? 0) + more);
  }
  return sums;
}

function summarise(
  { campaigns }: ReportSources,
  counts: ReadonlyMap<string, number>,
  known: KnownLookup,
  findings: readonly ReportFinding[],
  agreeing: number,
): string[] {
  const lines = campaigns.flatMap(({ runs }) => runs);
  const listed = [...counts].filter(
    ([signature]) => known.bySignature(signature) !== undefined && !known.withholds(signature),
  );
  if (listed.length > 0) {
    const vectors = listed.reduce((sum, [, more]) => sum + more, 0);
    lines.push(`${count(listed.length, 'known signature')} in ${count(vectors, 'vector')} of the campaigns`);
  }
  const fresh = findings.filter((finding) => rank(finding) === 0).length;
  const old = findings.filter((finding) => rank(finding) === 1).length;
  const agree = agreeing === 0 ? '' : `; all agree on ${count(agreeing, 'vector')}`;
  lines.push(`${count(fresh, 'new difference')}, ${old} known${agree}`);
  return lines;
}

/** The table of the campaigns together. */
function coverageOf({ campaigns }: ReportSources): ReportCoverage | undefined {
  if (campaigns.length === 0) return undefined;
  const coverage = new Coverage();
  for (const one of campaigns) coverage.merge(one.coverage.toJson());
  const sides = ['+', '-'] as const;
  const words = { '+': 'fires', '-': 'lets pass' } as const;
  return {
    columns: sides.flatMap((side) => ERAS.map((era) => `${words[side]}, ${era}`)),
    rows: RULE_IDS.map((rule: RuleId) => ({
      rule,
      counts: sides.flatMap((side) => ERAS.map((era) => coverage.side(rule, side, era))),
    })),
  };
}

function implementationsOf(
  findings: readonly ReportFinding[],
  asked: readonly Implementation[],
): ReportInput['implementations'] {
  const all = new Map<string, { name: string; version: string }>();
  for (const { name, version } of [...asked, ...findings.flatMap(({ explanation }) => explanation.implementations)]) {
    all.set(`${name} ${version}`, { name, version });
  }
  return [...all.values()];
}
