/** The manifests, the container file and the scripts of a campaign on Kubernetes, as far as they can be tried without one. */

import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { JOURNAL_FILE, readJournal } from '../../harness/campaign/journal.ts';
import { MERGED_FILE, readMerged } from '../../harness/campaign/merge.ts';
import { PACKAGE_ROOT } from '../../harness/places.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const read = (name: string) => readFileSync(here(name), 'utf8');
const inPackage = (name: string) => readFileSync(path.join(PACKAGE_ROOT, name), 'utf8');

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface PodSpec {
  readonly restartPolicy: string;
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly runAsUser: number };
  readonly containers: readonly Container[];
  readonly volumes: readonly {
    readonly name: string;
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
}

interface Job {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly completionMode?: string;
    readonly completions?: number;
    readonly parallelism?: number;
    readonly backoffLimitPerIndex?: number;
    readonly podReplacementPolicy?: string;
    readonly podFailurePolicy?: {
      readonly rules: readonly { readonly onExitCodes?: { readonly containerName: string } }[];
    };
    readonly template: { readonly spec: PodSpec };
  };
}

const job = (file: string) => parse(read(file)) as Job;
const envOf = ({ env = [] }: Container) => Object.fromEntries(env.map(({ name, value }) => [name, value]));

describe('the manifests', () => {
  const campaign = job('campaign.yaml');

  test('a campaign is an Indexed Job in which a part may fail by itself and is never run twice at once', () => {
    const { spec } = campaign;
    expect(campaign).toMatchObject({ apiVersion: 'batch/v1', kind: 'Job' });
    expect(spec).toMatchObject({ completionMode: 'Indexed', podReplacementPolicy: 'Failed' });
    expect(spec.backoffLimitPerIndex).toBeGreaterThan(0);
    expect(spec.parallelism).toBe(spec.completions);
    // Kubernetes wants this of a job with a policy for failures.
    expect(spec.template.spec.restartPolicy).toBe('Never');
    const [container] = spec.template.spec.containers;
    const named = spec.podFailurePolicy!.rules.flatMap(({ onExitCodes }) => onExitCodes?.containerName ?? []);
    expect(named).toEqual([container!.name]);
  });

  test('it has as many parts as it says to each of them', () => {
    const [container] = campaign.spec.template.spec.containers;
    expect(envOf(container!)['SHARDS']).toBe(String(campaign.spec.completions));
  });

  const pods: readonly [string, PodSpec][] = [
    ['campaign.yaml', campaign.spec.template.spec],
    ['merge.yaml', job('merge.yaml').spec.template.spec],
    ['reader.yaml', (parse(read('reader.yaml')) as { spec: PodSpec }).spec],
  ];

  test.each(pods)(
    '%s: its volumes are there, and it is nobody that matters',
    (_, { containers, volumes, securityContext }) => {
      const claim = (parse(read('volume.yaml')) as { metadata: { name: string } }).metadata.name;
      expect(volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [])).toEqual([claim]);
      expect(containers).toHaveLength(1);
      const names = volumes.map(({ name }) => name);
      for (const { name } of containers[0]!.volumeMounts) expect(names).toContain(name);
      expect(securityContext).toMatchObject({ runAsNonRoot: true });
      expect(read('Containerfile')).toContain(`\nUSER ${securityContext.runAsUser}\n`);
    },
  );

  test.each(pods.slice(0, 2))('%s: its script is there and gets every variable that it reads', (_, { containers }) => {
    const [, script] = containers[0]!.command;
    const text = inPackage(script!);
    const used = new Set([...text.matchAll(/\$\{?([A-Z][A-Z_]+)/g)].map(([, name]) => name!));
    expect([...used].filter((name) => name !== 'JOB_COMPLETION_INDEX').sort()).toEqual(
      Object.keys(envOf(containers[0]!)).sort(),
    );
    const mount = containers[0]!.volumeMounts.find(({ name }) => name === 'campaigns')!.mountPath;
    expect(envOf(containers[0]!)['CAMPAIGN_DIR']).toMatch(new RegExp(`^${mount}/`));
  });
});

