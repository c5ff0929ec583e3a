package count

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// TestEstimation prints both engines' forecasts of a problem that can be swept, of a problem that
// cannot, and of a problem without solutions.
func TestEstimation(t *testing.T) {
	ctx := context.Background()
	e, err := Estimate(ctx, problem(t, dominoes8), Options{})
	if err != nil || e.Sweep == nil || e.Search == nil || e.Sweep.Exact != len(e.Sweep.Levels)-1 {
		t.Errorf("dominoes: %+v, %v", e, err)
	}
	r, err := Count(ctx, problem(t, dominoes8), Sweep, Options{})
	if err != nil || r.Count.Cmp(big.NewInt(12988816)) != 0 || float64(r.States) != e.Sweep.States {
		t.Errorf("%+v, %v, expected %v states", r, err, e.Sweep.States)
	}
	if e, err := forecastsOfPart(ctx, problem(t, slabs), Options{}, toCount); err != nil || e.Sweep != nil || e.Search == nil {
		t.Errorf("too wide: %+v, %v", e, err)
	}
	if e, err := Estimate(ctx, problem(t, "{board: 3x3, pieces: [{name: domino, copies: 7}]}"), Options{}); err != nil || e.Sweep == nil || e.Sweep.States != 0 {
		t.Errorf("infeasible: %+v, %v", e, err)
	}
	// Areas differ: neither the sweep nor the search has anything to do.
	uneven := problem(t, "{board: 12x12, pieces: [pentominoes]}")
	if e, err := Estimate(ctx, uneven, Options{}); err != nil || e.Sweep == nil || e.Sweep.States != 0 || e.Search == nil || e.Search.Tries != 0 {
		t.Errorf("uneven: %+v, %v", e.Search, err)
	}
	if r, err := Count(ctx, uneven, Auto, Options{Watch: Watch{Explain: true}}); err != nil || r.Plan.Search == nil || r.Plan.Search.Tries != 0 {
		t.Errorf("uneven: %+v, %v", r.Plan.Search, err)
	}
	short := testkit.AfterLooks(t, 500)
	_, err = Estimate(short, problem(t, "{board: 12x12, pieces: [{set: tetrominoes, copies: any}]}"), Options{})
	if !errors.Is(err, context.DeadlineExceeded) || short.Late() > 100 {
		t.Errorf("ended while it estimates: %v, %d more looks", err, short.Late())
	}
}

// TestEstimateInShortTime: that all of the time is over is an error.
func TestEstimateInShortTime(t *testing.T) {
	if err := within(testkit.AfterLooks(t, 0), 2, context.Context.Err); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("all time is over: %v", err)
	}
	if err := within(t.Context(), 2, func(same context.Context) error {
		if same != t.Context() {
			t.Error("a share of no deadline")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}
