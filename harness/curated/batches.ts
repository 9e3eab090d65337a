/** Curated scenarios of decoding a batch: its version, the form of a single batch, and what a refusal takes along. */

import { concatBytes } from '../../src/encoding/bytes.ts';
import { encodeRlp, type RlpValue } from '../../src/encoding/rlp.ts';
import { encodeUvarint } from '../../src/encoding/uvarint.ts';
import type { Scenario, ScenarioOptions } from '../scenario/scenario.ts';
import { transaction } from '../scenario/transactions.ts';
import { doubt, everyColumn, spanOf, typed } from './batch-kit.ts';
import type { CuratedScenario, RuleSide } from './curated.ts';
import { curated, honest, POSTED, postRival } from './kit.ts';

const MALFORMED: readonly RuleSide[] = ['batch-decode/malformed-ends-channel+'];

/** The fields of block 6's single batch, changed, behind the version byte. */
function single(
  name: string,
  shows: string,
  rules: readonly RuleSide[],
  change: (fields: readonly RlpValue[]) => readonly RlpValue[],
  options: ScenarioOptions = {},
): CuratedScenario {
  return doubt(
    name,
    shows,
    rules,
    (s) => {
      const { parentHash, epochNum, epochHash, timestamp, transactions } = honest(s);
      return versioned(0, encodeRlp(change([parentHash, epochNum, epochHash, timestamp, transactions])));
    },
    options,
  );
}

/** A fault of block 6's single batch. */
function wrong(
  name: string,
  shows: string,
  change: (fields: readonly RlpValue[]) => readonly RlpValue[],
): CuratedScenario {
  return single(name, shows, ['batch-decode/single-format+', ...MALFORMED], change);
}

function versioned(version: number, content: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.of(version), content]);
}

/** Fields with one replaced. */
function put(index: number, value: RlpValue) {
  return (fields: readonly RlpValue[]) => fields.with(index, value);
}

/** An RLP integer in a form of its own. */
const raw = (...bytes: number[]): RlpValue => ({ encoded: Uint8Array.from(bytes) });

const underivable = (s: Scenario) =>
  s.encodeSpan(spanOf(s, [transaction(2)]), { columns: (honest) => ({ ...honest, txDatas: [typed(3, [1n])] }) });

const BEFORE_DELTA: ScenarioOptions = {
  era: 'before',
  forks: { delta: null, ecotone: null, fjord: null, granite: null },
};

