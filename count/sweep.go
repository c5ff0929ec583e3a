package count

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/order"
	"github.com/pavage/pavage/internal/engine/sweep"
)

func countBySweep(ctx context.Context, p *cover.Problem, o Options) (*Result, error) {
	s, err := beginSweep(ctx, p, o)
	if err != nil {
		return nil, err
	}
	return s.finish(ctx)
}

// sweeper is a sweep in progress. The field run is nil if bounds exclude all solutions.
type sweeper struct {
	automaton *automaton.Automaton
	run       sweep.Run
	meter     *meter
	blocks    int64   // number of blocks of states in all levels so far
	change    *change // nil if the order is fixed

	perState, perBlock float64   // cost of a state and of a block, see sweep.StateCost
	seconds            float64   // elapsed time of all levels so far
	rates              []float64 // for each of the last levels, the seconds per state
	promise            promise

	scale float64 // forecasts are multiplied by it; 1 except in tests
}

func newSweeper(ctx context.Context, p *cover.Problem, o Options, inFirstOrder bool) (*sweeper, error) {
	if inFirstOrder {
		a, err := feasible(ctx, p, true)
		return sweepOf(a, o), err
	}
	a, err := inBestOrder(ctx, p, o)
	return sweepOf(a, o), err
}

// inBestOrder returns the automaton of the order in which a count would end, after all changes of
// the order. It returns nil if bounds exclude all solutions.
func inBestOrder(ctx context.Context, p *cover.Problem, o Options) (*automaton.Automaton, error) {
	if Unbalanced(p) {
		return nil, nil
	}
	a, err := order.Compile(ctx, p, sweep.Config{Threads: o.threads(), Memory: o.Memory})
	if err != nil || !a.Feasible {
		return nil, err
	}
	return a, nil
}

// beginSweep begins a sweep in the order with the least predicted cost. The order may change later.
func beginSweep(ctx context.Context, p *cover.Problem, o Options) (*sweeper, error) {
	if Unbalanced(p) {
		return &sweeper{}, nil
	}
	a, err := automaton.Compile(ctx, p)
	if err != nil || !a.Feasible {
		return &sweeper{}, err
	}
	s := sweepOf(a, o)
	s.change = &change{problem: p, options: o, next: firstLook * int64(len(p.Options))}
	return s, nil
}

func sweepOf(a *automaton.Automaton, o Options) *sweeper {
	if a == nil {
		return &sweeper{}
	}
	s := &sweeper{meter: newMeter(foreseen(a), o.Progress), scale: 1}
	s.start(a, o)
	return s
}

func (s *sweeper) start(a *automaton.Automaton, o Options) {
	moves := a.MeanMoves() - 1
	s.perState, s.perBlock = sweep.StateCost(a.Words, moves), sweep.BlockCost(a.Words, moves)
	s.automaton, s.blocks, s.promise = a, 0, promise{}
	s.run = sweep.Start(a, s.config(o))
}

func (s *sweeper) config(o Options) sweep.Config {
	return sweep.Config{Value: sweep.Count{}, Threads: o.threads(), Memory: o.Memory, Disk: o.Disk, Progress: s.meter.within}
}

func (s *sweeper) tellTo(w *work) {
	if s.run != nil {
		s.meter.report = w.part(1, s.meter.shown)
	}
}

func (s *sweeper) done() bool {
	return s.run == nil || s.run.Level() == s.automaton.Steps() || s.run.States() == 0
}

func (s *sweeper) step(ctx context.Context) error {
	start := time.Now()
	_, err := s.run.Step(ctx)
	took := time.Since(start).Seconds()
	s.seconds += took
	if err != nil {
		return err
	}
	s.blocks += int64(s.run.Blocks())
	if n := s.run.States(); n >= rateStates {
		s.rates = append(s.rates[max(0, len(s.rates)+1-rateLevels):], took/float64(n))
	}
	met := s.states()
	if s.change != nil {
		met += s.change.before
	}
	s.meter.next(met)
	return s.change.look(ctx, s)
}

// The method while sweeps levels until more() is false or the sweep is done. It also ends if the
// next level does not fit in memory. Then it returns true, and s keeps the last level.
func (s *sweeper) while(ctx context.Context, more func() bool) (full bool, err error) {
	for !s.done() && more() {
		if err := s.step(ctx); errors.Is(err, cover.ErrMemory) {
			return true, nil
		} else if err != nil {
			return false, err
		}
	}
	return false, nil
}

func (s *sweeper) below(states int64) func() bool { return func() bool { return s.states() < states } }

