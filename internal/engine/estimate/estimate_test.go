package estimate

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// corpus is puzzles of which some levels are larger than the base, and none so
// large that a sweep takes over a second.
var corpus = []string{
	"{board: 16x16, pieces: [{name: domino, copies: any}]}",
	"{board: 14x16, pieces: [{name: domino, copies: any}, {name: monomino, copies: any}]}",
	"{board: 9x9, pieces: [{name: domino, copies: any}, {name: monomino, copies: 0..9}]}",
	"{board: 12x12, pieces: [{name: L3, copies: any}]}",
	"{board: 12x12, pieces: [{set: trominoes, copies: any}]}",
	"{board: 8x8, pieces: [{set: trominoes, copies: any}, {name: monomino, copies: 1}]}",
	"{board: 8x8, pieces: [{set: tetrominoes, copies: any}]}",
	"{board: 9x8, pieces: [{set: tetrominoes, copies: any}]}",
	"{board: 8x8, pieces: [{name: T4, copies: any}, {name: L4, copies: any}]}",
	"{board: 7x10, pieces: [{set: pentominoes, copies: any}]}",
	"{board: 6x6, pieces: [{set: pentominoes, copies: any}, {name: monomino, copies: 1}]}",
	"{board: 5x12, pieces: [pentominoes]}",
	"{board: 4x15, pieces: [pentominoes]}",
	"{board: 6x8, cover: at-most, pieces: [{set: tetrominoes, copies: 0..1}]}",
	"{board: 10x10, cover: at-most, pieces: [{name: s, box: 2x2, copies: 0..7}, {name: m, box: 3x3, copies: 0..7}, {name: l, box: 4x4, copies: 0..7}]}",
	"{board: 4x4x4, pieces: [{name: brick, box: 1x1x2, copies: any}]}",
	"{board: 3x3x3, pieces: [soma]}",
	"{board: 3x3x6, pieces: [{name: tri, box: 1x1x3, copies: any}, {name: duo, box: 1x1x2, copies: any}]}",
	"{board: \"##########\\n##########\\n###..#####\\n###..#####\\n##########\\n#####.####\\n#####.####\\n##########\\n##########\", pieces: [{set: tetrominoes, copies: any}]}",
	"{board: \"....##....\\n...####...\\n..######..\\n.########.\\n##########\\n##########\\n.########.\\n..######..\\n...####...\\n....##....\", pieces: [{set: tetrominoes, copies: any}, {name: domino, copies: any}]}",
}

// truth is the sizes of all levels.
func truth(t *testing.T, a *automaton.Automaton) []float64 {
	t.Helper()
	r := sweep.Start(a, sweep.Config{})
	sizes := []float64{1}
	for range a.Steps() {
		if _, err := r.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, float64(r.States()))
	}
	return sizes
}

// small is a sampling for small problems: most of their levels are sampled.
func small(seed uint64) Sampling { return Sampling{Seed: seed, States: 1 << 12, Nodes: 1 << 22} }

