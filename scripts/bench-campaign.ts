/**
 * The rate of a three-way campaign beside what the slowest reference alone does with the same vectors through its own
 * process: what the rest of a campaign (generating, the TypeScript pipeline, comparing, naming) costs on top. Where there
 * are fewer processors than busy threads and processes, the time that all of them take is the limit. So the harness's
 * own is told as well, and what a campaign does where the slowest reference has a processor to itself: there a stand-in
 * takes its place, which answers what it answered, as fast as it did, and needs no processor for that.
 *
 * Options: `--vectors N` (default 20000: some thousand pass before all code is compiled), `--seed N`, `--rounds N`
 * (default 1). The best round of each counts.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { argv } from 'zx';
import { runCampaign } from '../harness/campaign/campaign.ts';
import { LEDGER_FILE, readLedger } from '../harness/compare/ledger.ts';
import { generateVector } from '../harness/generate/index.ts';
import { type Implementation, inOrder } from '../harness/implementations/implementation.ts';
import { openReference } from '../harness/implementations/open.ts';
import { ProcessImplementation } from '../harness/implementations/process.ts';
import { REFERENCE_NAMES, type ReferenceName } from '../harness/references/build.ts';
import { traceToLine } from '../harness/trace.ts';
import { vectorToLine } from '../harness/vector.ts';

const count = Number(argv['vectors'] ?? 20_000);
const seed = String(argv['seed'] ?? 1);
const rounds = Number(argv['rounds'] ?? 1);
const report = (line: string) => console.error(line);
const known = new Set(readLedger(LEDGER_FILE).flatMap(({ signatures }) => signatures));

/** Vectors a second. */
async function rate(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (count / (performance.now() - start)) * 1000;
}

async function withReferences<T>(
  names: readonly ReferenceName[],
  use: (all: Implementation[]) => Promise<T>,
): Promise<T> {
  const references = await Promise.all(names.map((name) => openReference(name, { report })));
  try {
    return await use(references);
  } finally {
    await Promise.all(references.map((reference) => reference.close()));
  }
}

const lines = Array.from({ length: count }, (_, index) => vectorToLine(generateVector(BigInt(seed), index).vector));

/** Vectors a second of a campaign over all the vectors. */
async function campaignRate(references: readonly Implementation[]): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holodiff-bench-'));
  const source = { kind: 'generated', seed } as const;
  const shard = { index: 1, count: 1 };
  const measured = await rate(async () => {
    await runCampaign({ folder, source, shard, references, known, vectors: count, resume: false });
  });
  await rm(folder, { recursive: true });
  return measured;
}

const alone = Object.fromEntries(REFERENCE_NAMES.map((name) => [name, 0])) as Record<ReferenceName, number>;
let campaign = 0;
/** Milliseconds of processor time for each vector, in this process. */
let own = 0;
// In turn, so that what else the machine does falls on all of them.
for (let round = 0; round < rounds; round++) {
  for (const name of REFERENCE_NAMES) {
    await withReferences([name], async ([reference]) => {
      const measured = await rate(async () => {
        const answers = inOrder(lines, reference!.inFlight, (line) => reference!.submit(line));
        for await (const answer of answers) if (answer.kind !== 'trace') throw new Error(`${name} gave no trace`);
      });
      alone[name] = Math.max(alone[name], measured);
    });
  }
  await withReferences(REFERENCE_NAMES, async (references) => {
    const before = process.cpuUsage();
    const measured = await campaignRate(references);
    const { user, system } = process.cpuUsage(before);
    if (measured > campaign) own = (user + system) / 1000 / count;
    campaign = Math.max(campaign, measured);
  });
}

const [slowest] = [...REFERENCE_NAMES].sort((a, b) => alone[a] - alone[b]);
for (const [name, measured] of Object.entries(alone)) console.log(`${name} alone: ${measured.toFixed(0)} vectors/s`);
console.log(`campaign: ${campaign.toFixed(0)} vectors/s, ${(campaign / alone[slowest!]).toFixed(2)} of the slowest`);
console.log(`${own.toFixed(2)} ms a vector in the harness itself, on ${availableParallelism()} processors`);

const folder = await mkdtemp(path.join(tmpdir(), 'holodiff-bench-'));
const recorded = path.join(folder, 'answers.ndjson');
await withReferences([slowest!], async ([reference]) => {
  const said = [JSON.stringify({ holodiff: 'handshake', ...reference!.handshake })];
  for await (const answer of inOrder(lines, reference!.inFlight, (line) => reference!.submit(line))) {
    if (answer.kind === 'trace') said.push(traceToLine(answer.trace));
  }
  await writeFile(recorded, `${said.join('\n')}\n`);
});
await withReferences(
  REFERENCE_NAMES.filter((name) => name !== slowest),
  async (others) => {
    const script = fileURLToPath(new URL('stand-in.mjs', import.meta.url));
    const args = [script, recorded, String(1000 / alone[slowest!])];
    const standIn = await ProcessImplementation.start({ command: process.execPath, args, label: slowest! });
    const measured = await campaignRate([standIn, ...others]);
    await standIn.close();
    const share = (measured / alone[slowest!]).toFixed(2);
    console.log(`campaign with ${slowest} on a processor of its own: ${measured.toFixed(0)} vectors/s, ${share} of it`);
  },
);
await rm(folder, { recursive: true });
