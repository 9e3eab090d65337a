/** Results for the tests of reporters: one of each kind of everything, with whatever is hard to write down. */

import type { CampaignReport, MetamorphicReport, MutantsReport, ReplayReport } from './result.ts';

const IMPLEMENTATIONS = [
  { name: 'typescript', version: '0.1.0' },
  { name: 'kona', version: '0.4.5' },
  { name: 'op-node', version: '1.19.6' },
];

export const KNOWN = { id: 'frame-is-last', title: 'kona reads <every> byte', link: 'https://example.org/1' };

/** A crash's message: it has what XML cannot say, and what a terminal, a table and a workflow command would take wrong. */
const NASTY = 'panicked at "a|b" & <c>: 100%,\u001b[31m\u0000\ud800 ::error::]]> `x` @someone #1';

export const REPLAY: ReplayReport = {
  format: 1,
  holodiff: '0.1.0',
  command: 'replay',
  status: 'failed',
  implementations: IMPLEMENTATIONS,
  vectors: 7,
  agreed: [{ vector: 'frame/a', source: 'vectors/frame/a.vector.json' }],
  differences: [
    {
      vector: 'frame/new',
      source: 'vectors/frame/new.vector.json',
      boundary: 'frames',
      index: 0,
      outlier: 'kona',
      rule: 'frame/is-last-values',
      signature: 'frames | kona | frame/is-last-values+ | more',
      known: null,
      description: 'frames[0]: kona alone: kona hands on frame 0 where op-node and typescript hand on nothing',
      unstable: ['kona'],
    },
    {
      vector: 'one/two: three',
      source: '/elsewhere/many.ndjson:12',
      boundary: 'outcome',
      index: null,
      outlier: 'all',
      rule: null,
      signature: 'outcome | all | unknown | each differs',
      known: null,
      description: NASTY,
      unstable: [],
    },
    {
      vector: 'frame/old',
      source: 'vectors/frame/old.vector.json',
      boundary: 'frames',
      index: 1,
      outlier: 'kona',
      rule: 'frame/is-last-values',
      signature: null,
      known: KNOWN,
      description: 'frames[1]: kona alone: kona hands on nothing',
      unstable: [],
    },
  ],
  failures: [{ source: 'vectors/bad.vector.json', message: 'vectors/bad.vector.json: config: missing' }],
  missing: { kona: 2 },
  incidents: [{ implementation: 'kona', kind: 'exit', vector: 'one/two: three', message: NASTY }],
  ledger: [{ id: 'gone', vector: 'frame/gone', message: 'is listed and does not show as listed any more' }],
  underEmbargo: 2,
  embargoBroken: 1,
};

export const CAMPAIGN: CampaignReport = {
  format: 1,
  holodiff: '0.1.0',
  command: 'merge',
  status: 'differs',
  implementations: IMPLEMENTATIONS,
  campaigns: [
    { source: { seed: '7' }, part: { index: 1, count: 2 }, vectors: 30_000 },
    { source: { seed: '7' }, part: { index: 2, count: 2 }, vectors: 30_000 },
    { source: { scope: 'frames' }, part: { index: 1, count: 1 }, vectors: 0 },
  ],
  vectors: 60_000,
  differences: [
    {
      signature: 'frames | kona | frame/is-last-values+ | more',
      boundary: 'frames',
      outlier: 'kona',
      rule: 'frame/is-last-values',
      decided: '+',
      shape: 'more',
      count: 1200,
      first: { campaign: 1, index: 17 },
      known: null,
      finding: '0123456789ab',
    },
    {
      signature: `outcome | kona | unknown | drained → crash (${NASTY})`,
      boundary: 'outcome',
      outlier: 'kona',
      rule: null,
      decided: '',
      shape: `drained → crash (${NASTY})`,
      count: 1,
      first: { campaign: 0, index: 4 },
      known: null,
      finding: null,
    },
    {
      signature: 'batches | kona | channel-reader/limit+ | less',
      boundary: 'batches',
      outlier: 'kona',
      rule: 'channel-reader/limit',
      decided: '+',
      shape: 'less',
      count: 1,
      first: { campaign: 0, index: 9 },
      known: { ...KNOWN, link: null },
      finding: null,
    },
  ],
  causes: { 'limit-drops-channel': 1, 'frame-is-last': 0 },
  incidents: [
    { implementation: 'kona', kind: 'exit', count: 1, fails: false },
    { implementation: 'op-node', kind: 'bad-end', count: 1, fails: true },
  ],
  coverage: { 'frame/version-byte+ after': 12, 'verdict accept': 40 },
  unreached: ['single/parent-hash+', 'flush batch'],
  unreachedFails: true,
  underEmbargo: 1,
};

export const METAMORPHIC: MetamorphicReport = {
  format: 1,
  holodiff: '0.1.0',
  command: 'metamorphic',
  status: 'differs',
  implementations: IMPLEMENTATIONS,
  vectors: 20,
  seed: '7',
  relations: [
    { id: 'holds', statement: 'a change', vectors: 12, excepted: 1, broken: 0, listed: {} },
    { id: 'listed', statement: 'a change', vectors: 12, excepted: 0, broken: 3, listed: { 'frame-is-last': 3 } },
    { id: 'broken', statement: 'a change', vectors: 12, excepted: 0, broken: 5, listed: { 'frame-is-last': 1 } },
    { id: 'idle', statement: 'a change', vectors: 0, excepted: 0, broken: 0, listed: {} },
  ],
  breaks: [
    {
      relation: 'broken',
      implementation: 'kona@0.4.5',
      count: 3,
      vector: 'generated/7/3',
      path: 'frames[0].size',
      original: 'as the TypeScript pipeline',
      changed: 'frames | kona | frame/is-last-values+ | more',
    },
    {
      relation: 'broken',
      implementation: 'op-node@1.19.6',
      count: 1,
      vector: 'generated/7/4',
      path: 'outcome',
      original: NASTY,
      changed: NASTY,
    },
  ],
  underEmbargo: 1,
};

export const MUTANTS: MutantsReport = {
  format: 1,
  holodiff: '0.1.0',
  command: 'mutants',
  status: 'differs',
  implementations: [{ name: 'typescript', version: '0.1.0' }],
  vectors: 30,
  corpus: { name: 'clean', vectors: 10 },
  campaign: { source: { seed: '7' }, vectors: 20, enough: false },
  mutants: [
    {
      id: 'never frame/version-byte',
      verdict: 'killed',
      argument: null,
      corpus: { boundary: 'frames', after: 3, vector: 'frame/a', under: null },
      campaign: null,
    },
    { id: 'always frame/version-byte', verdict: 'survives', argument: null, corpus: null, campaign: null },
    { id: 'more MAX_FRAME_LENGTH', verdict: 'divergent', argument: 'a long | frame', corpus: null, campaign: null },
    { id: 'never frame-queue/one-item', verdict: 'refuted', argument: 'empty <b>', corpus: null, campaign: null },
    { id: 'less X', verdict: 'missed', argument: null, corpus: null, campaign: null },
    { id: 'more X', verdict: 'survives', argument: null, corpus: null, campaign: null },
  ],
  underEmbargo: 0,
};
