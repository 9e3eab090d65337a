/** The `use` declarations of a Rust test, as rustfmt leaves them. */

import type { TestCase } from '../test-case.ts';
import { recordsBetweenStages } from './stages.ts';

export function imports({ boundary, mayHoldSpans, ends, vector }: TestCase): string {
  const batchStage = boundary === 'batches' || boundary === 'flushes';
  const derive = [
    'ActivationSignal',
    'AttributesProvider',
    'BatchProvider',
    'BatchStream',
    'ChainProvider',
    'ChannelProvider',
    'ChannelReader',
    'DataAvailabilityProvider',
    'FrameQueue',
    'L1Retrieval',
    'L2ChainProvider',
    'OriginAdvancer',
    'OriginProvider',
    'PipelineError',
    'PipelineErrorKind',
    'PipelineResult',
    'PollingTraversal',
    'ResetError',
    'ResetSignal',
    'SignalReceiver',
  ];
  if (batchStage) derive.push('BatchStreamProvider');
  if (boundary === 'channels') derive.push('ChannelReaderProvider');
  if (boundary === 'frames') derive.push('NextFrameProvider');
  if (recordsBetweenStages(boundary) || vector.invalidBlocks.length > 0) derive.push('Signal');
  const protocol = ['BatchValidationProvider', 'BlockInfo', 'L2BlockInfo', 'SingleBatch'];
  if (batchStage) protocol.push('Batch');
  if (boundary === 'batches') protocol.push('SpanBatch');
  if (boundary === 'frames') protocol.push('Frame');
  if (mayHoldSpans) protocol.push('L1BlockInfoBedrock', 'L1BlockInfoTx');
  const consensus = ['Header', 'Receipt', 'TxEnvelope', ...(mayHoldSpans ? ['BlockBody', 'Sealed'] : [])];
  const opConsensus = ['OpBlock', ...(mayHoldSpans ? ['OpTxEnvelope', 'TxDeposit'] : [])];
  const eips = ['BlockNumHash', ...(mayHoldSpans ? ['Decodable2718', 'Encodable2718'] : [])];
  const std = ['pin::pin', 'sync::{Arc, Mutex, MutexGuard}', 'task::{Context, Poll, Waker}'];
  if (ends === 'crash') std.unshift('panic::{AssertUnwindSafe, catch_unwind}');
  const lines = [
    use('alloy_consensus', consensus),
    use('alloy_eips', eips),
    use('alloy_primitives', ['Address', 'B256', 'Bytes', 'b256', 'hex', 'keccak256']),
    ...(boundary === 'batches' ? [use('alloy_rlp', ['Encodable', 'Header as RlpHeader'])] : []),
    'use async_trait::async_trait;',
    use('kona_derive', derive),
    use('kona_genesis', ['ChainGenesis', 'HardForkConfig', 'RollupConfig', 'SystemConfig']),
    use('kona_protocol', protocol),
    use('op_alloy_consensus', opConsensus),
    `use std::{\n${std.map((one) => `    ${one},`).join('\n')}\n};`,
  ];
  return `${lines.join('\n')}\n`;
}

/** A `use` in rustfmt's order and lines. */
function use(crate: string, names: readonly string[]): string {
  if (names.length === 1) return `use ${crate}::${names[0]!};`;
  // Types come before macros and functions.
  const rank = (name: string) => `${/^[A-Z]/.test(name) ? 0 : 1}${name}`;
  const sorted = [...names].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const line = `use ${crate}::{${sorted.join(', ')}};`;
  if (line.length < 100) return line;
  const lines: string[] = [];
  let current = '   ';
  for (const name of sorted) {
    if (`${current} ${name},`.length > 100) {
      lines.push(current);
      current = '   ';
    }
    current += ` ${name},`;
  }
  return [`use ${crate}::{`, ...lines, current, '};'].join('\n');
}
