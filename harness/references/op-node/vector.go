package main

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/ethereum-optimism/optimism/op-node/rollup"
	"github.com/ethereum-optimism/optimism/op-service/eth"

	"holodiff/references/op-node/compat"
)

// format is the vector and trace format that this program speaks.
const format = 1

// vector is one input of the derivation pipeline, in op-node's own types.
type vector struct {
	name   string
	config *rollup.Config
	l1     []l1Block // not empty; consecutive numbers, strictly increasing times
	l2     []l2Block // not empty; consecutive numbers, linked by parent hash; the last is the safe head
	// invalid holds the numbers of the L2 blocks that the engine refuses if their batch has a transaction.
	invalid map[uint64]bool
}

type l1Block struct {
	ref eth.L1BlockRef
	// data is what the data source yields for the block, in order.
	data []hexutil.Bytes
}

type l2Block struct {
	ref eth.L2BlockRef
	// transactions are the user transactions, without deposits.
	transactions []hexutil.Bytes
}

// parseVector reads a vector of format 1.
func parseVector(line []byte) (*vector, *schemaError) {
	document, err := parseDocument(line)
	if err != nil {
		return nil, refuse("%v", err)
	}
	v := &vector{
		config:  &rollup.Config{L1ChainID: l1ChainID, BatchInboxAddress: batchInbox},
		invalid: map[uint64]bool{},
	}
	return v, fields(&document,
		field{"format", readFormat},
		field{"name", name(&v.name)},
		field{"config", v.readConfig},
		field{"l1", v.readL1},
		field{"l2", v.readL2},
		field{"invalidBlocks", v.readInvalidBlocks},
	)
}

func readFormat(v *value) *schemaError {
	var n uint64
	if err := integer(&n)(v); err != nil {
		return err
	}
	if n != format {
		return refuse("expected %d, got %d", format, n)
	}
	return nil
}

func (v *vector) readConfig(from *value) *schemaError {
	c := v.config
	var chainID uint64
	err := fields(from,
		field{"genesis", func(from *value) *schemaError {
			return fields(from,
				field{"l1", blockID(&c.Genesis.L1)},
				field{"l2", blockID(&c.Genesis.L2)},
				field{"l2Time", integer(&c.Genesis.L2Time)},
			)
		}},
		field{"l2ChainId", integer(&chainID)},
		field{"blockTime", integer(&c.BlockTime)},
		field{"maxSequencerDrift", integer(&c.MaxSequencerDrift)},
		field{"seqWindowSize", integer(&c.SeqWindowSize)},
		field{"channelTimeout", integer(&c.ChannelTimeoutBedrock)},
		field{"forks", v.readForks},
	)
	c.L2ChainID = new(big.Int).SetUint64(chainID)
	return err
}

// readForks reads the activation times of the forks that format 1 schedules.
func (v *vector) readForks(from *value) *schemaError {
	c := v.config
	return fields(from,
		field{"regolith", activation(&c.RegolithTime)},
		field{"canyon", activation(&c.CanyonTime)},
		field{"delta", activation(&c.DeltaTime)},
		field{"ecotone", activation(&c.EcotoneTime)},
		field{"fjord", activation(&c.FjordTime)},
		field{"granite", activation(&c.GraniteTime)},
		field{"holocene", activation(&c.HoloceneTime)},
		field{"isthmus", activation(&c.IsthmusTime)},
		field{"jovian", activation(compat.JovianTime(c))},
		field{"karst", activation(compat.KarstTime(c))},
	)
}

func (v *vector) readL1(from *value) *schemaError {
	if from.kind == array && len(from.items) == 0 {
		return refuse("expected at least one block")
	}
	v.l1 = make([]l1Block, len(from.items))
	return each(from, func(i int, from *value) *schemaError {
		block := &v.l1[i]
		return fields(from,
			field{"number", func(from *value) *schemaError {
				if err := integer(&block.ref.Number)(from); err != nil {
					return err
				}
				if i > 0 && block.ref.Number != v.l1[i-1].ref.Number+1 {
					return refuse("expected the number after the previous block's")
				}
				return nil
			}},
			field{"hash", hash(&block.ref.Hash)},
			field{"parentHash", hash(&block.ref.ParentHash)},
			field{"timestamp", func(from *value) *schemaError {
				if err := integer(&block.ref.Time)(from); err != nil {
					return err
				}
				if i > 0 && block.ref.Time <= v.l1[i-1].ref.Time {
					return refuse("expected a time after the previous block's")
				}
				return nil
			}},
			field{"data", byteStrings(&block.data)},
		)
	})
}

func (v *vector) readL2(from *value) *schemaError {
	if from.kind == array && len(from.items) == 0 {
		return refuse("expected at least one block")
	}
	v.l2 = make([]l2Block, len(from.items))
	return each(from, func(i int, from *value) *schemaError {
		block := &v.l2[i]
		return fields(from,
			field{"number", func(from *value) *schemaError {
				if err := integer(&block.ref.Number)(from); err != nil {
					return err
				}
				if i > 0 && block.ref.Number != v.l2[i-1].ref.Number+1 {
					return refuse("expected the number after the previous block's")
				}
				return nil
			}},
			field{"hash", hash(&block.ref.Hash)},
			field{"parentHash", func(from *value) *schemaError {
				if err := hash(&block.ref.ParentHash)(from); err != nil {
					return err
				}
				if i > 0 && block.ref.ParentHash != v.l2[i-1].ref.Hash {
					return refuse("expected the previous block's hash")
				}
				return nil
			}},
			field{"timestamp", integer(&block.ref.Time)},
			field{"l1Origin", blockID(&block.ref.L1Origin)},
			field{"sequenceNumber", integer(&block.ref.SequenceNumber)},
			field{"transactions", byteStrings(&block.transactions)},
		)
	})
}

func (v *vector) readInvalidBlocks(from *value) *schemaError {
	return each(from, func(_ int, from *value) *schemaError {
		var n uint64
		if err := integer(&n)(from); err != nil {
			return err
		}
		v.invalid[n] = true
		return nil
	})
}

func blockID(to *eth.BlockID) read {
	return func(from *value) *schemaError {
		return fields(from,
			field{"number", integer(&to.Number)},
			field{"hash", hash(&to.Hash)},
		)
	}
}

// Constants of the L1 side that a vector leaves open, because nothing it describes depends on them.
var (
	l1ChainID  = big.NewInt(1)
	batchInbox = common.HexToAddress("0xff00000000000000000000000000000000000000")
)
