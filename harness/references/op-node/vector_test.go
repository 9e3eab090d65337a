package main

import (
	"strings"
	"testing"

	"github.com/ethereum-optimism/optimism/op-core/forks"
)

var (
	hashA = "0x" + strings.Repeat("aa", 32)
	hashB = "0x" + strings.Repeat("bb", 32)
	hashC = "0x" + strings.Repeat("cc", 32)
)

// plainVector is a valid vector of two L1 and two L2 blocks.
var plainVector = `{"format":1,"name":"plain","config":{"genesis":{"l1":{"number":0,"hash":"` + hashA + `"},"l2":{"number":0,"hash":"` + hashB + `"},` +
	`"l2Time":1000},"l2ChainId":901,"blockTime":2,"maxSequencerDrift":600,"seqWindowSize":3600,"channelTimeout":300,` +
	`"forks":{"regolith":0,"canyon":0,"delta":0,"ecotone":0,"fjord":0,"granite":0,"holocene":1100,"isthmus":null,"jovian":null,"karst":null}},` +
	`"l1":[{"number":10,"hash":"` + hashA + `","parentHash":"` + hashB + `","timestamp":1000,"data":[]},` +
	`{"number":11,"hash":"` + hashB + `","parentHash":"` + hashA + `","timestamp":1012,"data":["0x00","0x"]}],` +
	`"l2":[{"number":4,"hash":"` + hashB + `","parentHash":"` + hashA + `","timestamp":1008,"l1Origin":{"number":10,"hash":"` + hashA + `"},` +
	`"sequenceNumber":4,"transactions":["0x02"]},` +
	`{"number":5,"hash":"` + hashC + `","parentHash":"` + hashB + `","timestamp":1010,"l1Origin":{"number":10,"hash":"` + hashA + `"},` +
	`"sequenceNumber":5,"transactions":[]}],"invalidBlocks":[7]}`

func TestVector(t *testing.T) {
	v, err := parseVector([]byte(plainVector))
	if err != nil {
		t.Fatal(err)
	}
	if v.name != "plain" || v.config.L2ChainID.Uint64() != 901 || v.config.ChannelTimeoutBedrock != 300 || !v.invalid[7] {
		t.Errorf("misread: %+v", v)
	}
	if holocene := v.config.ActivationTime(forks.Holocene); holocene == nil || *holocene != 1100 {
		t.Errorf("holocene at %v", holocene)
	}
	if v.config.IsthmusTime != nil {
		t.Errorf("isthmus at %d", *v.config.IsthmusTime)
	}
	if data := v.l1[1].data; len(data) != 2 || len(data[0]) != 1 || len(data[1]) != 0 {
		t.Errorf("data %v", data)
	}
}

func TestVectorErrors(t *testing.T) {
	for _, c := range []struct{ old, new, path string }{
		{plainVector, `[]`, ""},
		{plainVector, `{`, ""},
		{plainVector, `{}`, "format"},
		{`"format":1`, `"format":2`, "format"},
		{`"format":1`, `"format":"1"`, "format"},
		{`"format":1,`, ``, "format"},
		{`"name":"plain"`, `"name":null`, "name"},
		{`"name":"plain"`, `"name":"plain","name":"plain"`, "name"},
		{`"blockTime":2`, `"blockTime":2,"extra":0`, "config.extra"},
		{`"blockTime":2,`, ``, "config.blockTime"},
		{`"blockTime":2`, `"blockTime":-2`, "config.blockTime"},
		{`"blockTime":2`, `"blockTime":2.5`, "config.blockTime"},
		{`"blockTime":2`, `"blockTime":9007199254740992`, "config.blockTime"},
		{`"blockTime":2`, `"blockTime":123456789012345678901234567890`, "config.blockTime"},
		{`"holocene":1100`, `"holocene":"never"`, "config.forks.holocene"},
		{`"karst":null`, `"karst":null,"lagoon":null`, "config.forks.lagoon"},
		{`"l2Time":1000`, `"l2Time":null`, "config.genesis.l2Time"},
		{`["0x00","0x"]`, `["0x00","0x0"]`, "l1[1].data[1]"},
		{`["0x00","0x"]`, `["0x00","0xAA"]`, "l1[1].data[1]"},
		{`["0x00","0x"]`, `["0x00","00"]`, "l1[1].data[1]"},
		{`["0x00","0x"]`, `["0x00",["0x"]]`, "l1[1].data[1]"},
		{`"number":11,"hash":"` + hashB, `"number":11,"hash":"` + hashB + "bb", "l1[1].hash"},
		{`"number":11`, `"number":12`, "l1[1].number"},
		{`"timestamp":1012`, `"timestamp":1000`, "l1[1].timestamp"},
		{`"number":5`, `"number":4`, "l2[1].number"},
		{`"parentHash":"` + hashB + `","timestamp":1010`, `"parentHash":"` + hashC + `","timestamp":1010`, "l2[1].parentHash"},
		{`{"number":10,"hash":"` + hashA + `"},"sequenceNumber":5`, `10,"sequenceNumber":5`, "l2[1].l1Origin"},
		{`"invalidBlocks":[7]`, `"invalidBlocks":[7,null]`, "invalidBlocks[1]"},
		{`"invalidBlocks":[7]`, `"invalidBlocks":7`, "invalidBlocks"},
		// A missing field counts as standing at the end of its object: what is wrong before it comes first.
		{`"blockTime":2,"maxSequencerDrift":600`, `"maxSequencerDrift":-600`, "config.maxSequencerDrift"},
	} {
		if !strings.Contains(plainVector, c.old) {
			t.Fatalf("the vector lacks %s", c.old)
		}
		_, err := parseVector([]byte(strings.Replace(plainVector, c.old, c.new, 1)))
		if err == nil {
			t.Errorf("%s: accepted", c.new)
		} else if err.path != c.path {
			t.Errorf("%s: at %q (%s), not %q", c.new, err.path, err.message, c.path)
		}
	}
}

func TestVectorNeedsBlocks(t *testing.T) {
	for _, list := range []string{"l1", "l2"} {
		start := strings.Index(plainVector, `"`+list+`":[{`) + len(list) + 3
		end := strings.Index(plainVector[start:], "}],") + start + 2
		_, err := parseVector([]byte(plainVector[:start] + "[]" + plainVector[end:]))
		if err == nil || err.path != list {
			t.Errorf("no %s: %v", list, err)
		}
	}
}
