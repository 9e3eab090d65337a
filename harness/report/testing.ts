/** Results for the tests of reporters: one of each kind of everything, with whatever is hard to write down. */

import type { CampaignReport, ReplayReport } from './result.ts';

export const IMPLEMENTATIONS = [
  { name: 'typescript', version: '0.1.0' },
  { name: 'kona', version: '0.4.5' },
  { name: 'op-node', version: '1.19.6' },
];

export const KNOWN = { id: 'frame-is-last', title: 'kona reads <every> byte', link: 'https://example.org/1' };

/** A crash's message: it has what XML cannot say, and what a terminal, a table and a workflow command would take wrong. */
export const NASTY = 'panicked at "a|b" & <c>: 100%,\u001b[31m\u0000\ud800 ::error::]]> `x` @someone #1';

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
  incidents: [
    { implementation: 'kona', kind: 'exit', count: 1, fails: false },
    { implementation: 'op-node', kind: 'bad-end', count: 1, fails: true },
  ],
  coverage: { 'frame/version-byte+ after': 12, 'verdict accept': 40 },
  unreached: ['single/parent-hash+', 'flush batch'],
  unreachedFails: true,
  underEmbargo: 1,
};
