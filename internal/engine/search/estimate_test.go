package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/internal/test/testkit"
)

// TestUnbiased: the mean of many probes is the value of the whole tree, where exact, optional and
// counted items decide, and all sorts of choices fail.
func TestUnbiased(t *testing.T) {
	testkit.Serial(t)
	for _, puzzle := range []string{
		"{board: 4x4, pieces: [{name: domino, copies: any}]}",
		"{board: 3x20, pieces: [pentominoes]}",
		"{board: 3x3x3, pieces: [soma]}",
		"{board: 4x4, cover: at-most, pieces: [{name: domino, copies: any}]}",
		"{board: 4x5, cover: at-most, pieces: [{name: domino, copies: 2..3}, {name: L3, copies: 0..2}]}",
		"{board: 4x5, pieces: [{name: monomino, copies: 1..4}, {name: L3, copies: 2..}, {name: I3, copies: 1..2}, {name: domino, copies: any}]}",
		"{board: 1x2, pieces: [domino]}",
	} {
		s := compiled(t, model(t, puzzle))
		r := mustCount(t, s, Options{Threads: 1, forgetful: true})
		count, _ := r.Count.Float64()
		prober := s.Prober(1975)
		for size, crowds := range map[int]int{1: 8_000, 8: 2_000} {
			var tries, solutions moments
			for range crowds {
				p, _ := prober.crowds.crowd(size, func() bool { return false })
				tries.add(p.tries)
				solutions.add(math.Ldexp(p.solutions, len(s.free)))
			}
			what := fmt.Sprintf("%s, crowds of %d: ", puzzle, size)
			tries.check(t, what+"tries", float64(r.Tries))
			solutions.check(t, what+"solutions", count)
		}
	}
}

// TestSmallTreesAreWalked: a crowd with a place for every node finds the exact values.
func TestSmallTreesAreWalked(t *testing.T) {
	s := compiled(t, model(t, "{board: 3x3x3, pieces: [soma]}"))
	r := mustCount(t, s, Options{Threads: 1, forgetful: true})
	p, ok := s.Prober(1).crowds.crowd(1<<20, func() bool { return false })
	if !ok || p.tries != float64(r.Tries) || p.solutions != 11520 {
		t.Errorf("%+v, the tree has %+v", p, r)
	}
}

// TestMost: of twenty estimates about one has a bound below the tries of the tree, and none in
// thirty has a bound below half of them. Some estimates are from few crowds, or of trees that are
// mostly below few choices: without crowds, a fifth of sixteen probes found a tenth of the tries of
// Y pentominoes.
func TestMost(t *testing.T) {
	all, under, far := 0, 0, 0
	for puzzle, tries := range map[string]float64{
		"{board: 3x3x3, pieces: [soma]}":                                          3725,
		"{board: 10x10, pieces: [{name: Y5, copies: any}]}":                       2228,
		"{board: 15x15, pieces: [{name: Y5, copies: any}]}":                       77107875,
		"{board: 5x11, pieces: [L3, I4, O4, L4, L5, N5, P5, U5, V5, W5, X5, Y5]}": 5910006,
	} {
		s := compiled(t, model(t, puzzle))
		for least, n := range map[int]int{16: testkit.Size(50, 200), 64: testkit.Size(50, 200), 256: testkit.Size(10, 200)} {
			for seed := range uint64(n) {
				e, err := s.Prober(seed).Probe(t.Context(), least, 0)
				if err != nil || e.Probes < least {
					t.Fatalf("%s: %+v, %v", puzzle, e, err)
				}
				all++
				if e.Tries*e.Most < tries {
					under++
				}
				if e.Tries*e.Most < tries/2 {
					far++
				}
			}
		}
	}
	if under*16 > all || far*30 > all {
		t.Errorf("of %d bounds %d are too low, %d by more than two", all, under, far)
	}
}

// moments of a sample.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(x float64) {
	m.n++
	m.sum += x
	m.squares += x * x
}

// check accepts a truth within five standard errors of the mean.
func (m *moments) check(t *testing.T, what string, truth float64) {
	t.Helper()
	mean := m.sum / m.n
	deviation := math.Sqrt(max(0, m.squares/m.n-mean*mean) / (m.n - 1))
	if math.Abs(mean-truth) > 5*deviation+1e-9*truth {
		t.Errorf("%s: %.6g ± %.2g, the tree has %.6g", what, mean, deviation, truth)
	}
}

