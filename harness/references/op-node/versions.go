package main

import (
	"runtime"
	"runtime/debug"
	"strings"
)

const (
	opNodeModule = "github.com/ethereum-optimism/optimism"
	brotliModule = "github.com/andybalholm/brotli"
)

// handshake is the first line of output.
type handshake struct {
	Holodiff       string            `json:"holodiff"`
	Implementation implementation    `json:"implementation"`
	Formats        []int             `json:"formats"`
	Decompressors  map[string]string `json:"decompressors"`
}

// opNode is the implementation under test, in the version that was linked.
var opNode = implementation{"op-node", strings.TrimPrefix(linkedVersion(opNodeModule), "v")}

func newHandshake() handshake {
	return handshake{
		Holodiff:       "handshake",
		Implementation: opNode,
		Formats:        []int{format},
		Decompressors: map[string]string{
			"zlib":   "compress/zlib " + runtime.Version(),
			"brotli": brotliModule + " " + linkedVersion(brotliModule),
		},
	}
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
