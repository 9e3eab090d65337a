package main

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/ethereum-optimism/optimism/op-core/forks"
	"github.com/ethereum-optimism/optimism/op-node/rollup"
	"github.com/ethereum-optimism/optimism/op-node/rollup/derive"
	"github.com/ethereum-optimism/optimism/op-service/eth"
)

// scenario is a chain of six L1 blocks from number 10 on, 12 seconds apart, and a safe head at the time of the first.
// L2 blocks follow every 2 seconds; those planned have one transaction each and stay in epoch 10.
func scenario(edit func(config *rollup.Config)) *vector {
	config := &rollup.Config{
		L1ChainID: l1ChainID, L2ChainID: l1ChainID, BatchInboxAddress: batchInbox,
		BlockTime: 2, MaxSequencerDrift: 600, SeqWindowSize: 3600, ChannelTimeoutBedrock: 300,
	}
	config.ActivateAtGenesis(forks.Holocene)
	edit(config)
	v := &vector{name: "scenario", config: config, invalid: map[uint64]bool{}}
	for i := range uint64(6) {
		ref := eth.L1BlockRef{Number: 10 + i, Hash: l1Hash(10 + i), ParentHash: l1Hash(9 + i), Time: 1000 + 12*i}
		v.l1 = append(v.l1, l1Block{ref: ref})
	}
	config.Genesis.L1 = v.l1[0].ref.ID()
	v.l2 = []l2Block{{ref: eth.L2BlockRef{Number: 5, Hash: common.Hash{5}, Time: 1000, L1Origin: v.l1[0].ref.ID()}}}
	return v
}

func l1Hash(number uint64) common.Hash { return common.Hash{0x11, byte(number)} }

// plan gives the single batches of the next blocks on the safe head.
func plan(v *vector, count int) (batches []*derive.SingularBatch) {
	parent := v.l2[len(v.l2)-1]
	for i := range count {
		b := &derive.SingularBatch{
			ParentHash:   parent.ref.Hash,
			EpochNum:     10,
			EpochHash:    l1Hash(10),
			Timestamp:    parent.ref.Time + v.config.BlockTime,
			Transactions: []hexutil.Bytes{{2, byte(i)}},
		}
		batches = append(batches, b)
		parent = blockOf(parent.ref, b)
	}
	return batches
}

// post puts the batches into one channel of one frame, in one item of the L1 block.
func post(t *testing.T, v *vector, number uint64, id byte, batches ...*derive.SingularBatch) {
	t.Helper()
	var data, item bytes.Buffer
	compressor := zlib.NewWriter(&data)
	for _, b := range batches {
		if err := derive.NewBatchData(b).EncodeRLP(compressor); err != nil {
			t.Fatal(err)
		}
	}
	if err := compressor.Close(); err != nil {
		t.Fatal(err)
	}
	item.WriteByte(0)
	f := derive.Frame{ID: derive.ChannelID{id}, Data: data.Bytes(), IsLast: true}
	if err := f.MarshalBinary(&item); err != nil {
		t.Fatal(err)
	}
	block := &v.l1[number-10]
	block.data = append(block.data, item.Bytes())
}

// sizes are the lengths of a trace's lists: frames, channels, batches, flushes, singles.
func sizes(t *trace) [5]int {
	return [5]int{len(t.Frames), len(t.Channels), len(t.Batches), len(t.Flushes), len(t.Singles)}
}

