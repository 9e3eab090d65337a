package main

import (
	"context"
	"fmt"
	"io"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/log"

	"github.com/ethereum-optimism/optimism/op-node/rollup"
	"github.com/ethereum-optimism/optimism/op-node/rollup/derive"
	"github.com/ethereum-optimism/optimism/op-service/eth"

	"holodiff/references/op-node/compat"
)

// stagePipeline is op-node's chain of stages, strung together from its public constructors:
//
//	L1 traversal → L1 retrieval → frame queue → channel mux → channel reader → batch mux → attributes queue
//
// op-node's DerivationPipeline makes and owns its stages, so that nothing can be put between them. This one is driven
// just as that one is, and differs in three points: recorders may stand between the stages, the data of an L1 block
// comes from memory, and the attributes builder is a stub.
type stagePipeline struct {
	config     *rollup.Config
	l1         *l1Chain
	traversal  *derive.L1Traversal
	attributes *derive.AttributesQueue
	// forkStages are the stages that change when a fork activates, in the order in which they are told.
	forkStages []derive.ForkTransformer
	builder    *builderStub
	// origin is the L1 block that the attributes given last were derived from.
	origin eth.L1BlockRef
}

var _ pipeline = (*stagePipeline)(nil)

// newStagePipeline strings the stages and resets them to the first L1 block. Nothing is recorded if to is nil.
func newStagePipeline(config *rollup.Config, l1 *l1Chain, safe *safeChain, metrics *activity, to *recording) (*stagePipeline, error) {
	builder := &builderStub{blockTime: config.BlockTime}
	traversal := derive.NewL1Traversal(logger, config, l1)
	retrieval := derive.NewL1Retrieval(logger, l1, traversal)
	frameQueue := derive.NewFrameQueue(logger, config, retrieval)
	channelMux := derive.NewChannelMux(logger, rollup.NewChainSpec(config), recordFrames(frameQueue, to), metrics)
	channelReader := derive.NewChannelInReader(config, logger, recordChannels(channelMux, to), metrics)
	batchMux := derive.NewBatchMux(logger, config, recordBatches(channelReader, to), safe)
	attributes := derive.NewAttributesQueue(logger, config, builder, recordSingles(batchMux, to))

	first := l1.blocks[0].ref
	for _, stage := range []derive.ResettableStage{
		traversal, retrieval, frameQueue, channelMux, channelReader, batchMux, attributes,
	} {
		// io.EOF is how a stage says that its reset is complete.
		if err := stage.Reset(context.Background(), first, eth.SystemConfig{}); err != io.EOF {
			return nil, fmt.Errorf("reset of %T: %w", stage, err)
		}
	}
	return &stagePipeline{
		config:     config,
		l1:         l1,
		traversal:  traversal,
		attributes: attributes,
		forkStages: []derive.ForkTransformer{frameQueue, channelMux, batchMux},
		builder:    builder,
		origin:     first,
	}, nil
}

// Step does what DerivationPipeline.Step does once its reset is over.
func (p *stagePipeline) Step(ctx context.Context, safeHead eth.L2BlockRef) (*derive.AttributesWithParent, error) {
	if next := p.attributes.Origin(); next != p.origin {
		if err := derive.VerifyNewL1Origin(ctx, p.origin, p.l1, next); err != nil {
			return nil, err
		}
		if fork := p.config.IsActivationBlock(p.origin.Time, next.Time); fork != compat.NoFork {
			for _, stage := range p.forkStages {
				stage.Transform(fork)
			}
		}
		p.origin = next
	}
	attributes, err := p.attributes.NextAttributes(ctx, safeHead)
	if err == io.EOF {
		return nil, p.traversal.AdvanceL1Block(ctx)
	}
	return attributes, err
}

func (p *stagePipeline) DepositsOnlyAttributes(parent eth.BlockID, derivedFrom eth.L1BlockRef) (*derive.AttributesWithParent, error) {
	return p.attributes.DepositsOnlyAttributes(parent, derivedFrom)
}

func (p *stagePipeline) Origin() eth.L1BlockRef { return p.origin }

func (p *stagePipeline) batchOf(attributes *derive.AttributesWithParent) (*derive.SingularBatch, error) {
	return &derive.SingularBatch{
		ParentHash:   attributes.Parent.Hash,
		EpochNum:     rollup.Epoch(p.builder.epoch.Number),
		EpochHash:    p.builder.epoch.Hash,
		Timestamp:    uint64(attributes.Attributes.Timestamp),
		Transactions: attributes.Attributes.Transactions,
	}, nil
}

// builderStub accepts every batch. Its attributes have no deposits; the epoch, which op-node would put into one, is
// kept beside them.
type builderStub struct {
	blockTime uint64
	epoch     eth.BlockID
}

func (b *builderStub) PreparePayloadAttributes(_ context.Context, parent eth.L2BlockRef, epoch eth.BlockID) (*eth.PayloadAttributes, error) {
	b.epoch = epoch
	return &eth.PayloadAttributes{Timestamp: hexutil.Uint64(parent.Time + b.blockTime)}, nil
}

// logger drops everything, also the context that the stages keep adding to it.
var logger log.Logger = silentLogger{log.NewLogger(log.DiscardHandler())}

type silentLogger struct{ log.Logger }

func (l silentLogger) New(...any) log.Logger  { return l }
func (l silentLogger) With(...any) log.Logger { return l }
