package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/ethereum-optimism/optimism/op-node/rollup"
	"github.com/ethereum-optimism/optimism/op-node/rollup/derive"
	"github.com/ethereum-optimism/optimism/op-service/eth"

	"holodiff/references/op-node/compat"
)

// l1Chain serves a vector's L1 blocks and their batcher data from memory.
type l1Chain struct {
	blocks []l1Block
}

var (
	_ derive.L1BlockRefByNumberFetcher = (*l1Chain)(nil)
	_ derive.DataAvailabilitySource    = (*l1Chain)(nil)
)

// at gives the block of that number, or ethereum.NotFound as an L1 node does for a block beyond its head.
func (c *l1Chain) at(number uint64) (*l1Block, error) {
	index := number - c.blocks[0].ref.Number
	if index >= uint64(len(c.blocks)) {
		return nil, fmt.Errorf("L1 block %d: %w", number, ethereum.NotFound)
	}
	return &c.blocks[index], nil
}

// L1BlockRefByNumber fails with ethereum.NotFound outside of the vector's blocks.
func (c *l1Chain) L1BlockRefByNumber(_ context.Context, number uint64) (eth.L1BlockRef, error) {
	block, err := c.at(number)
	if err != nil {
		return eth.L1BlockRef{}, err
	}
	return block.ref, nil
}

// FetchReceipts gives no receipts: a vector has neither deposits nor changes of the system configuration.
func (c *l1Chain) FetchReceipts(context.Context, common.Hash) (eth.BlockInfo, compat.Receipts, error) {
	return nil, nil, nil
}

// OpenData iterates over the data of the block.
func (c *l1Chain) OpenData(_ context.Context, ref eth.L1BlockRef, _ common.Address) (derive.DataIter, error) {
	block, err := c.at(ref.Number)
	if err != nil {
		return nil, err
	}
	items := dataItems(block.data)
	return &items, nil
}

type dataItems []hexutil.Bytes

// Next ends with io.EOF.
func (d *dataItems) Next(context.Context) (eth.Data, error) {
	if len(*d) == 0 {
		return nil, io.EOF
	}
	next := (*d)[0]
	*d = (*d)[1:]
	return next, nil
}

// safeChain is the safe L2 chain: the vector's blocks and those that the simulated engine has built on them.
type safeChain struct {
	config *rollup.Config
	given  int
	// blocks may be longer than the chain: blocks beyond length are known from an earlier run over the same vector.
	blocks []l2Block
	length int
	// payloads caches what PayloadByNumber gave, by index in blocks.
	payloads map[int]*eth.ExecutionPayloadEnvelope
}

var _ derive.SafeBlockFetcher = (*safeChain)(nil)

func newSafeChain(v *vector) *safeChain {
	return &safeChain{
		config:   v.config,
		given:    len(v.l2),
		blocks:   v.l2[:len(v.l2):len(v.l2)],
		length:   len(v.l2),
		payloads: map[int]*eth.ExecutionPayloadEnvelope{},
	}
}

func (c *safeChain) head() eth.L2BlockRef { return c.blocks[c.length-1].ref }

// rewind takes the chain back to the vector's own blocks. The same run may then be repeated, and no other: its
// blocks are remembered, not built again.
func (c *safeChain) rewind() { c.length = c.given }

// build puts the block of an accepted batch on the safe head.
func (c *safeChain) build(batch *derive.SingularBatch) {
	if c.length == len(c.blocks) {
		c.blocks = append(c.blocks, blockOf(c.head(), batch))
	}
	c.length++
}

// blockOf simulates the engine: the block that follows from a batch, with the hash that the vector format defines.
func blockOf(parent eth.L2BlockRef, batch *derive.SingularBatch) l2Block {
	ref := eth.L2BlockRef{
		Number:     parent.Number + 1,
		ParentHash: parent.Hash,
		Time:       batch.Timestamp,
		L1Origin:   batch.Epoch(),
	}
	if ref.L1Origin.Number == parent.L1Origin.Number {
		ref.SequenceNumber = parent.SequenceNumber + 1
	}
	preimage := make([]byte, 0, 32+3*8+32+32*len(batch.Transactions))
	preimage = append(preimage, parent.Hash[:]...)
	preimage = binary.BigEndian.AppendUint64(preimage, ref.Number)
	preimage = binary.BigEndian.AppendUint64(preimage, ref.Time)
	preimage = binary.BigEndian.AppendUint64(preimage, ref.L1Origin.Number)
	preimage = append(preimage, ref.L1Origin.Hash[:]...)
	for _, transaction := range batch.Transactions {
		preimage = append(preimage, crypto.Keccak256(transaction)...)
	}
	ref.Hash = crypto.Keccak256Hash(preimage)
	return l2Block{ref: ref, transactions: batch.Transactions}
}

// index locates a block of the chain, or fails with ethereum.NotFound as an L2 node does for a block it lacks.
func (c *safeChain) index(number uint64) (int, error) {
	index := number - c.blocks[0].ref.Number
	if index >= uint64(c.length) {
		return 0, fmt.Errorf("L2 block %d: %w", number, ethereum.NotFound)
	}
	return int(index), nil
}

// L2BlockRefByNumber fails with ethereum.NotFound outside of the known safe chain.
func (c *safeChain) L2BlockRefByNumber(_ context.Context, number uint64) (eth.L2BlockRef, error) {
	index, err := c.index(number)
	if err != nil {
		return eth.L2BlockRef{}, err
	}
	return c.blocks[index].ref, nil
}

// PayloadByNumber gives a block as the engine would: an L1 attributes deposit, then the user transactions. It fails
// with ethereum.NotFound outside of the known safe chain.
func (c *safeChain) PayloadByNumber(_ context.Context, number uint64) (*eth.ExecutionPayloadEnvelope, error) {
	index, err := c.index(number)
	if err != nil {
		return nil, err
	}
	if payload, ok := c.payloads[index]; ok {
		return payload, nil
	}
	block := &c.blocks[index]
	attributes, err := compat.L1InfoDeposit(c.config, block.ref.SequenceNumber,
		l1Info(block.ref.L1Origin, common.Hash{}), block.ref.Time)
	if err != nil {
		return nil, err
	}
	payload := &eth.ExecutionPayloadEnvelope{ExecutionPayload: &eth.ExecutionPayload{
		ParentHash:   block.ref.ParentHash,
		BlockNumber:  eth.Uint64Quantity(block.ref.Number),
		Timestamp:    eth.Uint64Quantity(block.ref.Time),
		BlockHash:    block.ref.Hash,
		Transactions: append([]eth.Data{attributes}, block.transactions...),
	}}
	c.payloads[index] = payload
	return payload, nil
}

// l1Info describes an L1 block as the L1 attributes deposit needs it, at time 0 and without fees.
func l1Info(id eth.BlockID, parent common.Hash) eth.BlockInfo {
	return eth.HeaderBlockInfoTrusted(id.Hash, &types.Header{
		Number:     new(big.Int).SetUint64(id.Number),
		ParentHash: parent,
		BaseFee:    new(big.Int),
	})
}