func TestTraces(t *testing.T) {
	for _, c := range []struct {
		name     string
		build    func(t *testing.T) *vector
		sizes    [5]int
		flushes  []flush
		outcome  string
		safeHead uint64
	}{
		{
			"batches in order",
			func(t *testing.T) *vector {
				v := scenario(func(*rollup.Config) {})
				post(t, v, 11, 1, plan(v, 3)...)
				return v
			},
			[5]int{1, 1, 3, 0, 3}, []flush{}, "drained", 8,
		},
		{
			"a batch out of order flushes",
			func(t *testing.T) *vector {
				v := scenario(func(*rollup.Config) {})
				batches := plan(v, 3)
				post(t, v, 11, 1, batches[0], batches[2], batches[1])
				return v
			},
			[5]int{1, 1, 2, 1, 1}, []flush{{11, "batch"}}, "drained", 6,
		},
		{
			"a refused block is built without its transactions and flushes",
			func(t *testing.T) *vector {
				v := scenario(func(*rollup.Config) {})
				v.invalid[7] = true
				post(t, v, 11, 1, plan(v, 3)...)
				return v
			},
			[5]int{1, 1, 2, 1, 2}, []flush{{11, "execution"}}, "drained", 7,
		},
		{
			"before Holocene no block is refused, and the bank waits for the origin",
			func(t *testing.T) *vector {
				v := scenario(func(c *rollup.Config) { c.ActivateAtGenesis(forks.Granite) })
				v.invalid[7] = true
				post(t, v, 11, 1, plan(v, 3)...)
				return v
			},
			[5]int{1, 1, 3, 0, 3}, []flush{}, "drained", 8,
		},
		{
			"a channel that the bank drops for its age is not listed",
			func(t *testing.T) *vector {
				v := scenario(func(c *rollup.Config) {
					c.ActivateAtGenesis(forks.Fjord)
					c.ChannelTimeoutBedrock = 1
				})
				post(t, v, 11, 1, plan(v, 1)...)
				item := v.l1[1].data[0]
				item[len(item)-1] = 0 // no longer the last frame
				return v
			},
			[5]int{1, 0, 0, 0, 0}, []flush{}, "drained", 5,
		},
		{
			"a parent hash that does not link asks for a reset",
			func(t *testing.T) *vector {
				v := scenario(func(*rollup.Config) {})
				post(t, v, 11, 1, plan(v, 1)...)
				v.l1[2].ref.ParentHash = common.Hash{0xbb}
				return v
			},
			[5]int{1, 1, 1, 0, 1}, []flush{}, "reset", 6,
		},
		{
			// Fjord and Holocene at the same block: op-node announces Fjord only, its stages stay as they were, and the
			// batch queue is not made for a flush.
			"a panic keeps what was recorded",
			func(t *testing.T) *vector {
				v := scenario(func(c *rollup.Config) {
					c.ActivateAt(forks.Fjord, 1012)
					c.SetActivationTime(forks.Granite, c.FjordTime)
					c.SetActivationTime(forks.Holocene, c.FjordTime)
				})
				v.invalid[6] = true
				post(t, v, 11, 1, plan(v, 1)...)
				return v
			},
			[5]int{1, 1, 1, 1, 1}, []flush{{11, "execution"}}, "crash", 5,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := c.build(t)
			got, whole := recorded(v), assembled(v)
			if sizes(got) != c.sizes {
				t.Errorf("list sizes %v, not %v", sizes(got), c.sizes)
			}
			if !reflect.DeepEqual(got.Flushes, c.flushes) {
				t.Errorf("flushes %v, not %v", got.Flushes, c.flushes)
			}
			if got.Outcome.Kind != c.outcome {
				t.Errorf("outcome %v, not %s", got.Outcome, c.outcome)
			}
			if got.SafeHead.Number != c.safeHead {
				t.Errorf("safe head %d, not %d", got.SafeHead.Number, c.safeHead)
			}
			if !reflect.DeepEqual(whole.Singles, got.Singles) || whole.Outcome.Kind != got.Outcome.Kind || whole.SafeHead != got.SafeHead {
				t.Errorf("op-node's own pipeline differs: %+v", whole)
			}
		})
	}
}

// endless asks for another try each time.
type endless struct {
	pipeline
	tries int
}

func (e *endless) Step(context.Context, eth.L2BlockRef) (*derive.AttributesWithParent, error) {
	e.tries++
	return nil, derive.NotEnoughData
}

func TestStalled(t *testing.T) {
	v, p := scenario(func(*rollup.Config) {}), &endless{}
	got := drive(p, v, newSafeChain(v), new(activity), nil)
	if got.Kind != "stalled" || p.tries != 10_001 {
		t.Errorf("%s after %d tries", got.Kind, p.tries)
	}
}

func TestTwinL1BlocksAreRefusedByTheAssembledMode(t *testing.T) {
	v := scenario(func(*rollup.Config) {})
	v.l1[1].ref.Hash = v.l1[0].ref.Hash
	if got := assembled(v).Outcome; got.Kind != "critical" || !strings.Contains(got.Message, "same hash") {
		t.Errorf("outcome %v", got)
	}
}

func TestConversation(t *testing.T) {
	var out bytes.Buffer
	in := plainVector + "\n\n{}\r\n  \n" + plainVector
	if err := converse(strings.NewReader(in), &out, recorded); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines: %q", len(lines), lines)
	}
	for i, start := range []string{`{"holodiff":"handshake"`, `{"format":1`, `{"error":{"path":"format"`, `{"format":1`} {
		if !strings.HasPrefix(lines[i], start) {
			t.Errorf("line %d is %s", i, lines[i])
		}
	}
	if lists := `"frames":[],"channels":[],"batches":[],"flushes":[],"singles":[]`; !strings.Contains(lines[1], lists) {
		t.Errorf("empty lists are written as %s", lines[1])
	}
}

func TestMeasure(t *testing.T) {
	var out bytes.Buffer
	if err := measure(strings.NewReader(plainVector), &out, 5*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	var m measurement
	if err := json.Unmarshal([]byte(lines[1]), &m); err != nil {
		t.Fatal(err)
	}
	if m.Name != "plain" || m.Iterations == 0 || m.MedianNanoseconds == 0 {
		t.Errorf("measured %+v", m)
	}
}
