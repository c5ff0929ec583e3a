package count

import (
	"context"
	"errors"
	"time"

	"github.com/pavage/pavage/cover"
)

// explained counts by an engine that was given, with forecasts of both.
func explained(ctx context.Context, p *cover.Problem, e Engine, o Options) (*Result, error) {
	asked := Plan{Engine: e, Reason: "it was asked for"}
	o.told(asked)
	var plan *Plan
	var err error
	if e == Dimer { // the problem may be too large for the other forecasts
		pl := newPlanner(p, o, toCount, usual)
		pl.lookForDimers(ctx, o)
		plan, err = pl.plan, ctx.Err()
	} else {
		plan, err = forecasts(ctx, p, o, usual)
	}
	if err != nil {
		return nil, err
	}
	plan.Engine, plan.Reason = asked.Engine, asked.Reason
	o.told(*plan)
	o.Explain = false
	start := time.Now()
	r, err := countValid(ctx, p, e, o)
	if err != nil {
		return nil, err
	}
	r.Plan = plan
	r.Plan.Seconds = time.Since(start).Seconds()
	return r, nil
}

// forecasts are what the planner would tell after a trial.
func forecasts(ctx context.Context, p *cover.Problem, o Options, l limits) (*Plan, error) {
	o.Progress = nil
	pl := newPlanner(p, o, toCount, l)
	if err := pl.begin(ctx); err != nil && !errors.Is(err, ErrTooWide) {
		return nil, err
	}
	for pl.sweep != nil && !pl.sweep.done() && pl.sweep.states() < pl.trialStates {
		if err := pl.sweepLevel(ctx); errors.Is(err, ErrMemory) {
			break
		} else if err != nil {
			return nil, err
		}
	}
	return pl.plan, pl.completeForecasts(ctx)
}
