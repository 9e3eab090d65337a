package main

import (
	"context"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"

	"github.com/ethereum-optimism/optimism/op-node/rollup/derive"
	"github.com/ethereum-optimism/optimism/op-service/eth"
)

// The recorders stand between two stages each. They hand everything on unchanged and write down what passed.

// activity counts what the pipeline does. The stages report to it through their metrics and the recorders directly,
// so that a pipeline that only ever asks for another try can be told from one that works.
type activity int

var _ derive.Metrics = (*activity)(nil)

func (a *activity) RecordFrame()                       { *a++ }
func (a *activity) RecordChannelInputBytes(int)        { *a++ }
func (a *activity) RecordDerivedBatches(string)        { *a++ }
func (a *activity) RecordHeadChannelOpened()           {}
func (a *activity) RecordChannelTimedOut()             {}
func (a *activity) RecordPipelineReset()               {}
func (a *activity) RecordL1Ref(string, eth.L1BlockRef) {}
func (a *activity) RecordL2Ref(string, eth.L2BlockRef) {}
func (a *activity) SetDerivationIdle(bool)             {}

// recording is where the recorders of one run write to.
type recording struct {
	*trace
	activity *activity
	// executionFlush is set while the driver's flush runs through the stages.
	executionFlush bool
}

// frameRecorder stands between the frame queue and the channel stage.
type frameRecorder struct {
	derive.NextFrameProvider
	to *recording
}

func (r *frameRecorder) NextFrame(ctx context.Context) (derive.Frame, error) {
	f, err := r.NextFrameProvider.NextFrame(ctx)
	if err == nil {
		*r.to.activity++
		r.to.Frames = append(r.to.Frames, frame{
			Origin:  r.Origin().Number,
			Channel: f.ID[:],
			Number:  f.FrameNumber,
			Size:    len(f.Data),
			Last:    f.IsLast,
		})
	}
	return f, err
}

// channelRecorder stands between the channel stage and the channel reader.
type channelRecorder struct {
	derive.RawChannelProvider
	to *recording
}

func (r *channelRecorder) NextRawChannel(ctx context.Context) ([]byte, error) {
	data, err := r.RawChannelProvider.NextRawChannel(ctx)
	// The channel bank hands on nil, without an error, when it has dropped a channel that timed out.
	if err == nil && data != nil {
		*r.to.activity++
		r.to.Channels = append(r.to.Channels, channel{
			Origin: r.Origin().Number,
			Size:   len(data),
			Hash:   crypto.Keccak256Hash(data),
		})
	}
	return data, err
}

// batchRecorder stands between the channel reader and the batch stage. Flushes pass it the other way.
type batchRecorder struct {
	derive.NextBatchProvider
	to *recording
}

func (r *batchRecorder) NextBatch(ctx context.Context) (derive.Batch, error) {
	b, err := r.NextBatchProvider.NextBatch(ctx)
	if err != nil {
		return b, err
	}
	*r.to.activity++
	kind, hash := describeBatch(b)
	entry := batch{Origin: r.Origin().Number, Kind: kind, Hash: hash}
	r.to.Batches = append(r.to.Batches, entry)
	return b, nil
}

// describeBatch gives the kind and the hash of a batch as they stand in a trace.
func describeBatch(b derive.Batch) (kind string, hash [32]byte) {
	if s, ok := b.AsSingularBatch(); ok {
		return "single", rlpHash(s)
	}
	s, _ := b.AsSpanBatch()
	return "span", rlpHash(&struct {
		ParentCheck   [20]byte
		L1OriginCheck [20]byte
		Blocks        []*derive.SpanBatchElement
	}{s.ParentCheck, s.L1OriginCheck, s.Batches})
}

func (r *batchRecorder) FlushChannel() {
	if !r.to.executionFlush {
		r.to.flushed(r.Origin(), "batch")
	}
	r.NextBatchProvider.FlushChannel()
}

// singleRecorder stands between the batch stage and the attributes queue. The driver's flush enters here.
type singleRecorder struct {
	derive.SingularBatchProvider
	to *recording
}

func (r *singleRecorder) NextBatch(ctx context.Context, parent eth.L2BlockRef) (*derive.SingularBatch, bool, error) {
	b, concluding, err := r.SingularBatchProvider.NextBatch(ctx, parent)
	if err == nil {
		r.to.emitted(r.Origin(), b)
	}
	return b, concluding, err
}

func (r *singleRecorder) FlushChannel() {
	r.to.flushed(r.Origin(), "execution")
	r.to.executionFlush = true
	r.SingularBatchProvider.FlushChannel()
	r.to.executionFlush = false
}

func (r *recording) flushed(origin eth.L1BlockRef, cause string) {
	*r.activity++
	r.Flushes = append(r.Flushes, flush{Origin: origin.Number, Cause: cause})
}

func (r *recording) emitted(origin eth.L1BlockRef, b *derive.SingularBatch) {
	*r.activity++
	transactions := b.Transactions
	if transactions == nil {
		transactions = []hexutil.Bytes{}
	}
	r.Singles = append(r.Singles, single{
		Origin:       origin.Number,
		ParentHash:   b.ParentHash,
		EpochNum:     uint64(b.EpochNum),
		EpochHash:    b.EpochHash,
		Timestamp:    b.Timestamp,
		Transactions: transactions,
	})
}

// rlpHash is the keccak256 of the value's RLP. It panics on a type without an RLP form.
func rlpHash(v any) [32]byte {
	encoded, err := rlp.EncodeToBytes(v)
	if err != nil {
		panic(err)
	}
	return crypto.Keccak256Hash(encoded)
}

func recordFrames(from derive.NextFrameProvider, to *recording) derive.NextFrameProvider {
	if to == nil {
		return from
	}
	return &frameRecorder{from, to}
}

func recordChannels(from derive.RawChannelProvider, to *recording) derive.RawChannelProvider {
	if to == nil {
		return from
	}
	return &channelRecorder{from, to}
}

func recordBatches(from derive.NextBatchProvider, to *recording) derive.NextBatchProvider {
	if to == nil {
		return from
	}
	return &batchRecorder{from, to}
}

func recordSingles(from derive.SingularBatchProvider, to *recording) derive.SingularBatchProvider {
	if to == nil {
		return from
	}
	return &singleRecorder{from, to}
}
