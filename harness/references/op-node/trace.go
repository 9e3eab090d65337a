package main

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/ethereum-optimism/optimism/op-service/eth"
)

// trace is one run over a vector, as trace format 1 writes it down.
type trace struct {
	Format         int            `json:"format"`
	Implementation implementation `json:"implementation"`
	Frames         []frame        `json:"frames"`
	Channels       []channel      `json:"channels"`
	Batches        []batch        `json:"batches"`
	Flushes        []flush        `json:"flushes"`
	Singles        []single       `json:"singles"`
	Outcome        outcome        `json:"outcome"`
	SafeHead       blockRef       `json:"safeHead"`
}

type implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type frame struct {
	Origin  uint64        `json:"origin"`
	Channel hexutil.Bytes `json:"channel"`
	Number  uint16        `json:"number"`
	Size    int           `json:"size"`
	Last    bool          `json:"last"`
}

type channel struct {
	Origin uint64      `json:"origin"`
	Size   int         `json:"size"`
	Hash   common.Hash `json:"hash"`
}

type batch struct {
	Origin uint64      `json:"origin"`
	Kind   string      `json:"kind"`
	Hash   common.Hash `json:"hash"`
}

type flush struct {
	Origin uint64 `json:"origin"`
	Cause  string `json:"cause"`
}

type single struct {
	Origin       uint64          `json:"origin"`
	ParentHash   common.Hash     `json:"parentHash"`
	EpochNum     uint64          `json:"epochNum"`
	EpochHash    common.Hash     `json:"epochHash"`
	Timestamp    uint64          `json:"timestamp"`
	Transactions []hexutil.Bytes `json:"transactions"`
}

// outcome is how a run ended: drained, reset, critical, crash or stalled. The message is for people.
type outcome struct {
	Kind    string `json:"kind"`
	Message string `json:"message,omitempty"`
}

type blockRef struct {
	Number uint64      `json:"number"`
	Hash   common.Hash `json:"hash"`
}

// newTrace gives an empty trace, whose lists are written as [] rather than null.
func newTrace() *trace {
	return &trace{
		Format:         format,
		Implementation: opNode,
		Frames:         []frame{},
		Channels:       []channel{},
		Batches:        []batch{},
		Flushes:        []flush{},
		Singles:        []single{},
	}
}

func (t *trace) end(o outcome, safeHead eth.L2BlockRef) *trace {
	t.Outcome = o
	t.SafeHead = blockRef{Number: safeHead.Number, Hash: safeHead.Hash}
	return t
}
