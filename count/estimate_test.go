package count

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/pavage/pavage/internal/frontier"
)

// TestReconsider begins a sweep in a bad order, which it is to leave for the
// best, and to count right.
func TestReconsider(t *testing.T) {
	ctx := context.Background()
	p := problem(t, "{board: 8x5, pieces: [{set: pentominoes, copies: any}]}")
	bad, err := frontier.Compile(ctx, p, p.Orders[1]) // by columns, of 8
	if err != nil {
		t.Fatal(err)
	}
	want, err := Count(ctx, p, Options{Engine: Search})
	if err != nil {
		t.Fatal(err)
	}
	track := &tracker{T: t}
	s, err := newSweeper(ctx, p, Options{Progress: track.report}, false)
	if err != nil {
		t.Fatal(err)
	}
	best := s.automaton
	s.survey = survey{}
	s.begin(bad)
	r, err := s.finish(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if r.Count.Cmp(want.Count) != 0 {
		t.Errorf("counts %v, want %v", r.Count, want.Count)
	}
	if len(s.orders) < 2 || s.orders[0].Order != 0 || !slices.Equal(s.automaton.Order, best.Order) {
		t.Errorf("orders %v, went on in order %v", s.orders, s.automaton.Order)
	}
	track.ended()
}

// TestEstimation tells both engines' forecasts of a problem that can be swept,
// one that cannot, and one that has no solution for sure.
func TestEstimation(t *testing.T) {
	ctx := context.Background()
	e, err := Estimate(ctx, problem(t, dominoes8), Options{})
	if err != nil || e.Sweep == nil || e.Search == nil || e.Sweep.Exact != len(e.Sweep.States)-1 {
		t.Errorf("dominoes: %+v, %v", e, err)
	}
	r, err := Count(ctx, problem(t, dominoes8), Options{Engine: Sweep})
	if err != nil || r.Count.Cmp(big.NewInt(12988816)) != 0 || float64(r.States) != e.Sweep.Total {
		t.Errorf("%+v, %v, expected %v states", r, err, e.Sweep.Total)
	}
	if e, err := Estimate(ctx, problem(t, slabs), Options{}); err != nil || e.Sweep != nil || e.Search == nil {
		t.Errorf("too wide: %+v, %v", e, err)
	}
	if e, err := Estimate(ctx, problem(t, "{board: 3x3, pieces: [{name: domino, copies: 7}]}"), Options{}); err != nil || e.Sweep == nil || e.Sweep.Total != 0 {
		t.Errorf("infeasible: %+v, %v", e, err)
	}
	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err = Estimate(short, problem(t, "{board: 12x12, pieces: [{set: tetrominoes, copies: any}]}"), Options{})
	if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > 2*time.Second {
		t.Errorf("a tenth of a second: %v after %v", err, took)
	}
}
