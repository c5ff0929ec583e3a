package estimate

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// Estimate is what a run is expected to meet.
type Estimate struct {
	States  []float64 // by level
	Exact   int       // levels up to this one were made and are certain
	Error   float64   // standard error of the sum of States, relative
	Bytes   float64   // most for levels and buffers at any time
	Seconds float64   // with the configured threads
	// Sampled is the last level that was made or sampled; those behind it, if there are
	// any, are as automaton.Behind has them, and Error is at least foreseenError.
	Sampled int
	// Undecided walks of so many children: the more, the less is the error known.
	Undecided, Children int

	rates []float64 // seconds a state, of levels that were made
	spent float64   // seconds, on the levels that were made
}

// Total is the sum of all levels.
func (e *Estimate) Total() float64 { return sum(e.States) }

// Peak is the largest level.
func (e *Estimate) Peak() (level int, states float64) {
	for i, n := range e.States {
		if n > states {
			level, states = i, n
		}
	}
	return level, states
}

// Certain reports that all levels were made.
func (e *Estimate) Certain() bool { return e.Exact == len(e.States)-1 }

// Sampling says how an estimate is made.
type Sampling struct {
	Seed   uint64 // the same seed gives the same estimate, but for Seconds
	States int    // the first level with more is the base
	// Nodes of walks, about: they are what takes the time, 0.1 µs each. Of runs
	// with many times as many states up to More.
	Nodes, More int
	// Looks of all walks together, some nanoseconds each; 0: any number. If they are too
	// few for a sample of all levels, levels are made instead, as long as that takes no
	// more than so many Tries of moves, and the others are foreseen: see
	// Estimate.Sampled. When Late says that the time is up, samples end where they are.
	// It may be nil.
	Looks, Tries int
	Late         func() bool
	// Progress, if not nil, is told the share of the looks that were taken. Calls do
	// not overlap.
	Progress func(share float64)
}

// Careful is an estimate to a third or better, most of the time, if it has enough looks.
// They take a second, tries less.
func Careful(seed uint64) Sampling {
	return Sampling{Seed: seed, States: 1 << 16, Nodes: 1 << 25, More: 1 << 28, Looks: 1 << 28, Tries: 1 << 26}
}

// Quick is one to a factor of two, with which orders are told apart.
func Quick(seed uint64) Sampling {
	return Sampling{Seed: seed, States: 1 << 13, Nodes: 1 << 22, Looks: 1 << 24, Tries: 1 << 24}
}

const (
	// replicates of a sample tell the error of their mean. (Their median would
	// not jump when one of them does, but is too low: 14x14 tetrominoes a tenth.)
	replicates = 4
	// learners are the sample that the tilt is learned by.
	learners = 200
	// statesPerNode: an estimate may take a fifth of the time of the run.
	statesPerNode = 16
	// mostDrawn is the size of a sample where walks are short, and fewestDrawn is the least
	// one. (Smaller ones miss what matters, and do not know it. Of pentominoes of any number on
	// 10x8, 16 to 40 said 1.5e6 states, ±40%, where there are 25e6; of tetrominoes on 12x12
	// 1.1e8 for 13e8.)
	mostDrawn, fewestDrawn = 1 << 11, 100
)

// Of estimates a run of c, of whose first levels it makes those that are small.
// It looks at ctx after every walk or level.
func Of(ctx context.Context, a *automaton.Automaton, c sweep.Config, s Sampling) (*Estimate, error) {
	c.Counts, c.Arcs, c.Progress = true, false, nil
	switch a.Words {
	case 1:
		return estimate[[1]uint64](ctx, a, c, s)
	case 2:
		return estimate[[2]uint64](ctx, a, c, s)
	case 3:
		return estimate[[3]uint64](ctx, a, c, s)
	case 4:
		return estimate[[4]uint64](ctx, a, c, s)
	default:
		return estimate[[key.MaxWords]uint64](ctx, a, c, s)
	}
}

