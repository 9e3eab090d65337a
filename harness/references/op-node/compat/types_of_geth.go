//go:build types_of_geth

package compat

import (
	"github.com/ethereum/go-ethereum/core/types"
)

// Before op-node had types of its own, those of op-geth knew deposits.

// Receipts are those of L1.
type Receipts = types.Receipts

// DepositTxType is the first byte of a deposit.
const DepositTxType = types.DepositTxType

// DepositData gives the calldata of a deposit.
func DepositData(raw []byte) ([]byte, error) {
	var deposit types.Transaction
	if err := deposit.UnmarshalBinary(raw); err != nil {
		return nil, err
	}
	return deposit.Data(), nil
}
