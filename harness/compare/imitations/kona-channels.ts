/** Kona from the item of L1 data to the content of a channel: kona-derive and kona-protocol 0.4.5. */

import type { Batch } from '../../../src/batch/batch.ts';
import { BROTLI_VERSION } from '../../../src/channel.ts';
import type { ExtensionPoints } from '../../../src/rules/extensions.ts';
import { ImitatedEnd, type Imitation } from './imitation.ts';
import { readBrotli, readZlib } from './kona-content.ts';
import { outgrowsPool } from './kona-ring-buffer.ts';

const kona = { reference: 'kona' } as const;

const FRAMES: readonly Imitation[] = [
  {
    ...kona,
    id: 'frame-is-last',
    rule: 'frame/is-last-values',
    side: '+',
    boundary: 'frames',
    change: () => ({ rules: { 'frame/is-last-values': 'never' } }),
  },
  {
    ...kona,
    id: 'frame-queue-same-id',
    rule: 'frame-queue/new-first-drops-open',
    side: '+',
    boundary: 'frames',
    // Everything from the first frame of the channel on goes, also what lies between.
    change: () => ({
      rules: { 'frame-queue/new-first-drops-open': (base, { removing }) => base || removing === true },
    }),
  },
  {
    ...kona,
    id: 'assembler-order',
    rule: 'channel-assembler/in-order',
    side: '+',
    boundary: 'channels',
    change: () => ({ rules: { 'channel-assembler/in-order': 'never' } }),
  },
];

type Channel = ExtensionPoints['channel-reader/channel'];

/** A channel that is dropped as a whole. */
function dropped(
  id: string,
  rule: Imitation['rule'],
  side: '+' | '-',
  when: (moment: Channel['moment']) => boolean,
): Imitation {
  return {
    ...kona,
    id,
    rule,
    side,
    boundary: 'batches',
    change: () => ({ extensions: { 'channel-reader/channel': (moment) => (when(moment) ? 'drop' : undefined) } }),
  };
}

/** A channel of which kona reads something else. */
function other(
  id: string,
  rule: Imitation['rule'],
  contentOf: (moment: Channel['moment']) => Uint8Array | undefined,
): Imitation {
  return {
    ...kona,
    id,
    rule,
    side: '+',
    boundary: 'batches',
    change: () => ({
      extensions: {
        'channel-reader/channel': (moment) => {
          const content = contentOf(moment);
          return content && { content };
        },
      },
    }),
  };
}

type KonaBrotli = Exclude<ReturnType<typeof readBrotli>, undefined>;

/** A brotli channel of which kona reads something else. */
function otherBrotli(id: string, rule: Imitation['rule'], fault: KonaBrotli['fault']): Imitation {
  return other(id, rule, (moment) => {
    const read = readBrotli(moment.data, limitOf(moment));
    return read !== undefined && read.fault === fault ? read.other : undefined;
  });
}

const limitOf = ({ spec, origin }: Channel['moment']) => spec.maxRlpBytesPerChannel(origin.timestamp);

const CHANNELS: readonly Imitation[] = [
  dropped(
    'zlib-named-dictionary',
    'channel-reader/zlib-stream',
    '-',
    ({ data }) => readZlib(data)?.dictionary === true,
  ),
  other('zlib-lone-code', 'channel-reader/zlib-stream', ({ data }) => readZlib(data)?.lone),
  dropped(
    'zlib-fault-drops-channel',
    'channel-reader/partial-output',
    '+',
    ({ data }) => readZlib(data)?.faulty === true,
  ),
  dropped('limit-drops-channel', 'channel-reader/limit', '+', (moment) => {
    const read = readZlib(moment.data);
    return read?.faulty === false && BigInt(read.length) > limitOf(moment);
  }),
  {
    ...kona,
    id: 'brotli-window-panic',
    rule: 'channel-reader/brotli-stream',
    side: '+',
    boundary: 'outcome',
    // Ahead of what else kona does with a stream, and before Fjord too: of that it asks at each batch that came out.
    change: () => ({
      extensions: {
        'channel-reader/channel': ({ data }) => {
          if (outgrowsPool(data)) throw new ImitatedEnd('crash', 'stack_allocator.rs:52');
          return undefined;
        },
      },
    }),
  },
  dropped('brotli-limit-doubling', 'channel-reader/limit', '-', (moment) => {
    return readBrotli(moment.data, limitOf(moment))?.givenUp === true;
  }),
  otherBrotli('brotli-large-window', 'channel-reader/brotli-stream', 'large window'),
  otherBrotli('brotli-padding-bits', 'channel-reader/brotli-stream', 'padding'),
  otherBrotli('brotli-meta-block-overrun', 'channel-reader/brotli-stream', 'overrun'),
  otherBrotli('brotli-output-before-fault', 'channel-reader/brotli-stream', 'corrupt'),
  otherBrotli('brotli-cut-output', 'channel-reader/partial-output', 'cut'),
  {
    ...kona,
    id: 'last-batch-of-faulty-stream',
    rule: 'channel-reader/partial-output',
    side: '+',
    boundary: 'batches',
    change: () => ({
      rules: {
        'channel-reader/partial-output': (base, { output, end }) =>
          base && (end === undefined || (output as number) < (end as number)),
      },
    }),
  },
  {
    ...kona,
    id: 'brotli-gate',
    rule: 'channel-reader/brotli-gate',
    side: '-',
    boundary: 'batches',
    change: () => ({
      rules: { 'channel-reader/brotli-gate': 'never' },
      extensions: {
        'channel-reader/batch': ({ spec, data, batch }) =>
          data[0] === BROTLI_VERSION && !spec.isActive('fjord', timeOf(batch)) ? 'end-channel' : undefined,
      },
    }),
  },
];

/** The timestamp of a batch, in seconds: that of its first block. */
function timeOf(batch: Batch): bigint {
  return batch.kind === 'single' ? batch.timestamp : batch.blocks[0].timestamp;
}

export const KONA_CHANNELS: readonly Imitation[] = [...FRAMES, ...CHANNELS];
