//go:build span_by_values

package compat

import (
	"github.com/ethereum-optimism/optimism/op-node/rollup"
	"github.com/ethereum-optimism/optimism/op-node/rollup/derive"
)

// DeriveSpanBatch rebuilds a span batch.
func DeriveSpanBatch(data *derive.BatchData, config *rollup.Config) (*derive.SpanBatch, error) {
	return derive.DeriveSpanBatch(data, config.BlockTime, config.Genesis.L2Time, config.L2ChainID)
}
