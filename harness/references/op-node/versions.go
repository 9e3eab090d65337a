package main

import (
	"runtime"
	"runtime/debug"
	"strings"
)

const (
	opNodeModule = "github.com/ethereum-optimism/optimism"
	brotliModule = "github.com/andybalholm/brotli"
	gethModule   = "github.com/ethereum/go-ethereum"
)

// Set by the linker, where something else than a published version with what it names is built.
var (
	// versionSuffix says of which sources op-node is.
	versionSuffix string
	// namedOpGeth is the op-geth in whose place another one was linked.
	namedOpGeth string
)

// handshake is the first line of output.
type handshake struct {
	Holodiff       string            `json:"holodiff"`
	Implementation implementation    `json:"implementation"`
	Formats        []int             `json:"formats"`
	Decompressors  map[string]string `json:"decompressors"`
	Dependencies   map[string]string `json:"dependencies"`
}

// opNode is the implementation under test, in the version that was linked.
var opNode = implementation{"op-node", opNodeVersion()}

func opNodeVersion() string {
	version := strings.TrimPrefix(linkedVersion(opNodeModule), "v")
	if version == "" {
		// A folder has none.
		version = "0.0.0"
	}
	return version + versionSuffix
}

func newHandshake() handshake {
	return handshake{
		Holodiff:       "handshake",
		Implementation: opNode,
		Formats:        []int{format},
		Decompressors: map[string]string{
			"zlib":   "compress/zlib " + runtime.Version(),
			"brotli": brotliModule + " " + linkedVersion(brotliModule),
		},
		Dependencies: map[string]string{"op-geth": opGeth()},
	}
}

func opGeth() string {
	if namedOpGeth == "" {
		return linkedVersion(gethModule)
	}
	return linkedVersion(gethModule) + " in place of " + namedOpGeth
}

// linkedVersion tells from the binary itself which version of a module is in it.
func linkedVersion(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, dependency := range info.Deps {
		if dependency.Path != module {
			continue
		}
		if dependency.Replace != nil {
			dependency = dependency.Replace
		}
		return dependency.Version
	}
	return "unknown"
}
