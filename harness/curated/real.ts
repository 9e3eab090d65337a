/**
 * Vectors around data that batchers have really posted: the bytes lie in `vectors/real/`, their origin in the page
 * beside them. The data names its blocks by numbers, times and the first halves of hashes; a chain that fits is made up.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SpanBatch, SpanBlock } from '../../src/batch/batch.ts';
import { decodeBatch } from '../../src/batch/codec.ts';
import type { L1Block, L2Block } from '../../src/chain/blocks.ts';
import type { RollupConfig } from '../../src/chain/config.ts';
import { openChannel } from '../../src/channel.ts';
import { concatBytes, fromHex } from '../../src/encoding/bytes.ts';
import { RlpCursor } from '../../src/encoding/rlp.ts';
import { decodeItem, encodeFrame, encodeItem } from '../../src/frame.ts';
import { RuleBook } from '../../src/rules/rule-book.ts';
import { PACKAGE_ROOT } from '../places.ts';
import { channelId } from '../scenario/scenario.ts';
import { madeUpHash } from '../scenario/transactions.ts';
import type { CuratedScenario } from './curated.ts';

/** OP Mainnet, whose forks were activated at these times. */
const OP_MAINNET: RollupConfig = {
  genesis: {
    l1: { number: 17_422_590n, hash: fromHex('0x438335a20d98863a4c0c97999eb2481921ccd28553eac6f913af7c12aec04108') },
    l2: { number: 105_235_063n, hash: fromHex('0xdbf6a80fef073de06add9b0d14026d6e5a86c85f6d102c36d3d8e9cf89c2afd3') },
    l2Time: 1_686_068_903n,
  },
  l2ChainId: 10n,
  blockTime: 2n,
  maxSequencerDrift: 600n,
  seqWindowSize: 3600n,
  channelTimeout: 300n,
  forks: {
    regolith: 0n,
    canyon: 1_704_992_401n,
    delta: 1_708_560_000n,
    ecotone: 1_710_374_401n,
    fjord: 1_720_627_201n,
    granite: 1_726_070_401n,
    holocene: 1_736_445_601n,
    isthmus: 1_746_806_401n,
    jovian: 1_764_691_201n,
    karst: null,
  },
};

/** Bytes of a frame, about what fits a transaction with calldata. */
const FRAME_SIZE = 120_000;

function read(name: string): Uint8Array {
  return fromHex(`0x${readFileSync(path.join(PACKAGE_ROOT, 'vectors', 'real', `${name}.hex`), 'utf8').trim()}`);
}

/** The calldata of a signed dynamic-fee transaction. */
function calldata(transaction: Uint8Array): Uint8Array {
  const outer = new RlpCursor(transaction, 1, transaction.length);
  outer.nextList();
  const fields = outer.inside();
  // Chain id, nonce, tip cap, fee cap, gas limit, recipient, value, data.
  for (let field = 0; field < 8; field++) fields.nextString();
  return fields.payload();
}

/** The first batch of a channel, which is a span batch. */
function firstBatch(channel: Uint8Array): SpanBatch {
  const rules = new RuleBook();
  const bytes = openChannel(channel, { limit: 10_000_000, brotliAllowed: false }, rules)?.next();
  const { genesis, blockTime, l2ChainId } = OP_MAINNET;
  const context = { genesisTime: genesis.l2Time, blockTime, l2ChainId, deltaActive: true };
  const decoded = decodeBatch(bytes ?? new Uint8Array(0), context, rules);
  if (decoded.kind !== 'batch' || decoded.batch.kind !== 'span') throw new TypeError('the data holds no span batch');
  return decoded.batch;
}

/** A hash that starts with the twenty bytes that a span batch tells of it. */
function completed(check: Uint8Array): Uint8Array {
  return concatBytes([check, new Uint8Array(12).fill(0x11)]);
}

function l1Hash(span: SpanBatch, number: bigint): Uint8Array {
  return number === span.blocks.at(-1)!.epochNum ? completed(span.l1OriginCheck) : madeUpHash('real-l1', number);
}