describe('the container file', () => {
  const text = read('Containerfile');
  const instructions = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' '));
  const of = (name: string) => instructions.filter(([first]) => first === name).map(([, ...words]) => words);

  test('copies what is there, and what is not left out', () => {
    const allowed = read('Containerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = of('COPY')
      .filter(([first]) => !first!.startsWith('--from='))
      .flatMap((words) => words.slice(0, -1));
    for (const name of copied) {
      expect(existsSync(path.join(PACKAGE_ROOT, name))).toBe(true);
      expect(allowed).toContain(name);
    }
    expect(copied).toEqual(
      expect.arrayContaining(['package.json', 'package-lock.json', 'harness', 'src', 'scripts', 'vectors']),
    );
  });

  test('copies from stages that it has, and starts what is there', () => {
    const stages = of('FROM').flatMap(([, as, name]) => (as === 'AS' ? [name] : []));
    const from = of('COPY').flatMap(([first]) =>
      first!.startsWith('--from=') ? [first!.slice('--from='.length)] : [],
    );
    expect(from.filter((name) => !stages.includes(name))).toEqual([]);
    const [entry] = /^ENTRYPOINT (.*)$/m.exec(text)!.slice(1);
    const [program, file] = JSON.parse(entry!) as string[];
    expect(program).toBe('node');
    expect(existsSync(path.join(PACKAGE_ROOT, file!))).toBe(true);
  });

  test.each([
    ['rust', inPackage('harness/references/kona/Cargo.toml'), /^rust-version = "(\d+)\.(\d+)/m],
    ['golang', inPackage('harness/references/op-node/go.mod'), /^go (\d+)\.(\d+)/m],
    ['node', inPackage('package.json'), /"node": ">=(\d+)()/],
  ])('takes a %s that is new enough', (image, manifest, pattern) => {
    const wanted = pattern.exec(manifest)!.slice(1).map(Number);
    const tags = [...text.matchAll(new RegExp(`^FROM ${image}:(\\d+)(?:\\.(\\d+))?-bookworm`, 'gm'))];
    expect(tags.length).toBeGreaterThan(0);
    for (const [, major, minor = '0'] of tags) {
      expect([Number(major), Number(minor) >= wanted[1]!]).toEqual([wanted[0], true]);
    }
  });
});

describe('the scripts', { timeout: 180_000 }, () => {
  let root: string;
  const at = (name: string) => path.join(root, name);
  const mock = path.join(PACKAGE_ROOT, 'harness/implementations/fixtures/mock.mjs');
  const adapter = ['-i', `kona=${process.execPath} ${mock} kona extra-flush`, '--no-known', '--no-minimise'];

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holodiff-k8s-'));
    mkdirSync(at('bin'));
    copyFileSync(here('fake-kubectl.mjs'), at('bin/kubectl'));
    chmodSync(at('bin/kubectl'), 0o755);
  });
  afterAll(() => rm(root, { recursive: true }));
  beforeEach(() => {
    rmSync(at('kubectl'), { recursive: true, force: true });
    mkdirSync(at('kubectl'));
  });

  async function run(command: string, args: readonly string[], env: Record<string, string>) {
    const { PATH = '' } = process.env;
    const { exitCode, stdout, stderr } = await execa(command, args, {
      reject: false,
      cwd: PACKAGE_ROOT,
      env: { PATH: `${at('bin')}${path.delimiter}${PATH}`, FAKE_KUBECTL: at('kubectl'), HOLODIFF_POLL: '1', ...env },
    });
    return { code: exitCode, out: stdout, err: stderr };
  }
  const shard = (folder: string, index: number) =>
    run('sh', [here('shard.sh'), ...adapter], {
      CAMPAIGN_DIR: at(folder),
      SEED: '9',
      VECTORS: '20',
      SHARDS: '2',
      JOB_COMPLETION_INDEX: String(index),
    });

  test('parts, one of them killed and started again, and the merge', async () => {
    expect((await shard('campaign', 0)).code).toBe(0);
    expect((await shard('campaign', 1)).code).toBe(0);
    const journal = at(`campaign/part-1/${JOURNAL_FILE}`);
    const whole = readJournal(at('campaign/part-1'));
    expect(whole).toMatchObject({ ended: true, start: { source: { seed: '9' }, shard: { index: 2, count: 2 } } });
    const text = readFileSync(journal, 'utf8');
    // In the middle of its second line; then before its first was whole.
    for (const length of [text.indexOf('\n') + 40, 10]) {
      truncateSync(journal, length);
      expect((await shard('campaign', 1)).code).toBe(0);
      expect(readFileSync(journal, 'utf8')).toBe(text);
    }
    const merged = await run('sh', [here('merge.sh'), '--no-known'], { CAMPAIGN_DIR: at('campaign') });
    expect(merged.code).toBe(0);
    expect(merged.out.split('\n').at(-1)).toBe('holodiff merge ended with 1');
    expect(readMerged(at('campaign/merged'))).toMatchObject({ vectors: 40, status: 'differs' });
    expect(existsSync(at('campaign/merged/report.html'))).toBe(true);
    expect(existsSync(at(`campaign/merged/${MERGED_FILE}`))).toBe(true);
    // The merged folder is none of the parts when it is merged again.
    expect((await run('sh', [here('merge.sh'), '--no-known'], { CAMPAIGN_DIR: at('campaign') })).code).toBe(0);
  });

  test('what fails ends with the code that is not tried again', async () => {
    const env = { CAMPAIGN_DIR: at('bad'), SEED: 'x', VECTORS: '20', SHARDS: '2', JOB_COMPLETION_INDEX: '0' };
    const bad = await run('sh', [here('shard.sh'), ...adapter], env);
    expect(bad).toMatchObject({ code: 2, err: expect.stringMatching(/--seed/) as string });
    expect((await run('sh', [here('merge.sh')], { CAMPAIGN_DIR: at('nowhere') })).code).toBe(2);
    const unset = await run('sh', [here('merge.sh')], {});
    expect(unset.code).not.toBe(0);
  });

  const night = (args: readonly string[], env: Record<string, string> = {}) =>
    run(process.execPath, ['--import', 'tsx', here('night.ts'), ...args], env);
  const jobs = () => JSON.parse(readFileSync(at('kubectl/jobs.json'), 'utf8')) as Record<string, { readonly job: Job }>;

  test('a night: the campaign, then the merge, whose exit code it has', async () => {
    const { code, out, err } = await night([
      '--image',
      'registry/holodiff:1',
      '--seed',
      '7',
      '--shards',
      '3',
      '--vectors',
      '500',
      '-n',
      'diff',
    ]);
    expect(out).toBe('3 vectors\nholodiff merge ended with 1');
    expect(code).toBe(1);
    expect(err.split('\n')).toEqual([
      'holodiff-7: 0 of 3 complete',
      'holodiff-7: 3 of 3 complete',
      'holodiff-7-merge: 0 of 1 complete',
    ]);
    const { 'holodiff-7': campaign, 'holodiff-7-merge': merge } = jobs();
    expect(campaign!.job.spec).toMatchObject({ completions: 3, parallelism: 3, completionMode: 'Indexed' });
    const [container] = campaign!.job.spec.template.spec.containers;
    expect(container!.image).toBe('registry/holodiff:1');
    expect(envOf(container!)).toEqual({ CAMPAIGN_DIR: '/campaigns/seed-7', SEED: '7', VECTORS: '500', SHARDS: '3' });
    expect(envOf(merge!.job.spec.template.spec.containers[0]!)).toEqual({ CAMPAIGN_DIR: '/campaigns/seed-7' });
    const calls = readFileSync(at('kubectl/calls.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
    for (const call of calls) expect(call.slice(0, 2)).toEqual(['--namespace', 'diff']);
    // The same night once more: its jobs are made anew.
    expect(
      (await night(['--image', 'x', '--seed', '7'], { FAKE_KUBECTL_LOG: 'holodiff merge ended with 0' })).code,
    ).toBe(0);
  });

  test.each<[string, string[], Record<string, string>, RegExp]>([
    ['no image', [], {}, /^night: --image: expected the image of the Containerfile$/],
    ['no seed', ['--image', 'x', '--seed', 'today'], {}, /^night: --seed: expected a whole number from 0$/],
    ['no parts', ['--image', 'x', '--shards', '0'], {}, /^night: --shards: expected a whole number from 1 to 10000$/],
    [
      'parts that failed',
      ['--image', 'x', '--seed', '7'],
      { FAKE_KUBECTL_FAILS: 'holodiff-7' },
      /\nnight: holodiff-7: failed, index 1,3: Job has failed indexes$/,
    ],
    [
      'a merge that failed',
      ['--image', 'x', '--seed', '7'],
      { FAKE_KUBECTL_FAILS: 'holodiff-7-merge' },
      /\nnight: holodiff-7-merge: failed/,
    ],
    [
      'a log without an end',
      ['--image', 'x', '--seed', '7'],
      { FAKE_KUBECTL_LOG: 'Killed' },
      /night: holodiff-7-merge: its log has no end$/,
    ],
  ])('%s: one line and exit 2', async (_, args, env, message) => {
    const { code, err } = await night(args, env);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });
});
