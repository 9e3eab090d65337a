//go:build !forks_of_rollup

package compat

import "github.com/ethereum-optimism/optimism/op-core/forks"

// NoFork is what activates where no fork does.
const NoFork = forks.None
