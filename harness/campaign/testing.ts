/** For the tests of campaigns: implementations in this process, and folders as comparable values. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { derive } from '../../src/derive.ts';
import type { Vector } from '../../src/vector.ts';
import type { Answer, Implementation, Incident } from '../implementations/implementation.ts';
import type { CampaignReport } from '../report/result.ts';
import { type TraceJson, traceToJson } from '../trace.ts';
import { parseVector } from '../vector.ts';
import { type CampaignOptions, type CampaignResult, runCampaign } from './campaign.ts';

/** Derives as the TypeScript pipeline does, and has the faults that `edit` puts into its traces. */
export class Mock implements Implementation {
  readonly version = '1.0.0';
  readonly inFlight = 8;
  readonly how = 'mock';
  readonly incidents: Incident[] = [];
  readonly handshake;
  /** How many vectors it was asked. */
  asked = 0;

  constructor(
    readonly name: string,
    private readonly edit: (trace: TraceJson) => TraceJson = (trace) => trace,
    private readonly wait: (asked: number) => Promise<void> = () => Promise.resolve(),
  ) {
    this.handshake = { implementation: { name, version: this.version }, formats: [1], decompressors: {} };
  }

  async submit(line: string, vector: Vector = parseVector(line)): Promise<Answer> {
    this.asked += 1;
    const implementation = { name: this.name, version: this.version };
    const trace = this.edit({ ...traceToJson(derive(vector)), implementation });
    await this.wait(this.asked);
    return { kind: 'trace', trace };
  }

  async refresh(): Promise<void> {}

  async close(): Promise<void> {}
}

/** Faults of several kinds, each where a trace has something of the kind. */
export function faulty(trace: TraceJson): TraceJson {
  const { flushes, singles, frames } = trace;
  if (flushes.length > 1) return { ...trace, flushes: flushes.slice(1) };
  if (singles.length > 3) return { ...trace, singles: singles.slice(0, -1) };
  if (frames.length > 5) return { ...trace, frames: frames.slice(0, 4) };
  return trace;
}

/** A campaign with one implementation that is faulty and one that is not. */
export function campaign(folder: string, options: Partial<CampaignOptions> = {}): Promise<CampaignResult> {
  return runCampaign({
    folder,
    source: { kind: 'generated', seed: '5' },
    shard: { index: 1, count: 1 },
    references: [new Mock('kona', faulty), new Mock('op-node')],
    known: new Set(),
    vectors: 60,
    resume: false,
    ...options,
  });
}

/** What a campaign came to, without what depends on the clock. */
export function totalsOf({
  vectors,
  differences,
  incidents,
  coverage,
}: Pick<CampaignResult, 'vectors' | 'differences' | 'incidents' | 'coverage'>) {
  return { vectors, differences: sorted(differences), incidents: sorted(incidents), coverage: coverage.toJson() };
}

/** The same of campaigns that were joined. */
export function reportTotalsOf({ vectors, differences, incidents, coverage }: CampaignReport) {
  return {
    vectors,
    differences: sorted(
      new Map(differences.map(({ signature, count, first }) => [signature, { count, first: first.index }])),
    ),
    incidents: sorted(
      new Map(incidents.map(({ implementation, kind, count }) => [`${implementation} ${kind}`, count])),
    ),
    coverage,
  };
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Every file below the findings of a campaign, by path. */
export function findingsIn(folder: string): Record<string, string> {
  const findings = path.join(folder, 'findings');
  if (!existsSync(findings)) return {};
  return Object.fromEntries(
    readdirSync(findings, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [path.relative(findings, file), readFileSync(file, 'utf8')] as const),
  );
}
