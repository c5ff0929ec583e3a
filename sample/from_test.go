package sample_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/sample"
)

// TestFrom: every method draws through one interface, names itself and the reason for its choice,
// and From's set draws the same as the same set made by hand.
func TestFrom(t *testing.T) {
	m := puzzletest.Inline(t, "4x4", "domino=any")
	group := m.Group(true).Symmetries()
	for _, c := range []struct {
		name    string
		request sample.Request
		method  sample.Method
		reason  string
		count   int64
	}{
		{"auto", sample.Request{}, sample.ByDiagram, "the sweep has only 70 states", 36},
		{"named", sample.Request{Method: sample.Auto}, sample.ByDiagram, "the sweep has only 70 states", 36},
		{"diagram", sample.Request{Method: sample.ByDiagram}, sample.ByDiagram, "it was asked for", 36},
		{"sweep", sample.Request{Method: sample.BySweep}, sample.BySweep, "it was asked for", 36},
		{"classes", sample.Request{Group: group}, sample.ByDiagram, "classes are drawn from diagrams", 9},
	} {
		s, err := sample.From(t.Context(), m.Problem, c.request, count.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if s.Method != c.method || s.Reason != c.reason || s.Count().Int64() != c.count || s.Result.Count.Int64() != 36 || s.Check() != nil {
			t.Errorf("%s: %+v, count %v of %v", c.name, s, s.Count(), s.Result.Count)
		}
		if _, diagram := s.Set.(*count.Compiled); diagram != (c.method == sample.ByDiagram) || (s.Classes != nil) != (c.name == "classes") {
			t.Errorf("%s: made of %+v", c.name, s)
		}
		n := 0
		for d := range draws(t, s, 7, 20) {
			if n++; len(d.Options) != 8 || !m.Problem.IsSolution(sorted(d.Options)) {
				t.Errorf("%s: drew %+v", c.name, d)
			}
		}
		if n != 20 {
			t.Errorf("%s: %d draws", c.name, n)
		}
	}
	_, err := sample.From(t.Context(), m.Problem, sample.Request{Method: "run"}, count.Options{})
	if !errors.Is(err, sample.ErrMethod) {
		t.Errorf("method run: %v", err)
	}
	_, err = sample.From(t.Context(), m.Problem, sample.Request{Method: sample.BySweep, Group: group}, count.Options{})
	if !errors.Is(err, sample.ErrMethod) {
		t.Errorf("a walk to classes: %v", err)
	}
}

// TestDrawsEnd: a context that has ended ends the draws of every sampler with its
// error, once.
func TestDrawsEnd(t *testing.T) {
	m := puzzletest.Inline(t, "4x4", "domino=any")
	for _, r := range []sample.Request{{}, {Method: sample.BySweep}, {Method: sample.ByCoupling}, {Group: m.Group(true).Symmetries()}} {
		s, err := sample.From(t.Context(), m.Problem, r, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var got []string
		for _, err := range s.Draws(ctx, sample.Seeded(1), 1000) {
			got = append(got, fmt.Sprint(errors.Is(err, context.Canceled)))
		}
		if fmt.Sprint(got) != "[true]" {
			t.Errorf("%+v: %v", r, got)
		}
	}
}

func sorted(options []int) []int { return slices.Sorted(slices.Values(options)) }
