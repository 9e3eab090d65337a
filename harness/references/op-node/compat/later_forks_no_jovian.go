//go:build no_jovian

package compat

import "github.com/ethereum-optimism/optimism/op-node/rollup"

// JovianTime is read and has no effect: the version does not know the fork.
func JovianTime(*rollup.Config) **uint64 { return new(*uint64) }

// KarstTime is read and has no effect: the version does not know the fork.
func KarstTime(*rollup.Config) **uint64 { return new(*uint64) }
