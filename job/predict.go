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
	// Seconds are the time on one core of a reference machine without other work: see
	// count.Prediction.
	Seconds float64
	Bytes   int64 // of memory
	// Least is the least memory in which the work can be done. It is less than Bytes if the work
	// can also keep less in memory, as a sweep that makes its levels again.
	Least int64
	// Known means that the work uses at most about ten times the forecast. It may use far less. If
	// Known is false, the numbers are the last bounds that Predict found, or 0.
	Known bool

	// why is the reason why no determinant does long work on pieces of two cells; "" for other work.
	why string
}

// The most memory for placements in a prediction, and for draws that it prepares to forecast them.
const (
	glanceModel  = 8 << 20
	glanceMemory = 32 << 20
)

// Times of other steps of the work, in seconds.
const (
	optionSeconds = 2e-6  // a placement, to be made (6 ms for the 2,900 of Bedlam's cube)
	drawSeconds   = 10e-6 // a tiling drawn or listed, and written as JSON
	classSeconds  = 1e-6  // a tiling listed, to be compared with its image under a symmetry
)

// The cost of draws from a sweep: bytes a state, and seconds a tiling (0.1 ms of 20x20 dominoes).
const (
	levelBytes   = 16
	levelSeconds = 2e-4
)

// Predict makes a forecast of the work of a request: of each kind that counts or draws on one
// board, of a conversion, or of a kind that needs almost no time. For other kinds Known is false.
// Predict needs some 30 ms and 32 MiB at most, and returns soon after ctx ends. For an invalid
// request Known is false too.
func Predict(ctx context.Context, r Request, l Limits) Forecast {
	model := int64(glanceModel)
	if l.Memory > 0 {
		model = min(model, l.Memory)
	}
	return predict(ctx, r, model, nil)
}

// predict is Predict with a limit on the memory for placements. It uses the model of the work, if the
// work makes one.
func predict(ctx context.Context, r Request, model int64, made *placing) Forecast {
	if Validate(r) != nil {
		return Forecast{}
	}
	w := &work{limits: Limits{Memory: model}}
	if of, ok := r.(interface {
		predict(context.Context, *work) Forecast
	}); ok { // may need no placements
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
		return Forecast{} // the work draws pairs of cells, which it does in seconds
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

// placing is the model of a request's puzzle under its conditions, which the work makes, and which
// the forecast of the work then need not make again.
type placing struct {
	puzzle     *Puzzle
	conditions *Conditions
	model      chan *tiling.Model // nil after an error
	begun      atomic.Bool
}

func placingOf(r Request) *placing {
	given, _ := field(r, "Conditions").(*Conditions)
	return &placing{puzzle: PuzzleOf(r), conditions: given, model: make(chan *tiling.Model, 1)}
}

// begin reports whether the model of p under c is this one, and has not been begun.
func (of *placing) begin(p *Puzzle, c *Conditions) bool {
	return of != nil && of.puzzle == p && of.conditions == c && of.begun.CompareAndSwap(false, true)
}

// wait returns the model, once it is made; nil if it has not been begun, or if there is an error. It
// must be called at most once.
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

// The margins of Check. A forecast that is not Known is an extrapolation from a few percent of the
// work, and a Known forecast may be ten times too high or more. So both margins allow for an error
// of another factor of ten.
const (
	// farBytes is the largest forecast of memory, in multiples of the memory limit plus the free
	// disk.
	farBytes = 100
	// farTime is the largest forecast of time on all threads, in multiples of the time limit.
	farTime = 1000
	// farSeconds is 3,000 years of one core, or one year of 3,000 cores: the largest forecast of
	// time, whatever the time limit.
	farSeconds = 1e11
)

// Check returns an error of the kind Limit if the forecast is so far beyond the limits, or beyond
// any machine, that an attempt is pointless. The time limit does not apply to a count with a
// checkpoint, which may run in several parts.
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

// headStart is how long work runs before its forecast is made, so that short work needs no
// forecast. A refusal comes after headStart plus the time of the forecast.
const headStart = 200 * time.Millisecond

// refusing returns a context that ends with the error of Forecast.Check, unless the work ends
// earlier. The caller must call stop at the end of the work.
func refusing(ctx context.Context, r Request, l Limits, made *placing) (of context.Context, stop func()) {
	if r.Kind() == "list" { // a part of the tilings is useful
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
			<-forecast // it reads the puzzle, which may be a file that the caller closes
		}
	}
}

// limited checks a request and returns its work, and a context that ends at the time limit, or with
// the error of Forecast.Check. The caller must call stop at the end of the work.
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

// refusable passes each call of Err to the caller's context too, since some contexts end after a
// number of calls of Err.
type refusable struct {
	context.Context
	parent context.Context
}

func (c refusable) Err() error { return cmp.Or(c.parent.Err(), c.Context.Err()) }

// forecast is the forecast of work that is done a number of times.
func forecast(p count.Prediction, times float64) Forecast {
	return Forecast{Seconds: p.Seconds * times, Bytes: bytesOf(p.Bytes), Least: bytesOf(p.Least), Known: p.Known}
}

// predictSet is the forecast of a diagram or, if that is too large, of levels, with the seconds for
// each tiling that is drawn from it. Draws of classes need a diagram.
func predictSet(ctx context.Context, m *tiling.Model, method sample.Method, classes bool) (p count.Prediction, draw float64) {
	if method != sample.BySweep {
		p = count.Predict(ctx, m.Problem, count.Diagram)
	}
	if method == sample.BySweep || method != sample.ByDiagram && !classes && p.Sweeps() {
		if levels := count.Predict(ctx, m.Problem, count.Sweep); levels.Engine != "" { // else no time is left
			levels.Bytes += levelBytes * levels.States
			return levels, levelSeconds
		}
	}
	return p, drawSeconds
}

// bytesOf is a number of bytes that may be too large to be one.
func bytesOf(x float64) int64 { return int64(min(x, math.MaxInt64/2)) }

// elements is the number of elements of the group; 1 if there is no group.
func (s *symmetry) elements() float64 {
	if s == nil {
		return 1
	}
	return float64(len(s.Elements))
}