func compiledFor(t *testing.T, puzzle string) *automaton.Automaton {
	t.Helper()
	a, err := automaton.Compile(context.Background(), puzzletest.Parse(t, puzzle).Problem)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestEstimates wants peaks of at most 1.5 times what was expected for 90% of
// the corpus, sums that are not far off, and levels that were made to be right. Every
// other puzzle of the corpus is for the long run.
func TestEstimates(t *testing.T) {
	testkit.Serial(t)
	sampled, low, off := 0, 0, 0
	looked := 0
	for i := testkit.Size(1, 0); i < len(corpus); i += testkit.Size(4, 1) {
		looked++
		puzzle := corpus[i]
		a := compiledFor(t, puzzle)
		sizes := truth(t, a)
		e, err := Of(context.Background(), a, sweep.Config{}, small(1))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(e.States[:e.Exact+1], sizes[:e.Exact+1]) {
			t.Errorf("%s: levels to %d are not what they are", puzzle, e.Exact)
		}
		want := &Estimate{States: sizes}
		_, peak := want.Peak()
		_, expected := e.Peak()
		t.Logf("%5.2f of the peak %8.0f, %5.2f ± %4.2f of all %8.0f, base %d of %d, %d of %d undecided: %s",
			expected/peak, peak, e.Total()/want.Total(), e.Error, want.Total(), e.Exact, a.Steps(), e.Undecided, e.Children, puzzle)
		if e.Certain() {
			continue
		}
		sampled++
		if peak > 1.5*expected {
			low++
		}
		if r := math.Abs(math.Log2(e.Total() / want.Total())); r > 1.5 {
			off++
		}
	}
	if 2*sampled < looked || 10*low > sampled || 10*off > sampled {
		t.Errorf("of %d estimates %d peaks were over 1.5 times the expected, %d sums far from it", sampled, low, off)
	}
}

// TestCertainEstimates: a problem without large levels is not estimated at all.
func TestCertainEstimates(t *testing.T) {
	for _, puzzle := range []string{
		"{board: 8x8, pieces: [{name: domino, copies: any}]}",
		"{board: 3x3, pieces: [{name: domino, copies: any}]}", // no state is left at the end
		"{board: 3x20, pieces: [pentominoes]}",
	} {
		a := compiledFor(t, puzzle)
		e, err := Of(context.Background(), a, sweep.Config{}, Careful(1))
		if err != nil {
			t.Fatal(err)
		}
		if !e.Certain() || !slices.Equal(e.States, truth(t, a)) || e.Error != 0 || e.Bytes <= 0 {
			t.Errorf("%s: %+v", puzzle, e)
		}
	}
}

// TestEstimateIsOfItsSeed: the same on any number of threads, another for
// another seed.
func TestEstimateIsOfItsSeed(t *testing.T) {
	a := compiledFor(t, corpus[6])
	var first *Estimate
	for _, x := range []struct {
		seed    uint64
		threads int
		same    bool
	}{{1, 1, true}, {1, 2, true}, {2, 1, false}} {
		e, err := Of(context.Background(), a, sweep.Config{Threads: x.threads}, small(x.seed))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = e
		}
		if slices.Equal(e.States, first.States) != x.same {
			t.Errorf("seed %d, %d threads: %v, seed 1: %v", x.seed, x.threads, e.Total(), first.Total())
		}
	}
}

// TestEstimateIsCancelled ends the context at some of its looks, and wants its
// error and few looks more: one of each replicate.
func TestEstimateIsCancelled(t *testing.T) {
	a := compiledFor(t, corpus[6])
	for n := 0; n < 200_000; n = 2*n + 1 {
		ctx := testkit.AfterLooks(t, n)
		_, err := Of(ctx, a, sweep.Config{Threads: 1}, small(1))
		if !ctx.Ended() {
			if err != nil || n < 1000 {
				t.Errorf("%d looks at the context, error %v", n, err)
			}
			return
		} else if !errors.Is(err, context.DeadlineExceeded) || ctx.Late() >= replicates {
			t.Fatalf("ended at look %d: error %v, %d looks more", n, err, ctx.Late())
		}
	}
}

// TestReachable compares walks with levels: all of a level's states are
// reachable, and of others that could be none is, but for those that pruning
// dropped on their way.
func TestReachable(t *testing.T) {
	testkit.Serial(t)
	for _, i := range []int{0, 2, 6, 10, 11, 13, 15, 16} {
		a := compiledFor(t, corpus[i])
		if a.Words == 1 {
			missed, wrong, looked := walksMissed(t, a)
			if looked < 1000 || missed > 0 || 20*wrong > looked {
				t.Errorf("%s: of %d states %d were missed, %d that are none were found", corpus[i], looked, missed, wrong)
			}
		}
	}
}

func walksMissed(t *testing.T, a *automaton.Automaton) (missed, wrong, looked int) {
	t.Helper()
	before, r := sweep.New[[1]uint64](a, sweep.Config{}), sweep.New[[1]uint64](a, sweep.Config{})
	step(t, r)
	for ; r.States() <= 500 && r.Level() < a.Steps(); step(t, r) {
		step(t, before)
	}
	base := sweep.New[[1]uint64](a, sweep.Config{})
	for base.Level() < before.Level() {
		step(t, base)
	}
	p := newPast(a, base.Present(), base.Level())
	p.horizon, p.most = a.Steps(), 1<<18
	for ; before.Level() <= p.baseAt+24 && before.Level() < a.Steps() && r.States() > 0; step(t, before) {
		back := automaton.NewTransition[[1]uint64](a, before.Level())
		for i := 0; i < r.States(); i += 1 + r.States()/50 {
			predecessors(r.Present().Key(i), &back, func(q [1]uint64) {
				known := before.Present().Find(q) >= 0
				looked++
				switch found := p.reachable(before.Level(), q); {
				case known && found < 1:
					missed++
				case found > 0 && !known:
					wrong++
				}
			})
		}
		if r.Level() < a.Steps() {
			step(t, r)
		}
	}
	return missed, wrong, looked
}

