/**
 * A night on Kubernetes: a campaign in parts, and when all are complete, the merge.
 *
 *   night.ts [--seed N] [--shards N] [--vectors N] --image IMAGE [-n NAMESPACE]
 *
 * Without --seed it is the date, so each night has its own. The same seed once more goes on with what is there. Exit codes
 * are those of `holodiff merge`.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { $, argv } from 'zx';
import { EXIT, HolodiffError, messageOf } from '../../harness/errors.ts';
import { PACKAGE_ROOT } from '../../harness/places.ts';

/** As much of a Job's manifest as is filled in. */
interface JobManifest {
  readonly metadata: { name: string };
  readonly spec: {
    completions?: number;
    parallelism?: number;
    readonly template: { readonly spec: { readonly containers: [{ image: string; readonly env: Variable[] }] } };
  };
}

interface Variable {
  readonly name: string;
  value: string;
}

interface JobStatus {
  readonly status?: {
    readonly succeeded?: number;
    readonly failedIndexes?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

$.quiet = true;

/** Milliseconds between two looks at a job. */
const { HOLODIFF_POLL = '10000' } = process.env;

const {
  seed = today(),
  shards = 8,
  vectors = 100_000,
  image,
  n: namespace,
} = argv as Readonly<Record<string, unknown>>;

function today(): string {
  return new Date().toISOString().slice(0, 10).replaceAll('-', '');
}

function whole(name: string, value: unknown, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new HolodiffError('bad-option', `--${name}: expected a whole number from 1 to ${most}`);
}

const scope = typeof namespace === 'string' ? ['--namespace', namespace] : [];

/** The manifest with what belongs to this night. */
function manifest(file: string, name: string, variables: Readonly<Record<string, string>>): JobManifest {
  const job = parse(readFileSync(path.join(PACKAGE_ROOT, 'scripts', 'k8s', file), 'utf8')) as JobManifest;
  job.metadata.name = name;
  const [container] = job.spec.template.spec.containers;
  container.image = String(image);
  for (const variable of container.env) variable.value = variables[variable.name] ?? variable.value;
  return job;
}

/** Runs a job to its end. @throws HolodiffError if it fails */
async function run(job: JobManifest): Promise<void> {
  const { name } = job.metadata;
  // One of an earlier try; what it did is on the volume.
  await $`kubectl ${scope} delete job ${name} --ignore-not-found --wait`;
  await $({ input: JSON.stringify(job) })`kubectl ${scope} create -f -`;
  let before = -1;
  for (;;) {
    const { stdout } = await $`kubectl ${scope} get job ${name} -o json`;
    const { succeeded = 0, conditions = [], failedIndexes = '' } = (JSON.parse(stdout) as JobStatus).status ?? {};
    if (succeeded !== before) console.error(`${name}: ${succeeded} of ${job.spec.completions ?? 1} complete`);
    before = succeeded;
    const is = (type: string) => conditions.find((one) => one.type === type && one.status === 'True');
    if (is('Complete') !== undefined) return;
    const failed = is('Failed');
    if (failed !== undefined) {
      const which = failedIndexes === '' ? '' : `, index ${failedIndexes}`;
      throw new HolodiffError('build-failed', `${name}: failed${which}: ${failed.message ?? 'no reason is given'}`);
    }
    await delay(Number(HOLODIFF_POLL));
  }
}

async function night(): Promise<number> {
  if (typeof image !== 'string')
    throw new HolodiffError('bad-option', '--image: expected the image of the Containerfile');
  if (!/^\d{1,19}$/.test(String(seed))) throw new HolodiffError('bad-option', '--seed: expected a whole number from 0');
  const parts = whole('shards', shards, 10_000);
  const name = `holodiff-${String(seed)}`;
  const folder = { CAMPAIGN_DIR: `/campaigns/seed-${String(seed)}` };
  const size = String(whole('vectors', vectors, 1e12));
  const campaign = manifest('campaign.yaml', name, {
    ...folder,
    SEED: String(seed),
    VECTORS: size,
    SHARDS: String(parts),
  });
  campaign.spec.completions = parts;
  campaign.spec.parallelism = parts;
  await run(campaign);
  await run(manifest('merge.yaml', `${name}-merge`, folder));
  const { stdout } = await $`kubectl ${scope} logs ${`job/${name}-merge`}`;
  process.stdout.write(stdout);
  const code = /^holodiff merge ended with ([01])$/m.exec(stdout)?.[1];
  if (code === undefined) throw new HolodiffError('build-failed', `${name}-merge: its log has no end`);
  return Number(code);
}

try {
  process.exitCode = await night();
} catch (error) {
  console.error(
    `night: ${messageOf(error)
      .trim()
      .replace(/\s*\n\s*/g, ' / ')}`,
  );
  process.exitCode = EXIT.failed;
}
