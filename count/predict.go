package count

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/pavage/pavage/cover"
)

// Prediction is the expected cost of work, predicted by a trial of a few milliseconds.
type Prediction struct {
	// Seconds is the time on one idle core. States is the number of states of a sweep, of tries of
	// a search, or of products of determinants.
	Seconds, States float64
	Bytes           float64
	// Least is the smallest memory in bytes that an engine needs. It is less than Bytes if a search
	// needs less memory than Engine and is not hopeless.
	Least     float64
	Solutions float64 // approximate number of solutions, or 0 if unknown
	Engine    Engine  // Sweep, Search or Dimer, or "" if there is no prediction
	// If Engine is Dimer, Counts is the cost of all marginals divided by the cost of a count.
	Counts float64
	// Known is true if the work is expected to run for at most about ten times Seconds.
	Known bool
}

// Sweeps reports whether Solve is expected to return Levels instead of a diagram, since the sweep
// is expected to have more than diagramStates states.
func (p Prediction) Sweeps() bool { return p.Engine == Sweep && p.States > diagramStates }

const (
	// glanceCost is the limit in seconds for the sweep, for the probes, and for the tries.
	glanceCost = 0.01
	// A graph of cells is not read if this would need more than readMost seconds.
	readMost = 0.5
	// The levels may use glanceMemory bytes, and so may the matrix of the search.
	glanceMemory = 8 << 20
	// A forecast is Known if at least 1/seenShare of the states of the sweep have been swept.
	seenShare = 100
	// The forecast of the rest of a sweep is multiplied by caution, since it may be too low.
	caution = 2
	// A forecast from glanceProbes probes is Known if its relative error is at most glanceError.
	glanceProbes = 64
	glanceError  = 0.6
)

// Predict returns the expected cost of a count by an engine, or of building a diagram if e is
// Diagram. Auto selects the cheapest engine. Predict runs for about 20 ms for each part. If ctx
// ends, it soon returns the prediction so far.
func Predict(ctx context.Context, p *cover.Problem, e Engine) Prediction {
	if p.Check(ctx) != nil {
		return Prediction{}
	}
	s, err := apart(ctx, p, e, true)
	if err != nil {
		return Prediction{}
	}
	if s == nil {
		return predictPart(ctx, p, e)
	}
	all, largest := Prediction{Known: true, Engine: Sweep}, -1
	if !s.Impossible {
		all.Solutions = 1
	}
	for q, times := range different(s) {
		x := predictPart(ctx, q, e)
		if x.Engine == "" {
			return Prediction{}
		}
		if len(q.Options) > largest {
			largest, all.Engine = len(q.Options), x.Engine
		}
		all.Known = all.Known && x.Known
		all.Seconds, all.States = all.Seconds+x.Seconds, all.States+x.States
		all.Bytes, all.Least, all.Counts = max(all.Bytes, x.Bytes), max(all.Least, x.Least), max(all.Counts, x.Counts)
		all.Solutions = finite(all.Solutions * finite(math.Pow(x.Solutions, float64(times))))
	}
	return all
}

func predictPart(ctx context.Context, p *cover.Problem, e Engine) Prediction {
	if Unbalanced(p) {
		return Prediction{Known: true, Engine: Sweep}
	}
	goal := toCount
	if e == Diagram {
		goal = toCompile
	}
	pl := newPlanner(p, Options{Limits: Limits{Threads: 1, Memory: glanceMemory}}, goal, usual)
	choice := e == "" || e == Auto
	if (choice || e == Dimer) && readCost*float64(len(p.Options)) > readMost && pairsCells(p) {
		return Prediction{} // determinants may be possible, which are far faster than a sweep
	}
	if e == Dimer || choice && len(p.Items) >= manyItems {
		if x := pl.glanceAtDimers(ctx); x.Known && (e == Dimer || x.Seconds < 1) {
			return x
		}
	}
	best := Prediction{}
	if e != Search {
		best = pl.glanceAtSweep(ctx)
	}
	if e == Sweep || best.Known && best.Seconds < glanceCost {
		return best
	}
	if choice {
		if x := pl.glanceAtDimers(ctx); x.Known && (!best.Known || x.Seconds < best.Seconds) {
			return x
		}
	}
	search := pl.glanceAtSearch(ctx)
	if search.better(best) {
		return search
	}
	if search.Engine != "" && search.Seconds < pl.hopeless {
		best.Least = min(best.Least, search.Bytes)
	}
	return best
}