/**
 * L1 blocks from number `from` to two behind the last epoch. An epoch has the time of its first L2 block, an L1 block
 * before or behind them is twelve seconds apart. The items are in the block behind the last epoch.
 */
function l1Blocks(span: SpanBatch, from: bigint, items: readonly Uint8Array[]): [L1Block, ...L1Block[]] {
  const { blocks } = span;
  const firstOf = (number: bigint): SpanBlock | undefined => blocks.find(({ epochNum }) => epochNum === number);
  const last = blocks.at(-1)!.epochNum;
  const time = (number: bigint): bigint => {
    if (number > last) return blocks.at(-1)!.timestamp + 12n * (number - last);
    return firstOf(number)?.timestamp ?? blocks[0].timestamp - 12n * (blocks[0].epochNum - number);
  };
  return Array.from({ length: Number(last + 2n - from) + 1 }, (_, index) => {
    const number = from + BigInt(index);
    return {
      number,
      hash: l1Hash(span, number),
      parentHash: l1Hash(span, number - 1n),
      timestamp: time(number),
      data: number === last + 1n ? items : [],
    };
  }) as [L1Block, ...L1Block[]];
}

/** The safe head at that time, without transactions. */
function safeHead(span: SpanBatch, timestamp: bigint, epoch: bigint, hash: Uint8Array): L2Block {
  const { genesis, blockTime } = OP_MAINNET;
  return {
    number: genesis.l2.number + (timestamp - genesis.l2Time) / blockTime,
    hash,
    parentHash: madeUpHash('real-l2', timestamp),
    timestamp,
    l1Origin: { number: epoch, hash: l1Hash(span, epoch) },
    sequenceNumber: 0n,
    transactions: [],
  };
}

export const realScenarios: readonly CuratedScenario[] = [
  {
    name: 'real/op-mainnet-march-2024',
    shows:
      'A batcher transaction of OP Mainnet, 27 blocks in one span batch, whose zlib stream ends at a flush point without a checksum.',
    rules: ['channel-reader/zlib-stream-', 'channel-reader/partial-output+', 'batch-decode/tx-fields-', 'span/epochs+'],
    build: () => {
      const item = calldata(read('op-mainnet-march-2024-batcher-transaction'));
      const parsed = decodeItem(item, new RuleBook());
      if (parsed.kind !== 'frames') throw new TypeError('the transaction holds no frames');
      const span = firstBatch(parsed.frames[0]!.data);
      const [first] = span.blocks;
      // The block before the first one is in the epoch before: whether it was does not show in the batch.
      const epoch = first.epochNum - 1n;
      return {
        name: '',
        config: OP_MAINNET,
        l1: l1Blocks(span, epoch, [item]),
        l2: [safeHead(span, first.timestamp - OP_MAINNET.blockTime, epoch, completed(span.parentCheck))],
        invalidBlocks: [],
      };
    },
  },
  {
    name: 'real/op-mainnet-june-2024-seen-again',
    shows:
      'A channel of OP Mainnet with 143 blocks and 1,766 transactions, read again when its last block is safe already: decoded and dropped as old.',
    rules: ['channel-bank/ready+', 'channel-reader/zlib-stream-', 'batch-decode/tx-types-', 'span/no-new-block+'],
    build: () => {
      const data = read('op-mainnet-june-2024-channel');
      const span = firstBatch(data);
      const last = span.blocks.at(-1)!;
      const count = Math.ceil(data.length / FRAME_SIZE);
      const items = Array.from({ length: count }, (_, number) =>
        encodeItem([
          encodeFrame({
            channel: channelId(1),
            number,
            data: data.subarray(number * FRAME_SIZE, (number + 1) * FRAME_SIZE),
            last: number === count - 1,
          }),
        ]),
      );
      return {
        name: '',
        config: OP_MAINNET,
        l1: l1Blocks(span, last.epochNum, items),
        l2: [safeHead(span, last.timestamp, last.epochNum, madeUpHash('real-l2', 0))],
        invalidBlocks: [],
      };
    },
  },
];
