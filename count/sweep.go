package count

import (
	"context"
	"math/big"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/frontier"
)

// sweep keeps two levels and the number of ways to each state.
func sweep(ctx context.Context, p *cover.Problem, o Options) (*Result, error) {
	s, err := newSweeper(ctx, p, o, false)
	if err != nil {
		return nil, err
	}
	return s.finish(ctx)
}

// sweeper is a sweep under way. That of a problem which cannot meet its bounds
// has no run and is done.
type sweeper struct {
	p         *cover.Problem
	o         Options
	automaton *frontier.Automaton
	run       frontier.Run
	meter     *meter

	survey   survey
	settled  bool               // the order is not to be looked into, or was
	foreseen *frontier.Estimate // of the run's levels, once there is one
	orders   []OrderEstimate    // those looked into
}

func newSweeper(ctx context.Context, p *cover.Problem, o Options, inFirstOrder bool) (*sweeper, error) {
	a, err := automaton(ctx, p, inFirstOrder)
	if err != nil || a == nil {
		return &sweeper{}, err
	}
	// Another process must be able to go on from a checkpoint, in the same order.
	settled := inFirstOrder || o.Checkpoint != nil
	s := &sweeper{p: p, o: o, survey: usualSurvey, settled: settled, meter: newMeter(a.Steps(), 1, o.Progress)}
	s.begin(a)
	return s, nil
}

// begin puts a sweep to level 0.
func (s *sweeper) begin(a *frontier.Automaton) {
	s.automaton = a
	s.run = a.Run(s.config(s.o))
	s.meter.goOn(0, 0)
}

func (s *sweeper) config(o Options) frontier.Config {
	return frontier.Config{Counts: true, Threads: o.Threads, Memory: o.Memory, Disk: o.Disk, Progress: s.meter.within}
}

// done reports that no step is left, or no state.
func (s *sweeper) done() bool {
	return s.run == nil || s.meter.step == s.automaton.Steps() || s.run.States() == 0
}

func (s *sweeper) step(ctx context.Context) error {
	if _, err := s.run.Step(ctx); err != nil {
		return err
	}
	s.meter.next(s.states())
	return s.reconsider(ctx)
}

// remaining is a guess at the states of the levels to come.
func (s *sweeper) remaining() float64 {
	if s.foreseen != nil {
		return s.foreseen.Remaining(s.meter.step, s.run.States())
	}
	return s.automaton.Remaining(s.meter.step, s.run.States())
}

// states are those of all levels so far.
func (s *sweeper) states() int64 {
	if s.run == nil {
		return 0
	}
	return s.run.Effort().States
}

// finish goes on to the end.
func (s *sweeper) finish(ctx context.Context) (*Result, error) {
	for !s.done() {
		if err := s.step(ctx); err != nil {
			return nil, err
		}
	}
	return s.result(), nil
}

func (s *sweeper) result() *Result {
	if s.run == nil {
		return &Result{Count: new(big.Int), Engine: Sweep}
	}
	s.meter.finish()
	e := s.run.Effort()
	return &Result{Count: s.run.Total(), Engine: Sweep, States: e.States, Arcs: e.Arcs, Disk: e.Disk, Bytes: e.Bytes}
}

// meter turns steps and shares of steps into a fraction that never falls.
type meter struct {
	report      func(Progress)
	step, steps int
	states      int64
	furthest    int   // step that was shown
	most        int64 // states that were
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
	m.furthest, m.most = max(m.furthest, m.step), max(m.most, m.states) // a sweep may begin again
	m.report(Progress{Fraction: m.shown, Step: m.furthest, Steps: m.steps, States: m.most})
}

func (m *meter) next(states int64) {
	m.step++
	m.states = states
	m.within(0)
}

// goOn begins behind a step that was done before.
func (m *meter) goOn(step int, states int64) { m.step, m.states = step, states }

// finish reports that all is done, also when no state was left before the
// last step.
func (m *meter) finish() {
	m.step = m.steps
	m.at(1)
}