// PredictDistinct is Predict for Distinct. It predicts each quotient, in 20 ms, and adds the costs.
func PredictDistinct(ctx context.Context, p *cover.Problem, group []cover.Symmetry, e Engine) (sum Prediction) {
	sum.Known = true
	err := eachClass(ctx, p, group, Options{}, func(_ []int, q *cover.Quotient, _ Options) error {
		x := Predict(ctx, q.Problem, e)
		sum.Engine, sum.Known = x.Engine, sum.Known && x.Known
		sum.Seconds += x.Seconds
		sum.Bytes, sum.Least = max(sum.Bytes, x.Bytes), max(sum.Least, x.Least)
		return nil
	})
	sum.Known = sum.Known && err == nil
	return sum
}

// better reports whether p is cheaper than the other prediction. If only one of the two is Known,
// the cost of this one is divided by farMore.
func (p Prediction) better(than Prediction) bool {
	switch {
	case p.Engine == "" || than.Engine == "":
		return than.Engine == ""
	case p.Known != than.Known && p.Known:
		return p.Seconds < farMore*than.Seconds
	case p.Known != than.Known:
		return p.Seconds < than.Seconds/farMore
	}
	return p.Seconds < than.Seconds
}

// farMore is the assumed factor by which a forecast that is not Known may be too low.
const farMore = 10

func (pl *planner) glanceAtDimers(ctx context.Context) Prediction {
	if pl.lookForDimers(ctx, Options{}); pl.dimers == nil {
		return Prediction{}
	}
	r := pl.dimers.result(nil, pl.o)
	bytes := float64(r.Bytes + bytesToRead(pl.p))
	return Prediction{
		Engine: Dimer, Seconds: pl.dimers.seconds(), States: float64(r.Products), Bytes: bytes, Least: bytes, Known: true,
		Counts: float64(pl.dimers.terms[0].matrix.MarginalCounts()),
	}
}

func (pl *planner) glanceAtSweep(ctx context.Context) Prediction {
	if pl.begin(ctx) != nil {
		return Prediction{}
	}
	s := pl.sweep
	// If memory or time does not suffice, s keeps the last complete level.
	_, _ = s.while(ctx, func() bool { return s.cost() < glanceCost })
	f, done := s.forecast(), float64(s.states())
	more := (caution - 1) * (f.States - done)
	x := Prediction{
		Engine: Sweep, Known: s.done() || f.States <= seenShare*done,
		States: f.States + more, Seconds: f.cost + more*s.stateCost(), Bytes: s.bytes(caution),
	}
	if pl.inFirstOrder && s.run != nil { // add the cost of all arcs, which a diagram keeps
		x.Seconds *= arcsCost * arcsMore
		x.Bytes += arcBytes * float64(s.run.Effort().Arcs) * x.States / max(1, done)
	}
	x.Least = x.Bytes
	return x
}

// arcBytes is the memory of an arc until it is reduced, plus the memory of its node and count.
const arcBytes = 40

// glanceAtSearch predicts a search from probes and, for a count, from the first tries.
func (pl *planner) glanceAtSearch(ctx context.Context) Prediction {
	if float64(len(pl.p.Options))*float64(len(pl.p.Items)) > 8*glanceMemory { // the matrix has a bit for each option and item
		return Prediction{}
	}
	s, err := space(ctx, pl.p, Options{Limits: Limits{Threads: 1}})
	if err != nil {
		return Prediction{}
	}
	e, err := s.Prober(probeSeed).Probe(ctx, glanceProbes, glanceWork)
	if err != nil && !errors.Is(err, ctx.Err()) || e.Probes == 0 {
		return Prediction{}
	}
	careful := min(e.Most, farMore)
	x := Prediction{
		Engine: Search, States: finite(careful * e.Tries), Seconds: finite(careful * e.Seconds),
		Solutions: finite(e.Solutions), Bytes: float64(s.Bytes(1)),
		Known: e.Probes >= glanceProbes && e.Error <= glanceError || e.Probes > 0 && e.Tries == 0,
	}
	if !pl.inFirstOrder {
		defer pl.endHunt()
		pl.search.space = s
		pl.learn(e)
		_ = pl.tryFor(ctx, glanceCost) // if the time ends, the result so far is used
		f := pl.plan.Search
		if pl.search.over {
			x.Seconds, x.States, x.Known = f.cost, f.Tries, true
		} else if !x.Known && f.cost < e.Seconds {
			x.Seconds, x.States = f.cost*f.most, f.Tries*f.most
		}
	} else { // the solutions are listed
		x.Seconds += listedCost * x.Solutions
		x.Bytes += listedBytes * x.Solutions
	}
	x.Least = x.Bytes
	return x
}

const (
	glanceWork = time.Duration(glanceCost * float64(time.Second))
	// listedBytes is the memory of a solution in a list and of its nodes: see bdd.List.
	listedBytes = 200
)
