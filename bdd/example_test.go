package bdd_test

import (
	"context"
	"fmt"

	"github.com/pavage/pavage/bdd"
)

// The sets of two of five variables that are not neighbours.
func Example() {
	type state struct {
		left int  // variables still to be taken
		last bool // the variable before was taken
	}
	spec := bdd.Automaton(5, state{left: 2}, func(s state, v int, take bool) (state, bool) {
		if take && s.last {
			return s, false
		}
		if take {
			s.left--
		}
		s.last = take
		return s, s.left >= 0 && (v < 4 || s.left == 0)
	})
	ctx := context.Background()
	d, err := bdd.Build(ctx, spec, bdd.Limits{Nodes: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	with, err := bdd.Restrict(ctx, d, 2, true, bdd.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for set := range with.AllSets() {
		fmt.Println(set)
	}
	counts, err := d.Counts(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(counts.At(d.Root()), "in all")
	// Output:
	// [0 2]
	// [2 4]
	// 6 in all
}