func (s *sweeper) states() int64 {
	if s.run == nil {
		return 0
	}
	return s.run.Effort().States
}

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
	return &Result{Count: s.run.Total(), Engine: Sweep, Effort: Effort{States: e.States}, Arcs: e.Arcs, Disk: e.Disk, Bytes: e.Bytes}
}

func (s *sweeper) stateCost() float64 {
	return s.perState + s.perBlock*float64(s.blocks)/float64(max(1, s.states()))
}

func (s *sweeper) cost() float64 { return s.stateCost() * float64(s.states()) }

func (s *sweeper) rest() float64 {
	if s.done() {
		return 0
	}
	rest := s.scale * s.automaton.Remaining(s.run.Level(), s.run.States())
	return s.promise.keep(float64(s.states()), rest)
}

func (s *sweeper) forecast() *SweepForecast {
	done, rest := float64(s.states()), s.rest()
	f := &SweepForecast{States: done + rest, Seconds: s.seconds + rest*s.rate(), cost: s.cost() + rest*s.stateCost()}
	if !s.done() {
		f.Error = foreseenError
		if f.States > fewMade*done {
			f.Error = farError
		}
	}
	return f
}

const (
	// foreseenError is the relative error of a forecast: there may be 3 times the forecast states.
	foreseenError = 2
	// farError is the relative error if less than 1/fewMade of the states have been swept.
	farError, fewMade = 10, 20
)

func (s *sweeper) bytes(safety float64) float64 {
	if s.run == nil {
		return 0
	}
	growth := 1.0
	if !s.done() {
		growth = max(1, safety*s.automaton.Peak(s.run.Level(), s.run.States()))
	}
	return growth * float64(s.run.Effort().Bytes)
}

// rate returns the seconds per state, for display. It is the median over the last levels, since
// other programs slow some levels down.
func (s *sweeper) rate() float64 {
	if len(s.rates) == 0 {
		return s.seconds / float64(max(1, s.states()))
	}
	rates := slices.Sorted(slices.Values(s.rates))
	return rates[len(rates)/2]
}

const (
	rateLevels = 9   // number of the last levels in rates
	rateStates = 256 // a level with fewer states is not in rates
)

// promise is a forecast, after done states, that rest states will follow. It is replaced when over
// 2·done states have been swept, and broken if far more than rest states have followed.
type promise struct {
	done, rest float64
	at         float64 // number of states swept at the last call of keep
	broken     bool    // result of the last call of keep
}

// keep returns the number of states that are expected to follow. If the promise is broken, this is
// at least brokenRest*done. Then another engine runs as soon as the sweep has cost a third of what
// the other engine is expected to cost.
func (p *promise) keep(done, rest float64) float64 {
	if done != p.at {
		p.at, p.broken = done, p.done > 0 && done-p.done > brokenBy*p.rest
		if p.done == 0 || done > 2*p.done {
			p.done, p.rest = done, rest
		}
	}
	if p.broken {
		return max(rest, brokenRest*done)
	}
	return rest
}

// A promise is broken when over 4·rest states followed, since few forecasts are so far too low.
const (
	brokenBy   = 4
	brokenRest = 3
)

// change changes the order of a sweep whose first levels show that the order is bad.
type change struct {
	problem *cover.Problem
	options Options
	next    int64   // number of states at which orders are compared next
	before  int64   // number of states swept in the orders that were given up
	orders  []Order // the present order, then the orders given up; empty before the first change
}

// firstLook is the number of states per option before orders are first compared. A comparison
// compiles the automata of the orders, which is slow if there are many options.
const firstLook = 50

func (c *change) look(ctx context.Context, s *sweeper) error {
	if c == nil || s.states() < c.next || s.done() || !s.automaton.Surprises(s.run.Level(), s.run.States()) {
		return nil
	}
	c.next = order.LookAgain * s.states()
	other, err := order.Better(ctx, c.problem, sweep.Config{Threads: c.options.threads(), Memory: c.options.Memory}, s.automaton, s.run)
	if err != nil || other == nil {
		return err
	}
	c.before += s.states()
	given := Order{Order: other.Given, States: float64(s.states()) + s.automaton.Remaining(s.run.Level(), s.run.States())}
	c.orders = append([]Order{{Order: other.Index, States: other.States}, given}, c.orders[min(1, len(c.orders)):]...)
	s.meter.ends = foreseen(other.Automaton)
	s.meter.goOn(0, c.before)
	s.start(other.Automaton, c.options)
	return nil
}

func (c *change) changed() bool { return c != nil && len(c.orders) > 0 }
