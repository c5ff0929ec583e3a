package count

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// TestBounds: the bounds that cost most are named, the dearest first, with the forecast of a sweep
// without them. Pieces that are used once, or any number of times, are not named, nor bounds that
// cost little.
func TestBounds(t *testing.T) {
	for _, x := range []struct {
		board  string
		pieces []string
		want   string
	}{
		{"8x8", []string{"pentominoes=0..3", "domino=0..5", "monomino=any", "tetrominoes=any"}, "domino 6, F5 4, I5 4"},
		{"8x8", []string{"L3=0..9", "I3=2..", "domino=0..19", "monomino=5..30"}, "monomino 31, domino 20, L3 10, I3 3"},
		{"6x10", []string{"pentominoes"}, ""},
		{"8x8", []string{"domino=any", "monomino=0..4"}, ""},
	} {
		p := inline(t, x.board, x.pieces...)
		s, err := newSweeper(t.Context(), p, Options{}, false)
		if err != nil {
			t.Fatal(err)
		}
		b, err := costOfBounds(t.Context(), p, s.automaton, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if b != nil {
			for i, c := range b.Costs[:min(len(b.Costs), 4)] {
				if c.Name != p.Items[c.Item].Name {
					t.Errorf("item %d has the name %s", c.Item, c.Name)
				}
				if i > 0 {
					got += ", "
				}
				got += fmt.Sprint(c.Name, " ", c.Values)
			}
			if b.Without == nil || b.Without.States < 1 {
				t.Errorf("%v: without bounds %+v", x.pieces, b.Without)
			}
		}
		if len(got) < len(x.want) || got[:len(x.want)] != x.want {
			t.Errorf("%v: bounds %q, want %q …", x.pieces, got, x.want)
		}
	}
}

// TestBoundsAreTold: explained plans and estimates name the bounds, and the forecast without them
// is far less.
func TestBoundsAreTold(t *testing.T) {
	p := inline(t, "8x8", "pentominoes=0..3", "monomino=any")
	for _, told := range []func() (*Plan, error){
		func() (*Plan, error) { return Estimate(t.Context(), p, Options{}) },
		func() (plan *Plan, err error) {
			ctx, stop := context.WithCancel(t.Context()) // the count would run for hours
			defer stop()
			_, err = Count(ctx, p, Auto, Options{Watch: Watch{Explain: true, Planned: func(p *Plan) { plan = p; stop() }}})
			if errors.Is(err, context.Canceled) {
				err = nil
			}
			return plan, err
		},
	} {
		plan, err := told()
		if err != nil || plan == nil {
			t.Fatal(plan, err)
		}
		if b := plan.Bounds; b == nil || len(b.Costs) != 12 || b.Without == nil || b.Without.States > 1e8 {
			t.Errorf("%+v", b)
		}
	}
}
