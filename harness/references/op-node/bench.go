package main

import (
	"slices"
	"time"

	"github.com/ethereum-optimism/optimism/op-node/rollup/derive"
	"github.com/ethereum-optimism/optimism/op-service/eth"
)

// measurement is one line of the bench mode's output.
type measurement struct {
	Name              string `json:"name"`
	Iterations        int    `json:"iterations"`
	MedianNanoseconds int64  `json:"medianNanoseconds"`
}

// bench measures the derivation of one vector for about the given time, after a warm-up of a fifth of it. A run is
// from the making of the stages to the outcome, without recorders; L2 blocks and payloads come from an earlier run.
func bench(v *vector, duration time.Duration) measurement {
	l1, safe := &l1Chain{v.l1}, newSafeChain(v)
	run := func() {
		safe.rewind()
		recovered(func() outcome {
			active := new(activity)
			p, err := newStagePipeline(v.config, l1, safe, active, nil)
			if err != nil {
				return outcome{"critical", err.Error()}
			}
			return drive(p, v, safe, active, func(eth.L1BlockRef, *derive.SingularBatch) {})
		})
	}
	run()
	for start := time.Now(); time.Since(start) < duration/5; {
		run()
	}
	var times []time.Duration
	for start := time.Now(); len(times) == 0 || time.Since(start) < duration; {
		before := time.Now()
		run()
		times = append(times, time.Since(before))
	}
	slices.Sort(times)
	return measurement{v.name, len(times), times[len(times)/2].Nanoseconds()}
}
