//go:build forks_of_rollup

package compat

import "github.com/ethereum-optimism/optimism/op-node/rollup"

// NoFork is what activates where no fork does.
const NoFork = rollup.None
