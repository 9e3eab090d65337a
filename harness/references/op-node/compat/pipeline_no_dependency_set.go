//go:build no_dependency_set

package compat

import (
	"github.com/ethereum/go-ethereum/log"

	altda "github.com/ethereum-optimism/optimism/op-alt-da"
	"github.com/ethereum-optimism/optimism/op-node/rollup"
	"github.com/ethereum-optimism/optimism/op-node/rollup/derive"
	"github.com/ethereum-optimism/optimism/op-service/eth"
)

// NewDerivationPipeline makes op-node's own pipeline, without blobs, alt-DA and interop.
func NewDerivationPipeline(logger log.Logger, config *rollup.Config, l1 derive.L1Fetcher, l2 derive.L2Source, metrics derive.Metrics) *derive.DerivationPipeline {
	return derive.NewDerivationPipeline(logger, config, l1, NoBlobs{}, altda.Disabled, l2, metrics, false)
}

// L1InfoDeposit encodes the deposit with which a block begins.
func L1InfoDeposit(config *rollup.Config, sequenceNumber uint64, l1 eth.BlockInfo, l2Time uint64) ([]byte, error) {
	return derive.L1InfoDepositBytes(config, eth.SystemConfig{}, sequenceNumber, l1, l2Time)
}
