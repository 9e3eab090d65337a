/** The part of a Go test that strings op-node's stages together, drives them, and records what passes between two. */

import type { Boundary } from '../../compare/compare.ts';
import { FLUSH_CAUSES } from '../entries.ts';
import type { TestCase } from '../test-case.ts';

/** What stands between two stages and writes down what passes. */
export interface Recorder {
  /** The stage that it stands behind. */
  readonly behind: 'frameQueue' | 'channelMux' | 'channelReader';
  readonly type: string;
  readonly source: string;
}

/** The recorder that a boundary needs; none where the driver sees all. */
export function recorderOf(testCase: TestCase, type: string, chain: string): Recorder | undefined {
  const { boundary } = testCase;
  const struct = (provider: string, between: string) => `// ${type} stands between ${between}.
type ${type} struct {
	derive.${provider}
	c *${chain}
}
`;
  switch (boundary) {
    case 'frames':
      return {
        behind: 'frameQueue',
        type,
        source: `${struct('NextFrameProvider', 'the frame queue and the channel stage')}
func (r *${type}) NextFrame(ctx context.Context) (derive.Frame, error) {
	frame, err := r.NextFrameProvider.NextFrame(ctx)
	if err == nil {
		last := ""
		if frame.IsLast {
			last = ", last"
		}
		r.c.saw("L1 block %d: frame %d of channel 0x%x, %d bytes%s",
			r.Origin().Number, frame.FrameNumber, frame.ID[:], len(frame.Data), last)
	}
	return frame, err
}
`,
      };
    case 'channels':
      return {
        behind: 'channelMux',
        type,
        source: `${struct('RawChannelProvider', 'the channel stage and the channel reader')}
func (r *${type}) NextRawChannel(ctx context.Context) ([]byte, error) {
	data, err := r.RawChannelProvider.NextRawChannel(ctx)
	if err == nil && data != nil { // nil: the channel bank has dropped a channel
		r.c.saw("L1 block %d: channel of %d bytes, keccak256 %s", r.Origin().Number, len(data), crypto.Keccak256Hash(data))
	}
	return data, err
}
`,
      };
    case 'batches':
      return {
        behind: 'channelReader',
        type,
        source: `${struct('NextBatchProvider', 'the channel reader and the batch stage')}
func (r *${type}) NextBatch(ctx context.Context) (derive.Batch, error) {
	batch, err := r.NextBatchProvider.NextBatch(ctx)
	if err != nil {
		return batch, err
	}
	if single, ok := batch.AsSingularBatch(); ok {
		r.saw("single", single)
		r.c.t.Logf("single batch: %+v", single)
	}
	if span, ok := batch.AsSpanBatch(); ok {
		r.saw("span", []any{span.ParentCheck, span.L1OriginCheck, span.Batches})
		for _, block := range span.Batches {
			r.c.t.Logf("block of a span batch: %+v", block)
		}
	}
	return batch, nil
}

// saw names a batch by the hash of its content in RLP.
func (r *${type}) saw(kind string, content any) {
	encoded, err := rlp.EncodeToBytes(content)
	require.NoError(r.c.t, err)
	r.c.saw("L1 block %d: %s batch, keccak256 %s", r.Origin().Number, kind, crypto.Keccak256Hash(encoded))
}
`,
      };
    case 'flushes':
      return {
        behind: 'channelReader',
        type,
        source: `${struct('NextBatchProvider', 'the channel reader and the batch stage, whose flushes pass it backwards')}
func (r *${type}) FlushChannel() {
${
  flushesForRefused(testCase)
    ? `	if !r.c.refusing {
		r.c.saw("L1 block %d: flush for ${FLUSH_CAUSES.batch}", r.Origin().Number)
	}`
    : `	r.c.saw("L1 block %d: flush for ${FLUSH_CAUSES.batch}", r.Origin().Number)`
}
	r.NextBatchProvider.FlushChannel()
}
`,
      };
    case 'singles':
    case 'outcome':
    case 'safeHead':
      return undefined;
    default:
      return boundary satisfies never;
  }
}

/** Whether the recorder has to tell two kinds of flushes apart. */
export function flushesForRefused({ boundary, vector }: TestCase): boolean {
  return boundary === 'flushes' && vector.invalidBlocks.length > 0;
}

