package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// Forecast is the expected time and memory of a piece of work.
type Forecast struct {
	// Seconds is the time on one core of an idle machine, as in count.Prediction.
	Seconds float64
	Bytes   int64 // memory in bytes
	// Least is the smallest memory in bytes with which some engine can do the work. It is less than
	// Bytes if a search needs less memory than the engine of this forecast.
	Least int64
	// Known reports whether the work needs at most about ten times the forecast. (It may need far
	// less.) If Known is false, the other fields have the last bounds that Predict found, or 0.
	Known bool

	why string
}

// Predict uses up to glanceModel bytes for placements, and glanceMemory for the source of a sample.
const (
	glanceModel  = 8 << 20
	glanceMemory = 32 << 20
)

// Seconds for steps of the work that package count does not predict.
const (
	optionSeconds = 2e-6  // to make a placement
	drawSeconds   = 10e-6 // to draw or list a tiling, and write it as JSON
	classSeconds  = 1e-6  // to find a tiling, and compare it with its image under a symmetry
)

// For each state, a sweep for draws needs levelBytes more than a count. A draw needs levelSeconds.
const (
	levelBytes   = 16
	levelSeconds = 2e-4
)

// Predict returns a forecast of a request that counts or draws the tilings of one board, converts a
// puzzle, or needs almost no time. For other kinds, and for an invalid request, Known is false.
// Predict needs at most about 30 ms and 32 MiB, and returns soon after ctx ends.
func Predict(ctx context.Context, r Request, l Limits) Forecast {
	model := int64(glanceModel)
	if l.Memory > 0 {
		model = min(model, l.Memory)
	}
	return predict(ctx, r, model, nil)
}

// predict is Predict with a limit on the bytes of the model. If made has a model, predict uses it.
func predict(ctx context.Context, r Request, model int64, made *placing) Forecast {
	if Validate(r) != nil {
		return Forecast{}
	}
	w := &work{limits: Limits{Memory: model}}
	if of, ok := r.(interface {
		predict(context.Context, *work) Forecast
	}); ok { // this method predict needs no model
		return of.predict(ctx, w)
	}
	of, ok := r.(interface {
		predict(ctx context.Context, m *tiling.Model) Forecast
	})
	if !ok {
		return Forecast{}
	}
	given, ok := field(r, "Conditions").(*Conditions)
	if !ok {
		given = &Conditions{}
	}
	m := made.wait(ctx)
	if by, ok := r.(interface {
		predictPairs(context.Context, *work) (Forecast, bool)
	}); ok && m == nil {
		if f, ok := by.predictPairs(ctx, w); ok {
			return f
		}
	}
	if m != nil && m.Problem == nil {
		return Forecast{} // the work draws matchings, which needs no placements and only some seconds
	}
	if m == nil {
		var err error
		if m, err = w.conditioned(ctx, PuzzleOf(r), given); err != nil {
			return Forecast{}
		}
	}
	if m.Bytes() > model {
		return Forecast{}
	}
	f := of.predict(ctx, m)
	if f.Check(Limits{Time: time.Second, Memory: 1 << 30, Threads: 1}) != nil {
		f.why = count.WhyNotDimers(ctx, m.Problem)
	}
	f.Seconds += optionSeconds * float64(len(m.Problem.Options))
	f.Bytes, f.Least = f.Bytes+m.Bytes(), f.Least+m.Bytes()
	return f
}

// placing passes the model from the work to the forecast, so that the model is made only once.
type placing struct {
	puzzle     *Puzzle
	conditions *Conditions
	model      chan *tiling.Model // receives one model; nil after an error
	begun      atomic.Bool
}

func placingOf(r Request) *placing {
	given, _ := field(r, "Conditions").(*Conditions)
	return &placing{puzzle: PuzzleOf(r), conditions: given, model: make(chan *tiling.Model, 1)}
}

// begin reports whether the forecast uses the model of p and c. If so, the caller must send it.
func (of *placing) begin(p *Puzzle, c *Conditions) bool {
	return of != nil && of.puzzle == p && of.conditions == c && of.begun.CompareAndSwap(false, true)
}

// wait returns the model, or nil if work on it has not begun or has failed. Call it only once.
func (of *placing) wait(ctx context.Context) *tiling.Model {
	if of == nil || !of.begun.Load() {
		return nil
	}
	select {
	case m := <-of.model:
		return m
	case <-ctx.Done():
		return nil
	}
}

// Check fails if a forecast is over one of these bounds. The bounds are wide, since a Known
// forecast may be ten times too high, and other forecasts are extrapolated from a few percent of the
// work.
const (
	// The bound on Least is the sum of the memory limit and the free disk, times farBytes.
	farBytes = 100
	// The bound on Seconds is the time limit times the number of threads, times farTime.
	farTime = 1000
	// Even without a time limit, the bound on Seconds is farSeconds, about 3,000 years.
	farSeconds = 1e11
)

