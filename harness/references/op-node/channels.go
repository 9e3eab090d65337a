package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/ethereum-optimism/optimism/op-node/rollup"
	"github.com/ethereum-optimism/optimism/op-node/rollup/derive"

	"holodiff/references/op-node/compat"
)

// channelQuestion asks for the batches of one channel's compressed data. It is the harness's own, for tests of
// decompression with limits that no chain has, so it is not read as strictly as a vector.
type channelQuestion struct {
	Data hexutil.Bytes `json:"data"`
	// Limit is how many decompressed bytes count.
	Limit  uint64 `json:"limit"`
	Brotli bool   `json:"brotli"`
}

type channelAnswer struct {
	// Batches are hashed as in a trace; a span batch that cannot be rebuilt is left out.
	Batches []hexutil.Bytes `json:"batches"`
}

// readChannels answers each question on its line.
func readChannels(from io.Reader, to io.Writer) error {
	if err := writeLine(to, newHandshake()); err != nil {
		return err
	}
	return eachLine(from, func(line []byte) error {
		var question channelQuestion
		if err := json.Unmarshal(line, &question); err != nil {
			return err
		}
		return writeLine(to, readChannel(question))
	})
}

// readChannel reads as op-node's channel reader does, until the reader gives no further batch.
func readChannel(question channelQuestion) channelAnswer {
	answer := channelAnswer{Batches: []hexutil.Bytes{}}
	next, err := derive.BatchReader(bytes.NewReader(question.Data), question.Limit, question.Brotli)
	if err != nil {
		return answer
	}
	cfg := &rollup.Config{BlockTime: 2, Genesis: rollup.Genesis{L2Time: 1000}, L2ChainID: big.NewInt(901)}
	for {
		data, err := next()
		if err != nil {
			return answer
		}
		var read derive.Batch
		if data.GetBatchType() == derive.SingularBatchType {
			read, err = derive.GetSingularBatch(data)
		} else {
			read, err = compat.DeriveSpanBatch(data, cfg)
		}
		if err == nil {
			_, hash := describeBatch(read)
			answer.Batches = append(answer.Batches, hash[:])
		}
	}
}