export const batchScenarios: readonly CuratedScenario[] = [
  doubt(
    'single-batch',
    'A single batch as it should be.',
    [
      'batch-decode/version-',
      'batch-decode/single-format-',
      'batch-decode/malformed-ends-channel-',
      'batch-decode/tail-ignored-',
    ],
    (s) => honest(s),
  ),
  doubt(
    'span-batch',
    'A span batch of two blocks as it should be.',
    [
      'batch-decode/version-',
      'batch-decode/span-layout-',
      'batch-decode/uvarint-',
      'batch-decode/bit-list-',
      'batch-decode/span-before-delta-',
    ],
    everyColumn,
  ),
  doubt(
    'before-holocene-span-batch',
    'The same span batch before Holocene.',
    ['batch-decode/version-', 'batch-decode/span-layout-', 'batch-decode/tx-data-item-', 'batch-decode/tx-data-size-'],
    everyColumn,
    { era: 'before' },
  ),
  ...[2, 0x7f, 0x80, 0xff].map((version) =>
    doubt(
      `version-${version}`,
      `Version ${version} is malformed and ends the channel.`,
      ['batch-decode/version+', ...MALFORMED],
      (s) => versioned(version, s.encode(honest(s)).subarray(1)),
    ),
  ),
  doubt(
    'no-bytes',
    'A batch of no bytes is malformed.',
    ['batch-decode/version+', ...MALFORMED],
    () => new Uint8Array(0),
  ),
  doubt(
    'zero-byte-alone',
    'A batch of one zero byte says single batch and has no content.',
    ['batch-decode/version-', 'batch-decode/single-format+'],
    () => Uint8Array.of(0),
  ),
  doubt(
    'one-byte-alone',
    'A batch of one byte 1 says span batch and has no content.',
    ['batch-decode/version-', 'batch-decode/span-layout+'],
    () => Uint8Array.of(1),
  ),
  doubt(
    'before-holocene-version-2',
    'An unknown version ends the channel before Holocene as well.',
    ['batch-decode/version+', ...MALFORMED],
    (s) => versioned(2, s.encode(honest(s)).subarray(1)),
    { era: 'before' },
  ),
  curated(
    'batch-decode/malformed-behind-a-good-batch',
    'The batch before a malformed one is used, the one behind it is lost, and there is no flush.',
    ['batch-decode/malformed-ends-channel+', 'batch-decode/malformed-ends-channel-'],
    (s) => {
      s.postBatches(POSTED, [honest(s), Uint8Array.of(0, 0xc0), honest(s, 7)]);
      postRival(s);
    },
  ),

  doubt('single-with-tail', 'Bytes behind a single batch are ignored.', ['batch-decode/tail-ignored+'], (s) =>
    concatBytes([s.encode(honest(s)), Uint8Array.of(1, 2, 3)]),
  ),
  doubt(
    'single-twice-in-one-string',
    'A second batch behind the first in the same string is a tail.',
    ['batch-decode/tail-ignored+'],
    (s) => concatBytes([s.encode(honest(s)), s.encode(honest(s, 7))]),
  ),
  doubt('span-with-tail', 'Bytes behind a span batch are ignored.', ['batch-decode/tail-ignored+'], (s) =>
    s.encodeSpan(everyColumn(s), { tail: Uint8Array.of(1, 2, 3) }),
  ),

  single(
    'empty-transaction-in-a-single-batch',
    'A transaction of no bytes can be read; what is wrong with it is for the batch stage to say.',
    ['batch-decode/single-format-', 'single/tx-empty+'],
    put(4, [new Uint8Array(0)]),
  ),
  single(
    'no-transactions-in-a-single-batch',
    'An empty list of transactions.',
    ['batch-decode/single-format-'],
    put(4, []),
  ),
  single(
    'largest-numbers-in-a-single-batch',
    'Epoch number and timestamp of 2⁶⁴ − 1.',
    ['batch-decode/single-format-'],
    (fields) => fields.with(1, 0xffff_ffff_ffff_ffffn).with(3, 0xffff_ffff_ffff_ffffn),
  ),
  wrong('single-with-nine-byte-number', 'An epoch number of nine bytes.', put(1, 1n << 64n)),
  wrong('single-with-leading-zero', 'An epoch number with a leading zero.', put(1, raw(0x82, 0, 11))),
  wrong('single-with-zero-byte', 'A timestamp of one zero byte: zero has no bytes.', put(3, raw(0))),
  wrong('single-with-wrapped-number', 'An epoch number below 128 with a header.', put(1, raw(0x81, 11))),
  wrong('single-with-31-byte-hash', 'A parent hash of 31 bytes.', (fields) =>
    fields.with(0, (fields[0] as Uint8Array).subarray(1)),
  ),
  wrong('single-with-33-byte-hash', 'An epoch hash of 33 bytes.', (fields) =>
    fields.with(2, concatBytes([fields[2] as Uint8Array, Uint8Array.of(0)])),
  ),
  wrong('single-with-empty-hash', 'A parent hash of no bytes.', put(0, new Uint8Array(0))),
  wrong('single-with-list-for-a-number', 'A list in place of the epoch number.', put(1, [])),
  wrong('single-with-list-for-a-transaction', 'A list in place of a transaction.', put(4, [[1n]])),
  wrong(
    'single-with-string-for-transactions',
    'A string in place of the list of transactions.',
    put(4, new Uint8Array(0)),
  ),
  wrong('single-without-transactions', 'Four items.', (fields) => fields.slice(0, 4)),
  wrong('single-with-sixth-item', 'Six items.', (fields) => [...fields, 0n]),
  wrong(
    'single-with-long-length',
    'A list of transactions whose length stands in a byte of its own.',
    put(4, raw(0xf8, 1, 1)),
  ),
  doubt('single-cut', 'A single batch without its last byte.', ['batch-decode/single-format+', ...MALFORMED], (s) =>
    s.encode(honest(s)).subarray(0, -1),
  ),
  doubt('single-as-string', 'A string in place of the list.', ['batch-decode/single-format+', ...MALFORMED], () =>
    versioned(0, encodeRlp(new Uint8Array(60))),
  ),

  doubt(
    'underivable-span',
    'A span batch that parses but has a transaction that cannot be rebuilt is skipped alone, without a flush.',
    ['batch-decode/underivable-span-skipped+', 'batch-decode/tx-types+'],
    underivable,
  ),
  doubt(
    'before-holocene-underivable-span',
    'The same before Holocene.',
    ['batch-decode/underivable-span-skipped+', 'batch-decode/tx-types+'],
    underivable,
    { era: 'before' },
  ),
  doubt(
    'span-before-delta',
    'Before Delta a span batch is skipped alone.',
    ['batch-decode/span-before-delta+', 'batch-decode/underivable-span-skipped+'],
    everyColumn,
    BEFORE_DELTA,
  ),
  doubt(
    'span-one-block-before-delta',
    'A span batch in the last L1 block before Delta is skipped, though its blocks come after.',
    ['batch-decode/span-before-delta+'],
    everyColumn,
    { ...BEFORE_DELTA, forks: { ...BEFORE_DELTA.forks, delta: 1036 } },
  ),
  curated(
    'batch-decode/span-with-redundant-groups-before-delta',
    'Before Delta a span batch in a channel of its own is gone, be it skipped or refused for an origin number of ten groups.',
    ['batch-decode/span-before-delta+', 'batch-decode/uvarint-'],
    (s) => {
      s.postBatches(POSTED, [s.encodeSpan(everyColumn(s), { bytes: { l1OriginNum: encodeUvarint(11n, 10) } })]);
      postRival(s);
    },
    BEFORE_DELTA,
  ),
  doubt(
    'span-at-delta',
    'In the first L1 block of Delta it is read; its L1 origin is older, which is a later question.',
    ['batch-decode/span-before-delta-', 'span/delta+'],
    everyColumn,
    { ...BEFORE_DELTA, forks: { ...BEFORE_DELTA.forks, delta: 1024 } },
  ),
  doubt(
    'malformed-span-before-delta',
    'A malformed span batch ends the channel also before Delta: the bytes are parsed first.',
    ['batch-decode/span-layout+', ...MALFORMED],
    (s) => s.encodeSpan(everyColumn(s), { cut: -1 }),
    BEFORE_DELTA,
  ),
  doubt(
    'underivable-span-before-delta',
    'Before Delta nobody looks at the transactions.',
    ['batch-decode/span-before-delta+'],
    underivable,
    BEFORE_DELTA,
  ),
];