func estimate[K key.Key](ctx context.Context, a *automaton.Automaton, c sweep.Config, s Sampling) (*Estimate, error) {
	e := &Estimate{States: make([]float64, a.Steps()+1)}
	r := sweep.New[K](a, c)
	if err := makeLevels(ctx, r, a, e, func() bool { return r.States() <= s.States }); err != nil {
		return nil, err
	}
	if !a.Coloured() {
		if err := e.sample(ctx, newPast(a, r.Present(), r.Level()), s); err != nil {
			return nil, err
		}
	}
	if e.Sampled == e.Exact && !e.Certain() {
		if err := makeLevels(ctx, r, a, e, s.tries(a, r)); err != nil {
			return nil, err
		}
		e.foresee(a)
	}
	m := &made[K]{a: a, c: c, base: r.Present(), effort: r.Effort(), e: e}
	return e, m.tellCost(ctx, s.Seed)
}

// makeLevels makes levels as long as more says so, or until one has no states, or it
// takes too much memory. What they took tells what the others will.
func makeLevels[K key.Key](ctx context.Context, r *sweep.Sweep[K], a *automaton.Automaton, e *Estimate, more func() bool) error {
	e.States[0] = 1
	for r.Level() < a.Steps() && r.States() > 0 && more() {
		start := time.Now()
		if _, err := r.Step(ctx); errors.Is(err, sweep.ErrMemory) {
			break
		} else if err != nil {
			return err
		}
		took := time.Since(start).Seconds()
		e.spent += took
		e.States[r.Level()] = float64(r.States())
		if r.States() >= rateStates {
			e.rates = append(e.rates, took/float64(r.States()))
		}
	}
	if e.Exact = r.Level(); r.States() == 0 {
		e.Exact = a.Steps()
	}
	e.Sampled = e.Exact
	return nil
}

// rateStates of a level tell what a state takes.
const rateStates = 1 << 10

// sample estimates the levels behind the base, if there are looks for that.
func (e *Estimate) sample(ctx context.Context, p interface {
	replicate(ctx context.Context, s Sampling) ([]sampled, error)
}, s Sampling,
) error {
	if e.Certain() {
		return nil
	}
	all, err := p.replicate(ctx, s)
	if err != nil || len(all) == 0 {
		return err
	}
	logs := make([]float64, len(all))
	for i, x := range all {
		logs[i] = math.Log(1 + x.total)
		e.Undecided += x.undecided
		e.Children += x.children
	}
	for k := range all[0].states {
		for _, x := range all {
			e.States[e.Exact+1+k] += x.states[k] / float64(len(all))
		}
	}
	e.Error = deviation(logs) / math.Sqrt(float64(len(all)))
	if all[0].cut {
		e.Error = max(e.Error, cutError)
	}
	e.Sampled = all[0].sampled
	for _, x := range all {
		e.Sampled = min(e.Sampled, x.sampled)
	}
	if e.Sampled < len(e.States)-1 {
		e.Error = max(e.Error, foreseenError)
	}
	return nil
}

// sampled is what became of one population.
type sampled struct {
	states              []float64 // by level behind the base
	total               float64
	undecided, children int
	sampled             int // the last level
	looks               int
	cut                 bool // it was smaller than it should have been
}

// replicate runs one population to learn the tilt and then several, each on
// its own, with what was learned: at first small ones, and if the levels turn
// out to be many times the work, larger ones. There is none if the looks are too few.
func (p *past[K]) replicate(ctx context.Context, s Sampling) ([]sampled, error) {
	t := newTilt[K]()
	first := newPopulation(p, s.Seed, t, learners)
	first.limit(s, s.Looks/learnersShare)
	if _, err := first.run(ctx); err != nil {
		return nil, err
	}
	taken := first.looks
	var before []sampled
	each := float64(first.nodes+1) / learners // nodes of a particle
	most := min(mostDrawn, first.affords(s.Looks-taken))
	if most < fewestDrawn {
		return nil, nil
	}
	for nodes := s.Nodes; ; {
		size := float64(nodes) / each / replicates
		drawn := int(min(most, max(fewestDrawn, size)))
		all, err := p.populations(ctx, s, t, drawn, taken)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(x sampled) bool { return x.sampled < p.a.Steps() }) && (s.Late == nil || !s.Late()) {
			return before, nil
		}
		before = all
		totals := make([]float64, len(all))
		for i := range all {
			taken += all[i].looks
			all[i].cut = size > most && drawn < 2*learners
			totals[i] = all[i].total
		}
		more := int(min(float64(s.More), median(totals)/statesPerNode))
		if more < nodes+nodes/2 || size > most || s.Looks > 0 && taken > s.Looks/2 || s.Late != nil && s.Late() {
			return all, nil
		}
		nodes = more
	}
}

