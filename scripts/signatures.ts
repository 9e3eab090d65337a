/**
 * How well signatures tell causes apart: each cause with its signatures, then the signatures that several causes share.
 *
 * Without arguments on the vectors of the ledger, by their recorded traces; with folders on what those campaigns found.
 *
 *     npx tsx scripts/signatures.ts [--json FILE] [CAMPAIGN…]
 */

import { argv } from 'zx';
import { Totals } from '../harness/campaign/campaign.ts';
import { readJournal } from '../harness/campaign/journal.ts';
import { compare, type Side } from '../harness/compare/compare.ts';
import { type KnownDivergence, KnownSignatures, LEDGER_FILE, readLedger } from '../harness/compare/ledger.ts';
import { formatSignature, signatureOf } from '../harness/compare/signature.ts';
import { EVERYDAY_FOLDERS } from '../harness/corpus.ts';
import { findVectorFiles, loadVectors, VectorFileError, writeFile } from '../harness/files.ts';
import { openForFiles } from '../harness/implementations/open.ts';

/** How often a signature was seen of a cause. */
interface Seen {
  /** Id of the ledger's entry; `new` for what is not listed. */
  readonly cause: string;
  readonly signature: string;
  readonly count: number;
  /** Vectors that show it, or where the campaign saw it first. */
  readonly vectors: readonly string[];
}

const entries = readLedger(LEDGER_FILE);
const folders = argv._.map(String);
const seen = folders.length === 0 ? await onLedger(entries) : folders.flatMap((folder) => inCampaign(folder, entries));
const merged = merge(seen);

const byCause = group(merged, ({ cause }) => cause);
for (const [cause, shown] of [...byCause].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`${cause}: ${sum(shown)} vectors`);
  for (const { signature, count } of shown.toSorted((a, b) => b.count - a.count)) {
    console.log(`  ${String(count).padStart(6)} ${signature}`);
  }
}
const bySignature = group(merged, ({ signature }) => signature);
const shared = [...bySignature].filter(([, shown]) => shown.length > 1);
for (const [signature, shown] of shared) {
  console.log(`shared: ${signature}: ${shown.map(({ cause }) => cause).join(', ')}`);
}
const missing = entries.filter(({ id }) => !byCause.has(id)).map(({ id }) => id);
if (missing.length > 0) console.log(`not seen: ${missing.join(', ')}`);
const listed = [...byCause.keys()].filter((cause) => cause !== 'new').length;
const most = Math.max(0, ...[...byCause].filter(([cause]) => cause !== 'new').map(([, shown]) => shown.length));
console.log(
  `${sum(merged)} vectors that differ, ${listed} of ${entries.length} listed causes, ${bySignature.size} signatures: at the most ${most} of one cause, ${shared.length} of several causes, ${byCause.get('new')?.length ?? 0} of none`,
);
if (typeof argv['json'] === 'string') writeFile(argv['json'], `${JSON.stringify(merged, null, 1)}\n`);

/** The ledger says of each of its vectors which cause it shows. */
async function onLedger(listing: readonly KnownDivergence[]): Promise<Seen[]> {
  const files = findVectorFiles(EVERYDAY_FOLDERS);
  const causes = new Map(listing.flatMap(({ id, vectors }) => Object.keys(vectors).map((name) => [name, id] as const)));
  const report = (line: string) => console.error(line);
  const implementations = await openForFiles({ names: [], recorded: true, files, report });
  const found: Seen[] = [];
  for (const loaded of files.flatMap((file) => [...loadVectors(file)])) {
    if (loaded instanceof VectorFileError) throw loaded;
    const { vector, line } = loaded;
    const cause = causes.get(vector.name);
    if (cause === undefined) continue;
    const sides: Side[] = [];
    for (const implementation of implementations) {
      const answer = await implementation.submit(line, vector);
      if (answer.kind !== 'trace') throw new Error(`${vector.name}: ${implementation.name} has no trace`);
      const silent = answer.incident !== undefined;
      sides.push({ implementation: implementation.name, trace: answer.trace, silent });
    }
    const difference = compare(sides);
    if (difference === undefined) continue;
    const signature = formatSignature(signatureOf(vector, difference, sides));
    found.push({ cause, signature, count: 1, vectors: [vector.name] });
  }
  return found;
}

/** A campaign's signatures, and the entries that list them. */
function inCampaign(folder: string, listing: readonly KnownDivergence[]): Seen[] {
  const { start, chunks } = readJournal(folder);
  const known = new KnownSignatures(listing);
  const totals = new Totals();
  for (const chunk of chunks) totals.add(chunk);
  const source = start.source.kind === 'generated' ? start.source.seed : start.source.scope;
  return [...totals.differences].map(([signature, { count, first }]) => ({
    cause: known.get(signature) ?? 'new',
    signature,
    count,
    vectors: [`${source}/${first}`],
  }));
}

function merge(all: readonly Seen[]): Seen[] {
  return [...group(all, ({ cause, signature }) => `${cause}\n${signature}`).values()].map((same) => ({
    ...same[0]!,
    count: sum(same),
    vectors: same.flatMap(({ vectors }) => vectors),
  }));
}

function sum(all: readonly Seen[]): number {
  return all.reduce((total, { count }) => total + count, 0);
}

function group<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
