//go:build !no_karst

package compat

import "github.com/ethereum-optimism/optimism/op-node/rollup"

// JovianTime is where the activation time stands.
func JovianTime(c *rollup.Config) **uint64 { return &c.JovianTime }

// KarstTime is where the activation time stands.
func KarstTime(c *rollup.Config) **uint64 { return &c.KarstTime }
