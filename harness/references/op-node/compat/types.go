//go:build !types_of_geth

package compat

import (
	optypes "github.com/ethereum-optimism/optimism/op-core/types"
)

// Receipts are those of L1.
type Receipts = optypes.Receipts

// DepositTxType is the first byte of a deposit.
const DepositTxType = optypes.DepositTxType

// DepositData gives the calldata of a deposit.
func DepositData(raw []byte) ([]byte, error) {
	deposit, err := optypes.UnmarshalDepositTx(raw)
	if err != nil {
		return nil, err
	}
	return deposit.Data, nil
}
