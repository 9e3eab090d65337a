package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/ethereum-optimism/optimism/op-node/rollup"
	"github.com/ethereum-optimism/optimism/op-node/rollup/derive"
	"github.com/ethereum-optimism/optimism/op-service/eth"

	"holodiff/references/op-node/compat"
)

// batcherKey signs the batcher transactions of the assembled mode. It guards nothing.
var batcherKey, _ = crypto.ToECDSA(crypto.Keccak256([]byte("holodiff batcher")))

// systemConfig names the batcher; everything else about it has no influence on batches.
var systemConfig = eth.SystemConfig{BatcherAddr: crypto.PubkeyToAddress(batcherKey.PublicKey)}

// assembledPipeline is op-node's own DerivationPipeline, whole.
type assembledPipeline struct {
	*derive.DerivationPipeline
	config *rollup.Config
}

var _ pipeline = (*assembledPipeline)(nil)

// assembled derives through op-node's own pipeline, of which only the end can be seen.
func assembled(v *vector) *trace {
	t, safe := newTrace(), newSafeChain(v)
	return t.end(recovered(func() outcome {
		active := new(activity)
		p, err := newAssembledPipeline(v, safe, active)
		if err != nil {
			return outcome{"critical", err.Error()}
		}
		return drive(p, v, safe, active, (&recording{trace: t, activity: active}).emitted)
	}), safe.head())
}

// newAssembledPipeline makes op-node's pipeline and resets it to the first L1 block. It fails if two L1 blocks have
// the same hash, since op-node looks blocks up by hash.
func newAssembledPipeline(v *vector, safe *safeChain, metrics derive.Metrics) (*assembledPipeline, error) {
	l1, err := newL1Node(v.l1, safe)
	if err != nil {
		return nil, err
	}
	p := compat.NewDerivationPipeline(logger, v.config, l1, l2Node{safe}, metrics)
	p.Reset()
	p.ConfirmEngineReset()
	// A reset walks back from the safe head over a channel timeout of L2 blocks, to the L1 origin of the block where
	// it stops, and stops at once at an L2 block that is not after genesis. So a stand-in for the safe head, at number
	// 0 and with the wanted L1 origin, makes the reset end there. Nothing of it but its origin reaches the stages.
	anchor := eth.L2BlockRef{Hash: common.Hash{0xff}, L1Origin: v.l1[0].ref.ID()}
	for !p.DerivationReady() {
		if _, err := p.Step(context.Background(), anchor); err != nil {
			return nil, fmt.Errorf("reset: %w", err)
		}
	}
	if p.Origin() != v.l1[0].ref {
		return nil, fmt.Errorf("reset ended at L1 block %s", p.Origin())
	}
	return &assembledPipeline{p, v.config}, nil
}

// batchOf reads the epoch from the L1 attributes deposit, which comes first; deposits are no part of a batch.
func (p *assembledPipeline) batchOf(attributes *derive.AttributesWithParent) (*derive.SingularBatch, error) {
	transactions := attributes.Attributes.Transactions
	timestamp := uint64(attributes.Attributes.Timestamp)
	if len(transactions) == 0 {
		return nil, errors.New("attributes without an L1 attributes deposit")
	}
	data, err := compat.DepositData(transactions[0])
	if err != nil {
		return nil, err
	}
	info, err := derive.L1BlockInfoFromBytes(p.config, timestamp, data)
	if err != nil {
		return nil, err
	}
	for len(transactions) > 0 && len(transactions[0]) > 0 && transactions[0][0] == compat.DepositTxType {
		transactions = transactions[1:]
	}
	return &derive.SingularBatch{
		ParentHash:   attributes.Parent.Hash,
		EpochNum:     rollup.Epoch(info.Number),
		EpochHash:    info.BlockHash,
		Timestamp:    timestamp,
		Transactions: transactions,
	}, nil
}

// l1Node presents a vector's L1 as a node would: each data entry is the calldata of a batcher transaction.
type l1Node struct {
	l1Chain
	safe *safeChain
	// indices of the blocks by hash
	indices map[common.Hash]int
	// transactions of the blocks that have been asked for, by index
	transactions map[int]types.Transactions
}

var _ derive.L1Fetcher = (*l1Node)(nil)