// affords is how large the samples may be that so many looks are surely enough for, by what the
// learners took.
func (s *population[K]) affords(looks int) float64 {
	if s.most == 0 || s.late != nil && s.late() {
		return mostDrawn
	}
	levels := float64(s.a.Steps() - s.baseAt)
	done := levels
	if s.short {
		done = float64(max(1, s.reached-s.baseAt))
	}
	return float64(looks) / (surely * replicates) / (float64(s.looks) / learners * levels / done)
}

// surely: other samples may take so many times as many looks.
const surely = 1.5

// learnersShare: the learners may take one in so many of the looks.
const learnersShare = 8

// limit says what a population may take.
func (s *population[K]) limit(by Sampling, looks int) {
	s.late = by.Late
	if by.Looks > 0 {
		s.most = max(1, looks)
	}
}

// populations runs so many of a size, with what a tilt has learned, when so many looks
// were taken already.
func (p *past[K]) populations(ctx context.Context, s Sampling, t *tilt[K], size, taken int) ([]sampled, error) {
	all := make([]sampled, replicates)
	var g errgroup.Group
	for i := range all {
		g.Go(func() (err error) {
			x := &all[i]
			d := newPopulation(p, s.Seed+1+uint64(i), t.learned(), size)
			d.limit(s, (s.Looks-taken)/replicates)
			if i == 0 && s.Progress != nil && s.Looks > 0 {
				d.told = func(looks int) { s.Progress(min(1, float64(taken+replicates*looks)/float64(s.Looks))) }
			}
			x.states, err = d.run(ctx)
			x.undecided, x.children, x.looks = d.undecided, d.met, d.looks
			if x.sampled = p.a.Steps(); d.short {
				x.sampled = d.reached
			}
			settle(p.a, x.states, p.baseAt)
			for _, n := range x.states {
				x.total += n
			}
			return err
		})
	}
	return all, g.Wait()
}

// settle corrects the drift of estimates where steps come again and again, as
// on the rows of a board: a window's length and two rows from the beginning the
// levels are about those of the row before, and of these the first are the
// surest. Counters never repeat.
func settle(a *automaton.Automaton, states []float64, base int) {
	if a.Counts() {
		return
	}
	kinds := kindsOf(a)
	factor := 1.0 // of all that follows
	for k := range states {
		step := base + k // behind it
		was := states[k]
		states[k] *= factor
		period := periodOf(kinds, a.Window, step)
		if period > 0 && step >= a.Window+2*period && k >= period && was > 0 {
			states[k] = states[k-period]
			factor = states[k] / was
		}
	}
}

// periodOf is after how many steps the step and those before it, a window's
// length of them, come again; 0 if they have not.
func periodOf(kinds []int, window, step int) int {
	for period := 1; step-period-window >= 0; period++ {
		same := true
		for i := step; same && i > step-window; i-- {
			same = kinds[i] == kinds[i-period]
		}
		if same {
			return period
		}
	}
	return 0
}

// kindsOf has for each step the first step that is like it. (To compare two steps of
// hundreds of moves takes a microsecond, and periodOf compares thousands for a step.)
func kindsOf(a *automaton.Automaton) []int {
	kinds := make([]int, a.Steps())
	firsts := map[uint64][]int{} // steps, by print
	for i := range kinds {
		print := a.StepPrint(i)
		k := slices.IndexFunc(firsts[print], func(j int) bool { return a.Alike(i, j) })
		if k < 0 {
			k = len(firsts[print])
			firsts[print] = append(firsts[print], i)
		}
		kinds[i] = firsts[print][k]
	}
	return kinds
}

func sum(list []float64) (all float64) {
	for _, x := range list {
		all += x
	}
	return all
}

// deviation is the standard deviation of what x is a sample of.
func deviation(x []float64) float64 {
	var sum, squares float64
	for _, v := range x {
		sum += v
	}
	mean := sum / float64(len(x))
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares / float64(len(x)-1))
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(x))[len(x)/2]
}
