//go:build no_karst && !no_jovian

package compat

import "github.com/ethereum-optimism/optimism/op-node/rollup"

// JovianTime is where the activation time stands.
func JovianTime(c *rollup.Config) **uint64 { return &c.JovianTime }

// KarstTime is read and has no effect: the version does not know the fork.
func KarstTime(*rollup.Config) **uint64 { return new(*uint64) }