// Check returns an error of the kind Limit if the forecast is so far beyond the limits, or beyond
// any machine, that an attempt has no chance. It ignores the time limit if there is a checkpoint,
// since the count can then run in several parts.
func (f Forecast) Check(l Limits) error {
	threads := cmp.Or(l.Threads, runtime.GOMAXPROCS(0))
	switch {
	case f.Seconds > farSeconds:
		return f.tooFar("take about %s of one core, far beyond any machine", human.Time(f.Seconds))
	case l.Time > 0 && l.Checkpoint == "" && f.Seconds > farTime*float64(threads)*l.Time.Seconds():
		return f.tooFar("take about %s of one core, far beyond the time limit of %v", human.Time(f.Seconds), l.Time)
	case l.Memory > 0 && float64(f.Least) > farBytes*(float64(l.Memory)+machine.FreeDisk(l.Disk)):
		return f.tooFar("need %s, far beyond the memory limit of %s", human.Bytes(float64(f.Least)), human.Bytes(float64(l.Memory)))
	}
	return nil
}

func (f Forecast) tooFar(format string, args ...any) error {
	text := "the work would " + fmt.Sprintf(format, args...) + ": use a smaller puzzle"
	if f.why != "" {
		text += "; determinants cannot do it, since " + f.why
	}
	return &Error{Kind: Limit, err: errors.New(text)}
}

// headStart is the time that work runs before its forecast is made. Shorter work needs no forecast.
const headStart = 200 * time.Millisecond

func refusing(ctx context.Context, r Request, l Limits, made *placing) (of context.Context, stop func()) {
	if r.Kind() == "list" { // no list is refused, since a list that ends at a limit is useful, too
		return ctx, func() {}
	}
	parent := ctx
	ctx, cancel := context.WithCancelCause(parent)
	forecast := make(chan struct{})
	timer := time.AfterFunc(headStart, func() {
		defer close(forecast)
		model := max(glanceModel, l.Memory/8)
		if err := predict(ctx, r, model, made).Check(l); err != nil {
			if c, ok := r.(*Count); ok && c.Distinct != "" {
				all := *c
				all.Distinct = ""
				if predict(ctx, &all, model, nil).Check(l) == nil {
					err = &Error{Kind: Limit, err: &misuse{"%v, or the count without {distinct}", []any{err}}}
				}
			}
			cancel(err)
		}
	})
	return refusable{ctx, parent}, func() {
		cancel(nil)
		if !timer.Stop() {
			<-forecast // predict reads the puzzle file, which the caller may close next
		}
	}
}

// limited returns the work of a valid request, and a context that ends at the time limit, or when
// Forecast.Check returns an error. The caller must call stop at the end of the work.
func limited(ctx context.Context, r Request, l Limits, watch Watch) (of context.Context, w *work, stop func(), err error) {
	if err := Validate(r); err != nil {
		return nil, nil, nil, err
	}
	cancel := func() {}
	if l.Time > 0 {
		ctx, cancel = WithTimeLimit(ctx, l.Time)
	}
	w = &work{limits: l, watch: watch, begun: time.Now(), placing: placingOf(r)}
	ctx, end := refusing(ctx, r, l, w.placing)
	return ctx, w, func() { end(); cancel() }, nil
}

// The method Err calls Err of the parent first, since in some tests this call ends the parent.
type refusable struct {
	context.Context
	parent context.Context
}

func (c refusable) Err() error { return cmp.Or(c.parent.Err(), c.Context.Err()) }

func forecast(p count.Prediction, times float64) Forecast {
	return Forecast{Seconds: p.Seconds * times, Bytes: bytesOf(p.Bytes), Least: bytesOf(p.Least), Known: p.Known}
}

// predictSet predicts a diagram, or levels if the diagram is too large, and the seconds of a draw.
func predictSet(ctx context.Context, m *tiling.Model, method sample.Method, classes bool) (p count.Prediction, draw float64) {
	if method != sample.BySweep {
		p = count.Predict(ctx, m.Problem, count.Diagram)
	}
	if method == sample.BySweep || method != sample.ByDiagram && !classes && p.Sweeps() {
		if levels := count.Predict(ctx, m.Problem, count.Sweep); levels.Engine != "" {
			levels.Bytes += levelBytes * levels.States
			return levels, levelSeconds
		}
	}
	return p, drawSeconds
}

func bytesOf(x float64) int64 { return int64(min(x, math.MaxInt64/2)) }

func (s *symmetry) elements() float64 {
	if s == nil {
		return 1
	}
	return float64(len(s.Elements))
}
