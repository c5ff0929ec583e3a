package job

import (
	"cmp"
	"context"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// predict implements Predict: the structure that is asked, and the questions.
func (r *Query) predict(ctx context.Context, m *tiling.Model) Forecast {
	f, walk := r.structure(ctx, m)
	asked := r.asked(m)
	f.Seconds *= asked.times
	f.Bytes, f.Least = bytesOf(float64(f.Bytes)*asked.room), bytesOf(float64(f.Least)*asked.room)
	each := drawSeconds
	if walk {
		each = walkSeconds
	}
	f.Seconds += each * asked.tilings
	return f
}

// structure is the forecast of the diagram, or of the levels, that is asked.
func (r *Query) structure(ctx context.Context, m *tiling.Model) (f Forecast, walk bool) {
	if q, err := r.question(); err == nil && q.determined() && (r.Method == queryDimer || cmp.Or(r.Method, AutoMethod) == AutoMethod) {
		p := count.Predict(ctx, m.Problem, cmp.Or(r.engine(), count.Auto))
		if p.Engine == count.Dimer || r.Method == queryDimer {
			return forecast(p, 1), false
		}
	}
	method := r.sampling()
	if len(r.ByCopies) > 0 && method != sample.ByDiagram {
		method = sample.ByWalk // see count.ByCopies
	}
	var p count.Prediction
	if method != sample.ByWalk {
		p = count.Predict(ctx, m.Problem, count.Diagram)
	}
	if method == sample.ByWalk || method != sample.ByDiagram && p.Walks() {
		p, walk = count.Predict(ctx, m.Problem, count.Sweep), true
		p.Bytes += walkBytes * p.States
	}
	return forecast(p, 1), walk
}

// effort is what questions take: times as long as the structure, and so much more room.
type effort struct{ times, room, tilings float64 }

func (r *Query) asked(m *tiling.Model) effort {
	e := effort{1, 1, float64(len(r.Unrank) + len(r.Rank))}
	switch {
	case len(r.ByCopies) > 0: // numbers of so many digits, in every state
		digits := r.digits(m)
		e.times, e.room = 2+digits/8, 1+digits
	case len(r.Pairs) > 0: // parts are made anew
		e.times = 1 + 3*float64(len(r.Pairs))
	case r.Correlate != "":
		e.times, e.room = 6, 2
	case r.Marginals != "":
		e.times, e.room = 3, 2
	case r.Best != nil:
		e.tilings = float64(*r.Best)
	case r.Worst != nil:
		e.tilings = float64(*r.Worst)
	}
	if len(r.Weights) > 0 { // longer numbers
		e.times, e.room = weightTimes*e.times, weightTimes*e.room
	}
	return e
}

// weightTimes is how much longer sums of weights take than counts.
const weightTimes = 3

// digits is a bound on how many numbers of copies there are.
func (r *Query) digits(m *tiling.Model) float64 {
	_, sets, err := setsOf(m, r.ByCopies)
	if err != nil {
		return 1 // it is refused at once
	}
	digits := 1.0
	for _, set := range sets {
		cells := len(m.Puzzle.Board.Cells)
		for _, o := range set {
			cells = min(cells, len(m.Placements[o].Cells))
		}
		cells = max(cells, 1)
		digits *= float64(len(m.Puzzle.Board.Cells)/cells + 1)
	}
	return digits
}
