package job

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// Forecast is the time and memory that a piece of work is expected to take.
type Forecast struct {
	// Seconds are the time on one core of a reference machine without other work: see
	// count.Prediction.
	Seconds float64
	Bytes   int64 // of memory
	// Known says that the work takes at most about ten times as much. It may take far
	// less. If Known is false, the numbers are those found before Predict had to stop, or
	// 0.
	Known bool
}

// glanceModel is the most memory for placements in a prediction.
const glanceModel = 8 << 20

// Times of other steps of the work, in seconds.
const (
	optionSeconds = 2e-6  // a placement, to be made (6 ms for the 2,900 of Bedlam's cube)
	drawSeconds   = 10e-6 // a tiling drawn or listed, and written as JSON
	classSeconds  = 1e-6  // a tiling listed, to be compared with its image under a symmetry
)

// Predict makes a forecast of the work of a request: of a count, a sample, a list, a query or a
// conversion, or of a kind that takes almost no time. For other kinds Known is false. Predict takes some 30 ms
// and 32 MiB at most, and ends soon after ctx does. For a request that would be refused,
// Known is false too.
func Predict(ctx context.Context, r Request, l Limits) Forecast {
	if r.Check() != nil {
		return Forecast{}
	}
	var of func(context.Context, *tiling.Model) Forecast
	var p *Puzzle
	given := &Conditions{}
	if l.Memory <= 0 || l.Memory > glanceModel {
		l.Memory = glanceModel
	}
	switch r := r.(type) {
	case *Examples:
		return Forecast{Seconds: optionSeconds, Known: true}
	case *Convert:
		return r.predict(ctx, &work{limits: l})
	case *Show:
		p, of = &r.Puzzle, func(context.Context, *tiling.Model) Forecast { return Forecast{Known: true} }
	case *Count:
		p, given, of = &r.Puzzle, &r.Conditions, r.predict
	case *Sample:
		p, given, of = &r.Puzzle, &r.Conditions, r.predict
	case *List:
		p, given, of = &r.Puzzle, &r.Conditions, r.predict
	case *Query:
		p, given, of = &r.Puzzle, &r.Conditions, r.predict
	default:
		return Forecast{}
	}
	m, err := (&work{limits: l}).conditioned(ctx, p, given)
	if err != nil {
		return Forecast{}
	}
	f := of(ctx, m)
	f.Seconds += optionSeconds * float64(len(m.Problem.Options))
	f.Bytes += m.Bytes()
	return f
}

// forecast is the forecast of work that is done a number of times.
func forecast(p count.Prediction, times float64) Forecast {
	return Forecast{Seconds: p.Seconds * times, Bytes: bytesOf(p.Bytes), Known: p.Known}
}

// bytesOf is a number of bytes that may be too large to be one.
func bytesOf(x float64) int64 { return int64(min(x, math.MaxInt64/2)) }

// predict implements Predict. To count for one class of symmetries takes no more than
// to count all tilings.
func (r *Count) predict(ctx context.Context, m *tiling.Model) Forecast {
	if r.Engine == EngineSAT || r.Formula {
		return Forecast{}
	}
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return Forecast{}
	}
	return forecast(count.Predict(ctx, m.Problem, count.Engine(r.Engine)), s.elements())
}

// elements is the number of elements of the group; 1 if there is no group.
func (s *symmetry) elements() float64 {
	if s == nil {
		return 1
	}
	return float64(len(s.Elements))
}

// predict implements Predict.
func (r *Sample) predict(ctx context.Context, m *tiling.Model) Forecast {
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return Forecast{}
	}
	method, draw := sample.Method(cmp.Or(r.Method, AutoMethod)), drawSeconds
	var p count.Prediction
	if method != sample.ByWalk && method != sample.ByCoupling {
		p = count.Predict(ctx, m.Problem, count.Diagram)
	}
	if method == sample.ByWalk || method == sample.Auto && s == nil && p.Walks() {
		if walk := count.Predict(ctx, m.Problem, count.Sweep); walk.Engine != "" { // else no time is left
			p, draw = walk, walkSeconds
			p.Bytes += walkBytes * p.States
		}
	}
	if method == sample.ByCoupling || method == sample.Auto && s == nil && len(r.Weights) == 0 && !r.Ranked {
		if each, bytes, known, couples := sample.Couples(ctx, m.Problem, method, p.States); couples {
			return Forecast{Seconds: (each + drawSeconds) * float64(r.Number), Bytes: bytes, Known: known}
		}
	}
	f := forecast(p, s.elements())
	f.Seconds += draw * float64(r.Number)
	return f
}

// What a walk takes: bytes a state, and seconds a tiling (0.1 ms of 20x20 dominoes).
const (
	walkBytes   = 16
	walkSeconds = 2e-4
)

// predict implements Predict: a list takes a search, which may end when the list is full.
func (r *List) predict(ctx context.Context, m *tiling.Model) Forecast {
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return Forecast{}
	}
	p := count.Predict(ctx, m.Problem, count.Search)
	f := forecast(p, 1)
	listed := p.Solutions
	if r.Number != nil {
		listed = min(listed, float64(*r.Number))
	}
	f.Seconds += drawSeconds*listed + classSeconds*(s.elements()-1)*p.Solutions
	return f
}

// predict implements Predict: nothing is known of formats that need more than the placements.
func (r *Convert) predict(ctx context.Context, w *work) Forecast {
	if !slices.Contains([]string{"cover", "puzzle", "json", "dlx", "xmpuzzle"}, r.To) {
		return Forecast{}
	}
	m, err := r.model(ctx, w)
	if err != nil || m.Problem == nil {
		return Forecast{Seconds: optionSeconds, Known: err == nil}
	}
	return Forecast{Seconds: optionSeconds * float64(len(m.Problem.Options)), Bytes: m.Bytes(), Known: true}
}
