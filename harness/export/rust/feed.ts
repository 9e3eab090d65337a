/** What a Rust test is fed: the rollup configuration and both chains, with comments on all that happens to them. */

import type { BlockId, L2Block } from '../../../src/chain/blocks.ts';
import { FORKS } from '../../../src/chain/config.ts';
import { toHex } from '../../../src/encoding/bytes.ts';
import { hexdump } from '../hexdump.ts';
import type { TestCase } from '../test-case.ts';
import { RUST_WIDTH } from './names.ts';

export function configFunction({ vector: { config } }: TestCase): string {
  const forks = FORKS.flatMap((fork) => {
    const time = config.forks[fork];
    // This version of kona does not know the later forks.
    return time === null || !KONA_FORKS.has(fork) ? [] : [`            ${fork}_time: Some(${time}),`];
  });
  const unknown = FORKS.filter((fork) => config.forks[fork] !== null && !KONA_FORKS.has(fork));
  return `/// The rollup configuration${unknown.length === 0 ? '' : `; this version of kona does not know ${unknown.join(' and ')}`}.
fn config() -> RollupConfig {
    RollupConfig {
        genesis: ChainGenesis {
            l1: ${blockId(config.genesis.l1, '            ')},
            l2: ${blockId(config.genesis.l2, '            ')},
            l2_time: ${config.genesis.l2Time},
            ..Default::default()
        },
        l2_chain_id: ${config.l2ChainId}.into(),
        block_time: ${config.blockTime},
        max_sequencer_drift: ${config.maxSequencerDrift},
        seq_window_size: ${config.seqWindowSize},
        channel_timeout: ${config.channelTimeout},
${forks.length === 0 ? '' : `        hardforks: HardForkConfig {\n${forks.join('\n')}\n            ..Default::default()\n        },\n`}        ..Default::default()
    }
}
`;
}

const KONA_FORKS: ReadonlySet<string> = new Set(FORKS.filter((fork) => fork !== 'karst'));

function blockId({ number, hash }: BlockId, indent: string): string {
  return `BlockNumHash {
${indent}    number: ${number},
${indent}    hash: ${b256(hash)},
${indent}}`;
}

function b256(hash: Uint8Array): string {
  return `b256!("${toHex(hash).slice(2)}")`;
}

/** The function that says what is fed. */
export function chainFunction({ vector, story, mayHoldSpans }: TestCase): string {
  const comments = story(RUST_WIDTH);
  const lines: string[] = [];
  for (const [index, { number, timestamp, hash, parentHash, data }] of vector.l1.entries()) {
    const { head, items } = comments[index]!;
    lines.push(...head.map((line) => `// ${line}`));
    lines.push('chain.add_l1(BlockInfo {', ...blockInfo({ number, timestamp, hash, parentHash }, '    '), '});');
    for (const [item, bytes] of data.entries()) {
      lines.push(...items[item]!.map((line) => `// ${line}`));
      lines.push('chain.add_item(', '    "', ...hexdump(bytes).map((line) => `    ${line}`), '    ",', ');');
    }
  }
  // Span batches are held against earlier safe blocks too; for all else the safe head is enough.
  const safe = mayHoldSpans ? vector.l2 : vector.l2.slice(-1);
  lines.push(safe.length === 1 ? '// The safe head.' : '// The safe chain, the safe head last.');
  lines.push(...safe.flatMap((block) => l2Call(block, mayHoldSpans)));
  if (vector.invalidBlocks.length > 0) {
    lines.push('// The engine refuses the payloads of these L2 blocks if they hold user transactions.');
    lines.push(`chain.lock().refused = vec![${vector.invalidBlocks.join(', ')}];`);
  }
  return `/// What the stages read.
fn chain() -> Chain {
    let chain = Chain::default();
${lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')}
    chain
}
`;
}

function blockInfo(
  { number, timestamp, hash, parentHash }: Pick<L2Block, 'number' | 'timestamp' | 'hash' | 'parentHash'>,
  indent: string,
): string[] {
  return [
    `${indent}number: ${number},`,
    `${indent}timestamp: ${timestamp},`,
    `${indent}hash: ${b256(hash)},`,
    `${indent}parent_hash: ${b256(parentHash)},`,
  ];
}

function l2Call(block: L2Block, mayHoldSpans: boolean): string[] {
  const { l1Origin, sequenceNumber, transactions } = block;
  const raw = mayHoldSpans ? transactions.map((transaction) => `        "${toHex(transaction).slice(2)}",`) : [];
  return [
    'chain.add_l2(',
    '    BlockInfo {',
    ...blockInfo(block, '        '),
    '    },',
    `    ${blockId(l1Origin, '        ')},`,
    `    ${sequenceNumber},`,
    ...(raw.length === 0 ? ['    &[],'] : ['    &[', ...raw, '    ],']),
    ');',
  ];
}
