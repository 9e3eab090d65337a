//go:build blobs_by_block

package compat

import (
	"context"

	"github.com/ethereum/go-ethereum"

	"github.com/ethereum-optimism/optimism/op-service/eth"
)

// NoBlobs is asked for nothing, as all data is calldata. Ecotone's data source has to have it all the same.
type NoBlobs struct{}

func (NoBlobs) GetBlobs(context.Context, eth.L1BlockRef, []eth.IndexedBlobHash) ([]*eth.Blob, error) {
	return nil, ethereum.NotFound
}
