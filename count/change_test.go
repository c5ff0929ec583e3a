package count

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// bars is a board with bars of all lengths, of which there are some.
func bars(t *testing.T, board string, most int, copies string) *cover.Problem {
	t.Helper()
	var pieces []string
	for k := 1; k <= most; k++ {
		pieces = append(pieces, fmt.Sprintf("{name: bar%d, box: 1x%d, copies: %s}", k, k, copies))
	}
	return puzzletest.Parse(t, "{board: "+board+", pieces: ["+strings.Join(pieces, ", ")+"]}").Problem
}

// TestChangeOfOrder: bars of all lengths are begun along the rows, which would need 250,000 to
// millions of states, and counted in another order. The diagram has the first order and the same
// count.
func TestChangeOfOrder(t *testing.T) {
	ctx := context.Background()
	for _, x := range []struct {
		board  string
		most   int
		copies string
		states int64 // at most
	}{{"4x8", 8, "any", 20000}, {"2x18", 18, "any", 8000}, {"3x10", 10, "0..9", 1 << 20}} {
		p := bars(t, x.board, x.most, x.copies)
		want, err := Count(ctx, p, Diagram, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{1, 4} {
			for _, e := range []Engine{Auto, Sweep} {
				var last Progress
				o := Options{Limits: Limits{Threads: threads}, Watch: Watch{Explain: e == Auto, Progress: func(p Progress) {
					if p.Fraction < last.Fraction || p.Done < last.Done {
						t.Errorf("progress %v after %v", p, last)
					}
					last = p
				}}}
				got, err := Count(ctx, p, e, o)
				if err != nil || got.Count.Cmp(want.Count) != 0 || got.States > x.states {
					t.Errorf("%s by %s: %v, %v; want %v in %d states", x.board, e, got, err, want.Count, x.states)
				}
				if e == Auto && x.copies == "any" {
					if o := got.Plan.Orders; len(o) != 2 || o[0].Order == o[1].Order || math.Abs(o[0].States/float64(got.States)-1) > 0.1 || o[1].States < o[0].States {
						t.Errorf("%s: orders %v for %d states", x.board, o, got.States)
					}
				}
			}
		}
	}
}

// TestCheckpointOfAnotherOrder: a sweep with checkpoints has its order before it begins, so that it
// continues in the same order.
func TestCheckpointOfAnotherOrder(t *testing.T) {
	p := bars(t, "4x8", 8, "any")
	want, err := Count(context.Background(), p, Sweep, Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, last := range []int{5, 20, 1000} { // levels until it is stopped
		ctx, stop := context.WithCancel(context.Background())
		c, err := OpenCheckpoint(dir, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		c.every = time.Nanosecond
		got, err := c.Count(ctx, p, Options{Watch: Watch{Progress: func(p Progress) {
			if p.Step >= last {
				stop()
			}
		}}})
		stop()
		if last == 1000 && (err != nil || got.Count.Cmp(want.Count) != 0 || c.Level() < 20) {
			t.Errorf("%v, %v, level %d, want %v", got, err, c.Level(), want.Count)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
