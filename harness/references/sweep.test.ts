/**
 * Truncation and bit-flip sweeps over compressed channels: the batches that come out must be those that op-node reads,
 * at every cut and at every flip, with generous and with small byte limits.
 */

import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { batchHash, decodeBatch } from '../../src/batch/codec.ts';
import { type ChannelCompression, encodeChannel, openChannel } from '../../src/channel.ts';
import { toHex } from '../../src/encoding/bytes.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import { Scenario } from '../scenario/scenario.ts';
import { transaction } from '../scenario/transactions.ts';
import { buildReference } from './build.ts';

interface Question {
  readonly data: Uint8Array;
  readonly limit: number;
}

const GENEROUS = 100_000_000;

/** A channel of single and span batches, some 600 bytes of content. */
function channel(compression: ChannelCompression): Uint8Array {
  const scenario = new Scenario({
    transactions: (number) => (number % 2 === 0 ? [transaction(number, 'legacy')] : []),
  });
  const batches = [
    scenario.encode(scenario.single(scenario.block(6))),
    scenario.encode(scenario.span(scenario.blocks(3, 7))),
    scenario.encode(scenario.single(scenario.block(10))),
    scenario.encode(scenario.single(scenario.block(11))),
  ];
  return encodeChannel(batches, compression);
}

/** Batches larger than op-node's read buffer and a brotli window, so that a fault hits in the middle of one. */
function largeChannel(compression: ChannelCompression): Uint8Array {
  const data = Uint8Array.from({ length: 9_000 }, (_, index) => (index * index * 7 + (index >> 3)) & 0xff);
  const scenario = new Scenario({ transactions: (number) => [transaction(number, 'dynamic-fee', { data })] });
  const batches = [6, 7].map((number) => scenario.encode(scenario.single(scenario.block(number))));
  return encodeChannel(batches, compression);
}

function flipped(data: Uint8Array, bit: number): Uint8Array {
  const copy = data.slice();
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}

function* sweep(data: Uint8Array, step: number): Generator<Question> {
  for (let cut = 0; cut <= data.length; cut += step) yield { data: data.subarray(0, cut), limit: GENEROUS };
  for (let bit = 0; bit < data.length * 8; bit += step) yield { data: flipped(data, bit), limit: GENEROUS };
  yield { data: Uint8Array.of(...data, 0), limit: GENEROUS };
  yield { data: Uint8Array.of(...data, 1, 2, 3), limit: GENEROUS };
}

function ours({ data, limit }: Question): string[] {
  const rules = new RuleBook();
  const content = openChannel(data, { limit, brotliAllowed: true }, rules);
  const hashes: string[] = [];
  for (let next = content?.next(); next !== undefined; next = content?.next()) {
    const context = { genesisTime: 1000n, blockTime: 2n, l2ChainId: 901n, deltaActive: true };
    const decoded = decodeBatch(next, context, rules);
    if (decoded.kind === 'malformed') break;
    if (decoded.kind === 'batch') hashes.push(toHex(batchHash(decoded.batch)));
  }
  return hashes;
}

/** What op-node reads of each. */
async function theirs(questions: readonly Question[]): Promise<string[][]> {
  const { binary } = await buildReference('op-node', () => {});
  const lines = questions.map(({ data, limit }) => JSON.stringify({ data: toHex(data), limit, brotli: true }));
  const child = execa(binary, ['--channels'], { input: `${lines.join('\n')}\n`, buffer: false, reject: false });
  const answers: string[][] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as { batches?: string[] };
    if (answer.batches !== undefined) answers.push(answer.batches);
  }
  expect((await child).exitCode).toBe(0);
  return answers;
}

async function expectSame(questions: readonly Question[]): Promise<void> {
  const answers = await theirs(questions);
  expect(answers.length).toBe(questions.length);
  for (const [index, question] of questions.entries()) {
    expect(ours(question), `${toHex(question.data)} at limit ${question.limit}`).toEqual(answers[index]);
  }
}

const COMPRESSIONS: readonly (readonly [string, ChannelCompression])[] = [
  ['zlib, stored', { algorithm: 'zlib', level: 0 }],
  ['zlib, level 1', { algorithm: 'zlib', level: 1 }],
  ['zlib, level 9', { algorithm: 'zlib', level: 9 }],
  ['zlib, fixed codes', { algorithm: 'zlib', strategy: 4 }],
  ['brotli, quality 1', { algorithm: 'brotli', quality: 1 }],
  ['brotli, quality 5, window 10', { algorithm: 'brotli', quality: 5, window: 10 }],
  ['brotli, quality 11', { algorithm: 'brotli', quality: 11 }],
];

test.each(COMPRESSIONS)('every cut and every flip of a channel: %s', async (_name, compression) => {
  await expectSame([...sweep(channel(compression), 1)]);
});

test.each(COMPRESSIONS)('cuts and flips of a channel of large batches: %s', async (_name, compression) => {
  await expectSame([...sweep(largeChannel(compression), 61)]);
});

test.each(COMPRESSIONS)(
  'every byte limit up to the content, and cuts and flips below one: %s',
  async (_name, compression) => {
    const data = channel(compression);
    // A limit of 0 would mean none to op-node's reader; no chain has it.
    const limits = Array.from({ length: 800 }, (_, index) => ({ data, limit: index + 1 }));
    const below = [...sweep(data, 7)].flatMap((question) => [150, 400].map((limit) => ({ ...question, limit })));
    await expectSame([...limits, ...below]);
  },
);
