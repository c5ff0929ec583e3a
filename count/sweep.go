package count

import (
	"context"
	"math/big"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/frontier"
)

// sweep keeps two levels and the number of ways to each state.
func sweep(ctx context.Context, p *cover.Problem, o Options) (*Result, error) {
	a, err := automaton(ctx, p, false)
	if err != nil {
		return nil, err
	}
	if a == nil {
		return &Result{Count: new(big.Int), Engine: Sweep}, nil
	}
	m := newMeter(a.Steps(), 1, o.Progress)
	run := a.Run(frontier.Config{Counts: true, Threads: o.Threads, Memory: o.Memory, Progress: m.within})
	for range a.Steps() {
		if run.States() == 0 {
			break
		}
		if _, err := run.Step(ctx); err != nil {
			return nil, err
		}
		m.next(run.Effort().States)
	}
	m.finish()
	e := run.Effort()
	return &Result{Count: run.Total(), Engine: Sweep, States: e.States, Arcs: e.Arcs, Bytes: e.Bytes}, nil
}

// meter turns steps and shares of steps into a fraction that never falls.
type meter struct {
	report      func(Progress)
	step, steps int
	states      int64
	shown       float64
	scale       float64 // the share of the whole work that the steps are
}

func newMeter(steps int, scale float64, report func(Progress)) *meter {
	return &meter{steps: steps, scale: scale, report: report}
}

// within reports the share of the present step that is done.
func (m *meter) within(share float64) {
	m.at(m.scale * (float64(m.step) + share) / float64(max(1, m.steps)))
}

func (m *meter) at(fraction float64) {
	if m.report == nil {
		return
	}
	m.shown = max(m.shown, min(1, fraction))
	m.report(Progress{Fraction: m.shown, Step: m.step, Steps: m.steps, States: m.states})
}

func (m *meter) next(states int64) {
	m.step++
	m.states = states
	m.within(0)
}

// finish reports that all is done, also when no state was left before the
// last step.
func (m *meter) finish() {
	m.step = m.steps
	m.at(1)
}