func newL1Node(blocks []l1Block, safe *safeChain) (*l1Node, error) {
	n := &l1Node{l1Chain{blocks}, safe, make(map[common.Hash]int, len(blocks)), map[int]types.Transactions{}}
	for i := range blocks {
		ref := blocks[i].ref
		if twin, ok := n.indices[ref.Hash]; ok {
			return nil, fmt.Errorf("L1 blocks %d and %d have the same hash, and this mode looks blocks up by hash",
				blocks[twin].ref.Number, ref.Number)
		}
		n.indices[ref.Hash] = i
	}
	return n, nil
}

func (n *l1Node) index(hash common.Hash) (int, error) {
	index, ok := n.indices[hash]
	if !ok {
		return 0, fmt.Errorf("L1 block %s: %w", hash, ethereum.NotFound)
	}
	return index, nil
}

// L1BlockRefByLabel gives the last block of the vector under each label.
func (n *l1Node) L1BlockRefByLabel(context.Context, eth.BlockLabel) (eth.L1BlockRef, error) {
	return n.blocks[len(n.blocks)-1].ref, nil
}

func (n *l1Node) L1BlockRefByHash(_ context.Context, hash common.Hash) (eth.L1BlockRef, error) {
	index, err := n.index(hash)
	if err != nil {
		return eth.L1BlockRef{}, err
	}
	return n.blocks[index].ref, nil
}

// InfoByHash describes a block so that the attributes builder finds nothing to object to: its own check of the L1
// origin comes after the batch rules, and a trace ends before it.
func (n *l1Node) InfoByHash(_ context.Context, hash common.Hash) (eth.BlockInfo, error) {
	index, err := n.index(hash)
	if err != nil {
		return nil, err
	}
	return l1Info(n.blocks[index].ref.ID(), n.safe.head().L1Origin.Hash), nil
}

func (n *l1Node) FetchReceipts(ctx context.Context, hash common.Hash) (eth.BlockInfo, compat.Receipts, error) {
	info, err := n.InfoByHash(ctx, hash)
	return info, nil, err
}

func (n *l1Node) InfoAndTxsByHash(ctx context.Context, hash common.Hash) (eth.BlockInfo, types.Transactions, error) {
	info, err := n.InfoByHash(ctx, hash)
	if err != nil {
		return nil, nil, err
	}
	index := n.indices[hash]
	transactions, ok := n.transactions[index]
	if !ok {
		signer := types.LatestSignerForChainID(l1ChainID)
		for nonce, data := range n.blocks[index].data {
			transactions = append(transactions, types.MustSignNewTx(batcherKey, signer, &types.DynamicFeeTx{
				ChainID: l1ChainID,
				Nonce:   uint64(nonce),
				To:      &batchInbox,
				Data:    data,
			}))
		}
		n.transactions[index] = transactions
	}
	return info, transactions, nil
}

// l2Node presents the safe chain as an execution engine would.
type l2Node struct{ *safeChain }

var _ derive.L2Source = l2Node{}

func (n l2Node) byHash(hash common.Hash) (uint64, error) {
	for i := n.length - 1; i >= 0; i-- {
		if n.blocks[i].ref.Hash == hash {
			return n.blocks[i].ref.Number, nil
		}
	}
	return 0, fmt.Errorf("L2 block %s: %w", hash, ethereum.NotFound)
}

func (n l2Node) PayloadByHash(ctx context.Context, hash common.Hash) (*eth.ExecutionPayloadEnvelope, error) {
	number, err := n.byHash(hash)
	if err != nil {
		return nil, err
	}
	return n.PayloadByNumber(ctx, number)
}

func (n l2Node) L2BlockRefByHash(ctx context.Context, hash common.Hash) (eth.L2BlockRef, error) {
	number, err := n.byHash(hash)
	if err != nil {
		return eth.L2BlockRef{}, err
	}
	return n.L2BlockRefByNumber(ctx, number)
}

// L2BlockRefByLabel gives the safe head under each label.
func (n l2Node) L2BlockRefByLabel(context.Context, eth.BlockLabel) (eth.L2BlockRef, error) {
	return n.head(), nil
}

func (n l2Node) SystemConfigByL2Hash(context.Context, common.Hash) (eth.SystemConfig, error) {
	return systemConfig, nil
}
