/**
 * Opens an issue for each new signature of a night, and updates those that are there, through `gh`.
 *
 *   issues.ts --night DIR --name TEXT --link URL [--replayed FILE] [--most N]
 *
 * DIR is what `holodiff merge` wrote. An issue is found again by a mark in its text. One that was closed is opened again
 * if its signature shows again, unless it was closed as not planned. An issue is closed once its signature is listed, or
 * once all agree on its kept finding, which FILE tells: a replay of those.
 */

import { existsSync } from 'node:fs';
import { $, argv } from 'zx';
import { findingName } from '../../harness/campaign/finding.ts';
import { readMerged } from '../../harness/campaign/merge.ts';
import { HolodiffError } from '../../harness/errors.ts';
import { readFile } from '../../harness/files.ts';
import { parseResult } from '../../harness/report/result.ts';
import { bodyOf, type Night, nameIn, titleOf } from './issue-text.ts';
import { goneFindings } from './kept-findings.ts';
import { main } from './workflow.ts';

const LABEL = 'holodiff';

/** A night that brings more is looked at as a whole: a broken adapter makes hundreds. */
const MOST_NEW = 20;

interface Issue {
  readonly number: number;
  readonly body: string;
  readonly state: 'OPEN' | 'CLOSED';
  readonly stateReason: string | null;
}

$.quiet = true;

/** Every issue of ours, by the name of its finding. */
async function issuesByName(): Promise<ReadonlyMap<string, Issue>> {
  const fields = 'number,body,state,stateReason';
  const { stdout } = await $`gh issue list --label ${LABEL} --state all --limit 5000 --json ${fields}`;
  const byName = new Map<string, Issue>();
  for (const issue of JSON.parse(stdout) as Issue[]) {
    const name = nameIn(issue.body);
    if (name === undefined) continue;
    const before = byName.get(name);
    // Of two for the same signature the one that is open, or the older one.
    if (before === undefined || (before.state === 'CLOSED' && issue.state === 'OPEN')) byName.set(name, issue);
  }
  return byName;
}

async function update(night: Night, gone: ReadonlySet<string>, most: number): Promise<void> {
  await $`gh label create ${LABEL} --description ${'A difference that holodiff found'} --color b60205 --force`;
  const issues = await issuesByName();
  const fresh = night.report.differences.filter(({ known }) => known === null);
  const said = { opened: 0, updated: 0, 'opened again': 0, closed: 0, 'left closed': 0 };
  const waiting = fresh.filter(({ signature }) => !issues.has(findingName(signature)));

  for (const difference of fresh) {
    const issue = issues.get(findingName(difference.signature));
    if (issue === undefined) continue;
    if (issue.state === 'CLOSED' && issue.stateReason === 'NOT_PLANNED') {
      said['left closed'] += 1;
      continue;
    }
    const body = bodyOf(difference, night, issue.body);
    if (body !== issue.body) await $({ input: body })`gh issue edit ${issue.number} --body-file -`;
    if (issue.state === 'CLOSED') {
      await $`gh issue reopen ${issue.number} --comment ${`Shows again: ${night.name}, ${night.link}`}`;
      said['opened again'] += 1;
    } else said.updated += 1;
  }

  for (const difference of waiting.slice(0, most)) {
    const body = bodyOf(difference, night);
    await $({ input: body })`gh issue create --title ${titleOf(difference)} --label ${LABEL} --body-file -`;
    said.opened += 1;
  }

  const closing = new Map([...gone].map((name) => [name, 'All agree on the vector now.']));
  for (const { signature, known } of night.report.differences) {
    if (known !== null) closing.set(findingName(signature), `Listed as ${known.id}.`);
    // It shows elsewhere, so it is not gone.
    else closing.delete(findingName(signature));
  }
  for (const [name, why] of closing) {
    const issue = issues.get(name);
    if (issue?.state !== 'OPEN') continue;
    await $`gh issue close ${issue.number} --comment ${`${why} ${night.name}, ${night.link}`}`;
    said.closed += 1;
  }

  console.log(
    Object.entries(said)
      .map(([what, number]) => `${number} ${what}`)
      .join(', '),
  );
  const left = waiting.length - Math.min(waiting.length, most);
  if (left > 0) console.log(`::warning title=holodiff::${left} more new signatures have no issue: see the artifact`);
}

await main(async () => {
  const { night, name, link, replayed, most = MOST_NEW } = argv as Readonly<Record<string, unknown>>;
  if (typeof night !== 'string' || (typeof name !== 'string' && typeof name !== 'number') || typeof link !== 'string') {
    throw new HolodiffError('bad-option', 'expected --night DIR --name TEXT --link URL [--replayed FILE] [--most N]');
  }
  if (typeof most !== 'number' || most < 0) throw new HolodiffError('bad-option', '--most: expected a number from 0');
  const result =
    typeof replayed === 'string' && existsSync(replayed) ? parseResult(readFile(replayed), replayed) : undefined;
  const gone = result?.command === 'replay' ? goneFindings(result) : new Set<string>();
  await update({ report: readMerged(night), name: String(name), link }, gone, most);
});