func step(t *testing.T, r *sweep.Sweep[[1]uint64]) {
	t.Helper()
	if _, err := r.Step(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// TestScaleTo: chances as far apart as floats go are scaled to a sum of n.
func TestScaleTo(t *testing.T) {
	for _, chances := range [][]float64{
		{1, 1, 1, 1}, {1e300, 1, 1, 1}, {1e30, 1e29, 1e-9, 1e-9, 1e-9, 1e-9}, {1e-300, 2e-300, 1e300, 5, 4e-300},
	} {
		for n := 1; n < len(chances); n++ {
			scale, sum := scaleTo(slices.Clone(chances), n), 0.0
			for _, x := range chances {
				sum += min(1, x*scale)
			}
			if math.Abs(sum-float64(n)) > 1e-9 {
				t.Errorf("%v scaled to %d: sum %v", chances, n, sum)
			}
		}
	}
}

// TestEnough: an estimate whose looks are too few, or whose time is up, tells what it has
// found so far, and that it is less sure. With more tries it makes more levels, with as many
// it finds the same.
func TestEnough(t *testing.T) {
	p := puzzletest.Inline(t, "12x12", "tetrominoes=any").Problem
	a, err := automaton.Compile(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	const there = 1.3e9
	look := func(s Sampling) *Estimate {
		e, err := Of(t.Context(), a, sweep.Config{Threads: 1}, s)
		if err != nil {
			t.Fatal(err)
		}
		if e.Exact > e.Sampled || e.Sampled >= a.Steps() || e.Error < foreseenError {
			t.Errorf("levels to %d made, to %d of %d sampled, error %g", e.Exact, e.Sampled, a.Steps(), e.Error)
		}
		if n := e.Total(); n < there/20 || n > there*20 {
			t.Errorf("%g states, there are %g", n, there)
		}
		return e
	}
	s := Sampling{Seed: 1, States: 1 << 14, Nodes: 1 << 20, Looks: 1 << 22, Tries: 1 << 23}
	few := look(s)
	if again := look(s); again.Total() != few.Total() {
		t.Errorf("%g states, and %g", few.Total(), again.Total())
	}
	s.Tries *= 4
	if more := look(s); more.Exact <= few.Exact || few.Sampled != few.Exact {
		t.Errorf("four times the tries: to level %d, were %d and %d", more.Exact, few.Exact, few.Sampled)
	}
	var asked atomic.Int64
	look(Sampling{Seed: 1, States: 1 << 14, Nodes: 1 << 20, Late: func() bool { return asked.Add(1) > 10_000 }})
}

// TestProgressOfSamples: shares of the looks that are taken rise.
func TestProgressOfSamples(t *testing.T) {
	a := compiledFor(t, "{board: 16x16, pieces: [{name: domino, copies: any}]}")
	last := 0.0
	s := Sampling{Seed: 1, States: 1 << 8, Nodes: 1 << 16, Looks: 1 << 26, Progress: func(share float64) {
		if share < last || share > 1 {
			t.Errorf("progress %g after %g", share, last)
		}
		last = share
	}}
	e, err := Of(t.Context(), a, sweep.Config{Threads: 1}, s)
	if err != nil || e.Sampled != a.Steps() || e.Exact == e.Sampled || last == 0 {
		t.Errorf("%v, levels to %d made, to %d of %d sampled; told of %g", err, e.Exact, e.Sampled, a.Steps(), last)
	}
}

// TestKinds: two steps are of one kind if they are alike, and rows come again.
func TestKinds(t *testing.T) {
	p := puzzletest.Inline(t, "20x5", "tetrominoes=any").Problem
	candidates, err := automaton.Candidates(t.Context(), p, automaton.InDoubt)
	if err != nil {
		t.Fatal(err)
	}
	a := candidates[0].Automaton
	kinds := kindsOf(a)
	for i := range kinds {
		for j := range i {
			if (kinds[i] == kinds[j]) != a.Alike(i, j) {
				t.Errorf("steps %d and %d: kinds %d and %d, alike %v", i, j, kinds[i], kinds[j], a.Alike(i, j))
			}
		}
	}
	if period := periodOf(kinds, a.Window, 60); period != 5 {
		t.Errorf("steps come again after %d, want 5", period)
	}
}
