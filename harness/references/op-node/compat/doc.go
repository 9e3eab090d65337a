// Package compat holds what op-node's public interface has in another form in other versions, under the names of the
// newest. The harness looks at the sources that are to be linked and sets the build tags that fit; without any, the
// package fits the version in go.mod.
package compat