// TestProbe: a prober stops when the error is small enough, and when the work is done.
func TestProbe(t *testing.T) {
	small := compiled(t, model(t, "{board: 4x4, pieces: [{name: domino, copies: any}]}")).Prober(2)
	e, err := small.Probe(t.Context(), 10, time.Minute)
	if err != nil || e.Error >= goodError || e.Probes < 10 || e.Seconds <= 0 || math.Abs(e.Solutions-36) > 5*36*e.Error {
		t.Errorf("4x4: %+v, %v", e, err)
	}
	large := compiled(t, model(t, hopeless)).Prober(2)
	const work = 10 * time.Millisecond
	e, err = large.Probe(t.Context(), 10, work)
	if err != nil || e.Tries < 1e15 || e.Tries > 1e18 {
		t.Errorf("12x12: %+v, %v, want 5e16 tries", e, err)
	}
	if workOf(large) < float64(work) || workOf(large) > 1.2*float64(work) {
		t.Errorf("12x12: %g ns of work, want %v", workOf(large), work)
	}
	more, err := large.Probe(t.Context(), 10, 2*work)
	if err != nil || more.Probes < e.Probes*3/2 || more.Probes > e.Probes*3 || workOf(large) > 2.2*float64(work) {
		t.Errorf("12x12, again: %+v, %v, %g ns; was %+v", more, err, workOf(large), e)
	}
}

// TestProbesAreTheSame: the results of probes depend on the seed alone, and there are never fewer
// probes than requested.
func TestProbesAreTheSame(t *testing.T) {
	s := compiled(t, model(t, sixByTen))
	want, err := s.Prober(7).Probe(t.Context(), 64, 0)
	if err != nil || want.Probes != 64 {
		t.Fatalf("%+v, %v", want, err)
	}
	testkit.Busy(t, 4)
	if got, err := s.Prober(7).Probe(t.Context(), 64, 0); got != want || err != nil {
		t.Errorf("beside others %+v, %v; alone %+v", got, err, want)
	}
	if other, _ := s.Prober(8).Probe(t.Context(), 64, 0); other == want {
		t.Errorf("seeds 7 and 8 find the same: %+v", other)
	}
}

// TestProbesGiveUp: a board on which a single probe exceeds the allowed work has no forecast, and
// reports that it has none.
func TestProbesGiveUp(t *testing.T) {
	p := compiled(t, model(t, "{board: 60x60, cover: at-most, pieces: [{name: monomino, copies: any}, {name: domino, copies: any}]}")).Prober(1)
	e, err := p.Probe(t.Context(), 10, 0)
	if err != nil || e.Probes >= 10 || workOf(p) > 1.5*float64(minWork) {
		t.Errorf("%+v, %v after %g ns", e, err, workOf(p))
	}
}

func workOf(p *Prober) float64 {
	work, _ := p.crowds.work()
	return work
}

// wide returns a board with a number of sorts of dominoes. A choice forces many others, and after
// each of them the search tests all rows again.
func wide(t *testing.T, side, sorts int) *Space {
	var pieces strings.Builder
	for k := range sorts {
		fmt.Fprintf(&pieces, "{name: p%d, shape: '##', copies: any}, ", k)
	}
	return compiled(t, model(t, fmt.Sprintf("{board: %dx%d, pieces: [%s]}", side, side, pieces.String())))
}

// TestProbesCountLooks: passes over the rows count towards the lateness of a probe, also in the
// middle of a node.
func TestProbesCountLooks(t *testing.T) {
	p := wide(t, 24, 20).Prober(1)
	e, err := p.Probe(t.Context(), 10, 0)
	one := float64(lookNanos * rowsPerLook * len(p.crowds.(*prober).frames[0].active))
	if spent := lookNanos * float64(p.crowds.(*prober).looked); err != nil || e.Probes >= 10 || spent < float64(minWork) || spent > float64(minWork)+one {
		t.Errorf("%+v, %v after %g ns of looks, want %v", e, err, spent, minWork)
	}
}

// TestProbeLooks: a probe ends with its context, also while it fills a matrix or tries
// the choices of one node.
func TestProbeLooks(t *testing.T) {
	s := wide(t, 16, 20)
	for _, looks := range []int{0, 1, 5, 50, 500} {
		ctx := testkit.AfterLooks(t, looks)
		p := s.Prober(1)
		e, err := p.Probe(ctx, 10, time.Hour)
		if !errors.Is(err, context.DeadlineExceeded) || e.Probes > 0 || ctx.Late() > 5 || p.crowds.(*prober).looked > (looks+1)*rowsPerLook*(len(s.options)/blockBits+1) {
			t.Errorf("after %d looks: %+v, %v, %d looks later", looks, e, err, ctx.Late())
		}
	}
}
