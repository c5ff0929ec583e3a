package search

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/pavage/pavage/internal/testkit"
)

// TestUnbiased: the mean of many probes is what the whole tree has, where
// exact, optional and counted items decide, and all sorts of choices fail.
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
		rng := rand.New(rand.NewPCG(3, 1975))
		w := &walker{space: s}
		var tries, nodes, solutions moments
		for range 10_000 {
			p, _ := w.probe(rng, func() bool { return false })
			tries.add(p.tries)
			nodes.add(p.nodes)
			solutions.add(math.Ldexp(p.solutions, len(s.free)))
		}
		count, _ := r.Count.Float64()
		tries.check(t, puzzle+" tries", float64(r.Tries))
		nodes.check(t, puzzle+" nodes", float64(r.Nodes))
		solutions.check(t, puzzle+" solutions", count)
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

// TestEstimate: it stops when it knows enough, and when the time is up.
func TestEstimate(t *testing.T) {
	testkit.Serial(t)
	rng := rand.New(rand.NewPCG(1, 2))
	small := compiled(t, model(t, "{board: 4x4, pieces: [{name: domino, copies: any}]}"))
	e, err := small.Estimate(t.Context(), rng, time.Hour)
	if err != nil || e.Error >= goodError || e.Probes < minProbes || e.Seconds <= 0 || math.Abs(e.Solutions-36) > 5*36*e.Error {
		t.Errorf("4x4: %+v, %v", e, err)
	}
	large := compiled(t, model(t, hopeless))
	e, err = large.Estimate(t.Context(), rng, time.Hour)
	enough := e.Probes
	if err != nil || e.Error >= goodError || e.Tries < 3e16 || e.Tries > 9e16 {
		t.Errorf("12x12: %+v, %v, want 5e16 tries", e, err)
	}
	e, err = large.Estimate(t.Context(), rng, 1)
	if err != nil || e.Probes > enough/2 {
		t.Errorf("12x12 in no time: %+v, %v, want far fewer than %d probes", e, err, enough)
	}
}