export function deriveFunction({ boundary, vector }: TestCase, chain: string, recorder: Recorder | undefined): string {
  const read = (stage: Recorder['behind']) => (recorder?.behind === stage ? `&${recorder.type}{${stage}, c}` : stage);
  const ends = boundary === 'outcome';
  const end = (how: string, tabs: string) => `${ends ? `${tabs}c.saw("the run ends: ${how}")\n` : ''}${tabs}return`;
  return `// derive strings op-node's stages together, each reading from the one before, and drives them as DerivationPipeline and
// the driver do, up to the last L1 block.
func (c *${chain}) derive() {
	ctx := context.Background()
	logger := testlog.Logger(c.t, slog.LevelDebug)
	metrics := &testutils.TestDerivationMetrics{}

	traversal := derive.NewL1Traversal(logger, c.config, c)
	retrieval := derive.NewL1Retrieval(logger, c, traversal)
	frameQueue := derive.NewFrameQueue(logger, c.config, retrieval)
	channelMux := derive.NewChannelMux(logger, rollup.NewChainSpec(c.config), ${read('frameQueue')}, metrics)
	channelReader := derive.NewChannelInReader(c.config, logger, ${read('channelMux')}, metrics)
	batchMux := derive.NewBatchMux(logger, c.config, ${read('channelReader')}, c)

	origin := c.l1[0]
	for _, stage := range []derive.ResettableStage{traversal, retrieval, frameQueue, channelMux, channelReader, batchMux} {
		require.ErrorIs(c.t, stage.Reset(ctx, origin, eth.SystemConfig{}), io.EOF)
	}
	for range ${STEPS} {
		if next := batchMux.Origin(); next != origin {
			if err := derive.VerifyNewL1Origin(ctx, origin, c, next); err != nil {
${end('reset', '\t\t\t\t')}
			}
			if fork := c.config.IsActivationBlock(origin.Time, next.Time); fork != forks.None {
				frameQueue.Transform(fork)
				channelMux.Transform(fork)
				batchMux.Transform(fork)
			}
			origin = next
		}
		batch, _, err := batchMux.NextBatch(ctx, c.safeHead())
		if err == nil {
${boundary === 'singles' ? SAW_SINGLE : ''}${vector.invalidBlocks.length > 0 ? refusedPayload(boundary) : '\t\t\tc.build(batch, batch.Transactions)\n'}			continue
		}
		if err == io.EOF { // nothing is left of this L1 block
			err = traversal.AdvanceL1Block(ctx)
		}
${ends ? switchOnEnd(end) : STOP_AT_END}	}
${boundary === 'outcome' ? '\tc.saw("the run ends: stalled")' : '\tc.t.Fatal("derivation makes no progress")'}
}
`;
}

/** So many steps are enough for any vector; a pipeline that takes more does not come to an end. */
const STEPS = '1_000_000';

const STOP_AT_END = `		// Any other error asks for another try.
		if err == io.EOF || errors.Is(err, derive.ErrReset) || errors.Is(err, derive.ErrCritical) {
			return
		}
`;

function switchOnEnd(end: (how: string, tabs: string) => string): string {
  return `		switch { // any other error asks for another try
		case err == io.EOF:
${end('drained', '\t\t\t')}
		case errors.Is(err, derive.ErrReset):
${end('reset', '\t\t\t')}
		case errors.Is(err, derive.ErrCritical):
${end('critical', '\t\t\t')}
		}
`;
}

const SAW_SINGLE = `			c.saw("L1 block %d: batch for time %d", origin.Number, batch.Timestamp)
			c.saw("on parent %s", batch.ParentHash)
			c.saw("in epoch %d %s", batch.EpochNum, batch.EpochHash)
			for _, transaction := range batch.Transactions {
				c.saw("with transaction %s", crypto.Keccak256Hash(transaction))
			}
`;

function refusedPayload(boundary: Boundary): string {
  const flush =
    boundary === 'flushes'
      ? `				c.saw("L1 block %d: flush for ${FLUSH_CAUSES.execution}", origin.Number)
				c.refusing = true
				batchMux.FlushChannel()
				c.refusing = false
`
      : '				batchMux.FlushChannel()\n';
  return `			transactions := batch.Transactions
			if c.refused[c.safeHead().Number+1] && len(transactions) > 0 && c.config.IsHolocene(origin.Time) {
				// A block without them takes its place, and the rest of the channel is forgotten.
				transactions = nil
${flush}			}
			c.build(batch, transactions)
`;
}
