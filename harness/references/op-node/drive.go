package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ethereum-optimism/optimism/op-node/rollup/derive"
	"github.com/ethereum-optimism/optimism/op-service/eth"
)

// maxRetries is how often in a row a pipeline may ask for another try without doing anything.
const maxRetries = 10_000

// pipeline is op-node's DerivationPipeline as its driver sees it, after a reset.
type pipeline interface {
	// Step tries to progress. It gives attributes, or neither attributes nor an error after some other progress.
	// Without more L1 data it fails with io.EOF; other errors have op-node's levels.
	Step(ctx context.Context, pendingSafeHead eth.L2BlockRef) (*derive.AttributesWithParent, error)
	// DepositsOnlyAttributes flushes the channel and gives the last attributes without their user transactions.
	DepositsOnlyAttributes(parent eth.BlockID, derivedFrom eth.L1BlockRef) (*derive.AttributesWithParent, error)
	// Origin is the L1 block that the pipeline stands on.
	Origin() eth.L1BlockRef
	// batchOf gives back the single batch that attributes were made of.
	batchOf(attributes *derive.AttributesWithParent) (*derive.SingularBatch, error)
}

// drive steps the pipeline until it needs more L1 data or fails, and lets the simulated engine build what it derives.
// Each derived batch is also given to emit. A panic of the pipeline is the caller's to recover.
func drive(p pipeline, v *vector, safe *safeChain, active *activity, emit func(eth.L1BlockRef, *derive.SingularBatch)) outcome {
	ctx := context.Background()
	retries, before := 0, *active
	for {
		attributes, err := p.Step(ctx, safe.head())
		switch {
		case err == nil:
			retries, before = 0, *active
			if attributes == nil {
				continue
			}
			if err := apply(p, v, safe, attributes, emit); err != nil {
				return outcome{"critical", err.Error()}
			}
		case err == io.EOF:
			return outcome{Kind: "drained"}
		case errors.Is(err, derive.ErrReset):
			return outcome{"reset", err.Error()}
		case errors.Is(err, derive.ErrCritical):
			return outcome{"critical", err.Error()}
		default:
			// NotEnoughData, a temporary error, or one without a level: op-node's driver tries again.
			if *active != before {
				retries, before = 0, *active
			}
			if retries++; retries > maxRetries {
				return outcome{"stalled", err.Error()}
			}
		}
	}
}

// apply lets the engine build the block of the attributes, or the deposits-only block if it refuses them.
func apply(p pipeline, v *vector, safe *safeChain, attributes *derive.AttributesWithParent, emit func(eth.L1BlockRef, *derive.SingularBatch)) error {
	batch, err := p.batchOf(attributes)
	if err != nil {
		return err
	}
	emit(attributes.DerivedFrom, batch)
	refused := v.invalid[attributes.Parent.Number+1] && len(batch.Transactions) > 0
	if refused && v.config.IsHolocene(attributes.DerivedFrom.Time) {
		attributes, err = p.DepositsOnlyAttributes(attributes.Parent.ID(), attributes.DerivedFrom)
		if err != nil {
			return fmt.Errorf("deposits-only attributes: %w", err)
		}
		if batch, err = p.batchOf(attributes); err != nil {
			return err
		}
	}
	safe.build(batch)
	return nil
}

// derivation runs the pipeline over one vector. It is what the program's modes differ in.
type derivation func(v *vector) *trace

// recorded derives through the bare stages, with a recorder at each boundary.
func recorded(v *vector) *trace {
	t, safe := newTrace(), newSafeChain(v)
	return t.end(recovered(func() outcome {
		active := new(activity)
		p, err := newStagePipeline(v.config, &l1Chain{v.l1}, safe, active, &recording{trace: t, activity: active})
		if err != nil {
			return outcome{"critical", err.Error()}
		}
		return drive(p, v, safe, active, func(eth.L1BlockRef, *derive.SingularBatch) {})
	}), safe.head())
}

// recovered turns a panic of the pipeline into an outcome.
func recovered(run func() outcome) (o outcome) {
	defer func() {
		if cause := recover(); cause != nil {
			o = outcome{"crash", fmt.Sprint(cause)}
		}
	}()
	return run()
}
