/** What a Go test is fed: the rollup configuration and both chains, with comments on all that happens to them. */

import type { BlockId } from '../../../src/chain/blocks.ts';
import { FORKS } from '../../../src/chain/config.ts';
import { toHex } from '../../../src/encoding/bytes.ts';
import { hexdump } from '../hexdump.ts';
import type { TestCase } from '../test-case.ts';
import { GO_WIDTH } from './names.ts';

export function configFields(config: TestCase['vector']['config']): string[] {
  const id = ({ number, hash }: BlockId) => `eth.BlockID{Number: ${number}, Hash: common.HexToHash("${toHex(hash)}")},`;
  const fields: (readonly [name: string, value: string])[] = [
    ['L2ChainID', `big.NewInt(${config.l2ChainId})`],
    ['BlockTime', `${config.blockTime}`],
    ['MaxSequencerDrift', `${config.maxSequencerDrift}`],
    ['SeqWindowSize', `${config.seqWindowSize}`],
    ['ChannelTimeoutBedrock', `${config.channelTimeout}`],
  ];
  for (const fork of FORKS) {
    const time = config.forks[fork];
    if (time !== null) fields.push([`${fork[0]!.toUpperCase()}${fork.slice(1)}Time`, `ptr.New[uint64](${time})`]);
  }
  const width = Math.max(...fields.map(([name]) => name.length)) + 1;
  return [
    'Genesis: rollup.Genesis{',
    `\tL1:     ${id(config.genesis.l1)}`,
    `\tL2:     ${id(config.genesis.l2)}`,
    `\tL2Time: ${config.genesis.l2Time},`,
    '},',
    ...fields.map(([name, value]) => `${`${name}:`.padEnd(width)} ${value},`),
  ];
}

export function l1Calls({ vector, story }: TestCase): string[] {
  const comments = story(GO_WIDTH);
  return vector.l1.flatMap(({ number, timestamp, hash, parentHash, data }, index) => {
    const { head, items } = comments[index]!;
    const lines = head.map((line) => `// ${line}`);
    lines.push(`c.addL1(${number}, ${timestamp}, "${toHex(hash)}", "${toHex(parentHash)}")`);
    for (const [item, bytes] of data.entries()) {
      lines.push(...items[item]!.map((line) => `// ${line}`));
      lines.push('c.addItem(`', ...hexdump(bytes).map((line) => `\t${line}`), '`)');
    }
    return lines;
  });
}

/** Span batches are held against earlier safe blocks too; for all else the safe head is enough. */
export function l2Calls({ vector, mayHoldSpans }: TestCase): string[] {
  const blocks = mayHoldSpans ? vector.l2 : vector.l2.slice(-1);
  const calls = blocks.flatMap(({ number, timestamp, hash, parentHash, l1Origin, sequenceNumber, transactions }) => {
    const raw = mayHoldSpans ? transactions.map((transaction) => `\t"${toHex(transaction)}",`) : [];
    const origin = `${l1Origin.number}, "${toHex(l1Origin.hash)}", ${sequenceNumber}`;
    return [
      `c.addL2(${number}, ${timestamp}, "${toHex(hash)}", "${toHex(parentHash)}",`,
      ...(raw.length === 0 ? [`\t${origin})`] : [`\t${origin},`, ...raw, ')']),
    ];
  });
  return [blocks.length === 1 ? '// The safe head.' : '// The safe chain, the safe head last.', ...calls];
}
