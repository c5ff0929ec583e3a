package sample_test

import (
	"errors"
	"testing"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
)

// TestRankOfTooMuch: a member with a variable more, behind all that the diagram
// asks for, is no member.
func TestRankOfTooMuch(t *testing.T) {
	list, err := bdd.NewList(6, bdd.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := list.Add([]int{1, 3}); err != nil {
		t.Fatal(err)
	}
	one, err := list.Diagram(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unit, err := bdd.Unit(6)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		family *bdd.Diagram
		set    []int
		member bool
	}{
		{one, []int{1, 3}, true},
		{one, []int{1, 3, 4}, false},
		{one, []int{1, 3, 5}, false},
		{one, []int{1, 3, 6}, false},
		{unit, nil, true},
		{unit, []int{0}, false},
		{unit, []int{5}, false},
	} {
		all, err := count.OfDiagram(t.Context(), &cover.Problem{Options: make([]cover.Option, 6)}, c.family, []int{0, 1, 2, 3, 4, 5}, 0)
		if err != nil {
			t.Fatal(err)
		}
		rank, err := all.Rank(t.Context(), c.set)
		switch {
		case c.member && (err != nil || rank.Sign() != 0):
			t.Errorf("rank(%v) = %v, %v, want 0", c.set, rank, err)
		case !c.member && !errors.Is(err, count.ErrMember):
			t.Errorf("rank(%v) = %v, %v, want ErrMember", c.set, rank, err)
		}
	}
}
